package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

type surveyCmd struct {
	File      string `arg:"" help:"Rules file; - is standard input."`
	gameFlags `group:"game"`
	answerFlags
	formatFlag
}

// answerFlags say how long answers are looked for.
type answerFlags struct {
	Each       duration `group:"limits" default:"10s" placeholder:"DURATION" help:"Longest time of an engine for a question: 5s, 1m. What is not known by then is open."`
	limitFlags `group:"limits"`
	cacheFlags `group:"cache"`
}

// look looks for the answers.
func (c *answerFlags) look(s *session, games []*survey.Game) error {
	opt, err := c.run(s, decideFlags{limitFlags: c.limitFlags})
	if err != nil {
		return err
	}
	opt.Each = time.Duration(c.Each)
	if c.Threads > 0 {
		opt.Jobs, opt.Decide.Threads = int(c.Threads), 1
	}
	if s.progress.Active() {
		opt.Watch = func(now suite.Progress) {
			s.progress.Show(fmt.Sprintf("%d of %s", now.Done, numeral.Count(int64(now.Total), "question")))
		}
	}
	survey.Run(s.ctx, games, opt)
	s.done()
	return nil
}

// Run asks what people ask of any game, and writes the answers.
func (c *surveyCmd) Run(s *session) error {
	in, err := s.game(c.File, c.gameFlags)
	if err != nil {
		return err
	}
	given, _ := input.Settings(c.Param)
	game := &survey.Game{System: in.System(), Given: given}
	if err := survey.Prepare(s.ctx, c.File, s.reader.Again, []*survey.Game{game}, nil, ""); err != nil {
		return err
	}
	if err := c.look(s, []*survey.Game{game}); err != nil {
		return err
	}
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if !s.json {
		fmt.Fprintf(s.out, "%s %s\n", s.color.Paint(term.Bold, in.System().Name), report.Params(in.System()))
	}
	width, open := slices.Max(lists.Map(game.Cells, func(a *survey.Answer) int { return len(a.String()) })), 0
	var list []report.Object
	for _, a := range game.Cells {
		is, engine, color := a.Is(), verdict.Engine(""), term.Color("")
		one := report.Object{{Name: "question", Value: a.About.String()}}.If(a.Of != "", "of", a.Of).With("claim", a.Claim).With("answer", is)
		if a.Item != nil {
			engine = a.Item.Result.Engine
			one = one.With("engine", string(engine)).With("checked", a.Checked())
		}
		if a.Known() && !a.Checked() {
			is += "*"
		}
		if list = append(list, one.With("why", a.Why())); !a.Known() {
			open++
			color = term.Open
		}
		if !s.json {
			fmt.Fprintf(s.out, "  %s  %-*s  %-9s  %s\n", s.color.Paint(color, fmt.Sprintf("%-4s", is)), width, a.Question, engine, strings.ReplaceAll(a.Why(), "\n", " "))
		}
	}
	s.result(report.Object{{Name: "variant", Value: in.System().Name}, {Name: "questions", Value: list}}, func() {
		fmt.Fprintf(s.out, "%s: %d answered, %d open\n", numeral.Count(int64(len(list)), "question"), len(list)-open, open)
	})
	return inconclusiveUnless(open == 0)
}

type sweepCmd struct {
	File    string   `arg:"" help:"Rules file; - is standard input."`
	Of      []string `default:"value,length,states,first-wins" placeholder:"NAME,…" help:"What is asked of each game: value, length (moves of the longest play), states (that can be reached), first-wins (the player declared first wins if both play as well as they can), and the questions of survey by their names, as never-stuck."`
	Variant []string `group:"game" placeholder:"NAME,…" help:"Variants to play; the default is all of the file."`
	Param   []string `group:"game" short:"p" sep:"none" placeholder:"NAME=VALUES" help:"Values of a parameter: a range 2..6, a list 2,4,6, or both for true and false. May be repeated."`
	Endless string   `group:"values" enum:"open,even,scored" default:"open" help:"What a play is worth that never ends: even, 0; scored, as the score stands; open, nothing is assumed. Rules that say what follows where a position comes back decide it themselves."`
	answerFlags
	Format string `enum:"text,csv,json" default:"text" help:"text: tables for people. csv, json: for programs; csv has a line for each cell."`
}

// AfterApply makes the session report failures in the same format.
func (c *sweepCmd) AfterApply(s *session) error {
	s.json = c.Format == "json"
	return nil
}

// endlessClauses are what --endless adds to claims.
var endlessClauses = map[string]string{"open": "", "even": " where endless play is a draw", "scored": " where endless play counts as scored"}

// Run asks the questions of each game, and writes the answers when all are there.
func (c *sweepCmd) Run(s *session) error {
	params, values, diags := input.Ranges(c.Param)
	f, more := s.reader.File(c.File)
	if err := append(diags, more...).Err(); err != nil {
		return err
	}
	s.warn(more)
	c.Of = lists.Distinct(c.Of)
	if c.Variant = lists.Distinct(c.Variant); len(c.Variant) == 0 {
		c.Variant = lists.Map(ast.All[*ast.Variant](f.Root), func(v *ast.Variant) string { return v.Name.Name })
	}
	if len(c.Variant) == 0 {
		c.Variant = []string{""} // that of an import, if it is the only one
	}
	games, err := c.games(s, f, params, values)
	if err != nil {
		return err
	}
	if err := survey.Prepare(s.ctx, c.File, s.reader.Again, games, c.Of, endlessClauses[c.Endless]); err != nil {
		return err
	}
	if err := c.look(s, games); err != nil {
		return err
	}
	var t swept
	for i, g := range games {
		for j, a := range g.Cells {
			t = append(t, newCell(g, c.Variant[i*len(c.Variant)/len(games)], params, c.Of[j], a))
		}
	}
	if c.Format == "csv" {
		t.csv(s.out, params)
	} else {
		s.result(report.Object{{Name: "cells", Value: t}}, func() { t.write(s) })
	}
	return inconclusiveUnless(t.open() == 0)
}

// games makes a game of each combination of a variant and values of parameters. It fails if there
// is a variant, or a value, of which no combination is a game.
func (c *sweepCmd) games(s *session, f *input.File, params []string, values map[string][]build.Value) (games []*survey.Game, err error) {
	list := lists.Map(c.Variant, func(string) build.Settings { return build.Settings{} })
	for _, p := range params {
		list = lists.Flat(list, func(given build.Settings) []build.Settings {
			return lists.Map(values[p], func(v build.Value) build.Settings {
				with := maps.Clone(given)
				with[p] = v
				return with
			})
		})
		if len(list) > input.MostValues {
			return nil, usageError{fmt.Errorf("these are more than %d games: sweep over them in parts", input.MostValues)}
		}
	}
	failed, fits := map[string]error{}, map[string]bool{}
	for i, given := range list {
		variant := c.Variant[i*len(c.Variant)/len(list)]
		g := &survey.Game{Given: given}
		sys, diags := f.System(variant, given)
		g.System, g.Err = sys, diags.Err()
		games = append(games, g)
		for _, p := range append([]string{""}, params...) {
			key := variant + " " + p + " " + given[p].String()
			fits[key], failed[key] = fits[key] || g.Err == nil, cmp.Or(failed[key], g.Err)
		}
		if g.Err == nil {
			_, g.Several, g.Err = input.FirstStart(s.ctx, interp.New(sys).Within(s.ctx))
		}
		if s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
	}
	f.Unit.Forget()
	for _, key := range slices.Sorted(maps.Keys(failed)) {
		if !fits[key] {
			return nil, failed[key]
		}
	}
	return games, nil
}
