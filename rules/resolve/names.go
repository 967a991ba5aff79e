package resolve

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// builder makes one System. names holds what the variant declares.
type builder struct {
	unit        *Unit
	variant     *ast.Variant
	sys         *rules.System
	diags       *diag.List
	names       map[string]entity
	declared    map[string]diag.Range
	bracketed   map[string]bool // pit names drawn with brackets
	lets        map[*ast.Let]*letUse
	sizeNames   map[string]bool // what the ends of drawn stretches use
	lapCases    [][]lapCase     // the laps of sowings along a lap that play decides
	defs        []*ast.Define   // in the order in which they may use each other
	vars        []stateVar
	enums       map[string][]string // value names of each enumeration, by variable
	following   *ast.Strategy       // nil: all legal moves
	begin       *ast.Position       // nil: the variant's setup
	here        *here               // nil: the variant's setup, or begin
	laid        *boardLine          // nil: the board is as the setup says
	claim       *ast.Claim          // about this game; nil: none
	going       *going              // nil: no move goes on
	whole       bool                // with all that follows from the picture, used or not
	begun       map[int]diag.Range  // variables that begin sets, and where
	ownersKnown bool                // the board is made
	unusedLaps  []string            // laps that follow from the picture and are not made
	unusedFaces []string            // relations of this kind
	derived     map[string]derived  // what follows from the picture, if it is used
	used        *budget
	groups      map[int]setValue        // the members of groups
	skips       map[string][]rules.Expr // conditions of sowings by the pits that they skip
	ghosts      []ghost                 // made as the claim asks for them
}

// entity is what a variant's name stands for.
type entity struct {
	kind  entityKind
	index int
}

type entityKind int

const (
	entParam entityKind = iota
	entPlayer
	entPit
	entGroup
	entLap
	entVar
	entDefine
	entRelation
)

func (k entityKind) String() string {
	return [...]string{"a parameter", "a player", "a pit", "a group of pits", "a lap", "a state variable", "a definition", "a relation of pits"}[k]
}

// declare gives a name its meaning, once.
func (b *builder) declare(name ast.Ident, e entity) {
	if old, ok := b.names[name.Name]; ok {
		d := b.diags.Errorf(diag.Duplicate, name.Range, "`%s` is declared already, as %s", name.Name, old.kind)
		if at := b.declared[name.Name]; !at.IsZero() {
			d.Notes = append(d.Notes, diag.Note{Range: at, Message: "declared here"})
		}
		return
	}
	b.names[name.Name] = e
	b.declared[name.Name] = name.Range
}

func (b *builder) twoPlayers() bool { return len(b.sys.Players) > 1 }

// lapNames lists the names of laps. Laps of several players may share one.
func (b *builder) lapNames() []string {
	var names []string
	for _, l := range b.sys.Laps {
		if !slices.Contains(names, l.Name) {
			names = append(names, l.Name)
		}
	}
	return names
}

// kernelType is the type that values have in the kernel.
func (b *builder) kernelType(t typ) rules.Type {
	switch t.kind {
	case kBool:
		return rules.TruthType
	case kPit:
		return rules.PitType
	case kPlayer:
		return rules.PlayerType
	case kEnum:
		return b.enumType(b.enums[t.enum])
	case kLap:
		return b.enumType(b.lapNames())
	}
	return rules.NumberType
}

// enumType is the type of the enumeration with these names.
func (b *builder) enumType(names []string) rules.Type {
	for i, e := range b.sys.Enums {
		if slices.Equal(e, names) {
			return rules.EnumType(i)
		}
	}
	b.sys.Enums = append(slices.Clip(b.sys.Enums), names)
	return rules.EnumType(len(b.sys.Enums) - 1)
}

func (b *builder) players() {
	for _, item := range b.variant.Items {
		p, ok := item.(*ast.Players)
		if !ok {
			continue
		}
		for _, name := range p.Names {
			b.declare(name, entity{kind: entPlayer, index: len(b.sys.Players)})
			b.sys.Players = append(b.sys.Players, name.Name)
		}
	}
	if len(b.sys.Players) == 0 {
		b.sys.Players = []string{""}
	}
}

