package forward

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// explore explores everything, and fails the test if that fails.
func explore(t testing.TB, sys *rules.System, starts Starts, q Query, opts Options) *Result {
	t.Helper()
	r := game.Of(t.Context(), sys)
	return exploreGame(t, r, starts, q, opts)
}

func exploreGame(t testing.TB, played game.Rules, starts Starts, q Query, opts Options) *Result {
	t.Helper()
	r, err := SearchGame(t.Context(), played, starts, q, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKalah pins the size of Kalah's state spaces, which independent programs have computed.
func TestKalah(t *testing.T) {
	for _, c := range []struct {
		m, n                                 int
		empty                                bool
		states, finished, transitions, depth int64
		long                                 bool
	}{
		{3, 3, false, 27090, 14, 50509, 22, false},
		{3, 3, true, 23104, 14, 43115, 21, false},
		{4, 2, false, 303314, 15, 685555, 28, false},
		{4, 2, true, 217495, 15, 484771, 26, false},
		{4, 3, false, 5193503, 21, 13788458, 33, true},
		{4, 3, true, 4582441, 21, 12145025, 30, true},
	} {
		t.Run(fmt.Sprintf("(%d,%d) %v", c.m, c.n, c.empty), func(t *testing.T) {
			if c.long && (tier.Short() || c.empty && !tier.Full()) { // TestKalahByRows has the other one
				t.Skip("a long search")
			}
			sys := rulestest.Kalah(c.m, c.n, c.empty)
			r := explore(t, sys, From(rulestest.KalahStart(sys, c.n)), Query{Depth: true}, Options{})
			got := []int64{r.Stats.States, r.Stats.Finished["end"], r.Stats.Transitions, int64(r.Stats.Depth)}
			if want := []int64{c.states, c.finished, c.transitions, c.depth}; !reflect.DeepEqual(got, want) {
				t.Errorf("states, finished, transitions, depth: %d, want %d", got, want)
			}
			if r.Stop != limit.Complete || r.Stats.Live+c.finished != c.states || r.Stats.Examined != r.Stats.Depth {
				t.Errorf("%v, %+v", r.Stop, r.Stats)
			}
			t.Logf("%.0f states/s, %.1f bytes a state", float64(c.states)/r.Stats.Seconds, float64(r.Stats.Bytes)/float64(c.states))
		})
	}
}

// solitaireStarts returns the starts of the solitaire with the given number of stones.
func solitaireStarts(sys *rules.System, stones int) Starts {
	return func(_ context.Context, yield func(rules.State) error) error {
		return rulestest.SolitaireStarts(sys, stones, yield)
	}
}

// withoutStores keeps all but the last two pits.
func withoutStores(sys *rules.System) rules.Parts {
	kept := rules.Parts{Pits: make([]bool, len(sys.Pits))}
	for p := range len(sys.Pits) - 2 {
		kept.Pits[p] = true
	}
	return kept
}

// TestSolitaire pins the state spaces of the DOSE 2015 solitaire, without the stores.
func TestSolitaire(t *testing.T) {
	for _, c := range []struct{ n, stones, starts, states, lose, stuck, win, fewest int64 }{
		{2, 4, 1, 32, 20, 12, 4, 7},
		{2, 5, 4, 152, 80, 56, 4, 6},
		{2, 8, 35, 1152, 424, 368, 4, 9},
		{2, 12, 165, 5212, 1384, 1296, 4, 12},
		{4, 8, 1, 332, 284, 56, 0, -1},
	} {
		t.Run(fmt.Sprintf("%d %d", c.n, c.stones), func(t *testing.T) {
			sys := rulestest.Solitaire(int(c.n))
			whole := game.Of(t.Context(), sys)
			played := game.Keeping(whole, withoutStores(sys))
			starts := solitaireStarts(sys, int(c.stones))
			q := Query{StuckTransitions: true, Count: []rules.Expr{selected}}
			r := exploreGame(t, played, starts, q, Options{})
			by := r.Stats.TransitionsByOutcome
			got := []int64{r.Stats.Starts, r.Stats.Live - r.Stats.Starts, by["SR005"], by[rules.StuckLabel], by["SR006"]}
			if want := []int64{c.starts, c.states, c.lose, c.stuck, c.win}; !reflect.DeepEqual(got, want) {
				t.Errorf("starts, states, lose, stuck, win: %d, want %d", got, want)
			}
			won := exploreGame(t, played, starts, Query{Goal: rules.HasOutcome(0)}, Options{})
			fewest := int64(-1)
			if won.Stop == limit.Found {
				fewest = int64(len(won.Trace.Actions)) - 1
			}
			if fewest != c.fewest {
				t.Errorf("fewest rounds to win: %d, want %d", fewest, c.fewest)
			}
		})
	}
}

var selected = rules.Binary{Op: rules.Ne, L: rules.VarAt(0), R: rules.Const{Value: rules.None}}

// TestThreads checks that nothing depends on the number of threads: neither figures nor traces nor
// where a limit stops the search.
func TestThreads(t *testing.T) {
	sys := rulestest.Kalah(3, 4, false)
	start := From(rulestest.KalahStart(sys, 4))
	goal := rules.Binary{Op: rules.Ge, L: rules.Seeds(rules.Const{Value: 3}), R: rules.Const{Value: 20}}
	for name, c := range map[string]struct {
		q    Query
		opts Options
	}{
		"all":    {Query{Count: []rules.Expr{goal}}, Options{}},
		"goal":   {Query{Goal: goal}, Options{}},
		"depth":  {Query{}, Options{MaxDepth: 9}},
		"states": {Query{}, Options{Bounds: limit.Bounds{MaxStates: 54321}}},
		"memory": {Query{}, Options{Bounds: limit.Bounds{MaxMemory: 1 << 20}}},
	} {
		t.Run(name, func(t *testing.T) {
			var first *Result
			for _, threads := range []int{1, 2, 4} {
				c.opts.Threads = threads
				r := explore(t, sys, start, c.q, c.opts)
				r.Stats.Seconds = 0
				if first == nil {
					first = r
				}
				if !reflect.DeepEqual(r, first) {
					t.Errorf("%d threads: %+v, with one: %+v", threads, r, first)
				}
			}
		})
	}
}

// TestLimits checks how a search ends at a limit.
func TestLimits(t *testing.T) {
	sys := rulestest.Kalah(4, 4, false)
	start := From(rulestest.KalahStart(sys, 4))
	for _, c := range []struct {
		opts     Options
		stop     limit.Stop
		kind     limit.Kind
		states   int64
		examined int
	}{
		{Options{Bounds: limit.Bounds{MaxStates: 1000}}, limit.Reached, limit.States, 1000, 5},
		{Options{Bounds: limit.Bounds{MaxMemory: 1 << 20}}, limit.Reached, limit.Memory, 0, 0},
		{Options{MaxDepth: 3}, limit.DepthLimit, limit.None, 0, 3},
	} {
		r := explore(t, sys, start, Query{}, c.opts)
		if r.Stop != c.stop || r.Hit.Kind != c.kind || r.Reason == "" || c.states > 0 && r.Stats.States != c.states || c.examined > 0 && r.Stats.Examined != c.examined {
			t.Errorf("%+v: %v (%s) %+v", c.opts, r.Stop, r.Reason, r.Stats)
		}
		if c.opts.MaxMemory > 0 && r.Stats.Bytes > c.opts.MaxMemory {
			t.Errorf("%d bytes, limit %d", r.Stats.Bytes, c.opts.MaxMemory)
		}
	}
}

// endless returns practically endless starts.
func endless(sys *rules.System) Starts {
	return func(_ context.Context, yield func(rules.State) error) error {
		s := sys.EmptyStart()
		for n := 1; ; n++ {
			s.Seeds[0], s.Seeds[1] = n%30000, n/30000
			if err := yield(s); err != nil {
				return err
			}
		}
	}
}

// TestManyStarts checks that limits hold while starts are still being listed.
func TestManyStarts(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	if r := explore(t, sys, endless(sys), Query{}, Options{Bounds: limit.Bounds{MaxStates: 50_000}}); !r.Hits(limit.States) || r.Stats.Examined != -1 {
		t.Errorf("%v, examined %d", r.Stop, r.Stats.Examined)
	}
	if r := explore(t, sys, endless(sys), Query{}, Options{Bounds: limit.Bounds{MaxMemory: 8 << 20}}); !r.Hits(limit.Memory) {
		t.Errorf("%v", r.Stop)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	r, err := Search(ctx, sys, endless(sys), Query{}, Options{})
	if err != nil || r.Hit.Kind != limit.Deadline {
		t.Errorf("%v %v", r, err)
	}
}

// TestCancel stops a search from its observer.
func TestCancel(t *testing.T) {
	sys := rulestest.Kalah(5, 4, false)
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	watch := func(p limit.Progress) {
		if seen++; p.Depth >= 6 {
			cancel()
		}
	}
	r, err := Search(ctx, sys, From(rulestest.KalahStart(sys, 4)), Query{}, Options{Observer: watch})
	// On a slow machine there is a report before the level is done.
	if err != nil || !r.Hits(limit.Interrupt) || r.Stats.Examined < 5 || seen < 7 {
		t.Errorf("%+v %v after %d reports", r, err, seen)
	}
}

// TestPerft pins numbers of move sequences that independent programs have computed.
func TestPerft(t *testing.T) {
	for _, c := range []struct {
		m, n  int
		empty bool
		want  []uint64
	}{
		{6, 4, true, []uint64{6, 35, 185, 942, 4685, 23169, 113959, 559885, 2743126}},
		{6, 4, false, []uint64{6, 35, 185, 942, 4690, 23233, 114430, 563055}},
		{3, 2, true, []uint64{3, 8, 19, 40, 81, 148, 257, 404}},
		{3, 2, false, []uint64{3, 8, 19, 40, 81, 150, 265, 431}},
	} {
		sys := rulestest.Kalah(c.m, c.n, c.empty)
		got, err := Perft(context.Background(), sys, rulestest.KalahStart(sys, c.n), len(c.want))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("(%d,%d) %v: %d %v, want %d", c.m, c.n, c.empty, got, err, c.want)
		}
	}
}

// TestPlayError meets an error in the rules in play and reports the play that leads to it.
func TestPlayError(t *testing.T) {
	sys := rulestest.Kalah(3, 2, false)
	divide := rules.Binary{Op: rules.Div, L: rules.True, R: rules.Binary{Op: rules.Sub, L: rules.Seeds(rules.Const{Value: 3}), R: rules.Const{Value: 2}}}
	sys.Actions[0].Guard = rules.Binary{Op: rules.Or, L: divide, R: rules.True}
	start := rulestest.KalahStart(sys, 2)
	for _, threads := range []int{1, 3} {
		_, err := Search(context.Background(), sys, From(start), Query{}, Options{Bounds: limit.Bounds{Threads: threads}})
		var play *PlayError
		var d diag.Diagnostic
		if !errors.As(err, &play) || !errors.As(err, &d) || d.Code != diag.DivZero {
			t.Fatal(err)
		}
		s := start
		for _, a := range play.Trace.Actions {
			s, _, _ = interp.New(sys).Do(s, a)
		}
		if s.Seeds[3] != 2 {
			t.Errorf("the play leads to %v", s)
		}
	}
	if _, err := Perft(context.Background(), sys, start, 6); !errors.As(err, new(*PlayError)) {
		t.Errorf("perft: %v", err)
	}
}

// TestTerminates checks the longest plays of Kalah, and a solitaire in which the selection can be
// undone forever.
func TestTerminates(t *testing.T) {
	sys := rulestest.Kalah(3, 3, false)
	r, err := Terminates(context.Background(), sys, From(rulestest.KalahStart(sys, 3)), Options{})
	if err != nil || !r.Ends || len(r.Longest.Actions) < 22 {
		t.Errorf("%+v %v", r, err)
	}
	back := rules.SetVar(0, rules.Const{Value: rules.None})
	sys = rulestest.Solitaire(2)
	sys.Actions = append(sys.Actions, rules.Action{Guard: selected, Body: []rules.Stmt{back}})
	r, err = Terminates(context.Background(), sys, solitaireStarts(sys, 6), Options{})
	if err != nil || r.Ends || len(r.Lasso.Cycle) != 2 {
		t.Errorf("%+v %v", r, err)
	}
	r, err = Terminates(context.Background(), sys, solitaireStarts(sys, 12), Options{Bounds: limit.Bounds{MaxStates: 100}})
	if err != nil || !r.Hits(limit.States) || r.Ends || r.Lasso != nil {
		t.Errorf("%+v %v", r, err)
	}
}

// TestWinningStarts finds the starts of the small solitaire that can be won.
func TestWinningStarts(t *testing.T) {
	sys := rulestest.Solitaire(2)
	r, err := WinningStarts(context.Background(), sys, solitaireStarts(sys, 5), rules.HasOutcome(0), Options{})
	if err != nil || r.Stop != limit.Complete || len(r.Starts) == 0 {
		t.Fatalf("%+v %v", r, err)
	}
	fewest := r.Starts[0].Moves
	for _, w := range r.Starts {
		fewest = min(fewest, w.Moves)
	}
	if fewest != 7 {
		t.Errorf("fewest moves %d, want 7: the selection and 6 rounds", fewest)
	}
}

// BenchmarkKalah explores all of Kalah(4,3), variant A.
func BenchmarkKalah(b *testing.B) {
	sys := rulestest.Kalah(4, 3, false)
	start := rulestest.KalahStart(sys, 3)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				explore(b, sys, From(start), Query{}, Options{Bounds: limit.Bounds{Threads: threads}})
			}
			rate(b, 5193503)
		})
	}
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			explore(b, sys, From(start), Query{}, Options{Bounds: limit.Bounds{Threads: 1}, set: store.InHash})
		}
		rate(b, 5193503)
	})
	b.Run("map", func(b *testing.B) {
		for b.Loop() {
			if n := mapSearch(b, sys, start); n != 5193503 {
				b.Fatal(n)
			}
		}
		rate(b, 5193503)
	})
}

