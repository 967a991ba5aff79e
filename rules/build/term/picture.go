package term

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// PictureCond returns the condition that the board looks like the picture. If the picture has to be
// complete, it must give the number of seeds in every pit.
func (b *layout) PictureCond(p *ast.Picture, complete bool) rules.Expr {
	if !b.Fits(p) {
		return rules.False
	}
	var conds []rules.Expr
	for pit, cell := range b.Cells(p) {
		conds = append(conds, b.cellCond(cell, pit, complete)...)
	}
	return Simple(rules.Conjunction(conds...))
}

// Fits reports whether a picture has the shape of the board. If not, it adds a diagnostic.
func (b *layout) Fits(p *ast.Picture) bool {
	if len(p.Rows()) != len(b.Sys.Picture) {
		return b.misfit(p.Range, "this picture has %d rows, the board has %d", len(p.Rows()), len(b.Sys.Picture))
	}
	for r, row := range p.Rows() {
		// Empty parts at the end of a row may be left out, of the picture and of the board.
		want := trim(b.Sys.Picture[r])
		have := row
		for len(have) > len(want) && len(have[len(have)-1]) == 0 {
			have = have[:len(have)-1]
		}
		if len(have) < len(want) || len(have) > len(b.Sys.Picture[r]) {
			return b.misfit(p.Range, "row %d has %d parts, on the board it has %d", r+1, len(row), len(b.Sys.Picture[r]))
		}
		for k, part := range have {
			if n := len(b.Sys.Picture[r][k]); len(part) != n {
				at := p.Range
				if len(part) > 0 {
					at = part[0].Range.To(part[len(part)-1].Range)
				}
				return b.misfit(at, "%d counts here, on the board there are %d pits", len(part), n)
			}
		}
	}
	return true
}

// MarkVar returns the variable that brackets in a picture set: the only pit variable, or -1 if
// there is none or several.
func (b *layout) MarkVar() int {
	found := -1
	for i, v := range b.Sys.Vars {
		if v.Type == rules.PitType && !v.Ghost {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// NoMark reports brackets that have no meaning.
func (b *layout) NoMark(c ast.Cell) {
	b.Run.Diags.Errorf(diag.Picture, c.Range, "brackets have no meaning here").
		WithHelp("they mark the pit that a variant's only pit variable stands on")
}

// cellCond returns the conditions for one pit of the picture.
func (b *layout) cellCond(c ast.Cell, pit int, complete bool) []rules.Expr {
	var conds []rules.Expr
	at := rules.FixedPit(pit)
	if c.Any && complete {
		b.Run.Diags.Errorf(diag.Picture, c.Range, "a setup says how many seeds lie in every pit")
	}
	if !c.Any {
		conds = append(conds, HasSeeds(pit, c.Count, c.Range))
	}
	if c.Marked {
		v := b.MarkVar()
		if v < 0 || complete {
			b.NoMark(c)
			return conds
		}
		conds = append(conds, rules.Binary{Op: rules.Eq, L: rules.VarAt(v), R: at})
	}
	return conds
}

// trim returns a row without the empty parts at its end.
func trim(parts [][]int) [][]int {
	for len(parts) > 0 && len(parts[len(parts)-1]) == 0 {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// misfit reports where a picture has another shape than the board, which it draws with the names of
// its pits. It returns false.
func (b *layout) misfit(at diag.Range, format string, args ...any) bool {
	s := ""
	for _, row := range b.Sys.Picture {
		for k, part := range row {
			if k > 0 {
				s += " |"
			}
			for _, p := range part {
				s += " " + b.Sys.Pits[p].Name
			}
		}
		s += "\n"
	}
	b.Run.Diags.Errorf(diag.Picture, at, format, args...).WithHelp("the board:\n%s", s)
	return false
}
