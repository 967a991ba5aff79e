package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/endgame/shards"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// tableCmd has the subcommands about endgame tables.
type tableCmd struct {
	Build  tableBuildCmd  `cmd:"" help:"Build a table in a file, or continue an interrupted build."`
	Info   tableInfoCmd   `cmd:"" help:"Describe a table."`
	Verify tableVerifyCmd `cmd:"" help:"Derive the entries of a table again with the reference interpreter."`
	Probe  tableProbeCmd  `cmd:"" help:"Look up a position."`
	CSV    tableCSVCmd    `cmd:"" name:"csv" help:"Write the positions of a table with their futures, as CSV."`
}

type tableBuildCmd struct {
	File        string  `arg:"" help:"Rules file; - is standard input."`
	Seeds       int     `required:"" placeholder:"K" help:"Most seeds in play of a position in the table."`
	Output      string  `short:"o" required:"" placeholder:"TABLE" help:"The file to write. Until the table is finished, its name has .partial added."`
	Force       bool    `help:"Replace the file if it exists."`
	Endless     string  `enum:"open,even,scored" default:"open" help:"Value of a play that never ends, as for value."`
	Disk        string  `placeholder:"DIR" help:"Build the table out of core, in parts, and keep in this folder what does not fit in memory. An interrupted build continues from this folder."`
	Threads     threads `placeholder:"N" help:"Threads; the default is one for each processor. The table does not depend on it."`
	gameFlags   `group:"game"`
	budgetFlags `group:"limits"`
	formatFlag
}

// Run builds the table, or continues an interrupted build, and then describes the table.
func (c *tableBuildCmd) Run(s *session) error {
	if c.Seeds < 1 {
		return usageError{errors.New("--seeds: at least 1")}
	}
	if err := (output.File{Path: c.Output, Force: c.Force}).Free(); err != nil {
		return err
	}
	in, err := s.game(c.File, c.gameFlags)
	if err != nil {
		return err
	}
	sys := in.System()
	opts := endgame.Options{Bounds: limit.Bounds{MaxMemory: int64(c.MaxMemory.size), Threads: int(c.Threads)}}
	opts.Observer = s.progress.Observer(func(p limit.Progress) string {
		work := ""
		if p.Special != "" {
			work = " (" + p.Special + ")"
		}
		return fmt.Sprintf("%d of %d seeds%s, %s%s", p.Depth, c.Seeds, work, share(p.States-p.Open, p.States), pace(p, "positions"))
	})
	payoff := tablePayoff(worth.Endless(sys, endlessKinds[c.Endless]))
	kept := c.Output + ".partial"
	if c.Disk == "" {
		err = endgame.Create(s.ctx, c.Output, sys, c.Seeds, payoff, opts)
	} else {
		kept, err = c.Disk, c.onDisk(s, sys, payoff, opts.Bounds)
	}
	s.done()
	if limit.Ended(err) {
		s.note("%s has what was built so far; the same command continues the build", kept)
		return status(exitInconclusive)
	}
	if err != nil {
		return explainTable(sys, err)
	}
	return (&tableInfoCmd{Table: c.Output}).Run(s)
}

// onDisk builds the table in parts. A quarter of the memory is for what tasks do not account for.
func (c *tableBuildCmd) onDisk(s *session, sys *rules.System, p value.Payoff, bounds limit.Bounds) error {
	tasks := bounds.Workers()
	// As few parts as memory allows: with more parts, positions are evaluated more often.
	opts := shards.Options{Shards: 1, Memory: bounds.Memory() / 4 * 3 / int64(tasks)}
	var observe func(*phase.Phase, int) error
	if s.progress.Active() {
		observe = func(p *phase.Phase, done int) error {
			s.progress.Show(fmt.Sprintf("%s of %d, %d of %d parts", p.Name, c.Seeds, done, len(p.Tasks)))
			return nil
		}
	}
	return shards.Create(s.ctx, c.Output, c.Disk, tool(), sys, c.Seeds, p, opts, tasks, observe)
}

