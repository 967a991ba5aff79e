package endgame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

var (
	margin = value.Payoff{Kind: value.Margin}
	scored = value.Payoff{Kind: value.Margin, Endless: value.AsScored}
)

func built(t testing.TB, sys *rules.System, seeds int, p value.Payoff, opts Options) *Table {
	t.Helper()
	tab, err := Build(context.Background(), sys, seeds, p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// TestKalah compares tables with searches without tables, on all states of small boards.
func TestKalah(t *testing.T) {
	for _, empty := range []bool{true, false} {
		sys := rulestest.Kalah(3, 2, empty)
		tab := built(t, sys, 12, margin, Options{})
		for _, l := range tab.Layers() {
			if l.Cyclic > 0 || l.Sweeps != 1 {
				t.Errorf("a layer of Kalah: %+v", l)
			}
		}
		start := rulestest.KalahStart(sys, 2)
		s, err := value.Solve(context.Background(), sys, forward.From(start), margin, forward.Options{})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		eachState(t, sys, start, func(st rules.State) {
			want, _, _ := s.Value(st)
			if got, ok := tab.Value(st); !ok || got != want {
				t.Fatalf("%v: %d (%v), want %d", st, got, ok, want)
			}
			seen++
		})
		if seen < 100 {
			t.Errorf("only %d states", seen)
		}
	}
}

// TestOrder: pits are numbered in the order of play, however the board is drawn. One sweep through
// a layer is enough.
func TestOrder(t *testing.T) {
	sys := buildtest.System(t, buildtest.File(t, "../../examples/kalah.sow"), nil)
	for _, l := range built(t, sys, 6, margin, Options{}).Layers() {
		if l.Sweeps != 1 {
			t.Errorf("%+v", l)
		}
	}
}

// eachState calls f for all live states that are reachable.
func eachState(t *testing.T, sys *rules.System, start rules.State, f func(rules.State)) {
	in, seen, todo := interp.New(sys), map[string]bool{}, []rules.State{start}
	for len(todo) > 0 {
		st := todo[0]
		todo = todo[1:]
		f(st)
		steps, err := in.Steps(st)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if name := stateName(s.To); s.To.Live() && !seen[name] {
				seen[name] = true
				todo = append(todo, s.To)
			}
		}
	}
}

// TestManySeeds: a table knows nothing of positions with more seeds than it has.
func TestManySeeds(t *testing.T) {
	sys := rulestest.Kalah(2, 2, false)
	tab := built(t, sys, 8, margin, Options{})
	for n := range 20 {
		st := rulestest.KalahStart(sys, 2)
		st.Seeds[0], st.Seeds[2] = n, 100
		if _, ok := tab.Value(st); ok != (n+6 <= 8) {
			t.Errorf("%v: known is %v", st, ok)
		}
	}
}

// TestSearch finds known margins with tables, in fewer nodes than without. Positions of the largest
// board take two words.
func TestSearch(t *testing.T) {
	for _, k := range tier.First([]struct {
		m, n, want int
		empty      bool
	}{{3, 3, 2, true}, {6, 2, 10, true}, {3, 4, 2, false}, {3, 6, -10, true}, {3, 6, -8, false}, {6, 3, 2, true}}, 2, 4) {
		sys := rulestest.Kalah(k.m, k.n, k.empty)
		start := rulestest.KalahStart(sys, k.n)
		one := limit.Bounds{Threads: 1} // what several examine depends on who comes first
		without, err := value.Find(context.Background(), sys, start, margin, value.Options{Bounds: one})
		if err != nil {
			t.Fatal(err)
		}
		tab := built(t, sys, 8, margin, Options{})
		for _, moves := range []bool{false, true} {
			opts := value.Options{Moves: moves, Tables: tab}
			if !moves {
				opts.Bounds = one
			}
			with, err := value.Find(context.Background(), sys, start, margin, opts)
			if err != nil {
				t.Fatal(err)
			}
			if with.Lo != k.want || with.Hi != k.want || without.Lo != k.want || !moves && with.Nodes >= without.Nodes {
				t.Errorf("%+v: %d to %d in %d nodes; without tables %d in %d", k, with.Lo, with.Hi, with.Nodes, without.Lo, without.Nodes)
			}
		}
	}
}

// TestOthers: tables of other rules or for another payoff are not used. The setup does not matter.
func TestOthers(t *testing.T) {
	sys := rulestest.Kalah(3, 2, false)
	tab := built(t, sys, 6, margin, Options{})
	for _, other := range []*rules.System{rulestest.Kalah(3, 2, true), rulestest.Kalah(2, 2, false)} {
		if tab.Fits(other, margin) {
			t.Errorf("a table of %s fits other rules", sys.Name)
		}
	}
	if !tab.Fits(rulestest.Kalah(3, 5, false), margin) || // with another setup
		tab.Fits(sys, value.Payoff{Kind: value.Result}) {
		t.Error("Fits is wrong")
	}
}

// TestAwari compares the futures of a game with endless play with retrograde analysis.
func TestAwari(t *testing.T) {
	for _, k := range []struct{ m, seeds int }{{1, 8}, {2, 8}, {3, 5}} {
		sys := awari(t, k.m)
		tab := built(t, sys, k.seeds, scored, Options{})
		cyclic := uint64(0)
		for _, l := range tab.Layers() {
			cyclic += l.Cyclic
		}
		if cyclic == 0 {
			t.Error("no play goes on for ever")
		}
		checkAll(t, tab)
		if _, err := Build(context.Background(), sys, k.seeds, margin, Options{}); !errors.As(err, new(*CycleError)) {
			t.Errorf("error %v", err)
		}
	}
}

// TestRoom: a table does not depend on the memory, as long as there is enough.
func TestRoom(t *testing.T) {
	sys := awari(t, 3)
	want, least := built(t, sys, 8, scored, Options{bySteps: true}), leastMemory(t, sys, 8, scored)
	n := int64(want.layer(8).size)
	divided := map[bool]int{}
	for _, room := range []int64{0, 1, 1000, 5 * n, 10 * n, 15 * n, 20 * n, 25 * n, 30 * n, 50 * n} {
		without := false
		tab := built(t, sys, 8, scored, Options{bySteps: true, Bounds: limit.Bounds{Threads: 2, MaxMemory: least + room}, Observer: func(p limit.Progress) {
			without = without || strings.Contains(p.Special, "no room for the moves of ")
		}})
		if without != (room <= 10*n) && room != 15*n {
			t.Errorf("there is room for all moves in %d bytes: %v", room, !without)
		}
		divided[without]++
		if !bytes.Equal(tab.futures, want.futures) || !slices.Equal(checksums(tab), checksums(want)) {
			t.Errorf("with %d bytes for moves there is another table", room)
		}
	}
	if divided[true] < 4 || divided[false] < 4 {
		t.Errorf("there is room for all moves, or not: %v", divided)
	}
	if _, err := Build(context.Background(), sys, 8, scored, Options{bySteps: true, Bounds: limit.Bounds{MaxMemory: least - 1}}); !errors.As(err, new(*MemoryError)) {
		t.Errorf("error %v", err)
	}
}

// checksums lists what is known of layers.
func checksums(tab *Table) (list []string) {
	for _, l := range tab.Layers() {
		list = append(list, fmt.Sprint(l.Cyclic, l.Checksum))
	}
	return list
}

// TestLines: with a table the lines of a game with endless play go to an end, or round where
// nothing more is won.
func TestLines(t *testing.T) {
	sys := awari(t, 3)
	tab := built(t, sys, 6, scored, Options{})
	in, key := interp.New(sys), make([]uint64, tab.positions.Words())
	endless := 0
	for rank := uint64(0); rank < tab.Positions(); rank += 7 {
		tab.positions.Unrank(rank, key)
		st := tab.positions.State(key)
		want, ok := tab.Value(st)
		if !ok {
			continue
		}
		f, err := value.Find(context.Background(), sys, st, scored, value.Options{Tables: tab, Moves: true})
		if err != nil || f.Lo != want || f.Hi != want || f.Method != value.AlphaBeta {
			t.Fatalf("%v: %+v %v, want %d", st, f, err, want)
		}
		seen := map[string]bool{}
		for _, a := range f.Line.Actions {
			seen[stateName(st)] = true
			to, legal, err := in.Do(st, a)
			if err != nil || !legal {
				t.Fatalf("%v: action %d: %v", st, a, err)
			}
			if v, ok := tab.Value(to); to.Live() && (!ok || v != want) {
				t.Fatalf("%v is worth %d, not %d", to, v, want)
			}
			st = to
		}
		won := 0
		for _, s := range tab.positions.Sinks() {
			won += s.Weight * st.Seeds[s.Pit]
		}
		if st.Live() != f.Line.Endless || f.Line.Endless && !seen[stateName(st)] || won != want {
			t.Fatalf("the line %+v of %v, worth %d, ends in %v", f.Line, tab.positions.State(key), want, st)
		}
		if f.Line.Endless {
			endless++
		}
	}
	if endless == 0 {
		t.Error("no line is endless")
	}
}

// TestManyMoves: a position may have more moves than are counted.
func TestManyMoves(t *testing.T) {
	tier.Long(t, "its tables are large")
	sys := buildtest.System(t, buildtest.Text(t, `
variant Wide {
  player South, North
  board {
    north_store | north[1..1] |
                | south[1..1] | south_store
  }
  setup { each house = 1 }
  state at : 0..299
  move turn {
    choose k in 0..299 where k >= at or k < 10
    at = k
  }
  move reap when at mod 100 = 7 or total(south) > total(north) and at = 30 {
    capture my house into my store
  }
  end when total(house) = 0
  score South = south_store, North = north_store
}`), nil)
	for _, tight := range []bool{false, true} {
		opts := Options{Bounds: limit.Bounds{Threads: 2}}
		if tight {
			opts.MaxMemory = leastMemory(t, sys, 1, scored) + 1000
		}
		again := false
		opts.Observer = func(p limit.Progress) { again = again || strings.Contains(p.Special, "no room for the moves of ") }
		tab := built(t, sys, 1, scored, opts)
		if !again {
			t.Error("no moves were played again")
		}
		checkAll(t, tab)
		if _, err := Verify(context.Background(), tab, VerifyOptions{}); err != nil {
			t.Error(err)
		}
	}
}

// awari resolves the rules with m houses on each side.
func awari(t testing.TB, m int) *rules.System {
	return buildtest.System(t, buildtest.File(t, "../../examples/awari.sow"), build.Settings{"m": {N: m}})
}

// lopsidedAwari is awari, but what South has counts double. So there is no swap.
func lopsidedAwari(t testing.TB, m int) *rules.System {
	text, err := os.ReadFile("../../examples/awari.sow")
	if err != nil {
		t.Fatal(err)
	}
	u := buildtest.Text(t, strings.Replace(string(text), "score South = ", "score South = 2 * ", 1))
	return buildtest.System(t, u, build.Settings{"m": {N: m}})
}

// checkAll compares all futures with retrograde analysis.
func checkAll(t *testing.T, tab *Table) {
	t.Helper()
	known := 0
	key := make([]uint64, tab.positions.Words())
	var states []rules.State
	for rank := range tab.Positions() {
		tab.positions.Unrank(rank, key)
		st := tab.positions.State(key)
		if _, ok := tab.Value(st); ok {
			states = append(states, st)
			known++
		}
	}
	s, err := value.Solve(context.Background(), tab.sys, forward.From(states...), tab.payoff, forward.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range states {
		got, _ := tab.Value(st)
		if lo, hi, ok := s.Value(st); !ok || lo != got || hi != got {
			t.Fatalf("%v: %d, want %d to %d", st, got, lo, hi)
		}
	}
	if known*4 < int(tab.Positions())*3 {
		t.Errorf("%d of %d futures are known", known, tab.Positions())
	}
}

// TestThreads: tables do not depend on the number of threads.
func TestThreads(t *testing.T) {
	for _, c := range []struct {
		sys    *rules.System
		seeds  int
		payoff value.Payoff
	}{{rulestest.Kalah(4, 2, true), 10, margin}, {awari(t, 3), 8, scored}} {
		one := built(t, c.sys, c.seeds, c.payoff, Options{Bounds: limit.Bounds{Threads: 1}})
		for _, n := range []int{2, 5} {
			if many := built(t, c.sys, c.seeds, c.payoff, Options{Bounds: limit.Bounds{Threads: n}}); !bytes.Equal(one.futures, many.futures) {
				t.Errorf("%s: %d threads make another table", c.sys.Name, n)
			}
		}
	}
}

// TestVerify: every wrong entry is found.
func TestVerify(t *testing.T) {
	for _, c := range []struct {
		sys    *rules.System
		seeds  int
		payoff value.Payoff
	}{{rulestest.Kalah(2, 2, true), 3, margin}, {awari(t, 2), 3, scored}} {
		tab := built(t, c.sys, c.seeds, c.payoff, Options{})
		v, err := Verify(context.Background(), tab, VerifyOptions{})
		if err != nil || v.Positions != tab.Positions() || v.Sampled {
			t.Fatalf("%+v %v", v, err)
		}
		for i := range tab.futures {
			old := tab.futures[i]
			for _, wrong := range []byte{old + 1, old - 1, mark(noFuture)} {
				if tab.futures[i] = wrong; wrong == old {
					continue
				}
				if _, err := Verify(context.Background(), tab, VerifyOptions{Bounds: limit.Bounds{Threads: 1}}); !errors.As(err, new(*WrongError)) {
					t.Fatalf("entry %d is %d instead of %d: %v", i, int8(wrong), int8(old), err)
				}
			}
			tab.futures[i] = old
		}
	}
}

// TestVerifyCycles: futures that are consistent, but that nobody can force, are wrong.
func TestVerifyCycles(t *testing.T) {
	tab := built(t, lopsidedAwari(t, 3), 5, scored, Options{})
	right := bytes.Clone(tab.futures)
	l := tab.layer(5)
	l.eachRange(func(first, end uint64) {
		for i := first; i < end; i++ {
			if int8(right[i]) == 0 {
				tab.futures[i] = mark(1)
			}
		}
	})
	g, all, known := &cycles{layer: l}, func(uint64) bool { return true }, func(int) bool { return true }
	w := newWorker(context.Background(), tab)
	for before := []byte(nil); !bytes.Equal(before, tab.futures); { // until each is the best that the moves lead to
		before = bytes.Clone(tab.futures)
		for unit := range l.units() {
			if err := g.plays(w, unit, all, known, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if bytes.Equal(tab.futures, right) {
		t.Fatal("the futures are right")
	}
	for range 2 {
		wrong := (*WrongError)(nil)
		if _, err := Verify(context.Background(), tab, VerifyOptions{}); !errors.As(err, &wrong) || wrong.Have != wrong.Want {
			t.Fatalf("error %v", err)
		}
		if _, err := audit(t, tab); !errors.As(err, &wrong) || wrong.Have != wrong.Want {
			t.Fatalf("error %v", err)
		}
		for i := range tab.layers { // is not relied on
			tab.layers[i].Cyclic = 0
		}
	}
	copy(tab.futures, right)
	if v, err := Verify(context.Background(), tab, VerifyOptions{}); err != nil || v.Positions != tab.Positions() || v.Followed == 0 {
		t.Fatalf("%+v %v", v, err)
	}
}

// TestRefused: games without tables are refused with the reason.
func TestRefused(t *testing.T) {
	oware := buildtest.System(t, buildtest.File(t, "../../examples/oware.sow"), nil)
	for _, c := range []struct {
		sys    *rules.System
		seeds  int
		payoff value.Payoff
	}{
		{oware, 4, scored}, // the stores decide when the game ends
		{rulestest.Kalah(2, 2, true), 4, value.Payoff{Kind: value.Result}},
		{rulestest.Kalah(2, 2, true), 127, margin},
	} {
		if _, err := Build(context.Background(), c.sys, c.seeds, c.payoff, Options{}); !errors.As(err, new(*value.NoTablesError)) {
			t.Errorf("%s: error %v", c.sys.Name, err)
		}
	}
	_, err := Build(context.Background(), rulestest.Kalah(6, 4, true), 12, margin, Options{Bounds: limit.Bounds{MaxMemory: 1 << 20}})
	if !errors.As(err, new(*MemoryError)) {
		t.Errorf("error %v", err)
	}
}

// BenchmarkBuild builds tables on one thread.
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		sys    *rules.System
		seeds  int
		payoff value.Payoff
	}{{rulestest.Kalah(6, 4, true), 10, margin}, {awari(b, 6), 6, scored}} {
		b.Run(c.sys.Name, func(b *testing.B) {
			for b.Loop() {
				tab := built(b, c.sys, c.seeds, c.payoff, Options{Bounds: limit.Bounds{Threads: 1}})
				b.SetBytes(tab.Bytes())
			}
		})
	}
}

// TestEach: each live position comes once, with the future that the table has of it.
func TestEach(t *testing.T) {
	tab := built(t, awari(t, 2), 4, scored, Options{})
	seen, calls := map[string]bool{}, 0
	for seeds := range tab.Seeds() + 1 {
		err := tab.Each(t.Context(), seeds, func(st rules.State, future int, known bool) error {
			v, ok := tab.Value(st)
			if st.Total() != seeds || ok != known || known && v != tab.positions.Constant()+future {
				t.Errorf("%v of %d seeds: %d %v, and the value is %d %v", st, seeds, future, known, v, ok)
			}
			seen[stateName(st)] = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if uint64(len(seen)) != tab.Positions() {
		t.Errorf("%d of %d positions", len(seen), tab.Positions())
	}
	stop := errors.New("stop")
	if err := tab.Each(t.Context(), 4, func(rules.State, int, bool) error { calls++; return stop }); err != stop || calls != 1 {
		t.Errorf("%v after %d positions", err, calls)
	}
}
