package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/cmd/internal/cover"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/record"
	"github.com/mancheck/mancheck/rules/space"
)

// recorded is the result of replaying one recorded game.
type recorded struct {
	game *record.Game
	record.Result
	err error
}

// failed reports whether the game could not be replayed, as its rules have mistakes.
func (r recorded) failed() bool {
	return r.err != nil && !errors.As(r.err, new(*record.Difference))
}

// records replays recorded games. If the command line names a rules file, it is used instead of
// those in the map.
func (c *replayCmd) records(s *session) error {
	games, m, err := c.readRecords(s)
	if err != nil {
		return err
	}
	var list []recorded
	played := map[string]*covering{}
	left := 0
	for i := range games {
		g := &games[i]
		if g.Name == "" && len(c.Game) == 1 {
			g.Name = c.Game[0]
		}
		e := m.Find(g)
		if e == nil || len(c.Game) > 0 && !slices.Contains(c.Game, g.Name) {
			left++
			continue
		}
		r := recorded{game: g}
		r.Result, r.err = c.record(s, played, e, g)
		if limit.Ended(r.err) {
			s.note("%s after %s", limit.Why(s.ctx), numeral.Count(int64(len(list)), "game"))
			return status(exitInconclusive)
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: %s, and none of them is in %s", c.Record, numeral.Count(int64(len(games)), "game"), c.Map)
	}
	if c.Format != "text" && c.Format != "json" {
		return c.onePlay(s, played, list)
	}
	covered := &coverage.Report{}
	for _, path := range slices.Sorted(maps.Keys(played)) {
		played[path].report(covered)
	}
	return s.writeRecords(list, left, covered)
}

// onePlay writes the play of the only game in another format.
func (c *replayCmd) onePlay(s *session, played map[string]*covering, list []recorded) error {
	if len(list) > 1 || len(list[0].Plays) > 1 {
		return usageError{fmt.Errorf("--format=%s is for one play, and the record may be about several: --game or another map selects one", c.Format)}
	}
	if err := list[0].err; err != nil {
		return err
	}
	for _, rules := range played {
		_, _ = s.out.Write(playText(list[0].Plays[0].Trace(rules.in), c.Format)) // finish reports an error of the stream
	}
	return nil
}

// readRecords reads the map and the recorded games. Records of moves need no map if a rules file is
// named: moves are then called as the rules say.
func (c *replayCmd) readRecords(s *session) ([]record.Game, *record.Map, error) {
	m := &record.Map{Entries: []*record.Entry{{}}}
	if c.Map != "" {
		text, err := s.reader.Open(c.Map)
		if err != nil {
			return nil, nil, unreadable(c.Map, err)
		}
		if m, err = record.ReadMap(c.Map, text); err != nil {
			return nil, nil, err
		}
	}
	f, err := s.reader.Stream(c.Record)
	if err != nil {
		return nil, nil, unreadable(c.Record, err)
	}
	defer f.Close()
	games, err := record.Read(f)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Record, err)
	}
	if c.Map != "" {
		return games, m, nil
	}
	if c.File == "" || slices.ContainsFunc(games, func(g record.Game) bool { return !g.Moves }) {
		return nil, nil, usageError{errors.New("--record needs --map, which says which pits the sites of the record are; only a record of moves, with a rules file, does without")}
	}
	for i := range games {
		games[i].Name = "" // whatever it is called, it is of this file
	}
	return games, m, nil
}

// unreadable returns the error for a file that cannot be read.
func unreadable(path string, err error) error {
	return diag.Errorf(diag.Unreadable, diag.Range{File: path}, "cannot read the file: %v", err)
}

// record replays one game, and counts what its moves carry out. Games by the same rules are counted
// together.
func (c *replayCmd) record(s *session, played map[string]*covering, e *record.Entry, g *record.Game) (record.Result, error) {
	flags := c.gameFlags
	for _, w := range e.With {
		if !slices.ContainsFunc(c.Param, func(p string) bool { return strings.HasPrefix(p, w.Name+"=") }) {
			flags.Param = append(slices.Clone(flags.Param), w.Name+"="+w.Value)
		}
	}
	flags.Variant = cmp.Or(flags.Variant, e.Variant)
	path := cmp.Or(c.File, filepath.Join(filepath.Dir(c.Map), e.File))
	key := strings.Join(append([]string{path, flags.Variant}, flags.Param...), "\x00")
	if played[key] == nil {
		in, err := s.game(path, flags)
		if err != nil {
			return record.Result{}, err
		}
		if played[key], err = newCovering(s, path, in); err != nil {
			return record.Result{}, err
		}
	}
	res, err := record.Replay(s.ctx, played[key].in, e, g)
	if len(res.Plays) == 0 {
		return res, err
	}
	return res, cmp.Or(err, played[key].add(res.Plays[0]))
}

