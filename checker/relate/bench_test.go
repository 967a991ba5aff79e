package relate_test

import (
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/relate"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// BenchmarkEquivalent compares rules with themselves: Kalah(4,2), 303,314 states.
func BenchmarkEquivalent(b *testing.B) {
	sys := rulestest.Kalah(4, 2, false)
	for b.Loop() {
		opt := relate.Options{Options: forward.Options{Bounds: limit.Bounds{Threads: 1}}, Names: names, List: 1}
		r, err := relate.Search(b.Context(), sys, sys, relate.Equivalent, opt)
		if err != nil || r.Stop != limit.Complete {
			b.Fatalf("%v, %+v", err, r)
		}
	}
}
