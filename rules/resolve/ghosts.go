package resolve

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Ghosts. A claim about steps may ask where the latest seed of the step's move fell. The state
// after the step does not tell, so the System of such a claim gets variables that do. They come
// after the variant's own, no rule reads them, and each move first forgets what the one before left
// in them, so they change nothing else.

// ghost is one such variable, and what it is set to after each seed.
type ghost struct {
	index int
	now   rules.Expr
}

// ghostWord is `last` or `origin` after `gives`.
func (e env) ghostWord(name string, at diag.Range) value {
	domain := append([]int{rules.None}, upTo(0, len(e.sys.Pits)-1)...)
	return pitValue(e.ghostVar(rules.Var{Name: name, Type: rules.PitType, Domain: domain, Init: rules.None, At: at}, register(name, at)))
}

// ghostWas is `last was N` after `gives`. One number can be kept as a truth value; any number would
// need a variable without bounds.
func (e env) ghostWas(x *ast.Was) value {
	n, ok := constOf(e.asInt(e.expr(x.Value), x.Value.Span()))
	if !ok {
		e.diags.Errorf(diag.NotConstant, x.Value.Span(), "in a claim `last was` takes a number that is known before play").
			WithHelp("with `old` what the pit had before the step can be asked: `some p in pit : last = p and old seeds(p) = …`")
		return bad
	}
	name := fmt.Sprintf("last was %d", n)
	if n == 0 {
		name = "last was empty"
	}
	now := rules.Binary{Op: rules.Eq, L: register("last was", x.Range), R: rules.Number(n)}
	return truth(e.ghostVar(rules.Var{Name: name, Type: rules.TruthType, Domain: []int{0, 1}, At: x.Range}, now))
}

// ghostVar finds or makes the variable.
func (e env) ghostVar(v rules.Var, now rules.Expr) rules.Expr {
	for _, g := range e.ghosts {
		if e.sys.Vars[g.index].Name == v.Name {
			return rules.Cell{Sort: rules.VarCell, Slot: g.index, At: v.At}
		}
	}
	v.Ghost, v.Default = true, v.Init
	e.sys.Vars = append(e.sys.Vars, v)
	e.ghosts = append(e.ghosts, ghost{len(e.sys.Vars) - 1, now})
	return rules.Cell{Sort: rules.VarCell, Slot: len(e.sys.Vars) - 1, At: v.At}
}

// before is what a ghost stands for behind `old`: the pit that this step's move came to, in
// whatever state that is asked for. So `old seeds(last)` goes through all pits that `last` may be.
// Where it is none, the expression has its fault, as it has without `old`.
func (e env) before(x rules.Old, truth bool) rules.Expr {
	g := e.ghostIn(x.X)
	if g < 0 {
		return x
	}
	ref := rules.VarAt(g)
	out := x.X
	for _, v := range slices.Backward(e.sys.Vars[g].Domain) {
		if v == rules.None {
			continue
		}
		at := rules.Const{Value: v, Type: e.sys.Vars[g].Type}
		is := rules.Binary{Op: rules.Eq, L: ref, R: at}
		there := rules.Old{X: rules.Simplify(x.X, func(x rules.Expr) (rules.Const, bool) { return at, rules.IsFixed(x, rules.VarCell, g) })}
		out = either(is, e.before(there, truth), out, truth)
	}
	return out
}

// either is x where the condition holds and else y.
func either(cond, x, y rules.Expr, truth bool) rules.Expr {
	if !truth {
		return rules.Cond{If: cond, Then: x, Else: y}
	}
	return rules.Binary{
		Op: rules.Or,
		L:  rules.Binary{Op: rules.And, L: cond, R: x},
		R:  rules.Binary{Op: rules.And, L: rules.Not{X: cond}, R: y},
	}
}

// ghostIn finds a ghost that x reads, or -1.
func (e env) ghostIn(x rules.Expr) int {
	found := -1
	rules.Walk(x, func(x rules.Expr) bool {
		for _, g := range e.ghosts {
			if rules.IsFixed(x, rules.VarCell, g.index) {
				found = g.index
			}
		}
		return found < 0
	})
	return found
}

// haunt makes every move set the ghosts that the claim asked for.
func (b *builder) haunt() {
	if len(b.ghosts) == 0 {
		return
	}
	b.sys.Actions = slices.Clone(b.sys.Actions) // other claims may be about the same moves
	for i := range b.sys.Actions {
		a := &b.sys.Actions[i]
		a.Body = append(b.forget(), b.haunted(a.Body)...)
	}
}

func (b *builder) forget() []rules.Stmt {
	var out []rules.Stmt
	for _, g := range b.ghosts {
		x := &b.sys.Vars[g.index]
		out = append(out, rules.SetVar(g.index, rules.Const{Value: x.Init, Type: x.Type}))
	}
	return out
}

// haunted sets the ghosts wherever a seed fell: after each sowing, and at the head of what is done
// after each drop, which may end the game.
func (b *builder) haunted(body []rules.Stmt) []rules.Stmt {
	out := []rules.Stmt{}
	for _, s := range body {
		_, sows := s.(rules.Sow)
		var blocks [][]rules.Stmt
		for _, block := range rules.Blocks(s) {
			inner := b.haunted(block)
			if sows && len(block) > 0 {
				inner = append(b.observe(), inner...)
			}
			blocks = append(blocks, inner)
		}
		out = append(out, rules.WithBlocks(s, blocks))
		if sows {
			out = append(out, b.observe()...)
		}
	}
	return slices.Clip(out)
}

func (b *builder) observe() []rules.Stmt {
	var out []rules.Stmt
	for _, g := range b.ghosts {
		out = append(out, rules.SetVar(g.index, g.now))
	}
	return out
}
