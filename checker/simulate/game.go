package simulate

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Chooser chooses the moves of a player, one game after another. What it chooses may not depend on
// the games before.
type Chooser interface {
	// Begin is called when a game begins.
	Begin()
	// Choose returns the action to take in a state that has several.
	Choose(ctx context.Context, st rules.State) (action int, err error)
	// Close gives memory back.
	Close()
}

// player plays games on packed states. A goroutine needs its own.
type player struct {
	sys      *rules.System
	deal     func(game int64) (rules.State, error) // nil: all games begin at the same start
	from     rules.State
	maxMoves int
	seed     uint64
	codec    *pack.Codec
	steppers []*residual.Stepper // by player to move
	choosers []Chooser           // by player to move; nil: moves are chosen at random
	opening  int
	ctx      context.Context
	start    []uint64
	key      []uint64
	steps    pack.Batch
	flat     *pack.Flat
	random   *rand.PCG
	in       *interp.Interp // evaluates scores
	check    func() error
	actions  []int           // of the game under way
	seen     map[string]bool // its positions; nil without a rule of repetition
	counts   Counts
	coverage *coverage.Game // nil: what moves carry out is not counted
}

func newPlayer(ctx context.Context, sys *rules.System, start rules.State, opts Options) (*player, error) {
	seeds := opts.Seeds
	if opts.Deal == nil {
		seeds = start.Total()
	}
	codec, err := pack.NewCodec(sys, seeds, rules.Parts{})
	if err != nil {
		return nil, err
	}
	p := &player{
		sys: sys, deal: opts.Deal, maxMoves: opts.MaxMoves, seed: opts.Seed, codec: codec, ctx: ctx, opening: opts.Opening,
		start: make([]uint64, codec.Words()), key: make([]uint64, codec.Words()),
		flat: pack.NewFlat(sys), random: &rand.PCG{}, in: interp.New(sys).Within(ctx), counts: newCounts(sys),
		check: func() error { return nil },
	}
	p.steps.Check = func() error { return p.check() }
	if opts.Deal == nil {
		if err := p.startFrom(start); err != nil {
			return nil, err
		}
	}
	p.compile(ctx, opts.Followed)
	if opts.Coverage != nil {
		if p.coverage, err = opts.Coverage.Play(codec); err != nil {
			return nil, err
		}
	}
	return p, p.engage(opts.Choosers)
}

// engage makes a chooser for each player who has one.
func (p *player) engage(choosers []func() (Chooser, error)) error {
	p.choosers = make([]Chooser, len(p.sys.Players))
	for i, make := range choosers {
		if make == nil {
			continue
		}
		c, err := make()
		if err != nil {
			p.close()
			return err
		}
		p.choosers[i] = c
	}
	return nil
}

// close gives back what choosers have.
func (p *player) close() {
	for _, c := range p.choosers {
		if c != nil {
			c.Close()
		}
	}
}

// startFrom makes a state the start of the games to come.
func (p *player) startFrom(st rules.State) error {
	p.from = st
	p.flat.Set(st)
	return p.codec.Pack(p.flat, p.start)
}

// compile makes a stepper for each player. Players who follow nothing share one.
func (p *player) compile(ctx context.Context, followed []*rules.System) {
	made := map[*rules.System]*residual.Stepper{}
	for i := range p.sys.Players {
		sys := p.sys
		if i < len(followed) && followed[i] != nil {
			sys = followed[i]
		}
		if made[sys] == nil {
			made[sys] = residual.New(ctx, sys, p.codec)
		}
		p.steppers = append(p.steppers, made[sys])
	}
}

// often is how many moves may be made between two looks at the context.
const often = 1 << 10

