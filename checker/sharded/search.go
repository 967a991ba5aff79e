package sharded

import (
	"context"
	"encoding/json"
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