// tablePayoff returns the payoff of a table, which is always the margin.
func tablePayoff(endless value.Endless) value.Payoff {
	return value.Payoff{Kind: value.Margin, Endless: endless}
}

// explainTable turns an error about an endgame table into a diagnostic: the game has no table, or a
// file cannot be used. sys may be nil for errors about files.
func explainTable(sys *rules.System, err error) error {
	var none *value.NoTablesError
	var cycle *endgame.CycleError
	var damaged *endgame.DamagedError
	var other *endgame.OtherError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &none):
		return diag.Errorf(diag.NoWorth, sys.Start.At, "there is no endgame table: %s", none.Reason)
	case errors.As(err, &cycle):
		return diag.Errorf(diag.NoWorth, sys.Start.At, "there is no endgame table: %v", cycle).
			WithHelp("it can from the board %s; --endless sets the value of such a play", board.Flat(sys, cycle.State))
	case errors.As(err, &damaged):
		return diag.Errorf(diag.Unreadable, diag.Range{File: damaged.Path}, "this cannot be used as an endgame table: %s", damaged.Reason).
			WithHelp("mancheck table build makes it again")
	case errors.As(err, &other):
		return diag.Errorf(diag.Unreadable, diag.Range{File: other.Path}, "this endgame table is for another game: %s", other.Reason).
			WithHelp("mancheck table info shows what it is for")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		if at, is := errors.AsType[*fs.PathError](err); is {
			return unreadable(at.Path, at.Err)
		}
		return err
	}
	return explainValue(sys, err)
}

type tableInfoCmd struct {
	Table       string `arg:"" help:"The table."`
	budgetFlags `group:"limits"`
	formatFlag
}

// Run describes a table: what it is for, its layers, and how many positions have each value.
func (c *tableInfoCmd) Run(s *session) error {
	f, err := endgame.Open(c.Table)
	if err != nil {
		return explainTable(nil, err)
	}
	defer func() { _ = f.Close() }()
	counts, err := f.Counts()
	if err != nil {
		return explainTable(nil, err)
	}
	s.result(tableJSON(f, counts), func() { writeTable(s, f, counts) })
	return nil
}

// writeTable describes a table as text.
func writeTable(s *session, f *endgame.File, counts map[int]uint64) {
	fmt.Fprintln(s.out, s.color.Paint(term.Bold, f.System))
	t := term.Table{}
	t.Row("rules", f.Hash)
	t.Row("seeds", fmt.Sprintf("up to %d in play", f.Seeds))
	t.Row("pits", strings.Join(f.Pits, " "))
	t.Row("out of play", strings.Join(f.Sinks, " "))
	if f.Swap != nil {
		t.Row("swapped", strings.Join(f.Swap, " "))
	}
	t.Row("endless", f.Endless)
	t.Row("positions", numeral.Number(int64(f.Positions)))
	t.Row("entries", numeral.Number(int64(f.Entries)))
	t.Row("bytes", numeral.Number(f.Bytes()))
	t.Write(s.out, "  ")
	fmt.Fprintln(s.out)
	layers := term.Table{Right: []bool{true, true, true, false}}
	layers.Row("seeds", "positions", "cyclic", "checksum")
	for _, l := range f.Layers {
		layers.Row(fmt.Sprint(l.Seeds), numeral.Number(int64(l.Positions)), numeral.Number(int64(l.Cyclic)), l.Checksum)
	}
	layers.Write(s.out, "  ")
	fmt.Fprintln(s.out)
	values := term.Table{Right: []bool{true, true}}
	values.Row("future", "positions")
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		name := worth.Number(v)
		if v == value.NoFuture {
			name = "unknown"
		}
		values.Row(name, numeral.Number(int64(counts[v])))
	}
	values.Write(s.out, "  ")
}

