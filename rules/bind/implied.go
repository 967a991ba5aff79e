package bind

import (
	"github.com/mancheck/mancheck/dsl/ast"
)

// What the picture of a board implies, as far as the text shows it. Whether two rows are equally
// long, and who owns which rows, may depend on parameters, so a name may be implied that has no
// meaning on some board. It stands for nothing else there.

// allPits is the group of all pits, which every board has.
const allPits = "pit"

// implies adds what the picture implies to the scope of a variant.
func (s *scope) implies(b *ast.Board, players int) {
	add := func(kind Kind, names ...string) {
		for _, name := range names {
			s.names[byImplied][name] = s.table.add(&Symbol{Name: name, Kind: kind, Of: s.of})
		}
	}
	add(GroupName, allPits)
	rows, stores, numbered, single := s.rows(b)
	if numbered {
		add(GroupName, "house")
	}
	if single {
		add(GroupName, "store")
	}
	switch {
	case rows == 2:
		add(LapName, "ccw", "cw")
		if stores {
			add(LapName, "ccw_with_stores", "cw_with_stores")
		}
		add(RelationName, "opposite")
	case rows > 2 && players > 1:
		add(LapName, "ccw", "cw")
		add(RelationName, "opposite", "behind")
	}
}

// rows counts the rows that have pits with brackets. stores says whether there are pits without at
// the ends of these rows; numbered and single, whether there are pits of either kind at all.
func (s *scope) rows(b *ast.Board) (rows int, stores, numbered, single bool) {
	for _, row := range b.Rows() {
		ends, has := false, false
		for i, part := range row.Parts {
			for j := range part {
				_, brackets := s.hasNumbers(part[j].Group.Name)
				has = has || brackets
				numbered, single = numbered || brackets, single || !brackets
				ends = ends || !brackets && len(row.Parts) > 1 && (i == 0 || i == len(row.Parts)-1)
			}
		}
		if has {
			rows++
			stores = stores || ends
		}
	}
	return rows, stores, numbered, single
}

// hasNumbers reports whether pits of a group are named with numbers, and of how many digits at
// least.
func (s *scope) hasNumbers(group string) (width int, ok bool) {
	for ; s != nil; s = s.board {
		if width, ok = s.numbered[group]; ok {
			return width, true
		}
	}
	return 0, false
}
