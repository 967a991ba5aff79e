package residual

import (
	"math/bits"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// menus lists, for each player to move and each value of the variables that guards read, the
// actions that may be legal. So a guard that asks for a phase of the game costs nothing.
type menus struct {
	fields []pack.Field // their bits together are the index; the status comes first
	vars   []int        // the variables of the other fields
	table  []*menu
}

// menu has the actions to try in some states.
type menu struct {
	actions []entry
	bodies  []entry // the same actions, without what follows their bodies
	others  []entry // those of bodies that are not fallbacks
	ranks   bool    // some actions have a rank
	begins  []begin // reused for each state, by begin
}

// begin is the operation at which an action begins in a state.
type begin struct{ pc, action int32 }

// entry is the program of an action. Most programs begin with a branch on the seeds of the pit sown
// from. The entry has a copy of that branch, so that it can be taken without executing an
// operation.
type entry struct {
	action int32
	pc     int32 // of the first operation; negative: not made yet
	word   uint16
	shift  uint8
	first  int32  // the first entry of the table; the only one if the program does not begin with a branch
	mask   uint64 // of the field
}

// menuBits bounds the bits of the index of menus.
const menuBits = 8

func newMenus(sys *rules.System, codec *pack.Codec) menus {
	m := menus{fields: []pack.Field{codec.Status()}}
	size := bits.Len64(codec.Status().Mask)
	for _, v := range guardVars(sys) {
		f, _, ok := codec.Place(len(sys.Pits) + v)
		if n := bits.Len64(f.Mask); ok && size+n <= menuBits {
			m.fields, m.vars = append(m.fields, f), append(m.vars, v)
			size += n
		}
	}
	m.table = make([]*menu, 1<<size)
	return m
}

// guardVars lists the variables that guards read.
func guardVars(sys *rules.System) []int {
	read := make([]bool, len(sys.Vars))
	for i := range sys.Actions {
		for v, r := range rules.Reads(sys, sys.Actions[i].Guard).Vars {
			read[v] = read[v] || r
		}
	}
	return lists.Set(read)
}

// menu returns the menu for the state with this key.
func (s *Stepper) menu(key []uint64) *menu {
	i := s.menus.index(key)
	if m := s.menus.table[i]; m != nil {
		return m
	}
	m := s.newMenu(key)
	s.menus.table[i] = m
	return m
}

// index returns the place in the table of the menu for the state with this key.
func (m *menus) index(key []uint64) int {
	i, shift := uint64(0), 0
	for k := range m.fields {
		f := &m.fields[k]
		i |= key[f.Word] >> f.Shift & f.Mask << shift
		shift += bits.Len64(f.Mask)
	}
	return int(i)
}

// newMenu makes the menu for the states that agree with key in the fields of the index.
func (s *Stepper) newMenu(key []uint64) *menu {
	m := &menu{}
	mover := int(key[s.status.Word] >> s.status.Shift & s.status.Mask)
	if mover >= len(s.sys.Players) {
		return m // the game is over
	}
	m.ranks = s.compiler.ranks[mover]
	start := s.compiler.start()
	copy(s.w, key)
	for _, v := range s.menus.vars {
		cell := start.pits + v
		start.cells[cell] = s.compiler.places[cell].read(s)
	}
	for i := range s.sys.Actions {
		if a := &s.sys.Actions[i]; a.Mover == mover {
			s.addAction(m, i, start)
		}
	}
	return m
}

// addAction adds an action to a menu, unless its guard is known to be false.
func (s *Stepper) addAction(m *menu, action int, start env) {
	a := &s.sys.Actions[action]
	if a.Guard != nil {
		b := newBuilder(s.compiler, s.compiler.beginning(action, false, start))
		if c, ok := b.simplify(a.Guard).(rules.Const); ok && c.Value == 0 {
			return
		}
	}
	whole, body := s.compiler.begin(action, false, start), s.compiler.begin(action, true, start)
	m.actions = append(m.actions, entry{action: int32(action), pc: whole})
	m.bodies = append(m.bodies, entry{action: int32(action), pc: body})
	if !a.Fallback {
		m.others = append(m.others, entry{action: int32(action), pc: body})
	}
}
