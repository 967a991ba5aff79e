package term

import (
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// MaxPits keeps a slip such as hole[1..100000000] from taking all memory.
const MaxPits = 4096

// extent returns the least and the greatest number of the pits of a group.
func (s *Scope) extent(group string) (lo, hi int) {
	lo, hi = math.MaxInt, math.MinInt
	for _, p := range s.Sys.Pits {
		if p.Group == group {
			lo, hi = min(lo, p.Index), max(hi, p.Index)
		}
	}
	return lo, hi
}

// PitAt returns the pit group[i], or reports that there is none and returns rules.None.
func (s *Scope) PitAt(group ast.Ident, i int, at diag.Range) int {
	names := lists.Map(s.Sys.Pits, func(p rules.Pit) string { return p.Group })
	for k, p := range s.Sys.Pits {
		if p.Group == group.Name && p.Index == i && s.Bracketed[p.Group] {
			return k
		}
	}
	switch {
	case !slices.Contains(names, group.Name):
		bind.Suggest(s.Run.Diags.Errorf(diag.Unknown, group.Range, "no pits are called `%s`", group.Name), group.Name, names)
	case !s.Bracketed[group.Name]:
		s.Run.Diags.Errorf(diag.MissingPit, at, "`%s` is a single pit and takes no number", group.Name)
	default:
		lo, hi := s.extent(group.Name)
		s.Run.Diags.Errorf(diag.MissingPit, at, "there is no pit `%s[%d]`", group.Name, i).
			WithHelp("`%s` goes from %d to %d", group.Name, lo, hi)
	}
	return rules.None
}

// outside reports whether the ends of a stretch describe an empty one: before the first pit of the
// group or after the last.
func (s *Scope) outside(group string, from, to int) bool {
	if from != to+1 || !s.Bracketed[group] {
		return false
	}
	lo, hi := s.extent(group)
	return from == lo || to == hi
}

// Drawn reports a name that no pits with brackets have. The name drawn says that some should.
func (s *Scope) Drawn(name ast.Ident) {
	if s.Bracketed[name.Name] {
		return
	}
	names := slices.Collect(maps.Keys(s.Bracketed))
	bind.Suggest(s.Run.Diags.Errorf(diag.Unknown, name.Range, "no pits with numbers are called `%s`", name.Name), name.Name, names)
}

// Between lists the numbers from one end to the other, upwards or downwards.
func (s *Scope) Between(pr ast.PitRange, from, to int) []int {
	step, n := 1, to-from
	if n < 0 {
		step, n = -1, -n
	}
	if n >= MaxPits {
		s.Run.Diags.Errorf(diag.TooBig, pr.Range, "%d pits in a row", n+1).WithHelp("at most %d are supported", MaxPits)
		return nil
	}
	list := make([]int, 0, n+1)
	for i := 0; i <= n; i++ {
		list = append(list, from+i*step)
	}
	return list
}

// PitsAt returns the pits of a group with these numbers. Missing ones are reported.
func (s *Scope) PitsAt(pr ast.PitRange, indices []int) []int {
	pits := lists.Map(indices, func(i int) int { return s.PitAt(pr.Group, i, pr.Range) })
	return lists.Filter(pits, func(pit int) bool { return pit != rules.None })
}

// Cells yields each pit with what a picture of the shape of the board has in its place.
func (s *Scope) Cells(p *ast.Picture) iter.Seq2[int, ast.Cell] {
	return func(yield func(int, ast.Cell) bool) {
		for r, row := range p.Rows() {
			for k, part := range row {
				for i, cell := range part {
					if !yield(s.Sys.Picture[r][k][i], cell) {
						return
					}
				}
			}
		}
	}
}
