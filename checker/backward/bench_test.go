package backward_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/internal/limit"
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
	for _, c := range []struct{ cups, beads int }{{20, 120}, {60, 1000}, {130, 5000}, {256, 19_990}, {256, 20_000}} {
		b.Run(fmt.Sprintf("%d beads", c.beads), func(b *testing.B) {
			in := interp.New(tchoukaillon(c.cups, c.beads))
			var total totals
			for b.Loop() {
				r, err := backward.Search(context.Background(), in, rules.HasOutcome(0), backward.Options{All: true, MaxSeeds: &c.beads})
				if err != nil || len(r.Starts) != 1 || r.Len() != c.beads+1 {
					b.Fatal(err, r.Stop, len(r.Starts), r.Len())
				}
				total.add(r)
			}
			total.report(b)
		})
	}
}

// BenchmarkDose searches sets without an end. With one hole in a row nearly all seeds are in one
// hole, and their number grows with that of the states: twice as many states should take twice the
// time.
func BenchmarkDose(b *testing.B) {
	for _, c := range []struct{ holes, states int }{{1, 20_000}, {1, 200_000}, {1, 400_000}, {2, 200_000}, {3, 200_000}, {4, 200_000}} {
		b.Run(fmt.Sprintf("n=%d/%d states", c.holes, c.states), func(b *testing.B) {
			in := interp.New(dose(c.holes))
			var total totals
			for b.Loop() {
				opt := backward.Options{All: true, Blind: true, Bounds: limit.Bounds{MaxStates: int64(c.states)}}
				r, err := backward.Search(context.Background(), in, rules.HasOutcome(win), opt)
				if err != nil || !r.Hits(limit.States) {
					b.Fatal(err, r.Stop, r.Reason)
				}
				total.add(r)
			}
			total.report(b)
		})
	}
}

// totals adds up what searches found.
type totals struct{ states, bytes int64 }

func (t *totals) add(r *backward.Result) {
	t.states += int64(r.Len())
	t.bytes += r.Bytes
}

func (t *totals) report(b *testing.B) {
	b.ReportMetric(float64(t.states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(t.bytes)/float64(t.states), "B/state")
}
