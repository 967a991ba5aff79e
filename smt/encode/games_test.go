package encode_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// game resolves the variant of an example file with parameters.
func game(t testing.TB, file string, given build.Settings, open ...string) *rules.System {
	t.Helper()
	return buildtest.System(t, buildtest.File(t, "../../examples/"+file), given, open...)
}

// games are the example files, with sizes for tests and for benchmarks.
var games = []struct {
	file  string
	given build.Settings
}{
	{"dose2015.sow", nil},
	{"oware.sow", build.Settings{"m": {N: 3}}},
	{"kalah.sow", nil},
	{"tchoukaillon.sow", nil},
	{"kalah.sow", build.Settings{"m": {N: 2}, "empty_capture": {Bool: true, N: 1}}},
	{"congkak.sow", build.Settings{"m": {N: 1}}},
	{"dose2015.sow", build.Settings{"n": {N: 2}, "stones": {N: 7}}},
	// These have many cases.
	{"oware.sow", nil},
	{"congkak.sow", build.Settings{"m": {N: 3}}},
}

// TestGames compares the cases of the example files with the interpreter on random states with few
// and with many seeds.
func TestGames(t *testing.T) {
	for _, g := range tier.First(games, 4, 7) {
		t.Run(g.file, func(t *testing.T) {
			sys := game(t, g.file, g.given)
			b, err := newBench(sys, encode.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compared, states := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				seeds := rapid.SampledFrom([]int{3, 10, 50, 200}).Draw(t, "seeds")
				states++
				if b.compare(t, rulestest.State(sys, seeds).Draw(t, "state")) {
					compared++
				}
			})
			t.Logf("%d cases; %d of %d states compared", len(b.cases), compared, states)
		})
	}
}

func BenchmarkCases(b *testing.B) {
	for _, g := range games {
		sys := game(b, g.file, g.given)
		b.Run(sys.Name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				e, err := encode.New(sys, term.NewBuilder(), encode.Options{})
				if err != nil {
					b.Fatal(err)
				}
				cases, err := e.Cases(e.State("s"))
				if err != nil {
					b.Fatal(err)
				}
				n = len(cases)
			}
			b.ReportMetric(float64(n), "cases")
		})
	}
}
