package agree_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/internal/judge/agree"
)

// TestMetamorphic: unused declarations, and conditions that are always true, change nothing in
// random rules files. MANCHECK_META is how many variants they have, MANCHECK_META_SEED the first file.
func TestMetamorphic(t *testing.T) {
	n, first := 16/tier.Every(4), uint64(0)
	if set, err := strconv.Atoi(os.Getenv("MANCHECK_META")); err == nil {
		n = set
	}
	if set, err := strconv.ParseUint(os.Getenv("MANCHECK_META_SEED"), 10, 64); err == nil {
		first = set
	}
	opt := agree.Defaults()
	opt.Rate, opt.Time, opt.Decide.MaxStates = 120, 500*time.Millisecond, 500
	tally := agree.NewTally()
	for seed := first; tally.Files["variants"] < n; seed++ {
		f := gen.New(seed)
		for _, found := range append(opt.Spare(seed, f, tally), opt.Conjoined(seed, f, tally)...) {
			t.Errorf("%v\n--- before:\n%s", found, found.File.Text)
		}
	}
	t.Log(tally.Files, tally.Claims, tally.Time)
}

// TestShipped: unused declarations change nothing in the files of the repository. With MANCHECK_META
// set they stand at each place in each file.
func TestShipped(t *testing.T) {
	at := 0
	for _, pattern := range []string{"examples/*.sow", "examples/family/*.sow", "proofs/*.sow", "proofs/testdata/*/*.sow"} {
		list, err := filepath.Glob(filepath.Join("../../../..", pattern))
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, err)
		}
		for i := 0; i < len(list); i += tier.Every(6) {
			if at++; os.Getenv("MANCHECK_META") != "" {
				at = -1
			}
			if what := agree.SpareOf(list[i], at); what != "" {
				t.Errorf("%s: %s", list[i], what)
			}
		}
	}
}
