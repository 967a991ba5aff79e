package main

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
)

type countCmd struct {
	File       string `arg:"" help:"Rules file; - is standard input."`
	Slice      bool   `help:"Ignore pits and variables that nothing reads: states that differ only in these count once."`
	Depth      bool   `help:"Find how many moves the farthest state is away, too. Games with more than a hundred thousand states may be counted faster without."`
	Disk       string `placeholder:"DIR" help:"Keep the states in files in this folder, which is made if there is none, for counts that do not fit in memory. After an interrupt, a kill or a full disk the same command goes on from the last checkpoint. The folder is not removed."`
	gameFlags  `group:"game"`
	boardFlags `group:"game"`
	limitFlags `group:"limits"`
	formatFlag
}

// Run searches all reachable states and writes their counts.
func (c *countCmd) Run(s *session) error {
	in, from, err := starts(s, c.File, c.gameFlags, c.Board, nil)
	if err != nil {
		return err
	}
	ctx, stop := limit.Part(s.ctx)
	defer stop()
	played := game.Of(ctx, in.System())
	var dropped []string
	if c.Slice {
		kept := slice.Keep(s.ctx, in.System())
		played, dropped = game.Keeping(played, kept.Parts), kept.Dropped
	}
	opts := forward.Options{Bounds: c.bounds(), Whole: c.NoSymmetry, Disk: c.Disk, Observer: s.progress.Observer(searched)}
	res, err := forward.SearchGame(ctx, played, from, forward.Query{StuckTransitions: true, Depth: c.Depth}, opts)
	s.done()
	if err != nil {
		return fault.Explain(in.System(), err)
	}
	counts := counting{in.System(), res, dropped}
	s.result(counts.json(), func() { counts.write(s) })
	return inconclusiveUnless(res.Stop == limit.Complete)
}

// searched describes the progress of a search.
func searched(p limit.Progress) string {
	if p.Depth < 0 {
		return pace(p, "states")
	}
	return fmt.Sprintf("depth %d, %s open, %s", p.Depth, numeral.Short(p.Open), pace(p, "states"))
}

// counting has the results of a search for output.
type counting struct {
	sys     *rules.System
	res     *forward.Result
	dropped []string
}

// none reports whether there is no start.
func (c counting) none() bool { return c.res.Stats.Starts == 0 && c.res.Stop == limit.Complete }

// byOutcome returns the counts of the outcomes that occurred, in the order of their declaration,
// with stuck states last.
func (c counting) byOutcome(of map[string]int64) report.Object {
	out := report.Object{}
	add := func(name string) {
		if n, occurred := of[name]; occurred {
			out = out.With(name, n)
		}
	}
	for o := range c.sys.Outcomes {
		add(c.sys.OutcomeName(o))
	}
	add(rules.StuckLabel)
	return out
}

// json returns the object that --format json writes. write takes its rows from it, too.
func (c counting) json() report.Object {
	st := c.res.Stats
	out := report.Object{
		{Name: "starts", Value: st.Starts},
		{Name: "states", Value: st.States},
		{Name: "live", Value: st.Live},
		{Name: "finished", Value: c.byOutcome(st.Finished)},
		{Name: "transitions", Value: st.Transitions},
		{Name: "transitionsByOutcome", Value: c.byOutcome(st.TransitionsByOutcome)},
	}
	out = out.If(st.Depth >= 0, "depth", int64(st.Depth)).With("stored", st.Stored).If(st.Symmetries > 0, "symmetries", int64(st.Symmetries))
	return out.With("bytes", st.Bytes).With("seconds", st.Seconds).
		If(c.res.Stop != limit.Complete, "reason", c.res.Reason).
		If(c.none(), "note", input.Startless).
		If(len(c.dropped) > 0, "leftOut", c.dropped)
}

// write writes the counts for people.
func (c counting) write(s *session) {
	fmt.Fprintf(s.out, "%s %s\n", s.color.Paint(term.Bold, c.sys.Name), report.Params(c.sys))
	before := map[string]string{"live": "  ", "finished": "  ", "transitionsByOutcome": "  into "}
	t := term.Table{Right: []bool{false, true}}
	for _, m := range c.json() {
		if m.Name == "bytes" { // for scripts
			continue
		}
		switch v := m.Value.(type) {
		case int64:
			t.Row(before[m.Name]+m.Name, numeral.Number(v))
		case float64:
			t.Row(m.Name, fmt.Sprintf("%.2f", v))
		case report.Object:
			for _, one := range v {
				t.Row(before[m.Name]+one.Name, numeral.Number(one.Value.(int64)))
			}
		}
	}
	t.Write(s.out, "  ")
	if c.none() {
		fmt.Fprintln(s.out, s.color.Paint(term.Open, "  "+input.Startless))
	}
	for _, d := range c.dropped {
		fmt.Fprintln(s.out, "  left out: "+d)
	}
	if c.res.Stop != limit.Complete {
		fmt.Fprintln(s.out, s.color.Paint(term.Open, "  incomplete: "+c.res.Reason))
	}
}

type perftCmd struct {
	File        string `arg:"" help:"Rules file; - is standard input."`
	Depth       count  `required:"" placeholder:"D" help:"Length of the longest sequences."`
	gameFlags   `group:"game"`
	boardFlags  `group:"game"`
	budgetFlags `group:"limits"`
	formatFlag
}

// maxPerftDepth is far beyond what can be counted. It keeps a typing mistake from allocating
// memory.
const maxPerftDepth = 1000

// Run counts the sequences of moves of each length.
func (c *perftCmd) Run(s *session) error {
	if c.Depth > maxPerftDepth {
		return usageError{fmt.Errorf("--depth=%d: at most %d", c.Depth, maxPerftDepth)}
	}
	in, st, err := s.placed(c.File, c.gameFlags, c.Board, nil)
	if err != nil {
		return err
	}
	counts, err := forward.Perft(s.ctx, in.System(), st, int(c.Depth))
	if limit.Ended(err) {
		// For people the session writes the reason.
		s.result(perftJSON(nil).With("reason", limit.Why(s.ctx)+" before the count was complete"), func() {})
		return status(exitInconclusive)
	}
	if err != nil {
		return fault.Explain(in.System(), err)
	}
	s.result(perftJSON(counts), func() {
		t := term.Table{Right: []bool{true, true}}
		t.Row("depth", "sequences")
		for i, n := range counts {
			t.Row(fmt.Sprint(i+1), numeral.Number(int64(n)))
		}
		t.Write(s.out, "")
	})
	return nil
}

func perftJSON(counts []uint64) report.Object {
	return report.Object{{Name: "perft", Value: append([]uint64{}, counts...)}}
}
