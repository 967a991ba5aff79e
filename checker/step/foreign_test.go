package step_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: the compiler rejects types it does not know.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error { _, err := step.Compile(sys); return err }) {
			t.Errorf("%s: Compile returns no error", place)
		}
	}
	m := compile(t, rulestest.Solitaire(2))
	for _, x := range []rules.Expr{
		rulestest.ForeignExpr{Expr: rules.True}, rules.OpenParam{}, rules.Question(7), rules.Register(rules.NextReg), rules.Register(rules.RankReg),
	} {
		if _, err := m.CompileExpr(x); err == nil {
			t.Errorf("%#v: CompileExpr returns no error", x)
		}
	}
}

// TestImports: the stepper shares no code for executing rules with the executor that checks its
// results.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	forbidden := regexp.MustCompile(`/mancheck/(rules/exec|rules/interp|proofs|smt)`)
	for _, path := range strings.Fields(string(out)) {
		if forbidden.MatchString(path) {
			t.Errorf("imports %s", path)
		}
	}
}
