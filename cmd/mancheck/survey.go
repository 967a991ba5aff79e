package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/proofs/verdict"
)

type surveyCmd struct {
	File       string   `arg:"" help:"Rules file; - is standard input."`
	Each       duration `default:"10s" placeholder:"DURATION" help:"Longest processor time of an engine for a question: 5s, 1m. What is not known by then is open."`
	gameFlags  `group:"game"`
	limitFlags `group:"limits"`
	cacheFlags `group:"cache"`
	formatFlag
}

// surveyStates is how many states a search looks at for a question, if no limit is given.
const surveyStates = 1_000_000

// Run asks what people ask of any game, and writes each answer when it is known.
func (c *surveyCmd) Run(s *session) error {
	in, err := s.game(c.File, c.gameFlags)
	if err != nil {
		return err
	}
	given, _ := input.Settings(c.Param)
	opt, err := c.run(s, decideFlags{limitFlags: c.limitFlags})
	if err != nil {
		return err
	}
	looks := opt.Decide.MaxStates
	if looks == 0 {
		opt.Decide.MaxStates, looks = surveyStates, survey.Looks
	}
	asked, err := survey.New(s.ctx, in.System(), c.File, s.reader.Again, given)
	if err != nil {
		return err
	}
	out := surveyed{s: s, width: slices.Max(lists.Map(asked.Questions, func(q survey.Question) int { return len(q.String()) }))}
	if !s.json {
		fmt.Fprintf(s.out, "%s %s\n", s.color.Paint(term.Bold, in.System().Name), report.Params(in.System()))
	}
	limits := survey.Limits{Each: time.Duration(c.Each), Looks: looks, Engines: survey.Engines}
	for i := range asked.Questions {
		out.add(asked.Ask(s.ctx, i, limits, opt))
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
	}
	s.result(report.Object{{Name: "variant", Value: in.System().Name}, {Name: "questions", Value: out.list}}, func() {
		fmt.Fprintf(s.out, "%s: %d answered, %d open\n", numeral.Count(int64(len(out.list)), "question"), len(out.list)-out.open, out.open)
	})
	return inconclusiveUnless(out.open == 0)
}

// surveyed has the answers so far.
type surveyed struct {
	s     *session
	width int
	list  []report.Object
	open  int
}

// add adds an answer, and writes it for people.
func (l *surveyed) add(a *survey.Answer) {
	is, engine := a.Is(), verdict.Engine("")
	one := report.Object{{Name: "question", Value: a.About.String()}}.If(a.Of != "", "of", a.Of).With("claim", a.Claim).With("answer", is)
	if a.Item != nil {
		engine = a.Item.Result.Engine
		one = one.With("engine", string(engine)).With("checked", a.Checked())
		if a.Known() && !a.Checked() {
			is += "*"
		}
	}
	l.list = append(l.list, one.With("why", a.Why()))
	var color term.Color
	if !a.Known() {
		l.open++
		color = term.Open
	}
	if !l.s.json {
		fmt.Fprintf(l.s.out, "  %s  %-*s  %-9s  %s\n", l.s.color.Paint(color, fmt.Sprintf("%-4s", is)), l.width, a.Question, engine, strings.ReplaceAll(a.Why(), "\n", " "))
		l.s.out.Flush()
	}
}