// BenchmarkStates replays the steps of a search of Kalah(4,3): the time without that of the
// stepper.
func BenchmarkStates(b *testing.B) {
	sys := rulestest.Kalah(4, 3, false)
	codec, _ := pack.NewCodec(sys, 24, rules.Parts{})
	stepper := residual.New(b.Context(), sys, codec)
	flat, key := pack.NewFlat(sys), make([]uint64, 1)
	flat.Set(rulestest.KalahStart(sys, 3))
	_ = codec.Pack(flat, key)
	levels := [][]uint64{key} // the steps into each level
	total := int64(0)
	replay := func(set store.Kind, expand func(blocks [][]uint64)) {
		s := store.New(codec, 24, true, store.Options{Workers: 1, MaxMemory: 1 << 30, Kind: set})
		total = 0
		for d := 0; d < len(levels); d++ {
			for keys := levels[d]; len(keys) > 0; keys = keys[min(len(keys), batchSteps):] {
				_, n := s.Add(0, keys[:min(len(keys), batchSteps)], false)
				total += int64(n)
			}
			_, _ = s.Settle(total)
			var blocks [][]uint64
			for i := range s.Level() {
				blocks = append(blocks, s.Current(0, i))
			}
			if expand != nil {
				expand(blocks)
			}
			for _, block := range blocks {
				s.Release(0, block)
			}
		}
	}
	transitions := 0
	replay(store.Fitting, func(blocks [][]uint64) {
		var batch pack.Batch
		for _, block := range blocks {
			for i := range block {
				_ = stepper.Expand(block[i:i+1], &batch)
			}
		}
		if len(batch.Keys) > 0 {
			levels = append(levels, batch.Keys)
			transitions += len(batch.Keys)
		}
	})
	for name, set := range map[string]store.Kind{"bits": store.InBits, "hash": store.InHash, "keys": store.InKeys} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if replay(set, nil); total != 5193503 {
					b.Fatal(total)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(transitions), "ns/transition")
		})
	}
}

