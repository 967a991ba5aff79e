package suite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// BenchmarkProve decides every claim of the examples and proof files, one after the other. `make
// profile` shows where the time goes.
func BenchmarkProve(b *testing.B) {
	var items []*suite.Item
	for _, pattern := range []string{"../../examples/*.sow", "../../examples/*/*.sow", "../*.sow"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range paths {
			items = append(items, load(b, path, os.ReadFile)...)
		}
	}
	opt := suite.Options{Jobs: 1, Decide: proofs.Options{MaxStates: 5_000_000, Threads: 1}}
	for b.Loop() {
		for _, i := range run(b, opt, items...).Items {
			if i.Outcome() != suite.AsExpected {
				b.Errorf("%s: %s is not as expected: %v", i.File, i.Name(), i.Err)
			}
		}
	}
}
