package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	. "github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
)

// anyExpr draws an expression of any kind for the board of Dose(2, …), faulty ones among them.
func anyExpr(t *rapid.T, depth int) rules.Expr {
	if depth == 0 {
		return rapid.SampledFrom([]rules.Expr{C(-1), C(0), C(1), C(2), Var(0), Pit(1), Pit(4), Total([]int{1, 2, 5}), rules.Mover{}}).
			Draw(t, "leaf")
	}
	sub := func() rules.Expr { return anyExpr(t, depth-1) }
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return rules.Seeds{Pit: anyPit(t, depth-1)}
	case 1:
		return rules.IndexOf{Pit: anyPit(t, depth-1)}
	case 2:
		return rules.In{X: anyPit(t, depth-1), Set: Set(6, []int{1, 4})}
	case 3:
		return rules.Not{X: anyCond(t, depth-1)}
	case 4:
		return rules.Cond{If: anyCond(t, depth-1), Then: sub(), Else: sub()}
	case 5:
		return rules.Old{X: Bin(rules.Mul, anyExpr(t, 0), rules.Seeds{Pit: anyPit(t, depth-1)})} // not old in old
	case 6:
		return rules.VarRef{Table: []int{0, -1, 0}, Index: anyPit(t, depth-1)}
	case 7:
		return anyCond(t, depth)
	}
	op := rapid.SampledFrom([]rules.Op{rules.Add, rules.Sub, rules.Mul, rules.Div, rules.Mod, rules.Min, rules.Max}).Draw(t, "op")
	return Bin(op, sub(), sub())
}

func anyPit(t *rapid.T, depth int) rules.Expr {
	if depth <= 0 {
		return rapid.SampledFrom([]rules.Expr{C(-1), C(0), C(3), C(4), Var(0)}).Draw(t, "pit")
	}
	if rapid.Bool().Draw(t, "opposite") {
		return rules.OppositeOf{Pit: anyPit(t, depth-1)}
	}
	return rules.Neighbour{Pit: anyPit(t, depth-1), Lap: 1, Back: rapid.Bool().Draw(t, "back")}
}

func anyCond(t *rapid.T, depth int) rules.Expr {
	if depth <= 0 {
		return rapid.SampledFrom([]rules.Expr{rules.True, rules.False, Bin(rules.Eq, Var(0), C(1))}).Draw(t, "truth")
	}
	if rapid.Bool().Draw(t, "joined") {
		op := rapid.SampledFrom([]rules.Op{rules.And, rules.Or}).Draw(t, "op")
		return Bin(op, anyCond(t, depth-1), anyCond(t, depth-1))
	}
	op := rapid.SampledFrom([]rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge}).Draw(t, "op")
	return Bin(op, anyExpr(t, depth-1), anyExpr(t, depth-1))
}

func anyState(t *rapid.T, sys *rules.System) rules.State {
	s := sys.EmptyStart()
	for p := range s.Seeds {
		s.Seeds[p] = rapid.IntRange(0, 3).Draw(t, "seeds")
	}
	s.Vars[0] = rapid.SampledFrom(sys.Vars[0].Domain).Draw(t, "selected")
	return s
}

// What Simplify makes of an expression has the same value, or fails as well.
func TestSimplifyKeepsMeaning(t *testing.T) {
	sys := Dose(2, 4)
	sys.Opposite[1], sys.Opposite[4] = 4, 1
	in := interp.New(sys)
	rapid.Check(t, func(t *rapid.T) {
		x := anyExpr(t, 4)
		s, old := anyState(t, sys), anyState(t, sys)
		knowsVar, knowsPit := rapid.Bool().Draw(t, "var"), rapid.IntRange(-1, 5).Draw(t, "known pit")
		y := rules.Simplify(x, func(x rules.Expr) (int, bool) {
			switch x := x.(type) {
			case rules.VarRef:
				if x.Index == nil {
					return s.Vars[0], knowsVar
				}
			case rules.Seeds:
				if p, ok := x.Pit.(rules.Const); ok && p.Value >= 0 && p.Value == knowsPit {
					return s.Seeds[p.Value], true
				}
			}
			return sys.OnBoard(x)
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
		{Bin(rules.And, same, rules.True), "count(hole01) = 1"},
		{Bin(rules.And, same, rules.False), "0"},
		{Bin(rules.And, fails, rules.False), "1 div count(hole01) = 1 and 0"},
		{Bin(rules.And, rules.False, fails), "0"},
		{Bin(rules.Or, same, rules.True), "1"},
		{rules.Not{X: rules.Not{X: same}}, "count(hole01) = 1"},
		{Bin(rules.Add, Pit(1), Bin(rules.Sub, C(2), C(2))), "count(hole01)"},
		{Total([]int{1, 2, 4}), "total({hole01, hole03}) + 7"},
		{rules.Seeds{Pit: Bin(rules.Min, C(2), C(5))}, "7"},
		{rules.VarRef{Table: []int{-1, 0}, Index: Bin(rules.Add, C(0), C(1))}, "selected"},
		{rules.Old{X: Pit(2)}, "old count(hole02)"}, // speaks of another state
	} {
		got := rules.Simplify(c.x, func(x rules.Expr) (int, bool) {
			if s, ok := x.(rules.Seeds); ok && s.Pit == C(2) {
				return 7, true
			}
			return 0, false
		})
		if text := rules.ExprString(sys, got); text != c.want {
			t.Errorf("%s becomes %s, want %s", rules.ExprString(sys, c.x), text, c.want)
		}
	}
	if next := rules.Simplify(rules.Neighbour{Pit: C(2)}, sys.OnBoard); next != C(3) {
		t.Errorf("the pit after hole02 is %v", next)
	}
}
