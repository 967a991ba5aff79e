package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/rows"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

type showCmd struct {
	File        string `arg:"" help:"Rules file; - is standard input."`
	Kernel      bool   `help:"Show the resolved rules as canonical text instead: what is hashed and certified."`
	Rows        bool   `help:"Show how a long search would explore the states: by rows, half a board at a time, or not."`
	Claim       string `placeholder:"NAME" help:"With --kernel: the rules as this claim has them."`
	gameFlags   `group:"game"`
	budgetFlags `group:"limits"`
	formatFlag
}

// Validate rejects options that do not go together.
func (c *showCmd) Validate() error {
	switch {
	case c.Kernel && c.Rows:
		return fmt.Errorf("--kernel and --rows do not go together")
	case c.Claim != "" && !c.Kernel:
		return fmt.Errorf("--claim needs --kernel: a board has no claims")
	case c.Claim != "" && c.Variant != "":
		return fmt.Errorf("--claim says which variant: it goes without --variant")
	}
	return nil
}

// Run writes the board or, with --kernel, the canonical text of the rules.
func (c *showCmd) Run(s *session) error {
	if c.Claim != "" {
		return c.claim(s)
	}
	given, diags := input.Settings(c.Param)
	if err := diags.Err(); err != nil {
		return err
	}
	resolve := (*input.File).Whole
	if c.Kernel || c.Rows {
		resolve = (*input.File).System
	}
	sys, err := s.system(c.File, c.Variant, given, resolve)
	if err != nil {
		return err
	}
	if c.Kernel {
		c.kernel(s, sys, nil)
		return nil
	}
	if c.Rows {
		return c.rows(s, sys)
	}
	text := board.Show(sys)
	s.result(report.Object{{Name: "variant", Value: sys.Name}, {Name: "board", Value: text}}, func() { fmt.Fprint(s.out, text) })
	return nil
}

// claim writes the rules that a claim is about.
func (c *showCmd) claim(s *session) error {
	items, diags, err := single(s, c.File, c.Claim, c.Param)
	if err != nil {
		return err
	}
	s.warn(diags)
	if items[0].Instance.Size != "" {
		return c.family(s, items[0].Instance)
	}
	c.kernel(s, items[0].Instance.System, items[0].Instance)
	return nil
}

// family writes the rules of all sizes that a claim is about.
func (c *showCmd) family(s *session, inst *build.Instance) error {
	f, err := inst.Middle()
	if err != nil {
		return err
	}
	s.result(report.Object{
		{Name: "variant", Value: inst.System.Name},
		{Name: "family", Value: f.Text()},
		{Name: "claim", Value: inst.Claim.Name},
	}, func() { fmt.Fprint(s.out, f.Text()) })
	return nil
}

// kernel writes the canonical text, as it is hashed. JSON also has what the claim asserts.
func (c *showCmd) kernel(s *session, sys *rules.System, inst *build.Instance) {
	text := string(sys.Canonical())
	out := report.Object{
		{Name: "variant", Value: sys.Name},
		{Name: "system", Value: text},
		{Name: "systemHash", Value: sys.Hash()},
	}
	if inst != nil {
		asserts := inst.Asserts()
		out = out.With("claim", inst.Claim.Name).If(asserts != "", "asserts", asserts)
	}
	s.result(out, func() { fmt.Fprint(s.out, text) })
}

// The sample of --rows.
const (
	sampledStarts = 1000
	sampledMemory = 512 << 20
	sampledStates = 20_000
)

// rows writes which moves are played by rows.
func (c *showCmd) rows(s *session, sys *rules.System) error {
	var starts []rules.State
	enough := errors.New("enough starts")
	err := space.Starts(s.ctx, interp.New(sys).Within(s.ctx), func(st rules.State) error {
		if starts = append(starts, st.Clone()); len(starts) == sampledStarts {
			return enough
		}
		return nil
	})
	if err != nil && !errors.Is(err, enough) {
		return err
	}
	sample, err := rows.Sample(s.ctx, sys, starts, sampledStates, limit.Bounds{MaxMemory: min(cmp.Or(int64(c.MaxMemory.size), limit.DefaultMemory()), sampledMemory)})
	unfit := (*rows.Unfit)(nil)
	if errors.As(err, &unfit) {
		s.result(report.Object{{Name: "variant", Value: sys.Name}, {Name: "unfit", Value: unfit.Why}}, func() { fmt.Fprintln(s.out, unfit) })
		return nil
	}
	if err != nil {
		return err
	}
	territories := make([]string, len(sample.Territories))
	for i, pits := range sample.Territories {
		territories[i] = strings.Join(lists.Map(pits, func(p int) string { return sys.Pits[p].Name }), " ")
	}
	played := playedByRows(sys, sample)
	s.result(report.Object{
		{Name: "variant", Value: sys.Name},
		{Name: "territories", Value: territories},
		{Name: "states", Value: sample.States},
		{Name: "rows", Value: sample.Rows},
		{Name: "moves", Value: played},
	}, func() {
		fmt.Fprintf(s.out, "territories  %s\n", strings.Join(territories, " | "))
		fmt.Fprintf(s.out, "sample       %s states in %s rows\n", report.Grouped(fmt.Sprint(sample.States)), report.Grouped(fmt.Sprint(sample.Rows)))
		for _, m := range played {
			fmt.Fprintf(s.out, "%-12s by rows in %s of %s states\n", m.Move, report.Grouped(fmt.Sprint(m.States-m.Alone)), report.Grouped(fmt.Sprint(m.States)))
			if m.Why != "" {
				fmt.Fprintf(s.out, "             elsewhere: %s\n", m.Why)
			}
		}
	})
	return nil
}

// movePlayed says how the actions of a player by one move were played.
type movePlayed struct {
	Move   string `json:"move"`
	States int64  `json:"states"` // in which they were tried, added up
	Alone  int64  `json:"alone"`  // of these, in which they were not played by rows
	Why    string `json:"why,omitempty"`
}

// playedByRows adds up the actions of a sample by player and move.
func playedByRows(sys *rules.System, sample *rows.Sampled) (list []movePlayed) {
	at, why := map[string]int{}, []residual.Causes{}
	for i, a := range sample.Actions {
		action := &sys.Actions[i]
		name := strings.TrimSpace(sys.Players[action.Mover] + " " + sys.Moves[action.Move].Label)
		n, has := at[name]
		if !has {
			n, at[name] = len(list), len(list)
			list, why = append(list, movePlayed{Move: name}), append(why, 0)
		}
		list[n].States += a.States
		list[n].Alone += a.Alone
		why[n] |= a.Why
		list[n].Why = why[n].String()
	}
	return list
}
