package resolve

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Property is what a claim asserts of a System: *Reach, *NeverStuck, *Terminates, *Neighbours,
// *StepTo, *EveryStep, *Count, *WinningStarts, *StrategyWins or *Relation.
type Property interface{ isProperty() }

// Reach asserts that no state satisfies Target, or (Reachable) that one does, within Within moves if that is not negative.
// An invariant is the unreachability of its negation; Invariant keeps the word.
type Reach struct {
	Target    rules.Expr
	Reachable bool
	Invariant bool
	Within    int
	At        diag.Range // of the target
}

// NeverStuck asserts that no reachable state is stuck or endless.
type NeverStuck struct{}

// Terminates asserts that no play is infinite, or none has more than Within moves if that is not negative.
type Terminates struct{ Within int }

// Listed is one element of a set in a claim, with its text.
type Listed struct {
	Cond rules.Expr
	At   diag.Range
}

// Neighbours asserts which states are one step before (Pre) or after the states of Of.
type Neighbours struct {
	Pre  bool
	Of   rules.Expr
	List []Listed
}

// StepTo asserts that a step leads from From to To, or that none does (Not). Actions says which actions count; nil: all.
type StepTo struct {
	Not      bool
	From, To rules.Expr
	Actions  []bool
}

// EveryStep asserts that each step from From satisfies Gives, where Old is the state before; over reachable states, or over all.
type EveryStep struct {
	From    rules.Expr
	Gives   rules.Expr
	Actions []bool
	All     bool
	FromAt  diag.Range
}

// CountSet says what Count counts.
type CountSet int

const (
	CountStarts CountSet = iota
	CountStates
	CountFinished
	CountWinning
	CountPlays     // of exactly Moves moves, from all starts
	CountAncestors // states of the right shape, outside Of, from which a play leads into Of
)

// Count asserts the size of a set: Op compares it with Value.
type Count struct {
	Set   CountSet
	Where rules.Expr
	Moves int        // of CountPlays
	Of    rules.Expr // of CountAncestors
	Op    rules.Op
	Value int
}

// WinningStarts asserts which starts can be won.
type WinningStarts struct{ List []Listed }

// StrategyWins asserts that from each start from which some play wins, every play that follows a strategy wins.
type StrategyWins struct {
	Strategy string
	Followed *rules.System // the System in which only the strategy's moves are legal
}

// RelationKind says how Relation compares two variants.
type RelationKind int

const (
	Refines    RelationKind = iota // every play of the claim's variant is one of the other
	Equivalent                     // and the other way round
	Reverses                       // every step of the claim's variant, backwards, is a step of the other
)

// Relation compares the plays of the claim's System with those of another: boards by pairs of pits, moves by their notation, players by
// their order.
type Relation struct {
	Kind    RelationKind
	Other   *rules.System
	Pairs   [][2]int   // pits of the claim's System and of the other, as rules.PairPits pairs them
	Ignored []string   // groups and pits that the claim leaves out
	At      diag.Range // of the other variant's name
}

func (*Reach) isProperty()         {}
func (*NeverStuck) isProperty()    {}
func (*Terminates) isProperty()    {}
func (*Neighbours) isProperty()    {}
func (*StepTo) isProperty()        {}
func (*EveryStep) isProperty()     {}
func (*Count) isProperty()         {}
func (*WinningStarts) isProperty() {}
func (*StrategyWins) isProperty()  {}
func (*Relation) isProperty()      {}

func (b *builder) property(p ast.Property) Property {
	e := b.env(inClaim)
	if b.twoPlayers() {
		e.mover = anyMover
	}
	switch p := p.(type) {
	case *ast.Reach:
		return e.reachProperty(p)
	case *ast.NeverStuck:
		return &NeverStuck{}
	case *ast.Terminates:
		return &Terminates{Within: e.optional(p.Within)}
	case *ast.Neighbours:
		return &Neighbours{Pre: p.Pre, Of: e.cond(p.Of), List: e.listed(p.List)}
	case *ast.StepTo:
		return &StepTo{Not: p.Not, From: e.cond(p.From), To: e.cond(p.To), Actions: e.by(p.By)}
	case *ast.EveryStep:
		after := e
		after.inStep = true
		return &EveryStep{From: e.cond(p.From), Gives: after.cond(p.Gives), Actions: e.by(p.By), All: p.All, FromAt: p.From.Span()}
	case *ast.Count:
		return e.count(p)
	case *ast.UniqueWinnable:
		return &Count{Set: CountWinning, Where: rules.True, Op: rules.Eq, Value: 1}
	case *ast.WinningStarts:
		return &WinningStarts{List: e.listed(p.List)}
	}
	return nil
}

func (e env) reachProperty(p *ast.Reach) Property {
	r := &Reach{Target: e.cond(p.Target), Within: e.optional(p.Within), At: p.Target.Span()}
	switch p.Kind {
	case "reachable":
		r.Reachable = true
	case "invariant":
		r.Invariant = true
		r.Target = simple(rules.Not{X: r.Target})
	}
	return r
}

