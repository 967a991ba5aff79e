package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// maxPits keeps a slip of the pen (hole[1..100000000]) from taking all memory.
const maxPits = 4096

// layout is the board as it is drawn: pits by their group and number, and by their place in a
// picture.
type layout struct {
	run
	sys       *rules.System
	bracketed map[string]bool // pit names drawn with brackets
}

// extent gives the least and the greatest number of a group's pits.
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

// pitAt finds group[i], or reports that it is missing.
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
		suggest(b.diags.Errorf(diag.Unknown, group.Range, "no pits are called `%s`", group.Name), group.Name, names)
	case !b.bracketed[group.Name]:
		b.diags.Errorf(diag.MissingPit, at, "`%s` is a single pit and takes no number", group.Name)
	default:
		lo, hi := b.extent(group.Name)
		b.diags.Errorf(diag.MissingPit, at, "there is no pit `%s[%d]`", group.Name, i).
			WithHelp("`%s` goes from %d to %d", group.Name, lo, hi)
	}
	return rules.None
}

// outside tells whether a stretch is that from the first pit to the one before it, or from the one
// behind the last pit to the last.
func (b *layout) outside(group string, from, to int) bool {
	if from != to+1 || !b.bracketed[group] {
		return false
	}
	lo, hi := b.extent(group)
	return from == lo || to == hi
}

// drawn reports a name that no pits with brackets have.
func (b *layout) drawn(name ast.Ident) {
	if b.bracketed[name.Name] {
		return
	}
	var names []string
	for drawn := range b.bracketed {
		names = append(names, drawn)
	}
	suggest(b.diags.Errorf(diag.Unknown, name.Range, "no pits with numbers are called `%s`", name.Name), name.Name, names)
}

// link fills the lap's neighbours.
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

// between lists the numbers from one end to the other.
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

func (b *layout) pitsAt(pr ast.PitRange, indices []int) []int {
	var pits []int
	for _, i := range indices {
		if pit := b.pitAt(pr.Group, i, pr.Range); pit != rules.None {
			pits = append(pits, pit)
		}
	}
	return pits
}
