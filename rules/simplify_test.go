package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	. "github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
)

// anyExpr draws an expression of any kind for the board of Dose(2, …), including faulty ones.
func anyExpr(t *rapid.T, sys *rules.System, depth int) rules.Expr {
	if depth == 0 {
		return rapid.SampledFrom([]rules.Expr{C(-1), C(0), C(1), C(2), Var(0), Pit(1), Pit(4), Total([]int{1, 2, 5}), rules.Mover}).
			Draw(t, "leaf")
	}
	sub := func() rules.Expr { return anyExpr(t, sys, depth-1) }
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return rules.Seeds(anyPit(t, sys, depth-1))
	case 1:
		return sys.Index(anyPit(t, sys, depth-1))
	case 2:
		return rules.In(anyPit(t, sys, depth-1), Set(6, []int{1, 4}))
	case 3:
		return rules.Not{X: anyCond(t, sys, depth-1)}
	case 4:
		return rules.Cond{If: anyCond(t, sys, depth-1), Then: sub(), Else: sub()}
	case 5:
		return rules.Old{X: Bin(rules.Mul, anyExpr(t, sys, 0), rules.Seeds(anyPit(t, sys, depth-1)))} // not old in old
	case 6:
		return rules.Cell{Sort: rules.VarCell, Table: []int{0, -1, 0}, Index: anyPit(t, sys, depth-1)}
	case 7:
		return anyCond(t, sys, depth)
	}
	op := rapid.SampledFrom([]rules.Op{rules.Add, rules.Sub, rules.Mul, rules.Div, rules.Mod, rules.Min, rules.Max}).Draw(t, "op")
	return Bin(op, sub(), sub())
}

func anyPit(t *rapid.T, sys *rules.System, depth int) rules.Expr {
	if depth <= 0 {
		return rapid.SampledFrom([]rules.Expr{C(-1), C(0), C(3), C(4), Var(0)}).Draw(t, "pit")
	}
	if rapid.Bool().Draw(t, "opposite") {
		return sys.Related(anyPit(t, sys, depth-1), 0)
	}
	if rapid.Bool().Draw(t, "back") {
		return sys.Before(anyPit(t, sys, depth-1), 1)
	}
	return sys.Next(anyPit(t, sys, depth-1), 1)
}

func anyCond(t *rapid.T, sys *rules.System, depth int) rules.Expr {
	if depth <= 0 {
		return rapid.SampledFrom([]rules.Expr{rules.True, rules.False, Bin(rules.Eq, Var(0), C(1))}).Draw(t, "truth")
	}
	if rapid.Bool().Draw(t, "joined") {
		op := rapid.SampledFrom([]rules.Op{rules.And, rules.Or}).Draw(t, "op")
		return Bin(op, anyCond(t, sys, depth-1), anyCond(t, sys, depth-1))
	}
	op := rapid.SampledFrom([]rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge}).Draw(t, "op")
	return Bin(op, anyExpr(t, sys, depth-1), anyExpr(t, sys, depth-1))
}

func anyState(t *rapid.T, sys *rules.System) rules.State {
	s := sys.EmptyStart()
	for p := range s.Seeds {
		s.Seeds[p] = rapid.IntRange(0, 3).Draw(t, "seeds")
	}
	s.Vars[0] = rapid.SampledFrom(sys.Vars[0].Domain).Draw(t, "selected")
	return s
}

// TestSimplifyKeepsMeaning: a simplified expression has the same value, or fails as well.
func TestSimplifyKeepsMeaning(t *testing.T) {
	sys := Dose(2, 4)
	sys.Relations[0].To[1], sys.Relations[0].To[4] = 4, 1
	in := interp.New(sys)
	rapid.Check(t, func(t *rapid.T) {
		x := anyExpr(t, sys, 4)
		s, old := anyState(t, sys), anyState(t, sys)
		knowsVar, knowsPit := rapid.Bool().Draw(t, "var"), rapid.IntRange(-1, 5).Draw(t, "known pit")
		y := rules.Simplify(x, func(x rules.Expr) (rules.Const, bool) {
			if rules.IsFixed(x, rules.VarCell, 0) {
				return rules.Const{Value: s.Vars[0], Type: rules.PitType}, knowsVar
			}
			return rules.Const{Value: s.Seeds[max(knowsPit, 0)], Type: rules.NumberType}, rules.IsFixed(x, rules.PitCell, knowsPit)
		})
		want, fails := in.Eval(x, s, &old)
		got, err := in.Eval(y, s, &old)
		if (err != nil) != (fails != nil) || err == nil && got != want {
			t.Fatalf("%s = %d, %v\nsimplified %s = %d, %v", rules.ExprString(sys, x), want, fails, rules.ExprString(sys, y), got, err)
		}
		if fails != nil && !rules.CanFail(x) {
			t.Fatalf("%s fails: %v", rules.ExprString(sys, x), fails)
		}
	})
}

func TestSimplify(t *testing.T) {
	sys := Dose(2, 4)
	fails := Bin(rules.Eq, Bin(rules.Div, C(1), Pit(1)), C(1))
	same := Bin(rules.Eq, Pit(1), C(1))
	for _, c := range []struct {
		x    rules.Expr
		want string
	}{
		{Bin(rules.And, same, rules.True), "seeds(hole01) = 1"},
		{Bin(rules.And, same, rules.False), "false"},
		{Bin(rules.And, fails, rules.False), "1 div seeds(hole01) = 1 and false"},
		{Bin(rules.And, rules.False, fails), "false"},
		{Bin(rules.Or, same, rules.True), "true"},
		{rules.Not{X: rules.Not{X: same}}, "seeds(hole01) = 1"},
		{Bin(rules.Add, Pit(1), Bin(rules.Sub, C(2), C(2))), "seeds(hole01)"},
		{Total([]int{1, 2, 4}), "total({hole01, hole03}) + 7"},
		{rules.Seeds(Bin(rules.Min, C(2), C(5))), "7"},
		{rules.Cell{Sort: rules.VarCell, Table: []int{-1, 0}, Index: Bin(rules.Add, C(0), C(1))}, "selected"},
		{rules.Old{X: Pit(2)}, "old seeds(hole02)"}, // refers to another state
	} {
		got := rules.Simplify(c.x, func(x rules.Expr) (rules.Const, bool) {
			return rules.Const{Value: 7, Type: rules.NumberType}, rules.IsFixed(x, rules.PitCell, 2)
		})
		if text := rules.ExprString(sys, got); text != c.want {
			t.Errorf("%s becomes %s, want %s", rules.ExprString(sys, c.x), text, c.want)
		}
	}
	if next := rules.Simplify(sys.Next(P(2), 0), nil); next != P(3) {
		t.Errorf("the pit after hole02 is %v", next)
	}
}