// optional is a number of moves, or -1 where none is given.
func (e env) optional(x ast.Expr) int {
	if x == nil {
		return -1
	}
	return e.moves(x)
}

// moves is a number of moves, which is not negative.
func (e env) moves(x ast.Expr) int {
	n := e.constInt(x)
	if n >= 0 {
		return n
	}
	d := e.diags.Errorf(diag.OutOfRange, x.Span(), "%d is no number of moves", n)
	d.WithHelp("write a number that is 0 or more")
	var given []string
	for _, p := range e.sys.Params {
		if !p.Open && !p.Bool {
			given = append(given, fmt.Sprintf("%s = %d", p.Name, p.Value))
		}
	}
	if len(given) > 0 {
		d.WithHelp("it is to be 0 or more, also with %s", strings.Join(given, ", "))
	}
	return 0
}

func (e env) listed(xs []ast.Expr) []Listed {
	var out []Listed
	for _, x := range xs {
		out = append(out, Listed{Cond: e.cond(x), At: x.Span()})
	}
	return out
}

func (e env) count(p *ast.Count) Property {
	c := &Count{Where: rules.True, Op: ops[p.Op], Value: e.constInt(p.Value)}
	if p.Where != nil {
		c.Where = e.cond(p.Where)
	}
	switch p.Set {
	case "states":
		c.Set = CountStates
	case "finished":
		c.Set = CountFinished
	case "winning":
		c.Set = CountWinning
	case "ancestors":
		c.Set, c.Of = CountAncestors, e.cond(p.Of)
	case "plays":
		c.Set, c.Moves = CountPlays, e.moves(p.Of)
		if p.Where != nil {
			e.diags.Errorf(diag.BadClause, p.Where.Span(), "plays are counted by their number of moves alone").
				WithHelp("to count states write `count(states where …)`")
		}
	}
	return c
}

// by marks the actions with this label: that of a chosen option, or of the move.
func (e env) by(l *ast.Label) []bool {
	if l == nil {
		return nil
	}
	in := make([]bool, len(e.sys.Actions))
	found := false
	names := map[string]bool{}
	for i, a := range e.sys.Actions {
		move := e.sys.Moves[a.Move].Label
		names[a.Label], names[move] = true, true
		in[i] = a.Label == l.Text || move == l.Text
		found = found || in[i]
	}
	if !found {
		var list []string
		for n := range names {
			list = append(list, n)
		}
		sort.Strings(list)
		suggest(e.diags.Errorf(diag.Unknown, l.Range, "no move is labelled `%s`", l.Text), l.Text, list)
	}
	return in
}

// claimName resolves outcome labels and positions.
func (e env) claimName(name string, at diag.Range) value {
	if o := e.sys.OutcomeNamed(name); o >= 0 {
		return truth(rules.HasOutcome(o))
	}
	for _, p := range e.unit.Positions {
		if p.Name.Name == name {
			return truth(e.position(p, at))
		}
	}
	return e.unknown(name, at)
}

func (e env) outcomeText(x *ast.Text) value {
	if o := e.sys.OutcomeNamed(x.Value); o >= 0 && e.place == inClaim {
		return truth(rules.HasOutcome(o))
	}
	return e.unknown(x.Value, x.Range)
}

// position is the condition that a state fits a named position.
func (e env) position(p *ast.Position, at diag.Range) rules.Expr {
	if p.Of != nil && p.Of.Name != e.variant.Name.Name {
		notItsPosition(p, e.variant, at, e.diags)
		return rules.False
	}
	if slices.Contains(e.inside, p) {
		e.diags.Errorf(diag.Circular, at, "position `%s` is defined by itself", p.Name.Name)
		return rules.False
	}
	e.inside, e.locals = append(slices.Clip(e.inside), p), nil // what it says does not depend on who says its name
	conds := []rules.Expr{}
	if p.Where != nil {
		conds = append(conds, e.cond(p.Where))
	}
	if p.Picture != nil {
		conds = append(conds, e.pictureCond(p.Picture, false))
	}
	for _, s := range p.With {
		conds = append(conds, e.setting(s))
	}
	return simple(rules.Conjunction(conds...))
}

func notItsPosition(p *ast.Position, v *ast.Variant, at diag.Range, diags *diag.List) {
	diags.Errorf(diag.WhichVariant, at, "position `%s` is one of `%s`, this claim is about `%s`", p.Name.Name, p.Of.Name, v.Name.Name)
}

// setting is `variable = value` or `mover = player` in a position.
func (e env) setting(s ast.Setting) rules.Expr {
	var l value
	if s.Index != nil {
		l = e.call(&ast.Call{At: s.At, Func: ast.Ident(s.Name), Args: []ast.Expr{s.Index}})
	} else {
		l = e.name(s.Name.Name, s.Name.Range)
	}
	return e.compare(rules.Eq, l, e.expr(s.Value), s.Name.Range, s.Value.Span())
}
