package main

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

type countCmd struct {
	File  string `arg:"" help:"Rules file; - is standard input."`
	Slice bool   `help:"Leave out the pits and variables that nothing reads; states that differ in these only count once."`
	gameFlags
	boardFlags
	limitFlags
	formatFlag
}

// Run searches, and writes the counts.
func (c *countCmd) Run(s *session) error {
	in, err := s.game(c.File, c.gameFlags)
	if err != nil {
		return err
	}
	from := starts(in)
	if c.Board != "" {
		st, err := s.position(in, c.Board, nil)
		if err != nil {
			return err
		}
		from = forward.From(st)
	}
	opts, dropped := c.options(s, in)
	most := int64(c.MaxMemory)
	if most == 0 {
		most = limit.DefaultMemory()
	}
	ctx, stop := limit.WithMemory(s.ctx, most)
	defer stop()
	res, err := forward.Search(ctx, in.System(), from, forward.Query{StuckTransitions: true}, opts)
	s.concluding.Store(true)
	s.progress.Clear()
	if err != nil {
		return explain(in.System(), err)
	}
	counts := counting{in.System(), res, dropped}
	if s.json {
		s.object(counts.json())
	} else {
		counts.write(s)
	}
	if res.Stop != forward.Exhausted {
		return status(exitInconclusive)
	}
	return nil
}

// options also says what is left out of the states.
func (c *countCmd) options(s *session, in *interp.Interp) (opts forward.Options, dropped []string) {
	opts = forward.Options{MaxStates: int64(c.MaxStates), MaxMemory: int64(c.MaxMemory), Threads: int(c.Threads)}
	if s.progress.Active() {
		opts.Observer = s.observeSearch
	}
	if c.Slice {
		kept := slice.Keep(s.ctx, in.System())
		opts.Keep = kept.Parts
		dropped = kept.Dropped
	}
	return opts, dropped
}

func (s *session) observeSearch(p forward.Progress) {
	s.progress.Show(fmt.Sprintf("depth %d, %s states, %s open, %.1f s", p.Depth, term.Number(p.States),
		term.Number(p.Open), p.Elapsed.Seconds()))
}

// counting is the figures of a search.
type counting struct {
	sys     *rules.System
	res     *forward.Result
	dropped []string
}

// labels are the outcomes that were met, in the order of their declaration, and stuck at the end.
func (c counting) labels(of map[string]int64) []string {
	var labels []string
	for _, o := range c.sys.Outcomes {
		if _, met := of[o.Label]; met {
			labels = append(labels, o.Label)
		}
	}
	if _, met := of[rules.StuckLabel]; met {
		labels = append(labels, rules.StuckLabel)
	}
	return labels
}

func (c counting) json() report.Object {
	byLabel := func(of map[string]int64) report.Object {
		o := report.Object{}
		for _, label := range c.labels(of) {
			o = append(o, report.Member{Name: label, Value: of[label]})
		}
		return o
	}
	st := c.res.Stats
	out := report.Object{
		{Name: "schema", Value: report.Schema},
		{Name: "starts", Value: st.Starts},
		{Name: "states", Value: st.States},
		{Name: "live", Value: st.Live},
		{Name: "finished", Value: byLabel(st.Finished)},
		{Name: "transitions", Value: st.Transitions},
		{Name: "transitionsByOutcome", Value: byLabel(st.TransitionsByOutcome)},
		{Name: "depth", Value: st.Depth},
		{Name: "stored", Value: st.Stored},
		{Name: "seconds", Value: st.Seconds},
	}
	if c.res.Stop != forward.Exhausted {
		out = append(out, report.Member{Name: "reason", Value: c.res.Reason})
	}
	if len(c.dropped) > 0 {
		out = append(out, report.Member{Name: "leftOut", Value: c.dropped})
	}
	return out
}

// write writes the figures for people.
func (c counting) write(s *session) {
	fmt.Fprintf(s.out, "%s %s\n", s.color.Paint(term.Bold, c.sys.Name), report.Params(c.sys))
	st := c.res.Stats
	t := term.Table{Right: []bool{false, true}}
	number := func(what string, n int64) { t.Row(what, term.Number(n)) }
	number("starts", st.Starts)
	number("states", st.States)
	number("  live", st.Live)
	for _, label := range c.labels(st.Finished) {
		number("  "+label, st.Finished[label])
	}
	number("transitions", st.Transitions)
	for _, label := range c.labels(st.TransitionsByOutcome) {
		number("  into "+label, st.TransitionsByOutcome[label])
	}
	number("depth", int64(st.Depth))
	number("stored", st.Stored)
	t.Row("seconds", fmt.Sprintf("%.2f", st.Seconds))
	t.Write(s.out, "  ")
	for _, d := range c.dropped {
		fmt.Fprintln(s.out, "  left out: "+d)
	}
	if c.res.Stop != forward.Exhausted {
		fmt.Fprintln(s.out, s.color.Paint(term.Open, "  incomplete: "+c.res.Reason))
	}
}
