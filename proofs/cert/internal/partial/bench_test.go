package partial_test

import (
	"testing"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// BenchmarkSteps lists the moves of the start of Kalah(6,4), in the memory of one Player.
func BenchmarkSteps(b *testing.B) {
	sys := rulestest.Kalah(6, 4, false)
	m := partial.New(b.Context(), sys)
	p, s := m.Player(), m.Exactly(rulestest.KalahStart(sys, 4))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Steps(s); err != nil {
			b.Fatal(err)
		}
	}
}
