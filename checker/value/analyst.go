package value

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Analyst says something of every position of a game of two: what is proved of its value, and an
// estimate where that is not all. It searches ever deeper until its time is over, and what it has
// found helps with the next position. One goroutine may use it at a time.
type Analyst struct {
	*deepener
	learner *learner
	signed  bool             // a play is worth its result, and the greater score wins
	fresh   func() *deepener // one that has found nothing yet
}

// Study says how much work an analysis may take, and how to do it.
type Study struct {
	Time  time.Duration // 0: no limit
	Nodes int64         // positions; 0: no limit
	Depth int           // moves ahead; 0: no limit
	Moves bool          // say something of each move, too
}

// mostAhead is how many moves are looked ahead at most, if there is no other limit. Where play goes
// round, more would tell nothing new.
const mostAhead = 100

// Analysis is what is known of the value of a state, for the first player.
type Analysis struct {
	Lo, Hi int     // proved. The value is known if they are the same
	Score  float64 // the value, or an estimate
	Depth  int     // moves that were looked ahead
	Line   []int   // actions: how play may go on
	Moves  []Prospect
	Nodes  int64
}

// Known reports whether the value is known.
func (a *Analysis) Known() bool { return a.Lo == a.Hi }

// Prospect is what is known of what a move leads to.
type Prospect struct {
	MoveValue
	Score float64
}

// NewAnalyst returns an Analyst for a game with at most as many seeds as a start has, or as the
// options say. The games that it learns from begin there, and depend on the seed. The end of the
// context has no influence.
func NewAnalyst(ctx context.Context, sys *rules.System, start rules.State, p Payoff, seed uint64, opts Options) (*Analyst, error) {
	ctx = context.WithoutCancel(ctx) // it is used longer
	p, signed := byMargin(sys, p)
	g, err := newGame(ctx, sys, max(start.Total(), opts.Seeds), p)
	if err != nil {
		return nil, err
	}
	key, err := g.keyOf(start)
	if err != nil {
		return nil, err
	}
	g.fold(ctx)
	opts.Threads, opts.Recall = 1, nil
	l := newLearner(ctx, g, key, seed)
	fresh := func() *deepener { return newDeepener(ctx, g, newTeam(ctx, g, opts), l.estimate) }
	return &Analyst{fresh(), l, signed, fresh}, nil
}

// Forget drops what was found of positions, so that the next analyses do not depend on those
// before. What was learnt is kept.
func (a *Analyst) Forget() {
	a.table.free()
	a.deepener = a.fresh()
}

// Learn learns to estimate, until that is done or the context ends; the next call goes on. An error
// is a fault of the rules.
func (a *Analyst) Learn(ctx context.Context) error {
	if a.learner.round == learnRounds || a.over(a.learner.start) {
		return nil
	}
	clear(a.guesses.slots) // they were made with another estimate
	return a.learner.learn(ctx)
}

// Close gives memory back.
func (a *Analyst) Close() { a.table.free() }

// Analyse says what a live state is worth. It is never silent: it ends with an estimate if the
// context does. An error is a fault of the rules.
func (a *Analyst) Analyse(ctx context.Context, st rules.State, s Study) (*Analysis, error) {
	a.within(ctx) // the moves are listed however short the time is
	a.most, a.began = s.Nodes, a.nodes
	r, err := a.newRoot(st)
	if err != nil {
		return nil, err
	}
	if len(r.moves) == 0 {
		return nil, errStuck
	}
	if s.Time > 0 {
		within, stop := context.WithTimeout(ctx, s.Time)
		defer stop()
		ctx = within
	}
	a.within(ctx)
	out := r.analysis(0)
	for depth := 1; depth <= cmp.Or(s.Depth, mostAhead); depth++ {
		err := r.deepen(depth, s.Moves)
		if errors.Is(err, errTime) || err != nil && ctx.Err() != nil {
			if r.better {
				line := out.Line
				if out = r.analysis(out.Depth); line[0] == out.Line[0] {
					out.Line = line
				}
			}
			break
		}
		if err != nil {
			return nil, err
		}
		out = r.analysis(depth)
		if r.settled(s.Moves) {
			break
		}
	}
	out.Nodes = a.nodes - a.began
	return out, nil
}

// rooted is the state that is analysed, with its moves.
type rooted struct {
	*Analyst
	key    []uint64
	mover  int
	bank   int // what the account is worth to the player to move
	moves  []rootMove
	ply    ply
	better bool // the depth in hand has found something already
}

// rootMove is a move with what is known of it, for the player who makes it.
type rootMove struct {
	move
	value int // in units
}

