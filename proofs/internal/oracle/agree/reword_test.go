package agree_test

import (
	"testing"
	"time"

	"github.com/mancheck/mancheck/proofs/internal/oracle/agree"
	"github.com/mancheck/mancheck/proofs/internal/oracle/gen"
)

// TestRewordings: no named result of random rules files depends on their words.
func TestRewordings(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 12
	}
	opt := agree.Defaults()
	opt.Time, opt.Decide.MaxStates = 500*time.Millisecond, 1500
	tally := agree.NewTally()
	for seed := range uint64(n) {
		for _, f := range opt.Rewordings(seed, gen.With(seed, 8), tally) {
			t.Errorf("%v\n--- before:\n%s", f, f.File.Whole())
		}
	}
	t.Log(tally.Claims)
}