// tableJSON describes a table, with the number of positions for each future; null is no future.
func tableJSON(f *endgame.File, counts map[int]uint64) report.Object {
	layers := []report.Object{}
	for _, l := range f.Layers {
		layers = append(layers, report.Object{
			{Name: "seeds", Value: l.Seeds}, {Name: "positions", Value: l.Positions}, {Name: "cyclic", Value: l.Cyclic}, {Name: "checksum", Value: l.Checksum},
		})
	}
	futures := []report.Object{}
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		future := any(v)
		if v == value.NoFuture {
			future = nil
		}
		futures = append(futures, report.Object{{Name: "future", Value: future}, {Name: "positions", Value: counts[v]}})
	}
	return report.Object{
		{Name: "system", Value: f.System},
		{Name: "hash", Value: f.Hash},
		{Name: "seeds", Value: f.Seeds},
		{Name: "pits", Value: f.Pits},
		{Name: "outOfPlay", Value: f.Sinks},
		{Name: "endless", Value: f.Endless},
		{Name: "swapped", Value: f.Swap},
		{Name: "positions", Value: f.Positions},
		{Name: "entries", Value: f.Entries},
		{Name: "bytes", Value: f.Bytes()},
		{Name: "layers", Value: layers},
		{Name: "futures", Value: futures},
	}
}

type tableVerifyCmd struct {
	File        string  `arg:"" help:"Rules file; - is standard input."`
	Table       string  `arg:"" help:"The table."`
	Sample      count   `placeholder:"N" help:"Check this many positions, drawn at random, instead of all."`
	Threads     threads `placeholder:"N" help:"Threads; the default is one for each processor."`
	gameFlags   `group:"game"`
	budgetFlags `group:"limits"`
	formatFlag
}

// Run derives the entries of a table again with the reference interpreter.
func (c *tableVerifyCmd) Run(s *session) error {
	sys, t, done, err := s.gameTable(c.File, c.gameFlags, c.Table)
	if err != nil {
		return err
	}
	defer done()
	opts := endgame.VerifyOptions{Sample: uint64(c.Sample), Bounds: limit.Bounds{Threads: int(c.Threads)}}
	opts.Observer = s.progress.Observer(func(p limit.Progress) string {
		return fmt.Sprintf("%s%d of %d seeds, %s", share(p.States, int64(t.Positions())), p.Depth, t.Seeds(), pace(p, "positions"))
	})
	v, err := endgame.Verify(s.ctx, t, opts)
	s.done()
	if changed := t.Err(); changed != nil {
		return explainTable(sys, changed)
	}
	var wrong *endgame.WrongError
	switch {
	case errors.As(err, &wrong):
		return c.wrong(s, sys, wrong)
	case limit.Ended(err):
		s.note("checked %s of %s positions", numeral.Number(int64(v.Positions)), numeral.Number(int64(t.Positions())))
		return status(exitInconclusive)
	case err != nil:
		return fault.Explain(sys, err)
	}
	c.right(s, t, v)
	return nil
}

// wrong reports a wrong entry.
func (c *tableVerifyCmd) wrong(s *session, sys *rules.System, wrong *endgame.WrongError) error {
	s.result(report.Object{
		{Name: "verified", Value: false},
		{Name: "state", Value: board.StateJSON(sys, wrong.State)},
		{Name: "reason", Value: wrong.Error()},
	}, func() {
		fmt.Fprint(s.out, board.Draw(sys, wrong.State, board.Options{}))
		fmt.Fprintln(s.out, s.color.Paint(term.Bad, "wrong")+": "+wrong.Error())
	})
	return status(exitUnexpected)
}

// derived says that a whole table was verified.
const derived = "every entry was derived again from the moves of its position"

// right reports what was checked.
func (c *tableVerifyCmd) right(s *session, t *endgame.Table, v *endgame.Verification) {
	s.result(report.Object{
		{Name: "verified", Value: true},
		{Name: "sampled", Value: v.Sampled},
		{Name: "positions", Value: v.Positions},
		{Name: "of", Value: t.Positions()},
		{Name: "unknown", Value: v.NoFuture},
		{Name: "followed", Value: v.Followed},
		{Name: "seconds", Value: v.Elapsed.Seconds()},
	}, func() {
		what := derived
		if v.Sampled {
			what = "in a sample, each entry is the best that the moves lead to, by the table"
		}
		fmt.Fprintln(s.out, s.color.Paint(term.Good, "right")+": "+what)
		w := term.Table{}
		w.Row("positions", fmt.Sprintf("%s of %s", numeral.Number(int64(v.Positions)), numeral.Number(int64(t.Positions()))))
		w.Row("unknown", numeral.Number(int64(v.NoFuture)))
		if v.Followed > 0 {
			w.Row("followed", numeral.Number(int64(v.Followed))+", in layers in which positions may repeat")
		}
		w.Row("seconds", fmt.Sprintf("%.2f", v.Elapsed.Seconds()))
		w.Row("per second", numeral.Number(int64(float64(v.Positions)/max(v.Elapsed.Seconds(), 1e-9))))
		w.Write(s.out, "  ")
	})
}

