package main

import (
	"context"
	"os"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
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
	asked, err := survey.New(ctx, r.sys, r.path, os.ReadFile, nil)
	if err != nil {
		return nil, err
	}
	opt := suite.Options{Decide: proofs.Options{
		Bounds: limit.Bounds{MaxStates: knownStates, MaxMemory: knownMemory},
		// A solver seldom helps with a board that is played, and takes long to find out.
		SolverTimeout: time.Second,
	}}
	var list []*survey.Answer
	for i, q := range asked.Questions {
		if !skip(q) {
			list = append(list, asked.Ask(ctx, i, survey.Limits{Each: each, Looks: knownPositions, Engines: engines}, opt))
		}
	}
	return list, ctx.Err()
}
