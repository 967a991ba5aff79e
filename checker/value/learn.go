package value

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
)

// learner makes an estimate from games that it plays against itself. In each round players look one
// move ahead with the estimate so far, and sometimes move at random. A new estimate is fitted to
// what these games were worth, by least squares with a small penalty for great numbers (ridge
// regression; A. Hoerl and R. Kennard, 1970).
//
// A field has a number for each of its least values, and one for each unit of it beyond. So an
// empty pit and one that reaches a store may be worth something special, whatever the game.
type learner struct {
	*game
	start    []uint64
	round    int
	games    int // in the round
	stepper  *residual.Stepper
	rng      *rand.Rand
	estimate *estimate
	told     int         // values of a field that are told apart
	fits     [2]*squares // by the player to move
	batch    pack.Batch
	flat     *pack.Flat
	moments  []moment
	weighed  int // steps in the round
	features []feature
}

// moment is a position of a game.
type moment struct {
	key     []uint64
	mover   int
	account int
}

// feature is a number that a position has.
type feature struct {
	at    int
	value float64
}

// What is learnt from. More games take longer, and tell little more.
const (
	learnRounds  = 6
	learnSteps   = 300_000 // in a round, those included that are not chosen
	learnMoves   = 200     // of a game; the rest of it is not played
	learnOpen    = 4       // so many moves are made at random, so that games differ
	learnStray   = 20      // and later one of so many
	learnTold    = 16      // values of a field that are told apart, on small boards
	learnNumbers = 500     // that are fitted for each player, at most
	learnPenalty = 10
	learnLeast   = 100 // samples
	learnMemory  = 0.5 // what games of an earlier round count
)

// learnGames is how many games are played in the last round; each round has half as many as the
// next one. Tests change it.
var learnGames = 4000

func newLearner(ctx context.Context, g *game, start []uint64, seed uint64) *learner {
	l := &learner{
		game: g, start: start, stepper: residual.New(ctx, g.sys, g.codec), flat: pack.NewFlat(g.sys),
		rng: rand.New(rand.NewPCG(seed, 0)), estimate: newEstimate(g),
	}
	l.told = max(2, min(learnTold, learnNumbers/max(len(l.estimate.parts), 1)-1))
	n := 1 + len(l.estimate.parts)*(l.told+1)
	for i := range l.fits {
		l.fits[i] = &squares{n: n, product: make([]float64, n*n), sum: make([]float64, n)}
	}
	return l
}

// learn goes on until all is learnt, or the context ends. It fails at a fault of the rules.
func (l *learner) learn(ctx context.Context) error {
	for ; l.round < learnRounds; l.round++ {
		for ; l.games < learnGames>>(learnRounds-1-l.round) && l.weighed < learnSteps; l.games++ {
			if ctx.Err() != nil {
				l.fit()
				return nil
			}
			if err := l.playGame(); err != nil {
				return err
			}
		}
		l.fit()
		l.games, l.weighed = 0, 0
		for _, s := range l.fits {
			s.forget(learnMemory)
		}
	}
	return nil
}

// playGame plays a game and notes its positions.
func (l *learner) playGame() error {
	words := len(l.mask)
	key := l.start
	l.moments = l.moments[:0]
	for range learnMoves {
		mover := l.mover(key)
		l.moments = append(l.moments, moment{key, mover, l.account(key)})
		l.batch.Reset()
		if err := l.stepper.Expand(key, &l.batch); beyondLimits(err) {
			return nil
		} else if err != nil {
			return err
		}
		n := len(l.batch.Actions)
		if n == 0 {
			return nil // nobody knows what that is worth
		}
		l.weighed += n
		at := l.rng.IntN(n)
		if len(l.moments) > learnOpen && l.rng.IntN(learnStray) > 0 {
			at = l.better(mover, at)
		}
		key = append([]uint64(nil), l.batch.Keys[at*words:][:words]...)
		if l.over(key) {
			v, err := l.ended(key, l.flat)
			switch {
			case err == nil:
				l.note(v)
			case errors.As(err, new(*OpenEndError)):
				err = nil
			}
			return err
		}
	}
	if l.linear && l.Endless == AsScored {
		l.note(l.margin.constant + total(l.worth, key))
	}
	return nil
}

// better returns the step that leads to the position of greatest estimate for the player to move.
// Of several it is the first one from a place on.
func (l *learner) better(mover, from int) (best int) {
	words, most, n := len(l.mask), math.MinInt, len(l.batch.Actions)
	for i := range n {
		at := (from + i) % n
		to := l.batch.Keys[at*words:][:words]
		v := 0
		if l.over(to) {
			worth, err := l.ended(to, l.flat)
			if err != nil {
				continue
			}
			v = worth * l.unit
		} else {
			v = l.account(to)*l.unit + l.estimate.of(to)
		}
		if v *= side(mover); v > most {
			most, best = v, at
		}
	}
	return best
}

// note learns that the game was worth v.
func (l *learner) note(v int) {
	for i := range l.moments {
		m := &l.moments[i]
		l.fits[m.mover].add(l.featuresOf(m.key), float64(v-m.account))
	}
}

