package step_test

import (
	"testing"

	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: what the compiler does not know it refuses.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error { _, err := step.Compile(sys); return err }) {
			t.Errorf("%s: Compile says nothing", place)
		}
	}
	m := compile(t, rulestest.Solitaire(2))
	for _, x := range []rules.Expr{
		rulestest.ForeignExpr{Expr: rules.True}, rules.OpenParam{}, rules.Question(7), rules.Register(rules.NextReg), rules.Register(rules.RankReg),
	} {
		if _, err := m.CompileExpr(x); err == nil {
			t.Errorf("%#v: CompileExpr says nothing", x)
		}
	}
}
