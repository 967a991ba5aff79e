// Package rows explores all states that are reachable from some starts, half a board at a time.
//
// A state is the contents of two territories (see package plan), and its control: all else. States
// with the same control and as many seeds in each territory are a block, a matrix of bits: a row
// for each content of the territory of the player to move, and in it a bit for each content of the
// other one. By a plan a row of states is moved at once. No state is packed, ranked or looked up.
//
// The blocks are gone through in layers, by seeds in the territories, as far as no seeds come back
// to them. Within a layer rows are gone through until none has a new state. A layer that is done
// is dropped.
//
//	rows.go   what is asked and found, of all states or of some
//	layers.go layer by layer
//	worker.go row by row, in several threads
//	sweep.go  what these share, as how actions are played
//	block.go  blocks and their rows; the queue of blocks that wait for a worker
package rows

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Query says what to explore.
type Query struct {
	System   *rules.System
	Codec    *pack.Codec
	Found    int64               // states that another search has found
	Advance  int64               // operations that may be lost by making plans that nothing uses
	Most     int64               // operations that may be lost by making plans
	Seeds    int                 // most of a state
	Starts   [][]uint64          // keys, each once
	Steppers []*residual.Stepper // play and evaluate, each in one thread
	Never    rules.Expr          // no state may satisfy it; may be nil. It asks no questions
	NoStuck  bool                // nor may one be live without a legal action: what leads to these is not counted
	Count    []rules.Expr        // count the states that satisfy each; as Never
	Bounds   limit.Bounds
	Observer func(limit.Progress) // may be nil
}

// Result has the figures of all reachable states.
type Result struct {
	States      int64
	Live, Stuck int64   // that have a legal action, and that have none though the game goes on
	Finished    []int64 // by outcome
	Transitions int64
	Into        []int64 // by outcome: the transitions into it
	Counts      []int64 // by Query.Count
	Fired       []bool  // by action: it is legal in some state
	Bytes       int64   // the most memory that states took when a layer was done
}

// Unfit is the error for what is not explored by rows: another search has to decide it. Early says
// that it might be once that has found more states.
type Unfit struct {
	Why   string
	Early bool
}

func (u *Unfit) Error() string { return "not explored by rows: " + u.Why }

// errFound says that a state satisfies Query.Never. Another search finds a shortest play to one.
var errFound = &Unfit{Why: "some state is what none should be"}

// Explore finds all states that are reachable from the starts. The error is an *Unfit where that is
// not done, whatever the reason: a limit, a fault of the rules, a state of Never, or that rows have
// too few states for it to be fast. Or it is that of the context.
func Explore(ctx context.Context, q Query) (*Result, error) {
	s, err := newSweep(ctx, q)
	if err != nil {
		return nil, err
	}
	if err := s.run(); err != nil {
		return nil, s.unfit(err)
	}
	return &s.total.Result, nil
}

// unfit makes an *Unfit of an error, unless it is that of the context.
func (s *sweep) unfit(err error) error {
	if s.ctx.Err() == nil && !errors.As(err, new(*Unfit)) {
		return &Unfit{Why: err.Error()}
	}
	return err
}

// Sample explores about so many states by rows, those with most seeds in the territories first,
// whether that is fast or not. The error is as that of Explore.
func Sample(ctx context.Context, sys *rules.System, starts []rules.State, most int64, b limit.Bounds) (*Sampled, error) {
	q := Query{System: sys, Bounds: b}
	for _, st := range starts {
		q.Seeds = max(q.Seeds, st.Total())
	}
	var err error
	if q.Codec, err = pack.NewCodec(sys, q.Seeds, rules.Parts{}); err != nil {
		return nil, err
	}
	q.Steppers = []*residual.Stepper{residual.New(ctx, sys, q.Codec)}
	flat := pack.NewFlat(sys)
	for _, st := range starts {
		flat.Set(st)
		key := make([]uint64, q.Codec.Words())
		if err := q.Codec.Pack(flat, key); err != nil {
			return nil, err
		}
		q.Starts = append(q.Starts, key)
	}
	s, err := newSweep(ctx, q)
	if err != nil {
		return nil, err
	}
	s.sampled = &Sampled{most: most, Actions: make([]Played, len(sys.Actions))}
	if err := s.run(); err != nil && !errors.Is(err, errSampled) {
		return nil, s.unfit(err)
	}
	s.sampled.Territories, _ = plan.Divide(sys)
	s.workers[0].report()
	s.sampled.States, s.sampled.Rows = s.total.States, s.total.played
	return s.sampled, nil
}
