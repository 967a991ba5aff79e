package residual_test

import (
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestNamesDoNotMatter plays a game whose pits and players have no names: bodies that differ only
// in their pits must not be taken for the same.
func TestNamesDoNotMatter(t *testing.T) {
	for _, sys := range []*rules.System{rulestest.Kalah(3, 3, true), rulestest.Solitaire(3)} {
		for i := range sys.Pits {
			sys.Pits[i].Name = ""
		}
		for i := range sys.Laps {
			sys.Laps[i].Name = ""
		}
		p := newPlayer(t, sys, 30, rules.Parts{})
		s := sys.EmptyStart()
		for i := range s.Seeds {
			s.Seeds[i] = i%3 + 1
		}
		for range 20 {
			steps := p.compare(t, s)
			if len(steps) == 0 {
				break
			}
			s = steps[len(steps)/2].To
		}
	}
}