func rate(b *testing.B, states int) {
	b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}

// mapSearch is the same search with the same stepper and a Go map.
func mapSearch(b *testing.B, sys *rules.System, start rules.State) int {
	codec, _ := pack.NewCodec(sys, start.Total(), rules.Parts{})
	stepper := residual.New(b.Context(), sys, codec)
	flat, key := pack.NewFlat(sys), make([]uint64, 1)
	flat.Set(start)
	_ = codec.Pack(flat, key)
	seen, queue := map[uint64]uint32{key[0]: 0}, []uint64{key[0]}
	var steps pack.Batch
	for i := 0; i < len(queue); i++ {
		steps.Reset()
		_ = stepper.Expand(queue[i:i+1], &steps)
		for _, to := range steps.Keys {
			if _, ok := seen[to]; !ok {
				seen[to] = uint32(len(queue))
				queue = append(queue, to)
			}
		}
	}
	return len(queue)
}

// TestKinds explores Kalah(4,2) with each kind of set, and with a hash set that bits replace.
func TestKinds(t *testing.T) {
	sys := rulestest.Kalah(4, 2, false)
	start := From(rulestest.KalahStart(sys, 2))
	for _, threads := range []int{1, 2} {
		for _, set := range kinds {
			s := explored(t, sys, start, Options{Bounds: limit.Bounds{Threads: threads}, set: set})
			t.Logf("set %d: %.1f bytes a state", set, float64(s.bytes())/303314)
		}
		s := explored(t, sys, start, Options{Bounds: limit.Bounds{Threads: threads, MaxMemory: 8 << 20}})
		if store.KindOf(s.states) != store.InBits {
			t.Error("the hash set was not replaced")
		}
	}
}

// explored returns a search that has found the states of Kalah(4,2).
func explored(t *testing.T, sys *rules.System, start Starts, opts Options) *search {
	t.Helper()
	r := game.Of(t.Context(), sys)
	s := newSearch(t.Context(), r, start, Query{Depth: true}, opts)
	if err := s.explore(); err != nil || s.end.Stop != limit.Complete || s.total.Load() != 303314 || s.sofar.transitions.Load() != 685555 {
		t.Fatalf("%+v: %v %v, %d states", opts, err, s.end, s.total.Load())
	}
	return s
}