// place is the kind of text an expression stands in; it decides which words have a meaning.
type place int

const (
	inDeclaration place = iota // parameters, boards: nothing of the state is known
	inSetup
	inGuard // guards, endings, scores: the state, but no sowing
	inBody
	inClaim
)

// anyMover says that the mover is not known at resolution: `my` depends on the state.
const anyMover = -2

// anyLap says that no sowing, or more than one, decides the lap of `next`.
const anyLap = -1

// env is where an expression or statement stands.
type env struct {
	*builder
	place   place
	mover   int // player, or anyMover
	locals  *local
	slots   *[]rules.Type   // the types of the local slots in use
	way     int             // the way of a move that goes on, from 1 on; see wayOf
	onward  bool            // it is a lap that goes on with an earlier one
	sown    bool            // a sowing may have happened, so `last` may have a value
	lap     int             // of the latest sowing, or anyLap
	reacts  bool            // `no move` has a meaning
	falls   bool            // `no other move` has a meaning
	inStep  bool            // `old` has a meaning, and `last` is that of the step's move
	visible int             // how many definitions may be used
	inside  []*ast.Position // whose conditions are being read
}

// local is one name of the innermost blocks, linked outwards.
type local struct {
	name  string
	value value
	slot  int     // -1 for a fixed value
	use   *letUse // of a pit; else nil
	outer *local
}

func (b *builder) env(p place) env {
	e := env{builder: b, place: p, mover: anyMover, lap: anyLap, slots: new([]rules.Type), visible: len(b.defs)}
	if !b.twoPlayers() {
		e.mover = 0
	}
	return e
}

// with binds a name to a fixed value.
func (e env) with(name string, v value) env {
	e.locals = &local{name: name, value: named(v), slot: -1, outer: e.locals}
	return e
}

func (b *builder) with(name string, v value) env { return b.env(inDeclaration).with(name, v) }

func (e env) find(name string) *local {
	for l := e.locals; l != nil; l = l.outer {
		if l.name == name {
			return l
		}
	}
	return nil
}

// reach lists every name that could have been meant, for suggestions.
func (e env) reach() []string {
	var names []string
	for n := range e.names {
		names = append(names, n)
	}
	for l := e.locals; l != nil; l = l.outer {
		names = append(names, l.name)
	}
	for _, values := range e.enums {
		names = append(names, values...)
	}
	names = append(names, e.unusedLaps...)
	names = append(names, e.unusedFaces...)
	if e.place == inClaim {
		for _, o := range e.sys.Outcomes {
			names = append(names, o.Label)
		}
		for _, p := range e.unit.Positions {
			names = append(names, p.Name.Name)
		}
		names = append(names, "stuck", "finished", "start")
	}
	return names
}

func (e env) unknown(name string, at diag.Range) value {
	if name == goingAsName && e.going != nil && !e.going.listed {
		e.diags.Errorf(diag.Circular, at, "`%s` cannot be used here: which values it has depends on what there is to choose", name).
			WithHelp("restrict the choice with `where`")
		return bad
	}
	suggest(e.diags.Errorf(diag.Unknown, at, "unknown name `%s`", name), name, e.reach())
	return bad
}

// named is a value under a name that is bound to it: whoever writes the name writes out no pit.
func named(v value) value {
	v.spelled = false
	return v
}

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

func (b *builder) playerNamed(name ast.Ident) int {
	for i, p := range b.sys.Players {
		if p == name.Name {
			return i
		}
	}
	d := b.diags.Errorf(diag.Unknown, name.Range, "unknown player `%s`", name.Name)
	suggest(d, name.Name, append([]string{}, b.sys.Players...))
	isVar := slices.ContainsFunc(b.sys.Vars, func(x rules.Var) bool { return x.Name == name.Name })
	switch {
	case isVar && b.twoPlayers():
		d.WithHelp("`%s` is a variable, and here a player is named: write one line for each, as `%s … when … and %s = %s`", name.Name, b.sys.Players[0], name.Name, b.sys.Players[0])
	case !b.twoPlayers():
		d.WithHelp("declare the players with `player %s, …`", name.Name)
	}
	return rules.None
}
