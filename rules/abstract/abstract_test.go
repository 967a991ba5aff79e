package abstract

import (
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"pgregory.net/rapid"
)

// TestSolitaireRound: in the solitaire with rows of 3, pits 6 and 7 are the stores. The round uses
// `last was` only when the last pit is not a store, and always sets the variable to a hole.
func TestSolitaireRound(t *testing.T) {
	sys := rulestest.Solitaire(3)
	for _, a := range sys.Actions[6:] {
		asked := false
		after := Before(sys, &a).Run(a.Body, func(s rules.Stmt, e *Env) {
			e.Walk(condition(s), func(x rules.Expr, at *Env) {
				if rules.IsFixed(x, rules.RegisterCell, rules.LastWasReg) {
					asked = true
					if pits := at.Values(rules.Last); !pits.Equal(Of(0, 1, 2, 3, 4, 5)) {
						t.Errorf("`last was` is asked of %v", pits)
					}
				}
			})
		})
		if !asked || !after.Var(0).Equal(Of(0, 1, 2, 3, 4, 5)) {
			t.Errorf("asked %v, selected is one of %v", asked, after.Var(0))
		}
	}
}

func condition(s rules.Stmt) rules.Expr {
	if s, ok := s.(rules.If); ok {
		return s.Cond
	}
	return nil
}

func TestAssume(t *testing.T) {
	sys := rulestest.Solitaire(1) // the variable is none or pit 0 or 1; pits 2 and 3 are the stores
	v := rules.VarAt(0)
	is := func(p int) rules.Expr { return rules.Binary{Op: rules.Eq, L: v, R: rules.Const{Value: p}} }
	any := rules.Binary{Op: rules.Gt, L: rules.Seeds(rules.Const{}), R: rules.Const{}}
	for _, c := range []struct {
		cond      rules.Expr
		yes, no   []int
		neverElse bool
	}{
		{is(1), []int{1}, []int{-1, 0}, false},
		{rules.Not{X: is(1)}, []int{-1, 0}, []int{1}, false},
		{rules.Binary{Op: rules.Or, L: is(0), R: is(1)}, []int{0, 1}, []int{-1}, false},
		{rules.Binary{Op: rules.And, L: any, R: is(0)}, []int{0}, []int{-1, 0, 1}, false},
		{rules.In(v, []bool{true, true, false, false}), []int{0, 1}, []int{-1}, false},
		{rules.Binary{Op: rules.Ne, L: v, R: rules.Const{Value: 3}}, []int{-1, 0, 1}, nil, true},
		{rules.Cond{If: any, Then: is(0), Else: is(1)}, []int{0, 1}, []int{-1, 0, 1}, false},
	} {
		e := Everywhere(sys, 0)
		if got := e.Assume(c.cond, true).Var(0); !got.Equal(Of(c.yes...)) {
			t.Errorf("%s: %v, want %v", rules.ExprString(sys, c.cond), got, c.yes)
		}
		no := e.Assume(c.cond, false)
		if (no == nil) != c.neverElse || no != nil && !no.Var(0).Equal(Of(c.no...)) {
			t.Errorf("not %s: %v, want %v", rules.ExprString(sys, c.cond), no, c.no)
		}
	}
}

// TestSound: whatever random rules do is what the sets say may happen.
func TestSound(t *testing.T) {
	unseen := func(rules.Stmt, *Env) {}
	steps, faults := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		sys.Reactions = nil // what they do is no part of a body
		in := interp.New(sys)
		for range 5 {
			s := rulestest.State(sys, 12).Draw(t, "state")
			list, fault, err := in.Legal(s)
			if err != nil {
				continue // a limit
			}
			for _, st := range list {
				a := &sys.Actions[st.Action]
				after := Before(sys, a).Run(a.Body, unseen)
				for v, n := range st.To.Vars {
					if st.To.Live() && (after == nil || !after.Var(v).Has(n)) {
						t.Fatalf("action %d from %v to %v: %s is one of %v\n%s", st.Action, s, st.To, sys.Vars[v].Name, after, sys.Canonical())
					}
				}
				steps++
			}
			if fault == nil {
				continue
			}
			faults++
			may := false
			for i := range sys.Actions {
				a := &sys.Actions[i]
				may = may || a.Mover == s.Mover && (Before(sys, a).MayFail(a.Body) || a.Guard != nil && Everywhere(sys, len(a.Locals)).fails(a.Guard))
			}
			if !may {
				t.Fatalf("from %v: %v, and no action may fail\n%s", s, fault, sys.Canonical())
			}
		}
	})
	t.Logf("%d steps, %d faults", steps, faults)
}
