package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Property is what a claim asserts of a System: *Reach, *NeverStuck, *Terminates, *Neighbours,
// *StepTo, *EveryStep, *Count, *WinningStarts, *StrategyWins, *Relation, *ValueOf, *WinnerOf,
// *BestMoves or *Force. Each kind is one file, or with others of its sort.
type Property interface {
	// others lists the Systems whose plays it speaks of besides that of the claim.
	others() []*rules.System
}

// Certifiable is a Property that certificates can be about. Kind is empty where they cannot.
type Certifiable interface {
	Property
	// Kind is the name of the kind in certificates.
	Kind() string
	// Asserts says what is asserted of sys.
	Asserts(sys *rules.System) string
}

// Safe is a Certifiable that says something of all reachable states. The others are *ValueOf,
// *WinnerOf, *BestMoves and *Force.
type Safe interface {
	Certifiable
	// Safety is what a certificate shows.
	Safety(sys *rules.System) Safety
}

// Safety says that no reachable state satisfies Never or, where that is nil, that every step from a
// reachable state is as Step says. That proves the claim, or Refutes it.
type Safety struct {
	Never   rules.Expr
	Step    *EveryStep
	Refutes bool
}

// property resolves what the claim asserts of the System in b.
func (i *Instance) property(b *builder, g game) Property {
	p := i.asserts(b, g)
	b.haunt()
	return p
}

// asserts is property before the moves remember what the claim asks of them. Some kinds take a
// second System.
func (i *Instance) asserts(b *builder, g game) Property {
	e := b.env(inClaim)
	if b.twoPlayers() {
		e.mover = anyMover
	}
	if i.board != nil {
		e = e.columns(i.board, i.Claim.ast)
	}
	switch p := i.Claim.ast.Property.(type) {
	case *ast.Reach:
		return e.reachProperty(p)
	case *ast.NeverStuck:
		return &NeverStuck{}
	case *ast.Terminates:
		return e.terminates(p)
	case *ast.Neighbours:
		return e.neighbours(p)
	case *ast.StepTo:
		return e.stepTo(p)
	case *ast.EveryStep:
		return e.everyStep(p)
	case *ast.Count:
		return e.count(p)
	case *ast.UniqueWinnable:
		return uniqueWinnable()
	case *ast.WinningStarts:
		return e.winningStarts(p)
	case *ast.StrategyWins:
		return i.Claim.strategyWins(p, g, b.diags)
	case *ast.Relation:
		return i.relation(p, g, b.sys, b.diags)
	case *ast.Value:
		return i.value(p, e, g)
	case *ast.Winner:
		return i.winner(p, e, g)
	case *ast.Best:
		return i.best(p, e, g)
	case *ast.Force:
		return i.force(p, e, g)
	}
	return nil
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

// claimName resolves outcome labels and positions.
func (e env) claimName(name string, at diag.Range) value {
	if x, known := e.hasLabel(name); known {
		return truth(x)
	}
	for _, p := range e.unit.Positions {
		if p.Name.Name == name {
			return truth(e.position(p, at))
		}
	}
	return e.unknownOutcome(name, at)
}

// unknownOutcome reports a name in a claim, and lists the outcomes if it is near to no other name.
func (e env) unknownOutcome(name string, at diag.Range) value {
	e.unknown(name, at)
	if d := &(*e.diags)[len(*e.diags)-1]; d.Help == "" {
		var labels []string
		for _, o := range e.sys.Outcomes {
			if !slices.Contains(labels, o.Label) {
				labels = append(labels, o.Label)
			}
		}
		d.WithHelp("the outcomes of `%s` are %s", e.variant.Name.Name, list(labels))
	}
	return bad
}

func (e env) outcomeText(x *ast.Text) value {
	if has, known := e.hasLabel(x.Value); known && e.place == inClaim {
		return truth(has)
	}
	return e.unknownOutcome(x.Value, x.Range)
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
	return e.compare(rules.Eq, operand{l, s.Name.Range}, operand{e.expr(s.Value), s.Value.Span()})
}
