package board

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules"
)

// Parse reads a position in any form in which it is written: a state as JSON (StateJSON), a drawn
// board (Rows), or a flat board (Flat). A drawn board is in braces, or has bars between its parts,
// or has several rows, which are lines or separated by `/`. In one line its parts are those of all
// rows, one after the other; empty ones may be missing. What a board does not say is as in
// System.EmptyBoard and not as in the setup, just as in games that begin at a position.
func Parse(sys *rules.System, text string) (rules.State, error) {
	text, err := plain.Read(text)
	if err != nil {
		return rules.State{}, fmt.Errorf("board: %w", err)
	}
	trimmed := strings.TrimSpace(text)
	inner, braces := strings.CutPrefix(trimmed, "{")
	switch {
	case braces && strings.HasPrefix(strings.TrimSpace(inner), `"`):
		return ReadState(sys, []byte(trimmed))
	case braces:
		rows, closed := strings.CutSuffix(inner, "}")
		if !closed {
			return rules.State{}, fmt.Errorf("board: the closing brace is missing")
		}
		return drawn(sys, rows)
	case strings.ContainsAny(trimmed, "|\n/"):
		return drawn(sys, text)
	}
	s := sys.EmptyBoard()
	s.Seeds, err = ParseFlat(sys, text)
	return s, err
}

// drawn reads the rows of a drawn board.
func drawn(sys *rules.System, text string) (rules.State, error) {
	s := sys.EmptyBoard()
	rows, picture := rowsOf(text), sys.Picture
	if len(rows) == 1 && len(picture) > 1 {
		parts := slices.DeleteFunc(slices.Concat(picture...), func(pits []int) bool { return len(pits) == 0 })
		given := slices.DeleteFunc(rows[0], func(part string) bool { return strings.TrimSpace(part) == "" })
		if len(given) == len(parts) {
			rows, picture = [][]string{given}, [][][]int{parts}
		}
	}
	if len(rows) != len(picture) {
		return s, fmt.Errorf("board: it has %s, the board of `%s` has %d", numeral.Count(int64(len(rows)), "row"), sys.Name, len(picture))
	}
	for r, row := range rows {
		if err := drawnRow(sys, &s, r, picture[r], row); err != nil {
			return s, err
		}
	}
	if _, ok := num.Sum(s.Seeds); !ok {
		return s, fmt.Errorf("board: %w", errMany)
	}
	return s, nil
}

// rowsOf splits a text into rows, and rows into parts.
func rowsOf(text string) [][]string {
	var rows [][]string
	for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '/' }) {
		if strings.TrimSpace(line) != "" {
			rows = append(rows, strings.Split(line, "|"))
		}
	}
	return rows
}

// brackets matches marked counts. In wide columns they have blanks inside.
var brackets = regexp.MustCompile(`\[\s*([^\s\]]*)\s*\]`)

// drawnRow sets the seeds of one row, which has the parts of picture. Empty parts at its end may be
// missing.
func drawnRow(sys *rules.System, s *rules.State, r int, picture [][]int, parts []string) error {
	for k, pits := range picture {
		var cells []string
		if k < len(parts) {
			cells = strings.Fields(strings.ReplaceAll(brackets.ReplaceAllString(parts[k], "[$1]"), ",", " "))
		}
		if len(cells) != len(pits) {
			return fmt.Errorf("board: row %d, part %d has %s, on the board it has %s (%s); without bars the counts are those of %s", r+1, k+1,
				numeral.Count(int64(len(cells)), "count"), numeral.Count(int64(len(pits)), "pit"), names(sys, pits), names(sys, Order(sys)))
		}
		for i, cell := range cells {
			if err := drawnPit(sys, s, pits[i], cell); err != nil {
				return err
			}
		}
	}
	if len(parts) > len(picture) && strings.TrimSpace(strings.Join(parts[len(picture):], "")) != "" {
		return fmt.Errorf("board: row %d has %s, there are %d", r+1, numeral.Count(int64(len(parts)), "part"), len(picture))
	}
	return nil
}

// drawnPit sets the seeds of a pit. Brackets mark the pit that the pit variable stands on.
func drawnPit(sys *rules.System, s *rules.State, pit int, cell string) error {
	inner, marked := strings.CutPrefix(cell, "[")
	if marked {
		v, ok := sys.PitVar()
		if !ok {
			return fmt.Errorf("board: `%s`: brackets need exactly one variable for a pit", cell)
		}
		inner = strings.TrimSuffix(inner, "]")
		if !sys.Vars[v].Contains(pit) {
			return fmt.Errorf("board: `%s` cannot stand on `%s`", sys.Vars[v].Name, sys.Pits[pit].Name)
		}
		s.Vars[v] = pit
	}
	n, err := count(inner)
	if err != nil {
		return fmt.Errorf("board: `%s`, %s, %w", cell, sys.Pits[pit].Name, err)
	}
	s.Seeds[pit] = n
	return nil
}
