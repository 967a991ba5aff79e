package board

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// picked makes what follows from a picture: laps, groups, owners and relations of the usual boards.
// They exist by convention, unless the variant declares something else by the same name.
type picked struct {
	*drawing
	board *ast.Board
	rows  []row
}

// row is a line of the picture that has pits with brackets. Only such lines count as rows of the
// board.
type row struct {
	pits                    []int // those with brackets, from left to right
	leftStores, rightStores []int // those without, before the first bar and after the last
}

// follow collects what the conventions depend on. The lines of the board need not be resolved yet.
func (b *drawing) follow(board *ast.Board) *picked {
	p := &picked{drawing: b, board: board}
	p.rows = lists.Filter(lists.Map(b.g.Sys.Picture, p.row), func(r row) bool { return len(r.pits) > 0 })
	return p
}

// wanted reports whether the lap or relation called name is one of the System. One that the rules
// do not use is spare: see spare.go.
func (p *picked) wanted(name string) bool { return p.g.Bound.Uses(name) || p.whole }

// row classifies the pits of one line of the picture.
func (p *picked) row(parts [][]int) row {
	var r row
	for i, part := range parts {
		for _, pit := range part {
			switch {
			case p.g.Bracketed[p.g.Sys.Pits[pit].Group]:
				r.pits = append(r.pits, pit)
			case len(parts) > 1 && i == 0:
				r.leftStores = append(r.leftStores, pit)
			case len(parts) > 1 && i == len(parts)-1:
				r.rightStores = append(r.rightStores, pit)
			}
		}
	}
	return r
}

// groups declares `house`, of the pits with brackets, and `store`, of those without, both in the
// order of the groups in the picture.
func (p *picked) groups() {
	var house, store []int
	for _, g := range p.g.Sys.Groups {
		switch {
		case g.Name == "pit":
		case p.g.Bracketed[g.Name]:
			house = append(house, g.Pits...)
		default:
			store = append(store, g.Pits...)
		}
	}
	for _, g := range []rules.Group{{Name: "house", Pits: house}, {Name: "store", Pits: store}} {
		if len(g.Pits) > 0 && !p.g.Bound.Declares(g.Name) {
			p.g.AddGroup(p.g.Bound.Implied(g.Name), g.Name, g.Pits)
		}
	}
}

// owners gives each pit to the player whose name it has, alone or before an underscore. If several
// names fit, the longest one counts. A board with lines that declare owners gets none this way.
func (p *picked) owners() {
	if !p.g.TwoPlayers() || p.hasOwners() {
		return
	}
	for i := range p.g.Sys.Pits {
		pit, longest := &p.g.Sys.Pits[i], 0
		for player, name := range p.g.Sys.Players {
			lower := strings.ToLower(name)
			if (pit.Group == lower || strings.HasPrefix(pit.Group, lower+"_")) && len(lower) > longest {
				pit.Owner, longest = player, len(lower)
			}
		}
	}
}

func (p *picked) hasOwners() bool {
	return slices.ContainsFunc(p.board.Lines, func(l ast.BoardLine) bool { _, ok := l.(*ast.Owner); return ok })
}

// late reports whether the laps depend on owners that the lines of the board declare, so that they
// can be made only after these.
func (p *picked) late() bool { return len(p.rows) > 2 && p.hasOwners() }

// laps declares the laps and facing pits of boards with two rows, and of those whose rows make up
// territories.
func (p *picked) laps() {
	if len(p.rows) == 2 {
		p.twoRows(p.rows[0], p.rows[1])
		return
	}
	if upper, lower, ok := p.territories(); ok {
		p.apart(upper, lower)
	}
}

// twoRows declares one ring round all pits, another that includes the stores, and the pits that
// face each other.
func (p *picked) twoRows(upper, lower row) {
	p.round("ccw", rules.None, slices.Concat(lower.pits, backwards(upper.pits)))
	if stores := slices.Concat(lower.leftStores, lower.rightStores, upper.leftStores, upper.rightStores); len(stores) > 0 {
		p.round("ccw_with_stores", rules.None, slices.Concat(
			lower.pits, lower.rightStores, upper.rightStores, backwards(upper.pits), upper.leftStores, lower.leftStores))
	}
	p.face("opposite", [][2]row{{upper, lower}, {lower, upper}})
}

// territory is what a player owns of the board: rows that lie together, from the outermost one
// inwards.
type territory struct {
	owner int
	rows  []row
}

