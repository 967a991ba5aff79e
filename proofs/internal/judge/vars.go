package judge

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// slot is one state variable as a state holds it: one for each player or pit if it is declared so.
// Its value is a number: of a pit (or none), a player, or a value of an enumeration.
type slot struct {
	name   string // as traces have it: `tuz(South)`
	kind   kind
	lo, hi num      // of numbers
	pits   []int    // of pits: which
	enum   []string // of enumerations and laps: the names
	of     string   // of an enumeration: the variable that declares it
	first  num      // its value in a start
	nobody bool     // of players: it may be none
}

// decl is the declaration of a state variable. slot leads from a player or pit to its slot; a
// single one has the slot of none.
type decl struct {
	name string
	each string
	slot map[int]int
}

// readVars reads the state variables in the order of their declarations: a type may refer to the
// enumeration of a variable before it.
func (g *game) readVars() {
	for _, x := range ast.Items[*ast.StateVar](g.variant) {
		t := g.varType(x)
		d := &decl{name: x.Name.Name, slot: map[int]int{}}
		if g.decls[d.name] != nil {
			wrongf("%s is declared twice", d.name)
		}
		g.decls[d.name] = d
		// begins finds the first value, which may depend on the player or pit.
		begins := func(of value) {
			if x.Init == nil {
				return
			}
			e := g.scope(inDeclaration)
			if x.Var != nil {
				e = e.with(x.Var.Name, of)
			}
			if t.first = e.encode(t, x.Init); !t.holds(t.first) {
				wrongf("%s cannot begin with this value", d.name)
			}
		}
		if x.Init == nil && t.kind == playerKind && !t.nobody {
			wrongf("which player %s begins with is not said", d.name)
		}
		if x.Init == nil && t.kind == lapKind {
			wrongf("which lap %s begins with is not said", d.name)
		}
		switch {
		case x.Each == nil:
			begins(value{})
			g.addSlot(d, t, none, d.name)
		case x.Each.Name == "player":
			d.each = "player"
			for i, p := range g.players {
				begins(value{kind: playerKind, i: i})
				g.addSlot(d, t, i, d.name+"("+p+")")
			}
		default:
			d.each = "pit"
			for _, p := range g.fixedPits([]ast.Expr{&ast.Name{Name: x.Each.Name}}) {
				begins(pitOf(p))
				g.addSlot(d, t, p, d.name+"("+g.pits[p].name+")")
			}
		}
	}
}

// addSlot adds the slot of a variable for a player or pit, or the only one for none.
func (g *game) addSlot(d *decl, t slot, index int, name string) {
	t.name = name
	d.slot[index] = len(g.slots)
	g.slots = append(g.slots, t)
}

// varType returns a slot of the declared type, without a name. Without an initial value a number
// begins with the least one, a pit with none, and others with their first value.
func (g *game) varType(x *ast.StateVar) slot {
	e := g.scope(inDeclaration)
	t := x.Type
	name := t.Name()
	switch {
	case name != nil && name.Name == "lap":
		s := slot{kind: lapKind}
		for _, l := range g.laps {
			if !l.spare && !slices.Contains(s.enum, l.name) {
				s.enum = append(s.enum, l.name)
			}
		}
		if len(s.enum) == 0 {
			wrongf("there are no laps")
		}
		return s
	case name != nil && name.Name == "bool":
		return slot{kind: boolKind}
	case name != nil && name.Name == "player":
		if t.OrNone {
			return slot{kind: playerKind, nobody: true, first: whole(none)}
		}
		return slot{kind: playerKind}
	case name != nil:
		group, ok := g.groups[name.Name]
		if !ok && g.decls[name.Name] != nil {
			of := g.enumOf(name.Name)
			return slot{kind: enumKind, of: of, enum: g.enums[of]}
		}
		if !ok {
			wrongf("%s is no type", name.Name)
		}
		return slot{kind: pitKind, pits: group, first: whole(none)}
	case len(t.Enum) > 0:
		s := slot{kind: enumKind, of: x.Name.Name}
		for _, n := range t.Enum {
			s.enum = append(s.enum, n.Name)
		}
		g.enums[s.of] = s.enum
		return s
	}
	s := slot{kind: intKind, lo: e.int(t.Lo), hi: e.int(t.Hi)}
	if s.lo.cmp(s.hi) > 0 {
		wrongf("a range without numbers")
	}
	s.first = s.lo
	return s
}

// encode returns the number by which a slot holds the value of an expression. It need not be one of
// the slot's values.
func (e *scope) encode(s slot, x ast.Expr) num { return e.encoded(s, e.expr(x)) }

func (e *scope) encoded(s slot, v value) num {
	switch s.kind {
	case intKind:
		return e.asInt(v)
	case boolKind:
		return bit(v.bool())
	case pitKind:
		return whole(v.pit())
	case playerKind:
		if v.kind == playerKind || v.kind == pitKind && v.i == none && s.nobody {
			return whole(v.i)
		}
	case enumKind, lapKind:
		if v.kind == s.kind && (v.enum == "" || v.enum == s.of) {
			if i := slices.Index(s.enum, v.name); i >= 0 {
				return whole(i)
			}
		}
	}
	wrongf("%s is expected, not %s", kindNames[s.kind], kindNames[v.kind])
	return num{}
}

// decode returns the value that a number stands for in a slot.
func (s slot) decode(n num) value {
	switch s.kind {
	case intKind:
		return number(n)
	case boolKind:
		return truth(n.sign() != 0)
	case enumKind, lapKind:
		return value{kind: s.kind, name: s.enum[n.i], enum: s.of}
	}
	return value{kind: s.kind, i: int(n.i)}
}

// holds reports whether a number stands for one of the slot's values.
func (s slot) holds(n num) bool {
	switch s.kind {
	case intKind:
		return n.cmp(s.lo) >= 0 && n.cmp(s.hi) <= 0
	case playerKind:
		return n.cmp(whole(none)) != 0 || s.nobody
	case pitKind:
		if n.cmp(whole(none)) == 0 {
			return true
		}
		for _, p := range s.pits {
			if n.cmp(whole(p)) == 0 {
				return true
			}
		}
		return false
	}
	return true
}

// values lists the values of a slot, at most room of them; all is false if there are more.
func (g *game) values(s slot, room int) (list []num, all bool) {
	switch s.kind {
	case intKind:
		for n := s.lo; n.cmp(s.hi) <= 0; n = n.add(whole(1)) {
			if len(list) >= room {
				return list, false
			}
			list = append(list, n)
		}
	case boolKind:
		list = []num{whole(0), whole(1)}
	case pitKind:
		list = []num{whole(none)}
		for _, p := range s.pits {
			list = append(list, whole(p))
		}
	case playerKind:
		if s.nobody {
			list = []num{whole(none)}
		}
		for p := range g.players {
			list = append(list, whole(p))
		}
	case enumKind, lapKind:
		for i := range s.enum {
			list = append(list, whole(i))
		}
	}
	return list, true
}

// markSlot returns the slot that brackets in a drawn board set: the only one that holds a pit, or
// none if there is not exactly one.
func (g *game) markSlot() int {
	found := none
	for i, s := range g.slots {
		if s.kind == pitKind {
			if found != none {
				return none
			}
			found = i
		}
	}
	return found
}
