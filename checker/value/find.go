package value

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Unbounded values are bounds that nothing is known of.
const (
	NoLower = lowest
	NoUpper = highest
)

// Options bound the work on a value and say how to do it.
type Options struct {
	limit.Bounds
	Moves    bool    // find the value of each move, too
	Tables   Tables  // what is known beforehand; nil: nothing
	Recall   *Recall // what earlier searches know; nil: nothing
	Seeds    int     // of an Analyst: most seeds of a position, if that is more than those of the start
	Observer func(limit.Progress)
}

// Found is what is known of the value of a state, for the first player.
type Found struct {
	limit.End // Complete: Lo and Hi are final
	// OpenEnd says why the value depends on an open end, or may depend on one. It is empty if no
	// play is known that comes to one.
	OpenEnd string
	Lo, Hi  int // the value is between these. It is known if they are the same
	// Line is a play in which both players play as well as they can. It is nil if the value is not
	// known.
	Line *Line
	// Open is a play that comes to an open end, if the value is not known and depends
	// on that, or if there is one and the search was ended by a limit. It is nil if no
	// such play is known.
	Open    *Line
	Moves   []MoveValue // with Options.Moves: in the order of the System's Actions
	Method  Method
	Nodes   int64 // positions examined
	Looked  int64 // positions that were looked up in tables: if there are any, the result rests on these
	Bytes   int64
	Seconds float64
}

// Method says how a value was found.
type Method string

// The methods.
const (
	AlphaBeta  Method = "alpha-beta"
	Retrograde Method = "retrograde analysis"
)

// Known reports whether the value is known.
func (f *Found) Known() bool { return f.Lo == f.Hi }

// Varies reports whether the open end is that play can go on for ever while the score changes.
func (f *Found) Varies() bool { return f.OpenEnd == variesReason }

// MoveValue is what is known of the value of the state that a move leads to.
type MoveValue struct {
	Action int
	To     rules.State
	Lo, Hi int
}

// Find finds the value of a state of a game. It may be one that no play leads to. An error is as
// of Solve.
//
// It searches by alpha-beta. Where play can come back to a position, or to an open end, that does
// not do, and it is found by retrograde analysis.
func Find(ctx context.Context, sys *rules.System, st rules.State, p Payoff, opts Options) (*Found, error) {
	began := time.Now()
	f, err := find(ctx, sys, st, p, opts)
	if err != nil {
		return nil, err
	}
	if f.Known() && f.Line != nil {
		if err := f.Line.replay(ctx, sys, st, p, f.Lo); err != nil {
			return nil, err
		}
	}
	f.Seconds = time.Since(began).Seconds()
	return f, nil
}

func find(ctx context.Context, sys *rules.System, st rules.State, p Payoff, opts Options) (*Found, error) {
	f, err := searched(ctx, sys, st, p, opts)
	open := (*OpenEndError)(nil)
	openEnd := errors.As(err, &open) && open.Trace != nil
	if !openEnd && !errors.Is(err, errRepeats) && !errors.Is(err, errDeep) {
		return f, err
	}
	if f, err = analysed(ctx, sys, st, p, opts); openEnd && err == nil && f.Stop != limit.Complete {
		f.Reason = open.Reason + "; whether the value depends on that is not decided: " + f.Reason
		f.OpenEnd = open.Reason
		f.Open = &Line{Actions: open.Trace.Actions}
	}
	return f, err
}

// analysed finds a value by retrograde analysis.
func analysed(ctx context.Context, sys *rules.System, st rules.State, p Payoff, opts Options) (*Found, error) {
	o := forward.Options{Bounds: opts.Bounds}
	if opts.Observer != nil {
		o.Observer = func(p limit.Progress) {
			p.Lo, p.Hi = NoLower, NoUpper
			opts.Observer(p)
		}
	}
	s, err := Solve(ctx, sys, forward.From(st), p, o)
	if err != nil {
		return nil, err
	}
	f := &Found{End: s.End, Lo: NoLower, Hi: NoUpper, Method: Retrograde, Nodes: s.Stats.States, Bytes: s.Stats.Bytes}
	if s.Stop == limit.Complete {
		err = s.tell(ctx, f, st, opts.Moves)
	}
	if err != nil && ctx.Err() != nil {
		f.End = limit.Cancelled(ctx)
		f.Line, f.Open, f.OpenEnd, f.Moves, err = nil, nil, "", nil, nil
	}
	return f, err
}

// tell says what is known of a state.
func (s *Solution) tell(ctx context.Context, f *Found, st rules.State, moves bool) error {
	f.Lo, f.Hi, _ = s.Value(st)
	line, end, err := s.play(ctx, st)
	switch {
	case err != nil:
		return err
	case f.Known():
		f.Line = line
	case end.open != "":
		f.Open, f.Reason, f.OpenEnd = line, end.open, end.open
	default:
		f.Reason, f.OpenEnd = variesReason, variesReason
	}
	if !moves {
		return nil
	}
	steps, err := interp.New(s.sys).Within(ctx).Steps(st)
	for _, step := range steps {
		lo, hi, ok := s.Value(step.To)
		if !ok {
			return fmt.Errorf("a move leads to a state that was not reached: %v", step.To)
		}
		f.Moves = append(f.Moves, MoveValue{step.Action, step.To, lo, hi})
	}
	return err
}
