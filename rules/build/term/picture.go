package term

import (
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// PictureCond returns the condition that the board looks like the picture. If the picture has to be
// complete, it must give the number of seeds in every pit.
func (s *Scope) PictureCond(p *ast.Picture, complete bool) rules.Expr {
	if !s.Fits(p) {
		return rules.False
	}
	var conds []rules.Expr
	for pit, cell := range s.Cells(p) {
		conds = append(conds, s.cellCond(cell, pit, complete)...)
	}
	return Simple(rules.Conjunction(conds...))
}

// Fits reports whether a picture has the shape of the board. If not, it adds a diagnostic.
func (s *Scope) Fits(p *ast.Picture) bool {
	if len(p.Rows()) != len(s.Sys.Picture) {
		return s.misfit(p.Range, "this picture has %d rows, the board has %d", len(p.Rows()), len(s.Sys.Picture))
	}
	for r, row := range p.Rows() {
		// Empty parts at the end of a row may be left out, of the picture and of the board.
		want := trim(s.Sys.Picture[r], 0)
		have := trim(row, len(want))
		if len(have) < len(want) || len(have) > len(s.Sys.Picture[r]) {
			return s.misfit(p.Range, "row %d has %d parts, on the board it has %d", r+1, len(row), len(s.Sys.Picture[r]))
		}
		for k, part := range have {
			if n := len(s.Sys.Picture[r][k]); len(part) != n {
				at := p.Range
				if len(part) > 0 {
					at = part[0].Range.To(part[len(part)-1].Range)
				}
				return s.misfit(at, "%d counts here, on the board there are %d pits", len(part), n)
			}
		}
	}
	return true
}

// NoMark reports brackets that have no meaning.
func (s *Scope) NoMark(c ast.Cell) {
	s.Run.Diags.Errorf(diag.Picture, c.Range, "brackets have no meaning here").
		WithHelp("they mark the pit that a variant's only pit variable stands on")
}

// cellCond returns the conditions for one pit of the picture.
func (s *Scope) cellCond(c ast.Cell, pit int, complete bool) []rules.Expr {
	var conds []rules.Expr
	at := rules.FixedPit(pit)
	if c.Any && complete {
		s.Run.Diags.Errorf(diag.Picture, c.Range, "a setup says how many seeds lie in every pit")
	}
	if !c.Any {
		conds = append(conds, HasSeeds(pit, c.Count, c.Range))
	}
	if c.Marked {
		v, ok := s.Sys.PitVar()
		if !ok || complete {
			s.NoMark(c)
			return conds
		}
		conds = append(conds, rules.Binary{Op: rules.Eq, L: rules.VarAt(v), R: at})
	}
	return conds
}

// trim returns a row without the empty parts at its end, but with at least some parts.
func trim[E any](parts [][]E, least int) [][]E {
	for len(parts) > least && len(parts[len(parts)-1]) == 0 {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// misfit reports where a picture has another shape than the board, which it draws with the names of
// its pits. It returns false.
func (s *Scope) misfit(at diag.Range, format string, args ...any) bool {
	text := ""
	for _, row := range s.Sys.Picture {
		parts := lists.Map(row, func(part []int) string {
			return strings.Join(lists.Map(part, func(p int) string { return " " + s.Sys.Pits[p].Name }), "")
		})
		text += strings.Join(parts, " |") + "\n"
	}
	s.Run.Diags.Errorf(diag.Picture, at, format, args...).WithHelp("the board:\n%s", text)
	return false
}
