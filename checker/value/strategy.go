package value

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Side is a bound on what some states are worth to the first player: at least Bound, or at most
// (Below).
type Side struct {
	Below bool
	Bound int
	From  []rules.State // live
}

// Guarantee is a strategy of one player, by which play from all its states keeps the bound of a
// side.
//
// A move of the strategy leads to a state with a number that is not greater, and so does every move
// of the other player. It is less after a state that endless play must not come back to again and
// again. A finished state has no number; what it is worth is within the bound.
type Guarantee struct {
	States  []rules.State // live ones; what is not among the parts of Guarantees has no meaning in them
	Numbers []int         // by state
}

// NoStrategyError says why strategies cannot be written down.
type NoStrategyError struct {
	Reason string
	Limit  bool // it is a limit
}

func (e *NoStrategyError) Error() string { return e.Reason }

// Limits bound strategies.
type Limits struct {
	Kept     int   // states of all strategies together
	Explored int64 // states that are looked at for a retrograde analysis
}

// Guarantees finds a strategy for each side, with a limit on the total of their states; nil for a
// bound that nobody can guarantee. States are known by the parts that it returns, and the others
// have no influence on the play and its worth. The error is a *NoStrategyError or the context's.
//
// It searches by alpha-beta again, and writes down the moves that keep the bound. Where play can
// come back to a position, or is open somewhere, that does not do, and all states are looked at
// from the ends of play backward.
func Guarantees(ctx context.Context, sys *rules.System, sides []Side, p Payoff, opts Options, most Limits) (rules.Parts, []*Guarantee, error) {
	parts := slice.Keep(ctx, sys, sys.Scores...).Parts
	list, err := provenBySearch(ctx, sys, sides, p, opts, most.Kept)
	if errors.Is(err, errRepeats) || errors.Is(err, errDeep) || errors.As(err, new(*OpenEndError)) {
		list, err = provenBackward(ctx, sys, sides, p, opts, most)
	}
	if errors.Is(err, errLarge) {
		err = &NoStrategyError{fmt.Sprintf("they have more than %d states", most.Kept), true}
	}
	return parts, list, unwritten(ctx, err)
}

// unwritten is the error for strategies that were not found: limits and faults are no failures.
func unwritten(ctx context.Context, err error) error {
	var play *forward.PlayError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errNodes):
		return &NoStrategyError{err.Error(), true}
	case errors.As(err, &play):
		err = play.Fault
	}
	if errors.As(err, new(*interp.RuleError)) || errors.As(err, new(*rules.LimitError)) {
		return &NoStrategyError{"in a state that play comes to, " + err.Error(), false}
	}
	return err
}

// errLarge says that strategies have more states than they may have.
var errLarge = errors.New("the strategies are too large")

// provenBySearch finds strategies by alpha-beta. It fails with errRepeats, errDeep or an
// *OpenEndError if that cannot be done.
func provenBySearch(ctx context.Context, sys *rules.System, sides []Side, p Payoff, opts Options, most int) ([]*Guarantee, error) {
	p, signed := byMargin(sys, p)
	seeds := 0
	for _, s := range sides {
		for _, st := range s.From {
			seeds = max(seeds, st.Total())
		}
	}
	g, err := newGame(ctx, sys, seeds, p)
	if err != nil {
		return nil, err
	}
	g.fold(ctx)
	opts.Threads, opts.Recall = 1, nil
	list := make([]*Guarantee, len(sides))
	for n, s := range sides {
		t := newTeam(ctx, g, opts)
		opts.Recall.begin(t)
		r := &prover{
			seeker: t.seekers[0], keeper: First, bound: s.Bound,
			room: most, in: map[string]uint32{},
		}
		if s.Below {
			r.keeper = Second
		}
		if signed {
			r.bound = ofSign(s)
		}
		list[n], err = r.guarantee(s.From)
		if opts.Recall.end(t); err != nil {
			return nil, err
		}
		if list[n] != nil {
			most -= len(list[n].States)
		}
	}
	return list, nil
}

// ofSign is the bound on a margin of which the sign keeps a bound.
func ofSign(s Side) int {
	switch {
	case !s.Below && s.Bound <= -1:
		return lowest / 2
	case s.Below && s.Bound >= 1:
		return highest / 2
	}
	return s.Bound
}

// prover writes down a strategy: the states that play comes to by moves that are found by search.
type prover struct {
	*seeker
	keeper int // the player who keeps the bound
	bound  int // for the first player
	room   int // states that the strategy may have
	in     map[string]uint32
	keys   []uint64   // of the states
	next   [][]uint32 // by state: those that its moves lead to
	ply    ply
}

