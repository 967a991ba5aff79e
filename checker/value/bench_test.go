package value

import (
	"context"
	"testing"

	"github.com/mancheck/mancheck/rules/rulestest"
)

// BenchmarkFind finds the value of Kalah(4,5) with empty capture.
func BenchmarkFind(b *testing.B) {
	sys := rulestest.Kalah(4, 5, true)
	start := rulestest.KalahStart(sys, 5)
	for b.Loop() {
		f, err := Find(context.Background(), sys, start, Payoff{Kind: Margin}, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(f.Nodes), "nodes/op")
	}
}
