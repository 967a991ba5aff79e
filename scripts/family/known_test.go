package main

import (
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
)

// TestKnown: what is known of Oware and Kalah at the boards people play.
func TestKnown(t *testing.T) {
	tier.Long(t, "searches the boards that people play")
	for file, variant := range map[string]string{"oware.sow": "Oware", "valah.sow": "Valah"} {
		facts, err := known(t.Context(), "../../examples/family/"+file, variant, 5*time.Second, everyEngine, func(fact) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		answers := map[aspect]bool{}
		for _, f := range facts {
			t.Log(f)
			if f.Err != nil {
				t.Error(f)
			}
			answers[f.About] = answers[f.About] || f.Holds()
		}
		if !answers[conserved] {
			t.Errorf("%s: conservation is not known", variant)
		}
	}
}
