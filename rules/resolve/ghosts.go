package resolve

import (
	"fmt"
	"slices"

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

// ghosts are those that a claim asks for.
type ghosts struct {
	sys  *rules.System
	list []ghost
}

// word is `last` or `origin` after `gives`.
func (g *ghosts) word(name string, at diag.Range) value {
	domain := append([]int{rules.None}, upTo(0, len(g.sys.Pits)-1)...)
	return pitValue(g.variable(rules.Var{Name: name, Type: rules.PitType, Domain: domain, Init: rules.None, At: at}, register(name, at)))
}

// was is `last was N` after `gives`. One number can be kept as a truth value; any number would need
// a variable without bounds.
func (g *ghosts) was(n int, at diag.Range) rules.Expr {
	name := fmt.Sprintf("last was %d", n)
	if n == 0 {
		name = "last was empty"
	}
	now := rules.Binary{Op: rules.Eq, L: register("last was", at), R: rules.Number(n)}
	return g.variable(rules.Var{Name: name, Type: rules.TruthType, Domain: []int{0, 1}, At: at}, now)
}

// variable finds or makes the variable.
func (g *ghosts) variable(v rules.Var, now rules.Expr) rules.Expr {
	for _, known := range g.list {
		if g.sys.Vars[known.index].Name == v.Name {
			return rules.Cell{Sort: rules.VarCell, Slot: known.index, At: v.At}
		}
	}
	v.Ghost, v.Default = true, v.Init
	g.sys.Vars = append(g.sys.Vars, v)
	g.list = append(g.list, ghost{len(g.sys.Vars) - 1, now})
	return rules.Cell{Sort: rules.VarCell, Slot: len(g.sys.Vars) - 1, At: v.At}
}

// before is what a ghost stands for behind `old`: the pit that this step's move came to, in
// whatever state that is asked for. So `old seeds(last)` goes through all pits that `last` may be.
// Where it is none, the expression has its fault, as it has without `old`.
func (g *ghosts) before(x rules.Old, truth bool) rules.Expr {
	slot := g.in(x.X)
	if slot < 0 {
		return x
	}
	ref := rules.VarAt(slot)
	out := x.X
	for _, v := range slices.Backward(g.sys.Vars[slot].Domain) {
		if v == rules.None {
			continue
		}
		at := rules.Const{Value: v, Type: g.sys.Vars[slot].Type}
		is := rules.Binary{Op: rules.Eq, L: ref, R: at}
		there := rules.Old{X: rules.Simplify(x.X, func(x rules.Expr) (rules.Const, bool) { return at, rules.IsFixed(x, rules.VarCell, slot) })}
		out = either(is, g.before(there, truth), out, truth)
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

// in finds a ghost that x reads, or -1.
func (g *ghosts) in(x rules.Expr) int {
	found := -1
	rules.Walk(x, func(x rules.Expr) bool {
		for _, known := range g.list {
			if rules.IsFixed(x, rules.VarCell, known.index) {
				found = known.index
			}
		}
		return found < 0
	})
	return found
}

// haunt makes every move set the ghosts that the claim asked for.
func (g *ghosts) haunt() {
	if len(g.list) == 0 {
		return
	}
	g.sys.Actions = slices.Clone(g.sys.Actions) // other claims may be about the same moves
	for i := range g.sys.Actions {
		a := &g.sys.Actions[i]
		a.Body = append(g.forget(), g.haunted(a.Body)...)
	}
}

func (g *ghosts) forget() []rules.Stmt {
	var out []rules.Stmt
	for _, known := range g.list {
		x := &g.sys.Vars[known.index]
		out = append(out, rules.SetVar(known.index, rules.Const{Value: x.Init, Type: x.Type}))
	}
	return out
}

// haunted sets the ghosts wherever a seed fell: after each sowing, and at the head of what is done
// after each drop, which may end the game.
func (g *ghosts) haunted(body []rules.Stmt) []rules.Stmt {
	out := []rules.Stmt{}
	for _, s := range body {
		_, sows := s.(rules.Sow)
		var blocks [][]rules.Stmt
		for _, block := range rules.Blocks(s) {
			inner := g.haunted(block)
			if sows && len(block) > 0 {
				inner = append(g.observe(), inner...)
			}
			blocks = append(blocks, inner)
		}
		out = append(out, rules.WithBlocks(s, blocks))
		if sows {
			out = append(out, g.observe()...)
		}
	}
	return slices.Clip(out)
}

func (g *ghosts) observe() []rules.Stmt {
	var out []rules.Stmt
	for _, known := range g.list {
		out = append(out, rules.SetVar(known.index, known.now))
	}
	return out
}
