package resolve

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// scope has what the names of a variant stand for, and the System that is being made.
type scope struct {
	layout
	variant     *ast.Variant
	bound       *bind.Variant
	claim       *ast.Claim              // the claim that this game is for; nil: none
	made        map[*bind.Symbol]entity // what is made so far
	late        map[string]entity       // the variables of `go on`, by name
	vars        []stateVar
	enums       map[string][]string // value names of each enumeration, by variable
	ownersKnown bool                // the board is complete
	spares
	rowsAt  []diag.Range     // where the rows of the picture are drawn
	pending string           // a name that gets its values only after choices are listed
	groups  map[int]setValue // the members of groups, computed once
}

// newScope returns the scope of a System that is still empty.
func newScope(ctx context.Context, v *bind.Variant, sys *rules.System, diags *diag.List) *scope {
	return &scope{
		layout: layout{
			run:       run{diags: diags, used: &budget{ctx: ctx, node: &v.Name}},
			sys:       sys,
			bracketed: map[string]bool{},
		},
		variant: v.Variant, bound: v, made: map[*bind.Symbol]entity{}, late: map[string]entity{}, enums: map[string][]string{},
	}
}

// entity is what a symbol of a variant is in the System; index is its place in the list for its
// kind.
type entity struct {
	kind  entityKind
	index int
}

type entityKind int

const (
	entParam entityKind = iota
	entPlayer
	entGroup
	entLap
	entVar
	entRelation
)

// eachKind is what a state variable declared with `each` is indexed by.
type eachKind int

const (
	eachNone eachKind = iota
	eachPlayer
	eachPit
)

// stateVar is a `state` declaration: one variable, or one for each player or pit. table maps the
// index to the variable, as in rules.Cell.
type stateVar struct {
	name     string
	typ      typ
	each     eachKind
	eachName string
	table    []int
}

// carryOut does one thing after the other, and stops after one with mistakes. It reports whether all
// were done.
func (s *scope) carryOut(phases []func()) bool {
	for _, phase := range phases {
		s.bounded(phase)
		if s.diags.HasErrors() {
			return false
		}
	}
	return true
}

// make notes what the symbol of a name is in the System. Of two declarations of one name, which are
// a mistake, the first counts.
func (s *scope) make(x *bind.Symbol, e entity) {
	if _, again := s.made[x]; !again && x != nil {
		s.made[x] = e
	}
}

// declare is make for a name that is declared.
func (s *scope) declare(name string, e entity) { s.make(s.bound.Symbol(name), e) }

// twoPlayers reports whether players have names: it is also true of games with more than two.
func (s *scope) twoPlayers() bool { return len(s.sys.Players) > 1 }

// lapNames lists the names of the laps of the variant, without duplicates: the values of a variable
// for a lap. Laps of several players may share one.
func (s *scope) lapNames() []string { return namesOf(s.sys.Laps[:len(s.sys.Laps)-s.adopted]) }

func namesOf(laps []rules.Lap) []string {
	var names []string
	for _, l := range laps {
		if !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
	}
	return names
}

// known lists the laps that may be named: those of the System and, in claims, the spare ones behind
// them.
func (s *scope) known() []rules.Lap {
	if s.lent && len(s.spareLaps) > 0 {
		return slices.Concat(s.sys.Laps, s.spareLaps)
	}
	return s.sys.Laps
}

// knownNames lists their names, those of lapNames first.
func (s *scope) knownNames() []string { return namesOf(s.known()) }

// kernelType returns the type that values of type t have in the kernel.
func (s *scope) kernelType(t typ) rules.Type {
	switch t.kind {
	case kBool:
		return rules.TruthType
	case kPit:
		return rules.PitType
	case kPlayer:
		return rules.PlayerType
	case kEnum:
		return s.enumType(s.enums[t.enum])
	case kLap:
		return s.enumType(s.lapNames())
	}
	return rules.NumberType
}

// text returns a fixed value as the rules write it.
func (s *scope) text(v value) string {
	n, _ := constOf(v.x)
	switch v.typ.kind {
	case kPit:
		if n != rules.None {
			return s.sys.Pits[n].Name
		}
		return "none"
	case kPlayer:
		return s.sys.ValueName(rules.PlayerType, n)
	case kEnum:
		return s.enums[v.typ.enum][n]
	case kEnumName:
		return v.name
	case kLap:
		if v.x != nil {
			return s.knownNames()[n]
		}
		return s.known()[v.lap].Name
	case kBool:
		return strconv.FormatBool(n != 0)
	}
	return strconv.Itoa(n)
}

