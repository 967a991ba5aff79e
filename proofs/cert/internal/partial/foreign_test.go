package partial_test

import (
	"testing"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: Steps and Ways fail on types that are not the kernel's.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error {
			m := partial.New(t.Context(), sys)
			for _, s := range rulestest.FewSeeds(sys) {
				if _, err := m.Player().Steps(blur(m, s, everything(sys))); err != nil {
					return err
				}
			}
			return nil
		}) {
			t.Errorf("%s: Steps returns no error", place)
		}
		if rulestest.Silent(func() error { _, err := partial.New(t.Context(), sys).Ways(0); return err }) {
			t.Errorf("%s: Ways returns no error", place)
		}
	}
}
