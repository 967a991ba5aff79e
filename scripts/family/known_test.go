package main

import (
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/survey"
)

// TestKnown: what is known of Oware and Valah at the boards people play.
func TestKnown(t *testing.T) {
	tier.Long(t, "searches the boards that people play")
	rows, err := family("../..")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, r := range rows {
		if r.Name != "Oware" && r.Name != "Valah" {
			continue
		}
		answers, err := known(t.Context(), r, 5*time.Second, survey.Engines, func(survey.Question) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			t.Log(a.Question, a.Is(), a.Why())
			if a.Err != nil || a.About == survey.Conserved && a.Is() != "yes" {
				t.Errorf("%s: %v: %s, %s", r.Name, a.Question, a.Is(), a.Why())
			}
			asked++
		}
	}
	if asked == 0 {
		t.Error("nothing was asked")
	}
}