// enumType returns the type of the enumeration with these names, and adds it to the System if it is
// new.
func (s *scope) enumType(names []string) rules.Type {
	for i, e := range s.sys.Enums {
		if slices.Equal(e, names) {
			return rules.EnumType(i)
		}
	}
	// Other Systems may share the list.
	s.sys.Enums = append(slices.Clip(s.sys.Enums), names)
	return rules.EnumType(len(s.sys.Enums) - 1)
}

// players declares the players. A solitaire has one without a name.
func (s *scope) players() {
	for _, p := range ast.Items[*ast.Players](s.variant) {
		for _, name := range p.Names {
			s.declare(name.Name, entity{kind: entPlayer, index: len(s.sys.Players)})
			s.sys.Players = append(s.sys.Players, name.Name)
		}
	}
	if len(s.sys.Players) == 0 {
		s.sys.Players = []string{""}
	}
}

// source returns a piece of the text in one line, for messages.
func (s *scope) source(r diag.Range) string { return s.bound.Program().Text(r) }

// plural writes a number of things, for messages. -1 means one or more.
func plural(n int, what string) string {
	switch n {
	case -1:
		return "one or more " + what + "s"
	case 0:
		return "no " + what + "s"
	case 1:
		return "one " + what
	case 2:
		return "two " + what + "s"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// playerNamed returns the index of a player, or reports that there is none and returns rules.None.
func (s *scope) playerNamed(name ast.Ident) int {
	for i, p := range s.sys.Players {
		if p == name.Name {
			return i
		}
	}
	d := s.diags.Errorf(diag.Unknown, name.Range, "unknown player `%s`", name.Name)
	bind.Suggest(d, name.Name, append([]string{}, s.sys.Players...))
	isVar := slices.ContainsFunc(s.sys.Vars, func(x rules.Var) bool { return x.Name == name.Name })
	switch {
	case isVar && s.twoPlayers():
		d.WithHelp("`%s` is a variable, and here a player is named: write one line for each, as `%s … when … and %s = %s`", name.Name, s.sys.Players[0], name.Name, s.sys.Players[0])
	case !s.twoPlayers():
		d.WithHelp("declare the players with `player %s, …`", name.Name)
	}
	return rules.None
}

// opened returns the place where the claim leaves a parameter open, or at if no claim does.
func (s *scope) opened(param string, at diag.Range) diag.Range {
	if s.claim == nil {
		return at
	}
	for _, c := range s.claim.Clauses {
		switch c := c.(type) {
		case *ast.ForAll:
			if c.Name.Name == param {
				return c.Name.Range
			}
		case *ast.ForSome:
			if c.Name.Name == param {
				return c.Name.Range
			}
		}
	}
	return at
}

// hasLabel returns the condition that play has finished with an outcome of this label. Outcomes
// with different winners may share one.
func (s *scope) hasLabel(label string) (x rules.Expr, known bool) {
	x = rules.False
	for _, o := range s.sys.OutcomesLabelled(label) {
		x, known = rules.Join(rules.Or, x, rules.HasOutcome(o)), true
	}
	return x, known
}

// addGroup adds a group.
func (s *scope) addGroup(x *bind.Symbol, name string, pits []int) {
	s.make(x, entity{kind: entGroup, index: len(s.sys.Groups)})
	s.sys.Groups = append(s.sys.Groups, rules.Group{Name: name, Pits: pits})
}

// newRelation adds a relation that leads nowhere yet.
func (s *scope) newRelation(name string) *rules.Relation {
	s.sys.Relations = append(s.sys.Relations, s.emptyRelation(name))
	return &s.sys.Relations[len(s.sys.Relations)-1]
}

func (s *scope) emptyRelation(name string) rules.Relation {
	return rules.Relation{Name: name, To: slices.Repeat([]int{rules.None}, len(s.sys.Pits))}
}

// lookup returns what the board says of a pit, as a constant if the pit is known.
func (s *scope) lookup(x rules.Lookup, at diag.Range) rules.Expr {
	x.At = at
	return simple(x)
}

// withMistakes adds those mistakes of a variant that were not met while it was resolved.
func withMistakes(met, all diag.List) diag.List {
	for _, d := range all {
		if !slices.ContainsFunc(met, func(m diag.Diagnostic) bool { return m.Range == d.Range }) {
			met = append(met, d)
		}
	}
	return met
}
