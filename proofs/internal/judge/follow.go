package judge

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// following derives laps, groups and relations from the picture of a board. One that the file
// declares itself replaces the derived one of the same name.
type following struct {
	g       *game
	taken   map[string]bool // names that are declared
	owned   bool            // lines say who owns what
	rows    []row
	pending bool // more than two rows, whose owners the lines of the board declare
}

// row is a line of the picture that has pits with brackets. left and right are the pits without
// brackets at its ends.
type row struct{ pits, left, right []int }

// follow adds the groups, owners, laps and relations that follow from the picture. Those that
// depend on owners which lines declare are added at the end.
func (g *game) follow(b *ast.Board) *following {
	f := &following{g: g, taken: map[string]bool{}}
	for name := range g.groups {
		f.taken[name] = true
	}
	for name := range g.params {
		f.taken[name] = true
	}
	for _, name := range g.players {
		f.taken[name] = true
	}
	for _, item := range g.variant.Items {
		switch x := item.(type) {
		case *ast.StateVar:
			f.taken[x.Name.Name] = true
			for _, n := range x.Type.Enum {
				f.taken[n.Name] = true
			}
		case *ast.Define:
			f.taken[x.Name.Name] = true
		case *ast.Procedure:
			f.taken[x.Name.Name] = true
		}
	}
	for _, line := range b.Lines {
		switch l := line.(type) {
		case *ast.Lap:
			f.taken[l.Name.Name] = true
		case *ast.Group:
			f.taken[l.Name.Name] = true
		case *ast.Facing:
			f.taken[l.Name.Name] = true
		case *ast.Owner:
			f.owned = true
		}
	}
	f.groups()
	if !f.owned && len(g.players) > 1 {
		for p := range g.pits {
			g.pits[p].owner = g.ownerByName(g.pits[p].group)
		}
	}
	f.findRows()
	switch {
	case len(f.rows) == 2:
		f.twoRows()
	case f.owned:
		f.pending = true
	default:
		f.manyRows()
	}
	return f
}

// finish adds the laps of more than two rows once owners are known. They come before the declared
// ones, as if they had been declared first.
func (f *following) finish() {
	if !f.pending {
		return
	}
	declared := f.g.laps
	f.g.laps = nil
	f.manyRows()
	f.g.laps = append(f.g.laps, declared...)
}

// groups adds house, of the pits with brackets, and store, of those without. Pits are in the order
// of the groups in the picture.
func (f *following) groups() {
	seen := map[string]bool{}
	for _, x := range f.g.pits {
		name := "store"
		if x.bracketed {
			name = "house"
		}
		if !seen[x.group] && !f.taken[name] {
			f.g.groups[name] = append(f.g.groups[name], f.g.groups[x.group]...)
		}
		seen[x.group] = true
	}
}

// ownerByName returns the player whose name, in small letters, is the pit's name or its first word.
// If several are, it is the one with the longest name.
func (g *game) ownerByName(pit string) int {
	owner := none
	for i, p := range g.players {
		low := strings.ToLower(p)
		if (pit == low || strings.HasPrefix(pit, low+"_")) && (owner == none || len(p) > len(g.players[owner])) {
			owner = i
		}
	}
	return owner
}

// findRows collects the rows of the picture with bracketed pits. Pits without brackets count as
// ends only if a bar separates them from the rest of the row.
func (f *following) findRows() {
	for _, parts := range f.g.picture {
		r := row{}
		for i, part := range parts {
			for _, p := range part {
				switch {
				case f.g.pits[p].bracketed:
					r.pits = append(r.pits, p)
				case len(parts) > 1 && i == 0:
					r.left = append(r.left, p)
				case len(parts) > 1 && i == len(parts)-1:
					r.right = append(r.right, p)
				}
			}
		}
		if len(r.pits) > 0 {
			f.rows = append(f.rows, r)
		}
	}
}

