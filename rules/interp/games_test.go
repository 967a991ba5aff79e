package interp_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
)

// compositions lists all ways to distribute seeds over pits, with at least one in each.
func compositions(pits, seeds int) [][]int {
	if pits == 1 {
		return [][]int{{seeds}}
	}
	var all [][]int
	for first := 1; first <= seeds-pits+1; first++ {
		for _, rest := range compositions(pits-1, seeds-first) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

func doseStarts(sys *rules.System, stones int) []rules.State {
	var starts []rules.State
	for _, seeds := range compositions(len(sys.Pits)-2, stones) {
		s := sys.EmptyStart()
		i := 0
		for p := range sys.Pits {
			if sys.Start.Free[p] {
				s.Seeds[p] = seeds[i]
				i++
			}
		}
		starts = append(starts, s)
	}
	return starts
}

// projected is a DOSE state without the stores.
func projected(sys *rules.System, s rules.State) string {
	var holes []int
	for p, n := range s.Seeds {
		if sys.Start.Free[p] {
			holes = append(holes, n)
		}
	}
	return fmt.Sprint(holes, s.Vars)
}

type doseCount struct{ states, lose, stuck, win, rounds int }

// countDose searches breadth first and counts as the published figures do: live states with a
// selected hole, and transitions by their targets. rounds is the fewest to a win.
func countDose(t *testing.T, sys *rules.System, starts []rules.State) doseCount {
	t.Helper()
	in := interp.New(sys)
	var c doseCount
	seen := map[string]bool{}
	level := starts
	for depth := 0; len(level) > 0; depth++ {
		var next []rules.State
		for _, s := range level {
			for _, st := range steps(t, in, s) {
				switch {
				case st.To.Outcome == sys.OutcomeNamed("SR005"):
					c.lose++
				case st.To.Outcome == sys.OutcomeNamed("SR006"):
					c.win++
					if c.rounds == 0 {
						c.rounds = depth
					}
				case len(steps(t, in, st.To)) == 0:
					c.stuck++
				case !seen[projected(sys, st.To)]:
					seen[projected(sys, st.To)] = true
					c.states++
					next = append(next, st.To)
				}
			}
		}
		level = next
	}
	return c
}

func steps(t *testing.T, in *interp.Interp, s rules.State) []interp.Step {
	t.Helper()
	list, err := in.Steps(s)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestDoseCounts(t *testing.T) {
	for _, c := range []struct {
		n, stones, starts int
		want              doseCount
	}{
		{2, 4, 1, doseCount{32, 20, 12, 4, 7}},
		{2, 5, 4, doseCount{152, 80, 56, 4, 6}},
		{2, 8, 35, doseCount{1152, 424, 368, 4, 9}},
		{2, 12, 165, doseCount{5212, 1384, 1296, 4, 12}},
		{4, 8, 1, doseCount{332, 284, 56, 0, 0}},
	} {
		sys := samples.Dose(c.n, c.stones)
		starts := doseStarts(sys, c.stones)
		if len(starts) != c.starts {
			t.Errorf("n=%d stones=%d: %d starts, want %d", c.n, c.stones, len(starts), c.starts)
		}
		if got := countDose(t, sys, starts); got != c.want {
			t.Errorf("n=%d stones=%d: %+v, want %+v", c.n, c.stones, got, c.want)
		}
	}
}

func kalahStart(sys *rules.System, n int) rules.State {
	s := sys.EmptyStart()
	for p := range sys.Pits {
		if sys.Start.Free[p] {
			s.Seeds[p] = n
		}
	}
	return s
}

func perft(t *testing.T, in *interp.Interp, s rules.State, depth int) int {
	n := 0
	for _, st := range steps(t, in, s) {
		if depth == 1 {
			n++
		} else {
			n += perft(t, in, st.To, depth-1)
		}
	}
	return n
}

func TestKalahPerft(t *testing.T) {
	for _, c := range []struct {
		m, n  int
		empty bool
		want  []int
	}{
		{3, 2, true, []int{3, 8, 19, 40, 81, 148, 257, 404}},
		{3, 2, false, []int{3, 8, 19, 40, 81, 150, 265, 431}},
		{6, 4, true, []int{6, 35, 185, 942, 4685, 23169}},
		{6, 4, false, []int{6, 35, 185, 942, 4690, 23233}},
	} {
		sys := samples.Kalah(c.m, c.n, c.empty)
		in := interp.New(sys)
		var got []int
		for d := range c.want {
			got = append(got, perft(t, in, kalahStart(sys, c.n), d+1))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("Kalah(%d,%d) empty capture %v: %v, want %v", c.m, c.n, c.empty, got, c.want)
		}
	}
}

// TestDoseReplay replays the shortest winning play for two holes a row, one stone in each.
func TestDoseReplay(t *testing.T) {
	sys := samples.Dose(2, 4)
	in := interp.New(sys)
	s := doseStarts(sys, 4)[0]
	moves := []string{"hole01"}
	trace, err := in.Replay(s, moves)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"C", "C", "A", "A", "C", "A", "A"} {
		at := trace.Steps[len(trace.Steps)-1].State
		moves = append(moves, sys.Pits[at.Vars[0]].Name+dir)
		if trace, err = in.Replay(s, moves); err != nil {
			t.Fatal(err)
		}
	}
	end := trace.Steps[len(trace.Steps)-1]
	if end.State.Outcome != sys.OutcomeNamed("SR006") || end.Label != "SR004(B)" {
		t.Errorf("play ends with %+v, want a win", end)
	}
}

// count is the number of reachable states, of finished ones among them, of transitions, and the
// depth.
type count struct{ states, finished, transitions, depth int }

func countAll(t *testing.T, in *interp.Interp, start rules.State) count {
	t.Helper()
	key := func(s rules.State) string { return fmt.Sprint(s.Seeds, s.Vars, s.Mover, s.Outcome) }
	seen := map[string]bool{key(start): true}
	c := count{states: 1, depth: -1}
	for level := []rules.State{start}; len(level) > 0; c.depth++ {
		var next []rules.State
		for _, s := range level {
			for _, st := range steps(t, in, s) {
				c.transitions++
				if seen[key(st.To)] {
					continue
				}
				seen[key(st.To)] = true
				c.states++
				if !st.To.Live() {
					c.finished++
				}
				next = append(next, st.To)
			}
		}
		level = next
	}
	return c
}

func TestKalahStates(t *testing.T) {
	for _, c := range []struct {
		empty bool
		want  count
	}{{false, count{27090, 14, 50509, 22}}, {true, count{23104, 14, 43115, 21}}}[:2/tier.Every(2)] {
		sys := samples.Kalah(3, 3, c.empty)
		if got := countAll(t, interp.New(sys), kalahStart(sys, 3)); got != c.want {
			t.Errorf("Kalah(3,3) empty capture %v: %+v, want %+v", c.empty, got, c.want)
		}
	}
}
