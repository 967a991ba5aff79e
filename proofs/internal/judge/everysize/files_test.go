package everysize_test

import (
	"slices"
	"testing"

	"github.com/mancheck/mancheck/proofs"
)

// truth is what is known of a claim about one size.
type truth int

const (
	holds truth = iota
	fails
	missing // there is no game of this size
)

// files are games for which a claim about every size was proved that is false, with what is true of
// single sizes.
var files = []struct {
	path, class string
	named       bool     // something has the name of a pit of larger boards, for which a file may be refused
	every       []string // not to be proved
	single      map[string]truth
}{
	// The board has 120 seeds with m = 30, and the position asks for one more.
	{"position.sow", "position", false, []string{"c"}, map[string]truth{"at29": holds, "at30": fails}},
	// With n = 30 the position asks for a loss, and there are some.
	{"outcome.sow", "position and outcome", false, []string{"c"}, map[string]truth{"at29": holds, "at30": fails}},
	// The pit south25 takes the place of a number that is 0, and seeds come out of the store.
	{"shadowed.sow", "shadowed by a pit", true, []string{"c"}, map[string]truth{"at24": holds, "at25": fails}},
	// A choice cannot have the name of a pit.
	{"nogame.sow", "no game", true, []string{"c", "t"}, map[string]truth{"at25": missing}},
}

// TestFiles: what is false of one size is not proved for every size, and engines say of single
// sizes what is true. A file that is refused says nothing wrong.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, test := range files {
		file, err := proofs.Open("testdata/" + test.path)
		if err != nil && !test.named {
			t.Errorf("%s cannot be read: %v", test.path, err)
		}
		if err != nil {
			continue
		}
		for claim, want := range test.single {
			r, err := single(file, claim, nil, []attempt{{proofs.Forward, 5000}, {proofs.Laws, 1000}, {proofs.Backward, 5000}})
			switch {
			case err != nil && test.named && !fault(err):
			case want == missing && err == nil:
				t.Errorf("%s, %s: %s, and there is no such game", test.path, claim, r.Sentence())
			case err == nil && r.Status != []proofs.Status{proofs.Proved, proofs.Refuted}[want]:
				t.Errorf("%s, %s: %s", test.path, claim, r.Sentence())
			case err != nil:
				t.Errorf("%s, %s: %v", test.path, claim, err)
			}
		}
		for _, claim := range test.every {
			r, err := single(file, claim, nil, []attempt{{proofs.Auto, 300}})
			if proved := err == nil && r.Status == proofs.Proved; proved != slices.Contains(known, test.class) {
				t.Errorf("%s, %s is proved for every size: %t; on the list of known mistakes: %t", test.path, claim, proved, !proved)
			}
		}
	}
}
