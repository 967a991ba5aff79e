package flow_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/flow"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// draws calls f with random Systems, each with random states, and what follows from each state.
func draws(t *testing.T, systems int, f func(sys *rules.System, r *rand.Rand, steps func(yield func(s rules.State, st interp.Step)))) {
	t.Helper()
	gen := rulestest.System()
	for i := range systems {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 7))
		in := interp.New(sys)
		states := rulestest.State(sys, 12)
		f(sys, r, func(yield func(rules.State, interp.Step)) {
			for n := range 25 {
				s := states.Example(i*31 + n)
				steps, _, err := in.Legal(s)
				if err != nil {
					continue
				}
				for _, st := range steps {
					yield(s, st)
				}
			}
		})
	}
}

// TestMoves: seeds leave only pits that some move leads out of, and come only to those that one
// leads into.
func TestMoves(t *testing.T) {
	checked := 0
	draws(t, 2500/tier.Every(25, 5), func(sys *rules.System, _ *rand.Rand, steps func(func(rules.State, interp.Step))) {
		var after []flow.Body
		for i := range sys.Reactions {
			for p := range sys.Reactions[i].By {
				after = append(after, flow.ForMover(&sys.Reactions[i].By[p], p))
			}
		}
		ways := make([][2][]bool, len(sys.Actions))
		for a := range ways {
			from, into := make([]bool, len(sys.Pits)), make([]bool, len(sys.Pits))
			for _, b := range append(slices.Clip(after), flow.Of(&sys.Actions[a])) {
				flow.Moves(sys, b, func(m flow.Move) { from[m.From], into[m.Into] = true, true })
			}
			ways[a] = [2][]bool{from, into}
		}
		steps(func(s rules.State, st interp.Step) {
			from, into := ways[st.Action][0], ways[st.Action][1]
			checked++
			for p := range sys.Pits {
				if d := st.To.Seeds[p] - s.Seeds[p]; d < 0 && !from[p] || d > 0 && !into[p] {
					t.Fatalf("%s changes by %d\n%v\n%v by %s\n%s", sys.Pits[p].Name, d, s, st.To, sys.ActionName(st.Action), sys.Canonical())
				}
			}
		})
	})
	t.Logf("%d steps", checked)
	if checked < 10_000/tier.Every(25, 5) {
		t.Error("too few")
	}
}

// TestFalls: where a rank changes by what an action does, it becomes less, at a level that was
// foreseen.
func TestFalls(t *testing.T) {
	lowered, kept, refused := 0, 0, 0
	draws(t, 3000/tier.Every(25, 5), func(sys *rules.System, r *rand.Rand, _ func(func(rules.State, interp.Step))) {
		alone := *sys // so that a step is the body of an action and nothing else
		alone.Reactions = nil
		in := interp.New(&alone)
		rank := make(flow.Rank, 1+r.IntN(3))
		for i := range rank {
			for range sys.Pits {
				rank[i] = append(rank[i], r.IntN(2)*r.IntN(3))
			}
		}
		type result struct {
			fallen []bool
			same   bool
			keeps  []bool
			able   bool
		}
		results := make([]result, len(sys.Actions))
		for a := range alone.Actions {
			b := flow.Of(&alone.Actions[a])
			fallen, same, raised := rank.Falls(&alone, b)
			results[a] = result{fallen, same, nil, raised == nil}
			for i := range rank {
				results[a].keeps = append(results[a].keeps, rank.Keeps(&alone, b, i) == nil)
			}
			if raised != nil {
				refused++
			}
		}
		for n := range 25 {
			s := rulestest.State(&alone, 12).Example(n)
			steps, _, err := in.Legal(s)
			if err != nil {
				continue
			}
			for _, st := range steps {
				if !st.To.Live() {
					continue
				}
				at, down := len(rank), true // the first level that the step changes
				for i := len(rank) - 1; i >= 0; i-- {
					d := 0
					for p, w := range rank[i] {
						d += w * (st.To.Seeds[p] - s.Seeds[p])
					}
					if d != 0 {
						at, down = i, d < 0
					}
				}
				got := results[st.Action]
				wrong := got.able && (!down || at == len(rank) && !got.same || at < len(rank) && !got.fallen[at])
				for i, keeps := range got.keeps {
					wrong = wrong || keeps && at <= i && !down
					if keeps {
						kept++
					}
				}
				if wrong {
					t.Fatalf("rank %v changes at level %d, down %v: %+v\n%v\n%v by %s\n%s", rank, at, down, got, s, st.To, sys.ActionName(st.Action), alone.Canonical())
				}
				if got.able && !got.same {
					lowered++
				}
			}
		}
	})
	t.Logf("%d steps that lower a rank, %d that keep levels, %d actions refused", lowered, kept, refused)
	if lowered < 2000/tier.Every(25, 5) || kept < 20_000/tier.Every(25, 5) || refused < 1000/tier.Every(25, 5) {
		t.Error("too few")
	}
}

// TestKalah: seeds that are sown in Kalah never leave a store, and each move lowers a rank: of the
// seeds outside the stores, and then of how far they are from the end of their row.
func TestKalah(t *testing.T) {
	sys := rulestest.Kalah(3, 2, false)
	store := make([]int, len(sys.Pits))
	way := make([]int, len(sys.Pits))
	for p := range sys.Pits {
		if i := p % 4; i < 3 {
			store[p], way[p] = 1, 3-i
		}
	}
	for a := range sys.Actions {
		if _, same, raised := (flow.Rank{store, way}).Falls(sys, flow.Of(&sys.Actions[a])); same || raised != nil {
			t.Errorf("%s: %v %+v", sys.ActionName(a), same, raised)
		}
		if _, same, _ := (flow.Rank{store}).Falls(sys, flow.Of(&sys.Actions[a])); same == (a%3 == 2) { // the last house of a row
			t.Errorf("%s: whether each sowing comes to a store is %v", sys.ActionName(a), !same)
		}
	}
}

// TestForeign: types that are not the kernel's are never ignored.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error {
			for i := range sys.Actions {
				flow.Moves(sys, flow.Of(&sys.Actions[i]), func(flow.Move) {})
			}
			for i := range sys.Reactions {
				for p := range sys.Reactions[i].By {
					flow.Moves(sys, flow.ForMover(&sys.Reactions[i].By[p], p), func(flow.Move) {})
				}
			}
			return nil
		}) {
			t.Errorf("%s is ignored", place)
		}
	}
}
