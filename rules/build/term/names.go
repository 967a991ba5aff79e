package term

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// Scope has what the names of a variant stand for, and the System that is being made.
type Scope struct {
	Run         Run
	Sys         *rules.System
	Bracketed   map[string]bool // groups whose pits are drawn with brackets
	Variant     *ast.Variant
	Bound       *bind.Variant
	Claim       *ast.Claim           // the claim that this game is for; nil: none
	Made        map[*bind.Symbol]int // what is made so far: its place in the list for its kind
	Late        map[string]int       // the variables of `go on`, by name
	Vars        []StateVar
	Enums       map[string][]string // value names of each enumeration, by variable
	OwnersKnown bool                // the board is complete
	RowsAt      []diag.Range        // where the rows of the picture are drawn
	Pending     string              // a name that gets its values only after choices are listed
	Groups      map[int]PitSet      // the members of groups, computed once
	values      map[use]Value       // of definitions that are known before play
	// The laps and relations that follow from the picture and that the System does not have.
	SpareLaps      []rules.Lap
	SpareRelations []rules.Relation
	adopted        int  // how many laps at the end of the System only a strategy uses
	Borrowed       bool // what was read asks for a spare lap or relation
	lent           bool // the System is complete, and what is read is a claim, which may name spares
}

// NewScope returns the scope of a System that is still empty.
func NewScope(ctx context.Context, v *bind.Variant, sys *rules.System, diags *diag.List) *Scope {
	return &Scope{
		Run: Run{Diags: diags, Used: &budget{ctx: ctx, node: &v.Name}}, Sys: sys, Bracketed: map[string]bool{},
		Variant: v.Variant, Bound: v, Made: map[*bind.Symbol]int{}, Late: map[string]int{}, Enums: map[string][]string{},
		Groups: map[int]PitSet{}, values: map[use]Value{},
	}
}

// For returns the scope of the same game for a claim, which may add to it. What does not change is
// shared with s.
func (s *Scope) For(claim *ast.Claim, diags *diag.List) *Scope {
	own, sys, used := *s, *s.Sys, *s.Run.Used
	own.Sys, own.Run.Used, own.Claim, own.Run.Diags = &sys, &used, claim, diags
	sys.Vars = slices.Clip(sys.Vars)                                    // ghosts are appended to them
	own.Groups, own.values = maps.Clone(s.Groups), maps.Clone(s.values) // filled as they are used
	return &own
}

// StateVar is a `state` declaration: one variable, or one for each player or pit. table maps the
// index to the variable, as in rules.Cell.
type StateVar struct {
	Name     string
	Type     Type
	EachName string // what it is declared for `each` of: "player", or some pits; empty: it is one variable
	Table    []int
}

// CarryOut does one thing after the other, and stops after one with mistakes. It reports whether
// all were done.
func (s *Scope) CarryOut(phases []func()) bool {
	for _, phase := range phases {
		s.Run.Bounded(phase)
		if s.Run.Diags.HasErrors() {
			return false
		}
	}
	return true
}

// Make notes the place of what a name is declared as, or implied, in the list for its kind. Of two
// declarations of one name, which are a mistake, the first counts.
func (s *Scope) Make(x *bind.Symbol, kind bind.Kind, index int) {
	if _, again := s.Made[x]; !again && x != nil && (x.Kind == kind || x.Kind == bind.PitsName && kind == bind.GroupName) {
		s.Made[x] = index
	}
}

// Variable returns the state variable of a symbol; nil: it is of something else.
func (s *Scope) Variable(x *bind.Symbol) *StateVar {
	if i, made := s.Made[x]; made && x.Kind == bind.VariableName {
		return &s.Vars[i]
	}
	return nil
}

// TwoPlayers reports whether players have names: it is also true of games with more than two.
func (s *Scope) TwoPlayers() bool { return len(s.Sys.Players) > 1 }

// LapNames lists the names of the laps of the variant, without duplicates: the values of a variable
// for a lap. Laps of several players may share one.
func (s *Scope) LapNames() []string { return NamesOf(s.Sys.Laps[:len(s.Sys.Laps)-s.adopted]) }

func NamesOf(laps []rules.Lap) []string {
	return lists.Distinct(lists.Map(laps, func(l rules.Lap) string { return l.Name }))
}

// known lists the laps that may be named: those of the System and, in claims, the spare ones behind
// them.
func (s *Scope) known() []rules.Lap {
	if s.lent && len(s.SpareLaps) > 0 {
		return slices.Concat(s.Sys.Laps, s.SpareLaps)
	}
	return s.Sys.Laps
}

// knownNames lists their names, those of lapNames first.
func (s *Scope) knownNames() []string { return NamesOf(s.known()) }

