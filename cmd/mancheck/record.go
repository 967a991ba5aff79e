package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules/record"
)

// recorded is the result of replaying one recorded game.
type recorded struct {
	game  *record.Game
	plies int // number of plies that agree
	err   error
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
	left := 0
	for i := range games {
		g := &games[i]
		e := m.Find(g)
		if e == nil || len(c.Game) > 0 && !slices.Contains(c.Game, g.Name) {
			left++
			continue
		}
		r := recorded{game: g}
		r.plies, r.err = c.record(s, e, g)
		if limit.Ended(r.err) {
			s.note("%s after %s", limit.Why(s.ctx), numeral.Count(int64(len(list)), "game"))
			return status(exitInconclusive)
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: %s, and none of them is in %s", c.Record, numeral.Count(int64(len(games)), "game"), c.Map)
	}
	return s.writeRecords(list, left)
}

// readRecords reads the map and the recorded games.
func (c *replayCmd) readRecords(s *session) ([]record.Game, *record.Map, error) {
	if c.Map == "" {
		return nil, nil, usageError{errors.New("--record needs --map, which says which pits the sites of the record are")}
	}
	text, err := s.reader.Open(c.Map)
	if err != nil {
		return nil, nil, unreadable(c.Map, err)
	}
	m, err := record.ReadMap(c.Map, text)
	if err != nil {
		return nil, nil, err
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
	return games, m, nil
}

// unreadable returns the error for a file that cannot be read.
func unreadable(path string, err error) error {
	return diag.Errorf(diag.Unreadable, diag.Range{File: path}, "cannot read the file: %v", err)
}

// record replays one game, and returns how many plies agree with the record.
func (c *replayCmd) record(s *session, e *record.Entry, g *record.Game) (int, error) {
	flags := c.gameFlags
	for _, w := range e.With {
		if !slices.ContainsFunc(c.Param, func(p string) bool { return strings.HasPrefix(p, w.Name+"=") }) {
			flags.Param = append(slices.Clone(flags.Param), w.Name+"="+w.Value)
		}
	}
	flags.Variant = cmp.Or(flags.Variant, e.Variant)
	path := cmp.Or(c.File, filepath.Join(filepath.Dir(c.Map), e.File))
	in, err := s.game(path, flags)
	if err != nil {
		return 0, err
	}
	return record.Replay(s.ctx, in, e, g)
}

// writeRecords writes a line for each game, and then the differences. left is the number of games
// that were not replayed.
func (s *session) writeRecords(list []recorded, left int) error {
	failed := lists.Count(list, recorded.failed)
	differ := lists.Count(list, func(r recorded) bool { return r.err != nil }) - failed
	said := map[string]bool{}
	for _, r := range list {
		if r.failed() && !said[r.err.Error()] {
			said[r.err.Error()] = true
			s.complain(r.err)
		}
	}
	s.result(recordsJSON(list), func() {
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
			mark = s.color.Paint(term.Bad, "✗") + fmt.Sprintf(" differs after %d", r.plies)
		}
		t.Row(r.game.Name, fmt.Sprint(r.game.Trial), fmt.Sprint(len(r.game.Plies)), mark)
	}
	t.Write(s.out, "")
	for _, r := range list {
		if r.err != nil && !r.failed() {
			fmt.Fprintf(s.out, "\n%s, trial %d, %v\n", s.color.Paint(term.Bold, r.game.Name), r.game.Trial, r.err)
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
			{Name: "agreed", Value: r.plies},
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
