package insertion

import (
	"testing"

	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: what is not the kernel's is refused, not passed over.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error {
			c := &checking{sys: sys}
			c.actions()
			c.reactions()
			if c.err != nil {
				return c.err
			}
			return nil
		}) {
			t.Errorf("%s is passed over", place)
		}
	}
}
