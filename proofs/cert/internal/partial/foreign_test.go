package partial_test

import (
	"testing"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: a play that reaches what is no type of the kernel fails, and so does the list of all
// ways.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error {
			m := partial.New(sys)
			for _, s := range rulestest.FewSeeds(sys) {
				if _, err := m.Steps(m.Blur(s, everything(sys))); err != nil {
					return err
				}
			}
			return nil
		}) {
			t.Errorf("%s: Steps says nothing", place)
		}
		if rulestest.Silent(func() error { _, err := partial.New(sys).Ways(0); return err }) {
			t.Errorf("%s: Ways says nothing", place)
		}
	}
}
