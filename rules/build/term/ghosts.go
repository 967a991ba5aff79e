package term

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Ghosts are variables that record where the latest seed of a move fell. A claim about steps may
// ask for that, and the state after a step does not say it. They are added only to the System of
// such a claim, after the variant's own variables. No rule reads them, and each move first resets
// them, so they change nothing else.

// ghost is one such variable, with the value that it gets after each seed.
type ghost struct {
	index int
	now   rules.Expr
}

// Ghosts are the variables that a claim asks for, in the System that they are added to.
type Ghosts struct {
	Sys  *rules.System
	list []ghost
}

// word resolves `last` or `origin` after `gives`.
func (g *Ghosts) word(name string, at diag.Range) Value {
	domain := append([]int{rules.None}, num.Run(0, len(g.Sys.Pits))...)
	return PitValue(g.variable(rules.Var{Name: name, Type: rules.PitType, Domain: domain, Init: rules.None, At: at}, register(name, at)))
}

// was resolves `last was N` after `gives`. For one number N a truth value is enough; a variable for
// any number would have no bounds.
func (g *Ghosts) was(n int, at diag.Range) rules.Expr {
	name := fmt.Sprintf("last was %d", n)
	if n == 0 {
		name = "last was empty"
	}
	now := rules.Binary{Op: rules.Eq, L: register("last was", at), R: rules.Number(n)}
	return g.variable(rules.Var{Name: name, Type: rules.TruthType, Domain: []int{0, 1}, At: at}, now)
}

// variable returns the ghost with the name of v. If there is none yet it makes one, which gets the
// value now.
func (g *Ghosts) variable(v rules.Var, now rules.Expr) rules.Expr {
	for _, known := range g.list {
		if g.Sys.Vars[known.index].Name == v.Name {
			return rules.Cell{Sort: rules.VarCell, Slot: known.index, At: v.At}
		}
	}
	v.Ghost, v.Default = true, v.Init
	g.Sys.Vars = append(g.Sys.Vars, v)
	g.list = append(g.list, ghost{len(g.Sys.Vars) - 1, now})
	return rules.Cell{Sort: rules.VarCell, Slot: len(g.Sys.Vars) - 1, At: v.At}
}

// before resolves a ghost inside `old`. It still means the pit that this step's move came to, so
// `old seeds(last)` asks for the seeds that this pit had before. This is spelled out as a choice
// over all pits that the ghost may be. If it is none, x has the fault that it would have without
// `old`.
func (g *Ghosts) before(x rules.Old, truth bool) rules.Expr {
	slot := g.in(x.X)
	if slot < 0 {
		return x
	}
	ref := rules.VarAt(slot)
	out := x.X
	for _, v := range slices.Backward(g.Sys.Vars[slot].Domain) {
		if v == rules.None {
			continue
		}
		at := rules.Const{Value: v, Type: g.Sys.Vars[slot].Type}
		is := rules.Binary{Op: rules.Eq, L: ref, R: at}
		there := rules.Old{X: rules.Simplify(x.X, func(x rules.Expr) (rules.Const, bool) { return at, rules.IsFixed(x, rules.VarCell, slot) })}
		out = oneOf(is, g.before(there, truth), out, truth)
	}
	return out
}

// oneOf returns x where the condition holds and y elsewhere. Truth values are joined by
// connectives.
func oneOf(cond, x, y rules.Expr, truth bool) rules.Expr {
	if !truth {
		return rules.Cond{If: cond, Then: x, Else: y}
	}
	return rules.Binary{
		Op: rules.Or,
		L:  rules.Binary{Op: rules.And, L: cond, R: x},
		R:  rules.Binary{Op: rules.And, L: rules.Not{X: cond}, R: y},
	}
}

// in returns the index of a ghost that x reads, or -1.
func (g *Ghosts) in(x rules.Expr) int {
	found := -1
	rules.Walk(x, func(x rules.Expr) bool {
		if g.is(x) {
			found = x.(rules.Cell).Slot
		}
		return found < 0
	})
	return found
}

// is reports whether x is a ghost.
func (g *Ghosts) is(x rules.Expr) bool {
	return slices.ContainsFunc(g.list, func(known ghost) bool { return rules.IsFixed(x, rules.VarCell, known.index) })
}

// Haunt makes every move set the ghosts that the claim asks for.
func (g *Ghosts) Haunt() {
	if len(g.list) == 0 {
		return
	}
	first := func(known ghost) rules.Expr {
		x := &g.Sys.Vars[known.index]
		return rules.Const{Value: x.Init, Type: x.Type}
	}
	g.Sys.Actions = slices.Clone(g.Sys.Actions) // other claims may share these moves
	for i := range g.Sys.Actions {
		a := &g.Sys.Actions[i]
		a.Body = append(g.set(first), g.haunted(a.Body)...)
	}
}

// set returns statements that give each ghost a value.
func (g *Ghosts) set(value func(ghost) rules.Expr) []rules.Stmt {
	return lists.Map(g.list, func(known ghost) rules.Stmt { return rules.SetVar(known.index, value(known)) })
}

// haunted returns body with statements that set the ghosts after each sowing. They also come first
// in what is done after each drop, because that may end the game.
func (g *Ghosts) haunted(body []rules.Stmt) []rules.Stmt {
	observed := func(known ghost) rules.Expr { return known.now } // what the registers hold
	out := []rules.Stmt{}
	for _, s := range body {
		_, sows := s.(rules.Sow)
		var blocks [][]rules.Stmt
		for _, block := range rules.Blocks(s) {
			inner := g.haunted(block)
			if sows && len(block) > 0 {
				inner = append(g.set(observed), inner...)
			}
			blocks = append(blocks, inner)
		}
		out = append(out, rules.WithBlocks(s, blocks))
		if sows {
			out = append(out, g.set(observed)...)
		}
	}
	return slices.Clip(out)
}