func reversed(list []int) []int {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// twoRows adds the laps round two rows, without the stores and with them, and opposite.
func (f *following) twoRows() {
	upper, lower := f.rows[0], f.rows[1]
	f.laps("", none, slices.Concat(lower.pits, reversed(upper.pits)))
	ends := len(upper.left) + len(upper.right) + len(lower.left) + len(lower.right)
	if ends > 0 {
		f.laps("_with_stores", none, slices.Concat(lower.pits, lower.right, upper.right, reversed(upper.pits), upper.left, lower.left))
	}
	if len(upper.pits) == len(lower.pits) {
		f.face("opposite", upper, lower)
	}
}

// laps adds a lap and its reverse.
func (f *following) laps(suffix string, owner int, pits []int) {
	f.lap("ccw"+suffix, owner, pits)
	f.lap("cw"+suffix, owner, reversed(pits))
}

// lap adds a lap. One that the variant does not use is spare: only claims and strategies name it.
func (f *following) lap(name string, owner int, pits []int) {
	if !f.taken[name] {
		f.g.laps = append(f.g.laps, &lap{name: name, ring: true, owner: owner, pits: pits, spare: !f.g.used[name]})
	}
}

// face makes two rows of equal length face each other, column by column.
func (f *following) face(name string, a, b row) {
	f.lead(name, a, b)
	f.lead(name, b, a)
}

// lead makes a relation lead from one row to another of equal length, column by column.
func (f *following) lead(name string, a, b row) {
	if f.taken[name] {
		return
	}
	for i, p := range a.pits {
		f.g.relate(name, p, b.pits[i])
	}
}

// manyRows adds what follows from a picture of more than two rows, the upper ones of which are all
// one player's and the lower ones another's: a lap for each player, and the relations of the
// columns if all rows have the same length.
func (f *following) manyRows() {
	var sides [2][]row // above and below, each from the edge of the board to its middle
	var owners [2]int
	side := 0
	for i, r := range f.rows {
		owner := f.g.pits[r.pits[0]].owner
		for _, p := range r.pits {
			if f.g.pits[p].owner != owner || owner == none {
				return
			}
		}
		if i > 0 && owner != owners[side] {
			if side++; side > 1 || owner == owners[0] {
				return
			}
		}
		owners[side] = owner
		sides[side] = append(sides[side], r)
	}
	if side == 0 {
		return
	}
	slices.Reverse(sides[1])
	for _, name := range []string{"ccw", "cw"} {
		for k, rows := range sides {
			pits, last := []int{}, 0
			for i, r := range rows {
				way := r.pits
				if (i+k)%2 == 0 { // above it starts to the left
					way = reversed(way)
				}
				pits, last = append(pits, way...), len(way)
			}
			if k == 0 { // the lowest row comes first
				n := len(pits) - last
				pits = slices.Concat(pits[n:], pits[:n])
			}
			if name == "cw" {
				pits = reversed(pits)
			}
			f.lap(name, owners[k], pits)
		}
	}
	for _, r := range f.rows {
		if len(r.pits) != len(f.rows[0].pits) {
			return
		}
	}
	f.face("opposite", sides[0][len(sides[0])-1], sides[1][len(sides[1])-1])
	for _, rows := range sides {
		for i, r := range rows {
			switch {
			case i > 0:
				f.lead("behind", r, rows[i-1])
			case len(rows) > 1:
				f.lead("behind", r, rows[len(rows)-1])
			}
		}
	}
}

// used lists the names in a variant and its board, and in the definitions and procedures of the
// files that it uses.
func (f *file) used(v *ast.Variant) map[string]bool {
	out := map[string]bool{}
	add := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Name:
				out[n.Name] = true
			case *ast.Ident:
				out[n.Name] = true
			}
			return true
		})
	}
	add(v)
	add(f.board(v))
	for _, d := range slices.Backward(f.defines) { // each uses only those before it
		switch x := d.(type) {
		case *ast.Define:
			if out[x.Name.Name] {
				add(x)
			}
		case *ast.Procedure:
			if out[x.Name.Name] {
				add(x)
			}
		}
	}
	return out
}
