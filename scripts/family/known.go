package main

import (
	"context"
	"os"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/processor"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// Limits of what is found out about one question. The figures of the page should not depend on how
// fast the machine is, so states are limited first, and time only where these take too long.
const (
	knownStates    = 100_000
	knownPositions = 13_107_200 // of a hunt
	knownMemory    = 1 << 30
)

// known asks what is true of a variant at its default board, each question for no longer than a
// time. A question that a limit leaves open has that as its reason. What skip says is left out. The
// error is one of the file.
func known(ctx context.Context, r *row, each time.Duration, engines []verdict.Engine, skip func(survey.Question) bool) ([]*survey.Answer, error) {
	game := &survey.Game{System: r.sys}
	if err := survey.Prepare(ctx, r.path, os.ReadFile, []*survey.Game{game}, nil, ""); err != nil {
		return nil, err
	}
	opt := suite.Options{Decide: proofs.Options{
		Bounds: limit.Bounds{MaxStates: knownStates, MaxMemory: knownMemory},
		// A solver seldom helps with a board that is played, and takes long to find out.
		SolverTimeout: time.Second,
	}}
	var list []*survey.Answer
	for _, a := range game.Cells {
		if !skip(a.Question) {
			list = append(list, ask(ctx, a, each, engines, opt))
		}
	}
	return list, ctx.Err()
}

// ask looks for an answer by engines in turn.
func ask(ctx context.Context, cell *survey.Answer, each time.Duration, engines []verdict.Engine, opt suite.Options) *survey.Answer {
	var best *survey.Answer
	for _, engine := range engines {
		opt := opt
		if opt.Decide.Engine = engine; engine == verdict.Hunt {
			opt.Decide.MaxStates = knownPositions
		}
		within, stop := withProcessorTime(ctx, each)
		item := *cell.Item
		a := &survey.Answer{Question: cell.Question, Item: suite.Run(within, []*suite.Item{&item}, opt).Items[0]}
		stop()
		if a.Err = a.Item.Err; a.Err != nil {
			a.Item = nil
			return a
		}
		if best == nil || a.Known() || best.Depth() < 0 && a.Depth() >= 0 {
			best = a
		}
		if best.Known() || ctx.Err() != nil {
			break
		}
	}
	return best
}

// withProcessorTime ends a context when the program has used that much more time of processors, so
// that other programs do not change how far a search comes. After ten times as long it ends anyway.
func withProcessorTime(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, last := context.WithTimeout(ctx, 10*most)
	ctx, stop := context.WithCancelCause(ctx)
	began := processor.Time()
	go func() {
		ticks := time.NewTicker(50 * time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				if processor.Time()-began > most {
					stop(context.DeadlineExceeded)
				}
			}
		}
	}()
	return ctx, func() { stop(nil); last() }
}