// guarantee returns the strategy for some states, or nil if there is none for one of them.
func (r *prover) guarantee(from []rules.State) (*Guarantee, error) {
	for _, st := range from {
		key, err := r.keyOf(st)
		if err != nil {
			return nil, err
		}
		if is, err := r.holds(key, st.Mover); !is || err != nil {
			return nil, err
		}
		if _, err := r.add(key); err != nil {
			return nil, err
		}
	}
	for n := 0; n < len(r.next); n++ {
		if n&(1<<12-1) == 0 && r.ctx.Err() != nil {
			return nil, r.ctx.Err()
		}
		if err := r.follow(uint32(n)); err != nil {
			return nil, err
		}
	}
	return r.written()
}

// need is what a state has to be worth to the keeper, besides the account.
func (r *prover) need(key []uint64) int { return side(r.keeper) * (r.bound - r.account(key)) }

// holds reports whether the bound can be kept in a live state.
func (r *prover) holds(key []uint64, mover int) (bool, error) {
	name := r.nameOf(key)
	need := r.need(key)
	if mover == r.keeper {
		v, err := r.search(0, key, name, r.inPlay(key), need-1, need)
		return v >= need, err
	}
	v, err := r.search(0, key, name, r.inPlay(key), -need, -need+1)
	return v <= -need, err
}

// stateKey is the key of a state of the strategy.
func (r *prover) stateKey(n uint32) []uint64 {
	words := len(r.mask)
	return r.keys[int(n)*words:][:words:words]
}

// add numbers a live state.
func (r *prover) add(key []uint64) (uint32, error) {
	text := pack.Text(key)
	if n, known := r.in[text]; known {
		return n, nil
	}
	n := uint32(len(r.next))
	if r.in[text] = n; int(n) == r.room {
		return 0, errLarge
	}
	r.keys, r.next = append(r.keys, key...), append(r.next, nil)
	return n, nil
}

// follow adds the states that play comes to from one: by one move, or by all.
func (r *prover) follow(n uint32) error {
	key := r.stateKey(n)
	mover := r.mover(key)
	name := r.nameOf(key)
	if err := r.list(&r.ply, key, mover, int(r.table.find(name, 0, 0).step), math.MinInt, math.MaxInt); err != nil {
		return err
	}
	if mover != r.keeper {
		for i := range r.ply.moves {
			if err := r.leads(n, &r.ply.moves[i]); err != nil {
				return err
			}
		}
		return nil
	}
	m, err := r.choose(key)
	if err != nil {
		return err
	}
	return r.leads(n, m)
}

// leads adds the state that a move leads to.
func (r *prover) leads(n uint32, m *move) error {
	if m.over {
		return nil
	}
	to, err := r.add(r.stepKey(&r.ply, m))
	if err == nil {
		r.next[n] = append(r.next[n], to)
	}
	return err
}

// choose returns a move of the keeper that keeps the bound: if one is known that adds nothing to
// the strategy, that one.
func (r *prover) choose(key []uint64) (*move, error) {
	need := r.need(key)
	for i := range r.ply.moves {
		m := &r.ply.moves[i]
		if m.lo < need {
			continue
		}
		if _, in := r.in[pack.Text(r.stepKey(&r.ply, m))]; m.over || in {
			return m, nil
		}
	}
	return keeps(&r.ply, need, func(p *ply, m *move, alpha, beta int) (int, error) {
		return r.seeker.follow(0, p, m, alpha, beta)
	})
}

// written returns the strategy. Each state has a greater number than those that may be next, so
// there is none if play can come back.
func (r *prover) written() (*Guarantee, error) {
	numbers, err := r.numbers()
	if err != nil {
		return nil, err
	}
	out := &Guarantee{Numbers: numbers}
	for n := range r.next {
		r.codec.Unpack(r.stateKey(uint32(n)), r.flat)
		out.States = append(out.States, r.flat.State(r.sys))
	}
	return out, nil
}

// numbers finds the length of the longest way from each state.
func (r *prover) numbers() ([]int, error) {
	out := make([]int, len(r.next))
	w := graph.NewWalk(len(out), func(i int) []uint32 { return r.next[i] }, func(int) error { return r.ctx.Err() })
	for n := range out {
		if err := w.From(n); errors.Is(err, graph.ErrCycle) {
			return nil, errRepeats
		} else if err != nil {
			return nil, err
		}
	}
	for n := range out {
		out[n] = w.Length(n)
	}
	return out, nil
}
