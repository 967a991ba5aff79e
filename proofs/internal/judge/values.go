package judge

import (
	"strconv"
	"strings"
)

// kind is the type of a value.
type kind int

const (
	intKind kind = iota
	boolKind
	pitKind
	setKind
	playerKind
	enumKind
	lapKind
	rangeKind
	listKind // braces around things that are no pits
)

var kindNames = [...]string{
	"a number", "a truth value", "a pit", "a set of pits", "a player", "a value of an enumeration", "a lap", "a range", "a list",
}

// none is the value of `none` among pits, and the player if nobody is to move.
const none = -1

// value is the value of an expression.
type value struct {
	kind kind
	n    num    // a number; of a pit behind `old`, what it held
	held bool   // n is what the pit held
	i    int    // a pit, a player, or a truth value as 0 or 1
	name string // of an enumeration value or a lap
	enum string // the variable whose enumeration it is of; empty: known by its name alone
	lap  *lap   // nil: the lap of the name that is the mover's or nobody's
	// it is a lap that the player who was asked for it does not have
	lacking bool
	// play has decided which lap it is; before play only its name is known.
	played bool
	set    []member //
	list   []value  // of a range, its two ends
}

// member is a pit of a set. in reports whether it belongs to it in the present state; nil means
// that it always does.
type member struct {
	pit int
	in  func() bool
}

func (m member) belongs() bool { return m.in == nil || m.in() }

func number(n num) value { return value{kind: intKind, n: n} }
func pitOf(p int) value  { return value{kind: pitKind, i: p} }
func truth(b bool) value { return value{kind: boolKind, i: int(bit(b).i)} }
func setOf(pits []int) value {
	v := value{kind: setKind}
	for _, p := range pits {
		v.set = append(v.set, member{pit: p})
	}
	return v
}

func (v value) pitLike() bool { return v.kind == pitKind || v.kind == setKind }

func (v value) bool() bool {
	if v.kind != boolKind {
		wrongf("a condition is expected, not %s", kindNames[v.kind])
	}
	return v.i != 0
}

// player returns a player; none is nobody.
func (v value) player() value {
	switch {
	case v.kind == pitKind && v.i == none:
		return value{kind: playerKind, i: none}
	case v.kind != playerKind:
		wrongf("a player is expected, not %s", kindNames[v.kind])
	}
	return v
}

// pit returns a pit, also from a set of one pit. An empty set gives none, because `my` sets are
// empty once the game is over and nobody is to move.
func (v value) pit() int {
	switch v.kind {
	case pitKind:
		return v.i
	case setKind:
		found := none
		for _, m := range v.set {
			if m.belongs() {
				if found != none && found != m.pit {
					wrongf("one pit is expected, not a set of several")
				}
				found = m.pit
			}
		}
		return found
	}
	wrongf("a pit is expected, not %s", kindNames[v.kind])
	return none
}

// members accepts a pit as the set of itself.
func (v value) members() []member {
	switch {
	case v.kind == setKind:
		return v.set
	case v.kind == pitKind:
		return []member{{pit: v.i}}
	case v.kind == listKind && len(v.list) == 0:
		return nil
	}
	wrongf("a set of pits is expected, not %s", kindNames[v.kind])
	return nil
}

// pits lists the pits of a set in the present state, each once.
func pits(set []member) []int {
	var out []int
	eachPit(set, func(p int) bool { out = append(out, p); return true })
	return out
}

// eachPit calls f for each pit of a set once, until f returns false. Membership is evaluated on the
// way, so a condition after that is not evaluated.
func eachPit(set []member, f func(pit int) bool) {
	seen := map[int]bool{}
	for _, m := range set {
		if !seen[m.pit] && m.belongs() {
			seen[m.pit] = true
			if !f(m.pit) {
				return
			}
		}
	}
}

// state is a state of play. In a finished one nobody is to move.
type state struct {
	seeds   []num
	vars    []num // by slot; a pit, player or enumeration value by its number
	mover   int
	outcome int      // 0: the game goes on; else one more than the number of the outcome
	past    []string // the positions before, in order, where a rule asks for them
}

func (s *state) live() bool { return s.outcome == 0 }

func (s *state) clone() *state {
	c := *s
	c.seeds = append([]num(nil), s.seeds...)
	c.vars = append([]num(nil), s.vars...)
	return &c
}

func (s *state) total() num {
	var t num
	for _, n := range s.seeds {
		t = t.add(n)
	}
	return t
}

// position is the same for states only that differ in nothing but their pasts.
func (s *state) position() string {
	var b strings.Builder
	for _, list := range [][]num{s.seeds, s.vars} {
		for _, n := range list {
			b.WriteString(n.String())
			b.WriteByte(' ')
		}
	}
	b.WriteString(strconv.Itoa(s.mover))
	b.WriteByte(' ')
	b.WriteString(strconv.Itoa(s.outcome))
	return b.String()
}
