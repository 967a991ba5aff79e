package resolve

import (
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// maxPits keeps a slip such as hole[1..100000000] from taking all memory.
const maxPits = 4096

// layout is the board as it is drawn. It finds pits by their group and number.
type layout struct {
	run
	sys       *rules.System
	bracketed map[string]bool // groups whose pits are drawn with brackets
}

// extent returns the least and the greatest number of the pits of a group.
func (b *layout) extent(group string) (lo, hi int) {
	found := false
	for _, p := range b.sys.Pits {
		if p.Group == group && (!found || p.Index < lo) {
			lo = p.Index
		}
		if p.Group == group && (!found || p.Index > hi) {
			hi = p.Index
		}
		found = found || p.Group == group
	}
	return lo, hi
}

// pitAt returns the pit group[i], or reports that there is none and returns rules.None.
func (b *layout) pitAt(group ast.Ident, i int, at diag.Range) int {
	found := false
	var names []string
	for k, p := range b.sys.Pits {
		names = append(names, p.Group)
		if p.Group == group.Name && p.Index == i && b.bracketed[p.Group] {
			return k
		}
		found = found || p.Group == group.Name
	}
	switch {
	case !found:
		bind.Suggest(b.diags.Errorf(diag.Unknown, group.Range, "no pits are called `%s`", group.Name), group.Name, names)
	case !b.bracketed[group.Name]:
		b.diags.Errorf(diag.MissingPit, at, "`%s` is a single pit and takes no number", group.Name)
	default:
		lo, hi := b.extent(group.Name)
		b.diags.Errorf(diag.MissingPit, at, "there is no pit `%s[%d]`", group.Name, i).
			WithHelp("`%s` goes from %d to %d", group.Name, lo, hi)
	}
	return rules.None
}

// outside reports whether the ends of a stretch describe an empty one: before the first pit of the
// group or after the last.
func (b *layout) outside(group string, from, to int) bool {
	if from != to+1 || !b.bracketed[group] {
		return false
	}
	lo, hi := b.extent(group)
	return from == lo || to == hi
}

// drawn reports a name that no pits with brackets have. The name drawn says that some should.
func (b *layout) drawn(name ast.Ident) {
	if b.bracketed[name.Name] {
		return
	}
	names := slices.Collect(maps.Keys(b.bracketed))
	bind.Suggest(b.diags.Errorf(diag.Unknown, name.Range, "no pits with numbers are called `%s`", name.Name), name.Name, names)
}

// link fills in the lap's tables of neighbours, for a board with that many pits. A pit off the lap
// has none, and neither have the ends of a lap that is not a ring.
func link(lap *rules.Lap, pits int) {
	lap.Next, lap.Prev = make([]int, pits), make([]int, pits)
	for i := range lap.Next {
		lap.Next[i], lap.Prev[i] = rules.None, rules.None
	}
	n := len(lap.Pits)
	for i, p := range lap.Pits {
		if i+1 < n || lap.Ring {
			q := lap.Pits[(i+1)%n]
			lap.Next[p], lap.Prev[q] = q, p
		}
	}
}

// between lists the numbers from one end to the other, upwards or downwards.
func (b *layout) between(pr ast.PitRange, from, to int) []int {
	step, n := 1, to-from
	if n < 0 {
		step, n = -1, -n
	}
	if n >= maxPits {
		b.diags.Errorf(diag.TooBig, pr.Range, "%d pits in a row", n+1).WithHelp("at most %d are supported", maxPits)
		return nil
	}
	list := make([]int, 0, n+1)
	for i := 0; i <= n; i++ {
		list = append(list, from+i*step)
	}
	return list
}

// pitsAt returns the pits of a group with these numbers. Missing ones are reported.
func (b *layout) pitsAt(pr ast.PitRange, indices []int) []int {
	var pits []int
	for _, i := range indices {
		if pit := b.pitAt(pr.Group, i, pr.Range); pit != rules.None {
			pits = append(pits, pit)
		}
	}
	return pits
}
