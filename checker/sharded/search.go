package sharded

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Search is a search in phases. It implements phase.Work.
type Search struct {
	Options
	sys     *rules.System
	in      *interp.Interp
	rules   game.Rules
	history History

	mu     sync.Mutex
	levels map[int][]phase.Block // cache of levelBlocks, by number of the phase
}

// Options say what the search looks for, and how it is divided.
type Options struct {
	Goal       rules.Expr   // stop at a state that satisfies it; nil: explore everything
	Count      []rules.Expr // count the states that satisfy each
	StuckSteps bool         // count the steps into stuck states, too
	Shards     int          // number of parts of large levels
	Least      int64        // minimum number of states of a part, unless there is only one
}

// DefaultLeast is a number of states that takes much longer to search than a process takes to
// start.
const DefaultLeast = 1 << 17

// History returns an earlier phase.
type History func(ctx context.Context, number int) (*phase.Phase, error)

// New returns a search of the reachable states of a System.
func New(ctx context.Context, sys *rules.System, o Options, h History) *Search {
	o.Shards, o.Least = max(1, o.Shards), max(1, o.Least)
	return &Search{
		Options: o, sys: sys, in: interp.New(sys).Within(ctx), rules: game.Of(ctx, sys), history: h, levels: map[int][]phase.Block{},
	}
}

// codec returns a codec for whole states, with room for the given number of seeds in a pit.
func (s *Search) codec(room int) (*pack.Codec, error) {
	return pack.NewCodec(s.sys, room, rules.Parts{})
}

// allStarts returns the stream of all starts.
func (s *Search) allStarts() forward.Starts {
	return func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, s.in, yield)
	}
}

// work is a task that is running.
type work struct {
	*Search
	*state
	ctx   context.Context
	env   *phase.Env
	phase *phase.Phase
	task  int
	codec *pack.Codec
	pool  sorted.Pool
}

// args returns the arguments of the task.
func (w *work) args() json.RawMessage { return w.phase.Tasks[w.task].Args }

// state is passed from phase to phase.
type state struct {
	Room      int             `json:",omitempty"` // seeds that a pit has room for in a key
	Sizes     []int64         `json:",omitempty"` // by level
	At        []int           `json:",omitempty"` // by level: the phase whose Results have its blocks
	Known     []run           `json:",omitempty"` // together they have the keys of all levels
	Figures   forward.Figures // of the levels that were examined
	Path      [][]uint64      `json:",omitempty"` // keys, backward from the state that ended the search
	IntoStuck int64           `json:",omitempty"` // steps into stuck states
	Led       []int           `json:",omitempty"` // in confirm, by level, from beforeAll on: the number of blocks with its successors
	Levels    []int           `json:",omitempty"` // in confirm, by level: the number of its blocks
	Wrong     string          `json:",omitempty"` // what the check found
}

// run is a sorted list of keys. Each block has greater keys than the one before.
type run struct {
	Keys   int64
	Blocks []phase.Block
}

// depth is the number of moves to the states of the last level.
func (s *state) depth() int { return len(s.Sizes) - 1 }

// newPhase returns a phase with a state.
func newPhase(name string, s *state, tasks []phase.Task, inputs ...phase.Block) *phase.Phase {
	return &phase.Phase{Name: name, State: phase.Encode(s), Tasks: tasks, Inputs: inputs}
}

// Outcome is the result of a search.
type Outcome struct {
	Stats  forward.Stats
	Counts []int64        // by Options.Count
	Trace  *forward.Trace // a shortest play to the goal, or to a state with a fault of the rules
	Fault  string         // of the rules, in the last state of Trace
}

// ErrUnfinished is the error for a search that has phases left.
var ErrUnfinished = errors.New("not all phases are done")

// WrongError says that the check of a search failed: the result must not be trusted.
type WrongError struct{ What string }

func (e *WrongError) Error() string {
	return "the check contradicts the search: " + e.What
}

// Found returns what the search has found, if a phase belongs to the check, which may still reject
// it.
func (s *Search) Found(p *phase.Phase) (stats forward.Stats, is bool, err error) {
	if !s.Checks(p) {
		return stats, false, nil
	}
	st := new(state)
	if err := json.Unmarshal(p.State, st); err != nil {
		return stats, false, err
	}
	return st.stats(s.sys), true, nil
}

// stats returns the figures of the search.
func (s *state) stats(sys *rules.System) forward.Stats {
	if len(s.Figures.Finished) == 0 { // there is no start
		s.Figures.Finished, s.Figures.Into = make([]int64, len(sys.Outcomes)), make([]int64, len(sys.Players)+len(sys.Outcomes))
	}
	return s.Figures.Stats(sys, s.Sizes)
}

// Outcome returns the result of the search, from its last phase. The error is ErrUnfinished, a
// *WrongError, or an error of replaying the trace.
func (s *Search) Outcome(ctx context.Context, last *phase.Phase) (*Outcome, error) {
	if last == nil || last.Name != donePhase {
		return nil, ErrUnfinished
	}
	st := new(state)
	if err := json.Unmarshal(last.State, st); err != nil {
		return nil, err
	}
	if st.Wrong != "" {
		return nil, &WrongError{st.Wrong}
	}
	o := &Outcome{Stats: st.stats(s.sys), Counts: st.Figures.Counts}
	if o.Counts == nil { // there is no start
		o.Counts = make([]int64, len(s.Count))
	}
	if st.IntoStuck > 0 {
		o.Stats.TransitionsByOutcome[rules.StuckLabel] = st.IntoStuck
	}
	if st.Path == nil {
		return o, nil
	}
	codec, err := s.codec(st.Room)
	if err != nil {
		return nil, err
	}
	slices.Reverse(st.Path)
	if o.Trace, err = forward.Play(ctx, s.rules, s.allStarts(), codec, st.Path); err != nil {
		return nil, err
	}
	if st.Figures.Hit == nil {
		o.Fault = st.Figures.Fault.Why
	}
	return o, nil
}