func (a *Analyst) newRoot(st rules.State) (*rooted, error) {
	r := &rooted{Analyst: a, mover: st.Mover}
	var err error
	if r.key, err = a.keyOf(st); err != nil {
		return nil, err
	}
	r.bank = side(r.mover) * a.account(r.key)
	a.actions = a.actions[:0]
	if err := a.list(&r.ply, r.key, r.mover, -1, -far, far); err != nil {
		return nil, err
	}
	r.moves = lists.Map(r.ply.moves, func(m move) rootMove { return rootMove{m, 0} })
	slices.SortStableFunc(r.moves, func(a, b rootMove) int { return b.promise - a.promise })
	for i := range r.moves {
		m := &r.moves[i]
		m.value = r.guess(m)
	}
	r.order()
	return r, nil
}

// guess estimates what a move leads to without looking ahead.
func (r *rooted) guess(m *rootMove) int {
	if m.over || m.lo == m.hi {
		return r.clamp(m.bounds, 0)
	}
	return r.clamp(m.bounds, m.gain*r.unit+side(r.mover)*r.estimate.of(r.stepKey(&r.ply, &m.move)))
}

// order puts the best moves first.
func (r *rooted) order() {
	slices.SortStableFunc(r.moves, func(a, b rootMove) int { return b.value - a.value })
}

// deepen searches all moves to a depth. With all set, each gets a value of its own, and otherwise
// only the best.
func (r *rooted) deepen(depth int, all bool) error {
	best := -far
	r.better = false
	r.path = append(r.path[:0], place{r.key, r.inPlay(r.key)})
	for i := range r.moves {
		m := &r.moves[i]
		if m.lo == m.hi || m.over {
			m.value = r.clamp(m.bounds, 0)
			best = max(best, m.value)
			continue
		}
		alpha := best
		if all {
			alpha = -far
		}
		if r.inUnits(m.hi) <= alpha {
			m.value = min(m.value, r.inUnits(m.hi))
			continue
		}
		v, err := r.followTo(0, depth, int(truth(alpha > -far)), &r.ply, &m.move, alpha, far)
		if err != nil {
			r.order()
			return err
		}
		if m.value = v; v > best {
			best = v
		} else if !all {
			m.value = min(v, best-1)
		}
		r.better = true
	}
	r.order()
	return nil
}

// settled reports whether it is proved what is asked: the value, or that of each move.
func (r *rooted) settled(all bool) bool {
	if all {
		return !slices.ContainsFunc(r.moves, func(m rootMove) bool { return m.lo < m.hi })
	}
	b := r.proved()
	return b.lo == b.hi
}

// proved returns the bounds that follow from those of the moves.
func (r *rooted) proved() bounds {
	b := r.moves[0].bounds
	for i := range r.moves {
		b = bounds{max(b.lo, r.moves[i].lo), max(b.hi, r.moves[i].hi)}
	}
	return b
}

// analysis says what was found.
func (r *rooted) analysis(depth int) *Analysis {
	out := &Analysis{Depth: depth, Line: r.line(depth)}
	for i := range r.moves {
		m := &r.moves[i]
		p := Prospect{MoveValue: MoveValue{Action: int(r.ply.steps.Actions[m.step])}}
		p.Lo, p.Hi, p.Score = r.forFirst(m.bounds, m.value)
		r.codec.Unpack(r.stepKey(&r.ply, &m.move), r.flat)
		p.To = r.flat.State(r.sys)
		out.Moves = append(out.Moves, p)
	}
	out.Lo, out.Hi, out.Score = r.forFirst(r.proved(), r.moves[0].value)
	return out
}

// forFirst turns bounds and units for the player to move into what the first player gets.
func (r *rooted) forFirst(b bounds, value int) (lo, hi int, score float64) {
	lo, hi, score = b.lo+r.bank, b.hi+r.bank, float64(r.clamp(b, value))/float64(r.unit)+float64(r.bank)
	if r.signed {
		lo, hi, score = sign(lo), sign(hi), min(max(score, -1), 1)
	}
	if !maximizes(r.mover) {
		lo, hi, score = -hi, -lo, -score
	}
	lo, hi = orNone(lo, hi)
	return lo, hi, score
}

// line follows the best moves that are known.
func (r *rooted) line(most int) []int {
	words := len(r.mask)
	m := &r.moves[0]
	list := []int{int(r.ply.steps.Actions[m.step])}
	key := slices.Clone(r.stepKey(&r.ply, &m.move))
	var p ply
	for len(list) < most && !r.over(key) {
		name := r.nameOf(key)
		step := -1
		if g, is := r.guesses.find(name); is {
			step = int(g.step)
		}
		if k := r.table.find(name, -far, far); k.lo == k.hi && k.step >= 0 {
			step = int(k.step)
		}
		p.steps.Reset()
		if err := r.stepper.Expand(key, &p.steps); err != nil || step < 0 || step >= len(p.steps.Actions) {
			return list
		}
		list = append(list, int(p.steps.Actions[step]))
		copy(key, p.steps.Keys[step*words:][:words])
	}
	return list
}
