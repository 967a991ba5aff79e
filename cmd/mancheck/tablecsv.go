package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

type tableCSVCmd struct {
	File        string    `arg:"" help:"Rules file; - is standard input."`
	Table       string    `arg:"" help:"The table."`
	Seeds       seedRange `default:"all" placeholder:"K|A..B" help:"Only the positions with so many seeds in play."`
	gameFlags   `group:"game"`
	budgetFlags `group:"limits"`
}

// Run writes a line for each position: its seeds, its variables, who is to move, and the future.
func (c *tableCSVCmd) Run(s *session) error {
	sys, t, done, err := s.gameTable(c.File, c.gameFlags, c.Table)
	if err != nil {
		return err
	}
	defer done()
	w := csv.NewWriter(s.out)
	list := csvList{sys: sys, pits: t.Pits()}
	_ = w.Write(list.head())
	for seeds := c.Seeds.first; seeds <= min(t.Seeds(), c.Seeds.last) && err == nil; seeds++ {
		err = t.Each(s.ctx, seeds, func(st rules.State, future int, known bool) error {
			return w.Write(list.line(st, future, known))
		})
	}
	w.Flush() // the session reports an error of the stream
	return explainTable(sys, err)
}

// csvList is the columns of the list: pits in play, variables, the player to move, the future.
type csvList struct {
	sys  *rules.System
	pits []int
	text []string
}

func (l *csvList) head() []string {
	names := lists.Map(l.pits, func(p int) string { return l.sys.Pits[p].Name })
	names = append(names, lists.Map(l.sys.Vars, func(v rules.Var) string { return v.Name })...)
	return append(names, "mover", "future")
}

// line overwrites the one before.
func (l *csvList) line(st rules.State, future int, known bool) []string {
	l.text = l.text[:0]
	l.text = append(l.text, lists.Map(l.pits, func(p int) string { return strconv.Itoa(st.Seeds[p]) })...)
	for i := range l.sys.Vars {
		l.text = append(l.text, board.VarValue(l.sys, i, st.Vars[i]))
	}
	worth := ""
	if known {
		worth = strconv.Itoa(future)
	}
	l.text = append(l.text, l.sys.ValueName(rules.PlayerType, st.Mover), worth)
	return l.text
}

// seedRange is the value of a flag for numbers of seeds.
type seedRange struct{ first, last int }

// UnmarshalText reads a number, a range A..B, or all.
func (r *seedRange) UnmarshalText(text []byte) error {
	*r = seedRange{0, math.MaxInt}
	if string(text) == "all" {
		return nil
	}
	from, to, isRange := strings.Cut(string(text), "..")
	var err1, err2 error
	r.first, err1 = strconv.Atoi(from)
	r.last = r.first
	if isRange {
		r.last, err2 = strconv.Atoi(to)
	}
	if err1 != nil || err2 != nil || r.first < 0 || r.last < r.first {
		return fmt.Errorf("%q is no number of seeds; write 8, or 0..8", text)
	}
	return nil
}