// featuresOf lists the numbers of a position that are not 0.
func (l *learner) featuresOf(key []uint64) []feature {
	f := append(l.features[:0], feature{0, 1})
	for i := range l.estimate.parts {
		p := &l.estimate.parts[i]
		v, at := int(key[p.Word]>>p.Shift&p.Mask), 1+i*(l.told+1)
		if v < l.told {
			f = append(f, feature{at + v, 1})
		}
		if v > 0 {
			f = append(f, feature{at + l.told, float64(v)})
		}
	}
	l.features = f
	return f
}

// fit makes a new estimate of what was learnt.
func (l *learner) fit() {
	for mover, s := range l.fits {
		if s.samples < learnLeast {
			continue
		}
		x := s.solve(learnPenalty)
		l.estimate.base[mover] = l.units(x[0])
		for i := range l.estimate.parts {
			p, x := &l.estimate.parts[i], x[1+i*(l.told+1):][:l.told+1]
			for v := range p.worth[mover] {
				worth := x[l.told] * float64(v)
				if v < l.told {
					worth += x[v]
				}
				p.worth[mover][v] = l.units(worth)
			}
		}
	}
}

// squares fits a linear function to samples by least squares.
type squares struct {
	n       int
	product []float64 // of the features of all samples, n by n; the part below the diagonal and that
	sum     []float64 // of the features times the value
	samples float64
}

// add adds a sample: its features in ascending order of their places, and its value.
func (s *squares) add(f []feature, value float64) {
	s.samples++
	for i, a := range f {
		s.sum[a.at] += a.value * value
		row := s.product[a.at*s.n:]
		for _, b := range f[:i+1] {
			row[b.at] += a.value * b.value
		}
	}
}

// forget makes all samples so far count less.
func (s *squares) forget(by float64) {
	for i := range s.product {
		s.product[i] *= by
	}
	for i := range s.sum {
		s.sum[i] *= by
	}
	s.samples *= by
}

// solve returns the function that has the least sum of squares of what it is wrong by, and of its
// factors times the penalty.
func (s *squares) solve(penalty float64) []float64 {
	n := s.n
	l := append([]float64(nil), s.product...)
	x := append([]float64(nil), s.sum...)
	for i := range n {
		l[i*n+i] += penalty
	}
	// Cholesky decomposition, then substitution forward and back.
	for i := range n {
		for j := range i + 1 {
			sum := l[i*n+j]
			for k := range j {
				sum -= l[i*n+k] * l[j*n+k]
			}
			if i == j {
				l[i*n+i] = math.Sqrt(max(sum, penalty/2))
			} else {
				l[i*n+j] = sum / l[j*n+j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= l[i*n+k] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= l[k*n+i] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	return x
}

// estimate guesses what the rest of a play is worth to the first player, in units. It is a sum:
// each pit and each variable of a position adds what its value is worth when a player is to move.
// This is learnt from games (see learner), and nothing is proved of it.
type estimate struct {
	status pack.Field
	parts  []part
	base   [2]int32 // by the player to move
}

// How many units of an estimate make one of what a play is worth: a margin, or a result. Finer
// units tell more positions apart, and let a search leave out fewer.
const (
	marginUnit = 1 << 3
	resultUnit = 1 << 10
)

// part is a field of a position with what its values are worth.
type part struct {
	pack.Field
	worth [2][]int32 // by the player to move, and the value before it is shifted
}

// newEstimate returns the estimate that one begins with: what is in the pits is worth what it would
// be at the end.
func newEstimate(g *game) *estimate {
	e := &estimate{status: g.status}
	cells := len(g.sys.Pits) + len(g.sys.Vars)
	for cell := range cells {
		f, _, has := g.position.Place(cell)
		if !has || f.Mask == 0 {
			continue
		}
		p := part{Field: f}
		for mover := range p.worth {
			p.worth[mover] = make([]int32, min(f.Mask, mostWorth)+1)
			if cell >= len(g.sys.Pits) || !g.linear {
				continue
			}
			for v := range p.worth[mover] {
				p.worth[mover][v] = g.units(float64(v * g.margin.weights[cell]))
			}
		}
		e.parts = append(e.parts, p)
	}
	return e
}

// mostWorth bounds the values that are told apart.
const mostWorth = 1 << 10

// of estimates a live position.
func (e *estimate) of(key []uint64) int {
	mover := key[e.status.Word] >> (e.status.Shift & 63) & e.status.Mask & 1
	sum := e.base[mover]
	for i := range e.parts {
		p := &e.parts[i]
		v := key[p.Word] >> (p.Shift & 63) & p.Mask
		if worth := p.worth[mover]; v < uint64(len(worth)) {
			sum += worth[v]
		}
	}
	return int(sum)
}

// units returns a number in units.
func (g *game) units(x float64) int32 {
	return int32(math.Round(min(max(x*float64(g.unit), -mostUnits), mostUnits)))
}

// mostUnits bounds what a field is worth, so that no sum overflows.
const mostUnits = 1 << 20