// KernelType returns the type that values of type t have in the kernel.
func (s *Scope) KernelType(t Type) rules.Type {
	switch t.Kind {
	case BoolKind:
		return rules.TruthType
	case PitKind:
		return rules.PitType
	case PlayerKind:
		return rules.PlayerType
	case EnumKind:
		return s.EnumType(s.Enums[t.Enum])
	case LapKind:
		return s.EnumType(s.LapNames())
	}
	return rules.NumberType
}

// Text returns a fixed value as the rules write it.
func (s *Scope) Text(v Value) string {
	n, _ := ConstOf(v.X)
	switch v.Type.Kind {
	case EnumNameKind:
		return v.name
	case LapKind:
		if v.X != nil {
			return s.knownNames()[n]
		}
		return s.known()[v.Lap].Name
	}
	return s.Sys.ValueName(s.KernelType(v.Type), n)
}

// EnumType returns the type of the enumeration with these names, and adds it to the System if it is
// new.
func (s *Scope) EnumType(names []string) rules.Type {
	if i := slices.IndexFunc(s.Sys.Enums, func(e []string) bool { return slices.Equal(e, names) }); i >= 0 {
		return rules.EnumType(i)
	}
	// Other Systems may share the list.
	s.Sys.Enums = append(slices.Clip(s.Sys.Enums), names)
	return rules.EnumType(len(s.Sys.Enums) - 1)
}

// Players declares the players. A solitaire has one without a name.
func (s *Scope) Players() {
	for _, p := range ast.Items[*ast.Players](s.Variant) {
		for _, name := range p.Names {
			s.Make(s.Bound.Symbol(name.Name), bind.PlayerName, len(s.Sys.Players))
			s.Sys.Players = append(s.Sys.Players, name.Name)
		}
	}
	if len(s.Sys.Players) == 0 {
		s.Sys.Players = []string{""}
	}
}

// Source returns a piece of the text in one line, for messages.
func (s *Scope) Source(r diag.Range) string { return s.Bound.Program().Text(r) }

// Plural writes a number of things, for messages. -1 means one or more.
func Plural(n int, what string) string {
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

// PlayerNamed returns the index of a player, or reports that there is none and returns rules.None.
func (s *Scope) PlayerNamed(name ast.Ident) int {
	if i := slices.Index(s.Sys.Players, name.Name); i >= 0 {
		return i
	}
	d := s.Run.Diags.Errorf(diag.Unknown, name.Range, "unknown player `%s`", name.Name)
	bind.Suggest(d, name.Name, append([]string{}, s.Sys.Players...))
	isVar := slices.ContainsFunc(s.Sys.Vars, func(x rules.Var) bool { return x.Name == name.Name })
	switch {
	case isVar && s.TwoPlayers():
		d.WithHelp("`%s` is a variable, and here a player is named: write one line for each, as `%s … when … and %s = %s`", name.Name, s.Sys.Players[0], name.Name, s.Sys.Players[0])
	case !s.TwoPlayers():
		d.WithHelp("declare the players with `player %s, …`", name.Name)
	}
	return rules.None
}

// opened returns the place where the claim leaves a parameter open, or at if no claim does.
func opened(s *Scope, param string, at diag.Range) diag.Range {
	if s.Claim == nil {
		return at
	}
	for _, c := range ast.All[*ast.ForAll](s.Claim) {
		if c.Name.Name == param {
			return c.Name.Range
		}
	}
	for _, c := range ast.All[*ast.ForSome](s.Claim) {
		if c.Name.Name == param {
			return c.Name.Range
		}
	}
	return at
}

// AddGroup adds a group.
func (s *Scope) AddGroup(x *bind.Symbol, name string, pits []int) {
	s.Make(x, bind.GroupName, len(s.Sys.Groups))
	s.Sys.Groups = append(s.Sys.Groups, rules.Group{Name: name, Pits: pits})
}

// EmptyRelation returns a relation that leads nowhere yet.
func (s *Scope) EmptyRelation(name string) rules.Relation {
	return rules.Relation{Name: name, To: slices.Repeat([]int{rules.None}, len(s.Sys.Pits))}
}

// Lookup returns what the board says of a pit, as a constant if the pit is known.
func Lookup(s *Scope, x rules.Lookup, at diag.Range) rules.Expr {
	x.At = at
	return Simple(x)
}

// WithMistakes adds those mistakes of a variant that were not met while it was resolved.
func WithMistakes(met, all diag.List) diag.List {
	for _, d := range all {
		if !slices.ContainsFunc(met, func(m diag.Diagnostic) bool { return m.Range == d.Range }) {
			met = append(met, d)
		}
	}
	return met
}
