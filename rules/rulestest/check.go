package rulestest

import (
	"testing"

	"pgregory.net/rapid"
)

// Check is rapid.Check for a property that skips cases: it also fails if most cases are skipped,
// where rapid accepts that nine of ten are. It does so only from a hundred cases on: most of a few
// may be skipped by chance.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	drawn, tried := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		drawn++
		property(r)
		tried++
	})
	if skipped := drawn - tried; !t.Failed() && drawn >= 100 && skipped > tried {
		t.Errorf("%d of %d cases were skipped", skipped, drawn)
	}
}