// play plays a game and counts it. Its moves are in p.actions, up to where an error occurred.
func (p *player) play(game int64) error {
	if err := p.begin(game); err != nil {
		return err
	}
	for {
		p.codec.Unpack(p.key, p.flat)
		cameBack := p.comesBack()
		switch {
		case p.flat.Outcome != rules.Live:
			return p.over(p.flat.View(p.sys))
		case cameBack && !p.sys.Repetition.Offered:
			return p.over(p.sys.Repetition.Ends(p.flat.View(p.sys)))
		case len(p.actions) == p.maxMoves:
			p.counts.Unended++
			p.counts.Games++
			return nil
		case len(p.actions)%often == often-1 && p.check() != nil:
			return p.check()
		}
		moves, ended, err := p.move(cameBack)
		if err != nil {
			return err
		}
		if ended {
			p.counts.chose(moves)
			return p.over(p.sys.Repetition.Ends(p.flat.View(p.sys)))
		}
		if moves == 0 {
			p.counts.Stuck++
			p.counts.ended(len(p.actions))
			return nil
		}
	}
}

// begin sets up a game. Numbers of games are spread over all of the second half of the seed: the
// first numbers of sequences with seeds near to each other look alike.
func (p *player) begin(game int64) error {
	p.actions = p.actions[:0]
	if p.deal != nil {
		st, err := p.deal(game)
		if err == nil {
			err = p.startFrom(st)
		}
		if err != nil {
			return dealError{err}
		}
	}
	p.random.Seed(p.seed, uint64(game)*0x9e3779b97f4a7c15)
	p.random.Uint64()
	for _, c := range p.choosers {
		if c != nil {
			c.Begin()
		}
	}
	copy(p.key, p.start)
	if p.sys.Repetition != nil {
		p.seen = map[string]bool{}
	}
	return nil
}

// comesBack reports whether the present position occurred before in this game and a rule of
// repetition asks for that. It notes the position.
func (p *player) comesBack() bool {
	if p.seen == nil || p.flat.Outcome != rules.Live {
		return false
	}
	text := pack.Text(p.key)
	before := p.seen[text]
	p.seen[text] = true
	return before
}

// move makes a move and returns among how many it was chosen. With offered, to end the game is one
// of them.
func (p *player) move(offered bool) (moves int, ended bool, err error) {
	p.steps.Reset()
	if err := p.steppers[p.flat.Mover].Expand(p.key, &p.steps); err != nil {
		return 0, false, err
	}
	moves = len(p.steps.Actions)
	if offered {
		moves++
	}
	if moves == 0 {
		return 0, false, nil
	}
	words := len(p.key)
	chosen, err := p.chosen(moves)
	if err != nil {
		return 0, false, err
	}
	if chosen == len(p.steps.Actions) {
		return moves, true, nil
	}
	if p.coverage != nil {
		if err := p.coverage.Count(p.key, p.steps.Actions[chosen]); err != nil {
			return 0, false, err
		}
	}
	copy(p.key, p.steps.Keys[chosen*words:(chosen+1)*words])
	p.actions = append(p.actions, int(p.steps.Actions[chosen]))
	p.counts.chose(moves)
	return moves, false, nil
}

// chosen returns which of the moves is made, by a chooser if there is one.
func (p *player) chosen(moves int) (int, error) {
	c := p.choosers[p.flat.Mover]
	if c == nil || len(p.actions) < p.opening || moves == 1 {
		return p.choose(moves), nil
	}
	action, err := c.Choose(p.ctx, p.flat.State(p.sys))
	if err != nil {
		return 0, err
	}
	at := slices.Index(p.steps.Actions, int32(action))
	if at < 0 {
		return 0, fmt.Errorf("simulate: action %d was chosen, which is not legal", action)
	}
	return at, nil
}

// choose returns a random number from 0 to n-1.
func (p *player) choose(n int) int {
	hi, _ := bits.Mul64(p.random.Uint64(), uint64(n))
	return int(hi)
}

// over counts a game that is over in a state.
func (p *player) over(st rules.State) error {
	scores, err := p.in.Scores(st)
	if err != nil {
		return err
	}
	p.counts.Outcomes[st.Outcome]++
	p.counts.scored(&p.sys.Outcomes[st.Outcome], scores)
	p.counts.ended(len(p.actions))
	return nil
}
