package partial_test

import (
	"testing"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestManySeeds: sowings of so many seeds that whole rounds are dropped at once have the same
// result as seed by seed.
func TestManySeeds(t *testing.T) {
	const pits = 5
	pit := func(p int) rules.Expr { return rules.Const{Value: p} }
	only := func(in ...int) []bool {
		list := make([]bool, pits)
		for _, p := range in {
			list[p] = true
		}
		return list
	}
	skip := make([]rules.Expr, pits)
	skip[0], skip[4] = rules.True, rules.False
	for name, s := range map[string]rules.Sow{
		"plain":        {Source: pit(1)},
		"skips":        {Source: pit(1), SkipIf: skip},
		"only last":    {Source: pit(1), OnlyLast: only(2, 3)},
		"origin first": {Source: pit(1), OriginFirst: true, OnlyLast: only(1)},
		"off the lap":  {Source: pit(1), Lap: 1},
		"from there":   {Source: pit(1), StartAt: pit(4), Lap: 1, OnlyLast: only(0)},
		"a line":       {Source: pit(1), Lap: 2},
	} {
		sys := rulestest.Solitaire(2) // for everything not changed here
		sys.Pits = sys.Pits[:pits]
		sys.Relations[0].To = sys.Relations[0].To[:pits]
		sys.Laps = []rules.Lap{
			rulestest.NewLap("ring", true, pits, 0, 1, 2, 3, 4), rulestest.NewLap("short", true, pits, 0, 2, 3), rulestest.NewLap("line", false, pits, 0, 1, 2, 3, 4),
		}
		sys.Reactions, sys.Vars = nil, nil
		sys.Actions = []rules.Action{{Body: []rules.Stmt{s}}}
		in, m := interp.New(sys), partial.New(t.Context(), sys)
		for more := range 6 {
			st := rules.State{Seeds: []int{3, 1<<20 + 1 + more, 0, 1, 0}, Outcome: rules.Live}
			want, err := in.Steps(st)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Player().Steps(blur(m, st, everything(sys)))
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s: %d steps, %v; want %d", name, len(got), err, len(want))
			}
			for i := range want {
				if !agrees(got[i].To, want[i].To) {
					t.Errorf("%s: %v, want %v", name, got[i].To.Seeds, want[i].To.Seeds)
				}
			}
		}
	}
}
