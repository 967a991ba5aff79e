package relate_test

import (
	"reflect"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/relate"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestThreads: results do not depend on the number of threads, nor on whether the pairs are in
// files.
func TestThreads(t *testing.T) {
	sys, other := rulestest.Kalah(3, 3, false), rulestest.Kalah(3, 3, true)
	for _, right := range []*rules.System{sys, other} {
		var first *relate.Result
		for _, o := range []forward.Options{threads(1), threads(4), {Bounds: threads(2).Bounds, Disk: t.TempDir()}} {
			r, err := search(t, sys, right, relate.Equivalent, relate.Options{Options: o})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(r, first) {
				t.Errorf("%+v: %+v %+v, want %+v %+v", o, r, r.Difference, first, first.Difference)
			}
		}
	}
}

func threads(n int) forward.Options { return forward.Options{Bounds: limit.Bounds{Threads: n}} }
