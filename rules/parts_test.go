package rules

import "testing"

// TestWeaken: weakening drops unknown conditions, in either direction, and keeps the rest.
func TestWeaken(t *testing.T) {
	a := Binary{Op: Gt, L: PitAt(0), R: Number(2)}
	v := Expr(VarAt(0))
	known := Parts{Vars: []bool{false}}
	for i, c := range []struct{ x, want Expr }{
		{v, True},
		{Not{v}, True},
		{a, a},
		{Binary{Op: And, L: v, R: a}, a},
		{Binary{Op: Or, L: a, R: v}, True},
		{Not{Binary{Op: Or, L: v, R: a}}, Not{a}},
		{Not{Binary{Op: And, L: v, R: a}}, True},
		{Binary{Op: Eq, L: v, R: Sum{[]int{0}}}, True},
	} {
		if got := Weaken(c.x, known); ExprString(&System{Pits: make([]Pit, 1), Vars: make([]Var, 1)}, got) != ExprString(&System{Pits: make([]Pit, 1), Vars: make([]Var, 1)}, c.want) {
			t.Errorf("%d: got %#v, want %#v", i, got, c.want)
		}
	}
}