// writeRecords writes a line for each game, and then the differences. left is the number of games
// that were not replayed.
func (s *session) writeRecords(list []recorded, left int, covered *coverage.Report) error {
	failed := lists.Count(list, recorded.failed)
	differ := lists.Count(list, func(r recorded) bool { return r.err != nil }) - failed
	said := map[string]bool{}
	for _, r := range list {
		if r.failed() && !said[r.err.Error()] {
			said[r.err.Error()] = true
			s.complain(r.err)
		}
	}
	s.result(recordsJSON(list).With("coverage", cover.JSON(covered)), func() {
		writeRecordTable(s, list)
		text := numeral.Count(int64(len(list)), "game") + fmt.Sprintf(": %d as recorded", len(list)-differ-failed)
		if differ > 0 {
			text += ", " + s.color.Paint(term.Bad, fmt.Sprintf("%d not", differ))
		}
		if failed > 0 {
			text += ", " + s.color.Paint(term.Bad, fmt.Sprintf("%d failed", failed))
		}
		if left > 0 {
			text += fmt.Sprintf("; %d more in the file were not asked for, or are not in the map", left)
		}
		fmt.Fprintln(s.out, text)
		cover.Writer{W: s.out, Sources: s.reader.Sources, Color: s.color}.WriteIdle(covered)
	})
	switch {
	case failed > 0:
		return status(exitFailed)
	case differ > 0:
		return status(exitUnexpected)
	}
	return nil
}

func writeRecordTable(s *session, list []recorded) {
	t := term.Table{Right: []bool{false, true, true}}
	t.Row("game", "trial", "plies", "")
	for _, r := range list {
		mark := s.color.Paint(term.Good, "✓")
		switch {
		case r.failed():
			mark = s.color.Paint(term.Bad, "✗ failed")
		case r.err != nil:
			mark = s.color.Paint(term.Bad, "✗") + fmt.Sprintf(" differs after %d", r.Plies)
		case len(r.Plays) > 1:
			mark += fmt.Sprintf(" %d plays agree", len(r.Plays))
		}
		t.Row(cmp.Or(r.game.Name, "-"), fmt.Sprint(r.game.Trial), fmt.Sprint(len(r.game.Plies)), mark)
	}
	t.Write(s.out, "")
	for _, r := range list {
		if r.err != nil && !r.failed() {
			fmt.Fprintf(s.out, "\n%s, trial %d, %v\n", s.color.Paint(term.Bold, cmp.Or(r.game.Name, "game")), r.game.Trial, r.err)
		}
	}
}

func recordsJSON(list []recorded) report.Object {
	games := []report.Object{}
	for _, r := range list {
		o := report.Object{
			{Name: "game", Value: r.game.Name},
			{Name: "trial", Value: r.game.Trial},
			{Name: "plies", Value: len(r.game.Plies)},
			{Name: "agreed", Value: r.Plies},
			{Name: "plays", Value: len(r.Plays)},
			{Name: "asRecorded", Value: r.err == nil},
		}
		switch {
		case r.failed():
			o = o.With("error", r.err.Error())
		case r.err != nil:
			o = o.With("difference", r.err.Error())
		}
		games = append(games, o)
	}
	return report.Object{{Name: "games", Value: games}}
}

// covering counts what the moves of recorded games by the same rules carry out.
type covering struct {
	in     *interp.Interp
	rules  *coverage.Rules
	marked *rules.Marked
	played int64

	most  int // seeds of the states that game takes
	codec *pack.Codec
	game  *coverage.Game // nil: no move was counted
}

func newCovering(s *session, path string, in *interp.Interp) (*covering, error) {
	_, m, err := marked(s, path, in.System())
	if err != nil {
		return nil, err
	}
	c := &covering{in: in, rules: coverage.Of(s.ctx, in.System(), m), marked: m}
	return c, c.rules.Starts(s.ctx, func(rules.State) error { return space.ErrStop })
}

// add counts the moves of a play.
func (c *covering) add(p record.Play) (err error) {
	c.played++
	if most := slices.Max(lists.Map(p.States, rules.State.Total)); c.game == nil || most > c.most {
		c.most = most
		if c.codec, err = pack.NewCodec(c.in.System(), most, rules.Parts{}); err != nil {
			return err
		}
		if c.game, err = c.rules.Play(c.codec); err != nil {
			return err
		}
	}
	flat, key := pack.NewFlat(c.in.System()), make([]uint64, c.codec.Words())
	for i, action := range p.Actions {
		if action == interp.Offer {
			continue
		}
		flat.Set(p.States[i])
		if err := c.codec.Pack(flat, key); err != nil {
			return err
		}
		if err := c.game.Count(key, int32(action)); err != nil {
			return err
		}
	}
	return nil
}

// report adds what was counted to a report.
func (c *covering) report(r *coverage.Report) {
	r.Add(coverage.Run{Sys: c.in.System(), Games: c.played, Complete: true}, c.marked, c.rules.Counts())
}
