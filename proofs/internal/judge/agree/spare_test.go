package agree_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/internal/judge/agree"
)

// joining are limits for comparisons with tautologies.
func joining() agree.Options {
	opt := agree.Counted(5000)
	opt.Rate, opt.Decide.MaxStates = 300, 300
	return opt
}

// TestMetamorphic: unused declarations, and conditions that are always true, change nothing in
// random rules files. MANCHECK_META is how many variants these have, MANCHECK_META_SEED the first
// file.
func TestMetamorphic(t *testing.T) {
	n, first := 16/tier.Every(8, 4), uint64(0)
	if set, err := strconv.Atoi(os.Getenv("MANCHECK_META")); err == nil {
		n = set
	}
	if set, err := strconv.ParseUint(os.Getenv("MANCHECK_META_SEED"), 10, 64); err == nil {
		first = set
	}
	opt, tally := joining(), agree.NewTally()
	for seed := first; tally.Files["variants"] < n; seed++ {
		f := gen.New(seed)
		for _, found := range append(opt.Spare(seed, f, tally), opt.Conjoined(seed, f, tally)...) {
			t.Errorf("%v\n--- before:\n%s", found, found.File.Text)
		}
	}
	if got := tally.Claims["answers with a tautology"]; got < n {
		t.Errorf("only %d answers compared", got)
	}
	t.Log(tally.Files, tally.Claims)
}

// TestShipped: they change nothing in the files of the repository. With MANCHECK_META set these are
// all, with all instances of their claims, and forward search decides what it can.
func TestShipped(t *testing.T) {
	opt, tally := joining(), agree.NewTally()
	all, step := os.Getenv("MANCHECK_META") != "", 4*tier.Every(8, 3)
	if all {
		step = 1
	}
	for _, pattern := range []string{"examples/*.sow", "examples/family/*.sow", "proofs/*.sow", "proofs/testdata/*/*.sow"} {
		list, err := filepath.Glob(filepath.Join("../../../..", pattern))
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, err)
		}
		for i := 0; i < len(list); i += step {
			for _, found := range opt.Shipped(list[i], all, tally) {
				t.Errorf("%s: %v", list[i], found)
			}
		}
	}
	t.Log(tally.Files, tally.Claims)
}