// gameTable returns the game that the flags select, and a table for it.
func (s *session) gameTable(path string, g gameFlags, table string) (*rules.System, *endgame.Table, func(), error) {
	in, err := s.game(path, g)
	if err != nil {
		return nil, nil, nil, err
	}
	t, done, err := s.table(table, in.System())
	return in.System(), t, done, err
}

// table opens a table for a game, whatever the table assumes about endless play. It also returns a
// function that closes the table.
func (s *session) table(path string, sys *rules.System) (*endgame.Table, func(), error) {
	f, err := endgame.Open(path)
	if err != nil {
		return nil, nil, explainTable(sys, err)
	}
	t, err := f.Table(s.ctx, sys, tablePayoff(endlessKinds[f.Endless]))
	if err != nil {
		return nil, nil, explainTable(sys, errors.Join(err, f.Close()))
	}
	return t, func() { _ = f.Close() }, nil
}

type tableProbeCmd struct {
	File  string `arg:"" help:"Rules file; - is standard input."`
	Table string `arg:"" help:"The table."`
	positionFlags
	budgetFlags `group:"limits"`
	formatFlag
}

// Run looks up a position. An unknown value is inconclusive.
func (c *tableProbeCmd) Run(s *session) error {
	in, st, err := s.placed(c.File, c.gameFlags, c.Board, c.State)
	if err != nil {
		return err
	}
	sys := in.System()
	t, done, err := s.table(c.Table, sys)
	if err != nil {
		return err
	}
	defer done()
	v, known := t.Value(st)
	if err := t.Err(); err != nil {
		return explainTable(sys, err)
	}
	if !known {
		s.result(report.Object{{Name: "value", Value: nil}}, func() { fmt.Fprintln(s.out, s.color.Paint(term.Open, "unknown")) })
		return status(exitInconclusive)
	}
	scale := worth.Scale{Sys: sys, Kind: value.Margin}
	s.result(report.Object{{Name: "value", Value: v}}, func() { fmt.Fprintln(s.out, scale.Exact(v)) })
	return nil
}

// tablesFlag is the folder or file with endgame tables to use.
type tablesFlag struct {
	Tables string `placeholder:"DIR" help:"Use the endgame tables for this game in this folder (see mancheck table build), or this table."`
}

// openTables opens the tables; the session closes them. It returns nil without --tables.
func (f tablesFlag) openTables(s *session) (*endgame.Library, error) {
	if f.Tables == "" {
		return nil, nil
	}
	l, err := endgame.OpenLibrary(f.Tables)
	if err != nil {
		return nil, explainTable(nil, err)
	}
	s.tables = append(s.tables, l)
	return l, nil
}

// largest returns the largest table for a game. If none in a folder fits, it notes why and returns
// nil. A table given by its own file must fit.
func (s *session) largest(l *endgame.Library, sys *rules.System, p value.Payoff) (*endgame.Table, error) {
	p.Kind = value.Margin // results are derived from margins
	t, err := l.Find(s.ctx, sys, p)
	if l == nil || t != nil || err != nil {
		return t, explainTable(sys, err)
	}
	refusals := l.Refusals(sys, p)
	if l.One() {
		return nil, explainTable(sys, refusals[0])
	}
	if len(refusals) == 0 {
		s.note("%s has no table for this game", l.Path())
	}
	for _, err := range refusals {
		s.note("%v", err)
	}
	return nil, nil
}
