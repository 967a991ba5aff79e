package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
)

// What an estimate may cost where a limit has ended the search for a value. The positions and the
// seed are fixed, so that it is the same each time if the time suffices.
const (
	estimateShare  = 8 // of the time, one part in so many
	estimateNodes  = 300_000
	estimateMemory = 1 << 30
	estimateSeed   = 1
	estimateLearn  = 2 * time.Second
)

// guess estimates the value of a game of two if a limit has kept it from being found. Bounds that
// it proves on its way are added to those that are known.
func (v *valued) guess(p value.Payoff, opts value.Options) error {
	if v.Known() || v.Stop != limit.Reached || v.Hit.Kind == limit.Interrupt || v.s.ctx.Err() != nil || len(v.Sys.Players) != 2 {
		return nil
	}
	ctx, stop := limit.Most(v.s.ctx, estimateShare)
	defer stop()
	began := time.Now()
	opts.Bounds = limit.Bounds{MaxMemory: min(opts.Memory(), estimateMemory)}
	a, err := v.analyse(ctx, p, opts)
	if ctx.Err() != nil && err != nil || errors.As(err, new(*value.OpenEndError)) {
		return nil
	}
	if err != nil {
		return err
	}
	line, err := v.notation(a.Line)
	switch {
	case v.s.ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	v.estimate = &estimated{a, v.Scale, line}
	v.Lo, v.Hi = max(v.Lo, a.Lo), min(v.Hi, a.Hi)
	v.Nodes, v.Seconds = v.Nodes+a.Nodes, v.Seconds+time.Since(began).Seconds()
	if opts.Moves {
		v.merge(a.Moves)
	}
	return nil
}

func (v *valued) analyse(ctx context.Context, p value.Payoff, opts value.Options) (*value.Analysis, error) {
	analyst, err := value.NewAnalyst(ctx, v.Sys, v.st, p, estimateSeed, opts)
	if err != nil {
		return nil, err
	}
	defer analyst.Close()
	most, stop := limit.Most(ctx, 2)
	defer stop()
	learning, stop := context.WithTimeout(most, estimateLearn)
	defer stop()
	if err := analyst.Learn(learning); err != nil {
		return nil, err
	}
	return analyst.Analyse(ctx, v.st, value.Study{Nodes: estimateNodes, Moves: opts.Moves})
}

// notation returns a line of play in the notation of moves.
func (v *valued) notation(actions []int) ([]string, error) {
	moves, _, err := fault.Follow(v.in, forward.Trace{Start: v.st, Actions: actions})
	if err != nil || len(moves) < len(actions) {
		return nil, fmt.Errorf("internal error: the line of play is not legal after %s: %w", strings.Join(moves, ", "), err)
	}
	return moves, nil
}

// merge adds the bounds of moves to those that are known.
func (v *valued) merge(moves []value.Prospect) {
	for _, p := range moves {
		at := slices.IndexFunc(v.Moves, func(m value.MoveValue) bool { return m.Action == p.Action })
		if at < 0 {
			v.Moves = append(v.Moves, p.MoveValue)
			continue
		}
		m := &v.Moves[at]
		m.Lo, m.Hi = max(m.Lo, p.Lo), min(m.Hi, p.Hi)
	}
	slices.SortFunc(v.Moves, func(a, b value.MoveValue) int { return a.Action - b.Action })
}

// estimated is what an analysis says of a value that is not known.
type estimated struct {
	*value.Analysis
	worth.Scale
	line []string
}

// of returns what is said of a move, or nil if that is nothing or its value is known.
func (e *estimated) of(action int) *value.Prospect {
	if e == nil || e.Known() {
		return nil
	}
	for i := range e.Moves {
		if p := &e.Moves[i]; p.Action == action && p.Lo < p.Hi {
			return p
		}
	}
	return nil
}

// rows adds what is estimated to a table.
func (e *estimated) rows(t *term.Table) {
	if e != nil && !e.Known() {
		t.Row("estimate", fmt.Sprintf("%s, %s ahead: %s", e.About(e.Score), numeral.Count(int64(e.Depth), "move"), strings.Join(e.line, ", ")))
	}
}
