package everysize

import (
	"testing"

	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: a law is never found of rules with a statement that is not the kernel's.
func TestForeign(t *testing.T) {
	for _, place := range []string{"body", "drop", "then", "else", "loop", "sweep"} {
		sys := rulestest.Foreign()[place]
		none := make([]bool, len(sys.Pits))
		store := make([]bool, len(sys.Pits))
		store[len(store)-1] = true
		heights := make([]int, len(sys.Pits))
		for p := range heights {
			heights[p] = len(heights) - p
		}
		for law, why := range map[string]func() string{
			"Growing":       func() string { return Growing(sys, nil, store) },
			"nothing grows": func() string { return Growing(sys, nil, none) },
			"Kept":          func() string { return Kept(sys) },
			"Falling":       func() string { return Falling{store, heights}.Check(sys, nil) },
		} {
			if rulestest.Silent(func() error {
				if why() != "" {
					panic("refused")
				}
				return nil
			}) {
				t.Errorf("%s: %s holds", place, law)
			}
		}
	}
}
