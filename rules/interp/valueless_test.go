package interp_test

import (
	"errors"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestValueless: the condition that another one has no value holds if and only if the interpreter
// meets a fault in it.
func TestValueless(t *testing.T) {
	gen := rulestest.System()
	valueless, few := 0, tier.Every(20, 2)
	for i := 0; i < 4000; i += few {
		sys := gen.Example(i + 1)
		x := rulestest.Claim(sys, false).Example(i + 2)
		s := rulestest.State(sys, 5).Example(i + 3)
		in := interp.New(sys)
		_, err := in.Holds(x, s, nil)
		fault := new(interp.RuleError)
		if err != nil && !errors.As(err, &fault) || rules.HasA[rules.Question](x) {
			continue
		}
		none, doubt := in.Holds(rules.Valueless(x), s, nil)
		if doubt != nil || none != (err != nil) {
			t.Fatalf("%s: no value %v (%v), but %v\n%s", rules.ExprString(sys, x), none, doubt, err, sys.Canonical())
		}
		if err != nil {
			valueless++
		}
	}
	if valueless < 20/few && !tier.Short() {
		t.Errorf("only %d conditions without a value", valueless)
	}
}
