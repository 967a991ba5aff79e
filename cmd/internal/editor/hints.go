package editor

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// Hint is what the text leaves to the picture, behind a place.
type Hint struct {
	At   diag.Pos
	Text string
	More string // all of it, as the text could say it
}

// Hints lists what follows from the pictures of the text: behind each row whose pits they are, and
// behind the board the groups, laps and relations that it does not declare.
func (t *Text) Hints() []Hint {
	if t.Root == nil {
		return nil
	}
	var out []Hint
	for _, d := range t.Root.Decls {
		switch d := d.(type) {
		case *ast.Board:
			if d.Name != nil {
				out = append(out, hintsOf(d, t.sharing(d.Name.Name))...)
			}
		case *ast.Variant:
			for _, b := range ast.Items[*ast.Board](d) {
				if b.Drawn {
					out = append(out, hintsOf(b, t.Board(d.Name.Name))...)
				}
			}
		}
	}
	return out
}

func hintsOf(b *ast.Board, sys *rules.System) []Hint {
	if sys == nil {
		return nil
	}
	said := map[string]bool{}
	owners := false
	for _, line := range b.Lines {
		switch l := line.(type) {
		case *ast.Owner:
			owners = true
		case *ast.Lap:
			said[l.Name.Name] = true
		case *ast.Group:
			said[l.Name.Name] = true
		case *ast.Facing:
			said[l.Name.Name] = true
		}
	}
	var out []Hint
	rows := b.Rows()
	for i := range rows {
		if i < len(sys.Picture) && !owners {
			if text := ownersOf(sys, sys.Picture[i]); text != "" {
				out = append(out, Hint{At: rows[i].Range.End, Text: text})
			}
		}
	}
	var names, lines []string
	for _, l := range board.Lines(sys) {
		if said[l.Name] || strings.HasPrefix(l.Text, "owner ") {
			continue
		}
		if lines = append(lines, l.Text); !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
	}
	if len(names) > 0 {
		out = append(out, Hint{At: b.Range.End, Text: strings.Join(names, ", "), More: code(strings.Join(lines, "\n"))})
	}
	return out
}

// ownersOf names the players who own pits of a row.
func ownersOf(sys *rules.System, row [][]int) string {
	var names []string
	for player, name := range sys.Players {
		if name != "" && slices.ContainsFunc(row, func(part []int) bool {
			return slices.ContainsFunc(part, func(p int) bool { return sys.Pits[p].Owner == player })
		}) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
