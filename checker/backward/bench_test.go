package backward_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// tchoukaillon is the solitaire in which the seeds of a cup may be sown when they reach exactly to
// the basket, which is pit 0.
func tchoukaillon(cups, beads int) *rules.System {
	pits := span(1, cups)
	sys := &rules.System{
		Name: "Tchoukaillon", Players: []string{""}, Moves: []rules.Move{{Label: "move"}},
		Outcomes:  []rules.Outcome{{Label: "win", Kind: rules.WinOutcome}, {Label: rules.EndlessLabel, Kind: rules.EndlessOutcome}},
		Start:     rules.Start{Free: set(cups+1, pits...), Cond: equal(all(pits...), number(beads))},
		Reactions: []rules.Reaction{rulestest.EndIf(1, 0, equal(all(pits...), number(0)))},
	}
	home := make([]int, cups+1)
	for p := range cups + 1 {
		sys.Pits = append(sys.Pits, rules.Pit{Name: fmt.Sprintf("cup%d", p), Index: p, Owner: rules.None})
		home[cups-p] = p
	}
	sys.Laps = []rules.Lap{rulestest.NewLap("home", false, cups+1, home...)}
	for _, p := range pits {
		sys.Actions = append(sys.Actions, rules.Action{
			Guard: equal(seedsIn(p), number(p)), Body: []rules.Stmt{rules.Sow{Source: number(p)}},
		})
	}
	return sys
}

// One board for each number of beads can be won: the set is as large as the number of beads, and
// there are far too many starts for a forward search.
func BenchmarkWinningStarts(b *testing.B) {
	for _, c := range []struct{ cups, beads int }{{20, 120}, {60, 1000}, {130, 5000}} {
		b.Run(fmt.Sprintf("%d beads", c.beads), func(b *testing.B) {
			in := interp.New(tchoukaillon(c.cups, c.beads))
			for b.Loop() {
				r, err := backward.Search(context.Background(), in, rules.HasOutcome(0), backward.Options{All: true, MaxSeeds: &c.beads})
				if err != nil || len(r.Starts) != 1 || r.Len() != c.beads+1 {
					b.Fatal(err, r.Stop, len(r.Starts), r.Len())
				}
			}
		})
	}
}
