package interp_test

import (
	"testing"

	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: a play that reaches a type that is not the kernel's fails.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		in := interp.New(sys)
		if rulestest.Silent(func() error {
			for _, s := range rulestest.FewSeeds(sys) {
				if _, err := in.Steps(s); err != nil {
					return err
				}
			}
			return nil
		}) {
			t.Errorf("%s: Steps returns no error", place)
		}
	}
}