// lap goes through the rows inwards, each in the other direction than the one before. Forwards says
// whether it goes through the outermost row from left to right.
func (t territory) lap(forwards bool) [][]int {
	var list [][]int
	for _, r := range t.rows {
		if forwards {
			list = append(list, r.pits)
		} else {
			list = append(list, backwards(r.pits))
		}
		forwards = !forwards
	}
	return list
}

// territories divides the rows between two players, each of whom owns all rows above some line or
// below it.
func (p *picked) territories() (upper, lower territory, ok bool) {
	upper.owner, lower.owner = rules.None, rules.None
	for i, r := range p.rows {
		owner := p.rowOwner(r)
		switch {
		case owner == rules.None:
			return upper, lower, false
		case (i == 0 || owner == upper.owner) && lower.rows == nil:
			upper.owner, upper.rows = owner, append(upper.rows, r)
		case lower.rows == nil || owner == lower.owner:
			lower.owner, lower.rows = owner, append(lower.rows, r)
		default:
			return upper, lower, false
		}
	}
	slices.Reverse(lower.rows)
	return upper, lower, lower.rows != nil
}

// apart declares a ring for each of two territories, and the pits that face each other or lie
// behind each other. Behind a pit lies the one of the next row outwards, and behind one of the
// outermost row that of the innermost one. Both rings begin in the lowest row of their territory.
func (p *picked) apart(upper, lower territory) {
	rows := upper.lap(false)
	inner := len(rows) - 1
	p.round("ccw", upper.owner, slices.Concat(slices.Concat(rows[inner:], rows[:inner])...))
	p.round("ccw", lower.owner, slices.Concat(lower.lap(true)...))
	above, below := upper.rows[inner], lower.rows[len(lower.rows)-1]
	p.face("opposite", [][2]row{{above, below}, {below, above}})
	var behind [][2]row
	for _, t := range []territory{upper, lower} {
		for i, r := range t.rows {
			if n := len(t.rows); n > 1 {
				behind = append(behind, [2]row{r, t.rows[(i+n-1)%n]})
			}
		}
	}
	p.face("behind", behind)
}

// rowOwner returns the player who owns all pits of a row, or rules.None.
func (p *picked) rowOwner(r row) int {
	owner := p.g.Sys.Pits[r.pits[0]].Owner
	if slices.ContainsFunc(r.pits, func(pit int) bool { return p.g.Sys.Pits[pit].Owner != owner }) {
		return rules.None
	}
	return owner
}

// round declares a ring counterclockwise and its reverse.
func (p *picked) round(name string, owner int, pits []int) {
	p.ring(name, owner, pits)
	p.ring(strings.Replace(name, "ccw", "cw", 1), owner, backwards(pits))
}

// ring declares one ring, or keeps it as a spare one. Rings of several players share a name, which
// is declared once.
func (p *picked) ring(name string, owner int, pits []int) {
	if p.g.Bound.Declares(name) {
		return
	}
	lap := rules.Lap{Name: name, Ring: true, Owner: owner, Pits: pits}
	lap.Link(len(p.g.Sys.Pits))
	if !p.wanted(name) {
		p.g.SpareLaps = append(p.g.SpareLaps, lap)
		return
	}
	p.g.Make(p.g.Bound.Implied(name), bind.LapName, len(p.g.Sys.Laps))
	p.g.Sys.Laps = append(p.g.Sys.Laps, lap)
}

// face declares a relation from the pits of rows to those of other rows in the same columns, or
// keeps it as a spare one, if all rows have the same length.
func (p *picked) face(name string, pairs [][2]row) {
	if p.g.Bound.Declares(name) {
		return
	}
	if slices.ContainsFunc(p.rows, func(r row) bool { return len(r.pits) != len(p.rows[0].pits) }) {
		return
	}
	r := p.g.EmptyRelation(name)
	for _, pair := range pairs {
		for i, a := range pair[0].pits {
			r.To[a] = pair[1].pits[i]
		}
	}
	if !p.wanted(name) {
		p.g.SpareRelations = append(p.g.SpareRelations, r)
		return
	}
	p.g.Make(p.g.Bound.Implied(name), bind.RelationName, len(p.g.Sys.Relations))
	p.g.Sys.Relations = append(p.g.Sys.Relations, r)
}

// backwards returns the pits in reverse order.
func backwards(pits []int) []int {
	out := slices.Clone(pits)
	slices.Reverse(out)
	return out
}
