package proofs_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/internal/judge/naive"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// forcedGames are claims on what can be forced, by what is particular about their plays.
var forcedGames = map[string]string{
	"Kalah": `import "kalah.sow"
claim a of Kalah { North can force north_store > 4  with m = 2, n = 2 }
claim b of Kalah { expect refuted  South can force south_store > 4  with m = 2, n = 2 }
claim c of Kalah { South can force south_store > 4  with m = 3, n = 2 }
claim d of Kalah { not South can force finished within 3  with m = 3, n = 2 }`,
	"Oware": `import "oware.sow"
claim a of Oware { expect refuted  South can force finished  with m = 2, n = 1 }
claim b of Oware { not North can force north_store > 2  with m = 2, n = 1 }
claim c of Oware { expect refuted  North can force north_store > 2 within 5  with m = 2, n = 2 }`,
	"laps that go on": `variant Laps {
  player South, North
  board { b2 b1 | a1 a2
          ring r = a1, a2, b1, b2 }
  setup { a1 = 2, a2 = 2, b1 = 2, b2 = 2 }
  move { choose p in {a1, a2} where mover = South and p > 0
    sow p along r
    if last > 1 and last < 3 { go on from last } }
  move { choose p in {b1, b2} where mover = North and p > 0
    sow p along r }
}
claim a { expect refuted  South can force a1 = 0 and a2 = 0 }
claim b { South can force a1 >= 4 }
claim c { expect refuted  North can force b1 = 0 and b2 = 0 }
claim d { South can force a1 = 3 within 3 }`,
	"passes": `variant Passes {
  player South, North
  board { b1 b2 sb | a1 a2 sa
          line la = a1, a2, sa
          line lb = b1, b2, sb }
  setup { a1 = 1, a2 = 1, b2 = 1 }
  move { choose p in {a1, a2} where mover = South and p > 0 sow p along la }
  move { choose p in {b1, b2} where mover = North and p > 0 sow p along lb }
  pass when no other move and total(pit) > seeds(sa) + seeds(sb)
  end when total(pit) = seeds(sa) + seeds(sb)
}
claim a { South can force finished }
claim b { North can force sb = 1 }
claim c { expect refuted  North can force sa = 2 and sb = 0 }`,
	"at once, from several starts, and of three": `variant Nim {
  param n = 5 in 1..8
  player A, B, C
  board { heap | gone }
  setup { heap = n }
  move { choose k in 1..2 where k <= heap  take k from heap into gone }
  end when heap = 0
}
variant Many {
  player South, North
  board { heap | gone }
  setup { total(pit) = 4 }
  move { choose k in 1..2 where k <= heap  take k from heap into gone }
  end when heap = 0
}
position three of Nim { 3 | 2 } with mover = B
claim a of Nim { A can force heap >= 1 }
claim b of Nim { B can force heap <= 2 }
claim c of Nim { expect refuted  C can force gone = 1 }
claim d of Nim { B can force heap = 1 from three }
claim e of Nim { A can force heap = 0 within 3 from three after 1 }
claim f of Many { South can force heap <= 1 }
claim g of Many { expect refuted  South can force finished within 1 }`,
	"endless": string(read("testdata/value/loop.sow")),
}

func read(path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return text
}

// TestForced: a strategy that is laid out has at each position one legal move of its own or all of
// the others', numbers that become less, and the goal where nothing follows; or never the goal.
// That is enumerated here by the interpreter. The number at the positions of the claim is the least
// that the naive solution finds.
func TestForced(t *testing.T) {
	tally := map[bool]int{} // positions
	for _, name := range slices.Sorted(maps.Keys(forcedGames)) {
		for _, inst := range buildtest.Instances(t, parseWith(t, "../examples", forcedGames[name]), "", nil) {
			force, is := inst.Property.(*build.Force)
			if !is {
				continue
			}
			t.Run(name+"/"+inst.Name(), func(t *testing.T) {
				r := decide(t, inst, proofs.Options{})
				if !r.AsExpected() {
					t.Fatalf("%s: %s", r.Status, r.Sentence())
				}
				f, err := claim.StrategyOf(context.Background(), r, math.MaxInt)
				if err != nil {
					t.Fatal(err)
				}
				best, err := naive.Force(context.Background(), inst.System, 100_000, force)
				if err != nil {
					t.Fatal(err)
				}
				if f.Left != 0 || f.Prevents != (slices.Max(best) == naive.Never || force.Within >= 0 && slices.Max(best) > force.Within) {
					t.Errorf("%d left, prevents: %v, but it takes %d", f.Left, f.Prevents, best)
				}
				roots := f.Nodes[:f.Roots]
				if most := slices.MaxFunc(roots, func(a, b claim.StrategyNode) int { return a.Rank - b.Rank }).Rank; !f.Prevents && most != slices.Max(best) {
					t.Errorf("it takes %d moves, but could take %d", most, best)
				}
				c := &checkedStrategy{t, f, force, interp.New(inst.System)}
				for n := range f.Nodes {
					c.node(n)
				}
				tally[f.Prevents] += len(f.Nodes)
			})
		}
	}
	if tally[true] < 50 || tally[false] < 60 {
		t.Errorf("too few positions: %v", tally)
	}
}

type checkedStrategy struct {
	*testing.T
	*claim.Strategy
	force *build.Force
	in    *interp.Interp
}

// node checks a position, and what follows.
func (c *checkedStrategy) node(n int) {
	at := c.Nodes[n]
	holds, err := c.in.Holds(c.force.Goal, at.State, nil)
	if err != nil {
		c.Fatal(err)
	}
	if holds == c.Prevents && (c.Prevents || at.Rank == 0) || !c.Prevents && holds != (at.Rank == 0) {
		c.Errorf("%v, rank %d: the goal holds: %v", at.State, at.Rank, holds)
	}
	legal := map[string]bool{}
	steps, _, err := c.in.Legal(at.State)
	if err != nil {
		c.Fatal(err)
	}
	for _, st := range steps {
		legal[c.in.Notation(st.Action, at.State)+fmt.Sprint(st.To)] = true
	}
	made := map[string]bool{}
	for _, st := range at.Next {
		to := c.Nodes[st.To]
		made[st.Move+fmt.Sprint(to.State)] = true
		if !c.Prevents && to.Rank >= at.Rank || c.Prevents && to.Rank < at.Rank-1 {
			c.Errorf("`%s` from %v, rank %d, leads to %v, rank %d", st.Move, at.State, at.Rank, to.State, to.Rank)
		}
		seeds := slices.Clone(at.State.Seeds)
		for _, m := range st.Moved {
			if m.From != rules.None {
				seeds[m.From] -= m.Seeds
			}
			if m.Into != rules.None {
				seeds[m.Into] += m.Seeds
			}
		}
		if !slices.Equal(seeds, to.State.Seeds) {
			c.Errorf("`%s` from %v is told to lead to %v, not to %v", st.Move, at.State, seeds, to.State)
		}
	}
	if own := at.State.Live() && (at.State.Mover == c.force.Player) != c.Prevents; own != at.Own {
		c.Errorf("%v: the strategy moves: %v", at.State, at.Own)
	}
	ends := !at.State.Live() || at.Rank == 0
	switch {
	case ends && len(at.Next) > 0:
		c.Errorf("%v, rank %d, goes on", at.State, at.Rank)
	case ends || c.Prevents && len(legal) == 0:
	case at.Own && (len(made) != 1 || len(at.Next) != 1):
		c.Errorf("%v has the moves %v", at.State, made)
	case !at.Own && !maps.Equal(made, legal):
		c.Errorf("%v has the moves %v, not %v", at.State, made, legal)
	}
	for move := range made {
		if !legal[move] {
			c.Errorf("%s is not legal in %v", move, at.State)
		}
	}
}

// TestForcedPart: of a large strategy the nearest positions are laid out, and the others counted.
func TestForcedPart(t *testing.T) {
	r := claimOn(t, "kalah", "claim c of Kalah { South can force south_store > 4 }", ints("m", 3, "n", 3), proofs.Options{})
	whole, err := claim.StrategyOf(context.Background(), r, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	part, err := claim.StrategyOf(context.Background(), r, 20)
	if err != nil {
		t.Fatal(err)
	}
	goes := func(list []claim.StrategyNode) (n int) {
		for _, at := range list {
			if at.Rank > 0 {
				n++
			}
		}
		return n
	}
	if len(part.Nodes) != 20 || part.Left != goes(whole.Nodes[20:]) || part.Left == 0 {
		t.Errorf("%d positions and %d left of %d", len(part.Nodes), part.Left, len(whole.Nodes))
	}
	for n, at := range part.Nodes {
		if len(at.Next) != len(whole.Nodes[n].Next) {
			t.Errorf("%v has %d moves of %d", at.State, len(at.Next), len(whole.Nodes[n].Next))
		}
	}
}

// TestForcedWrong: evidence in which a state is missing, or has another number, is rejected, rather
// than laid out with a gap.
func TestForcedWrong(t *testing.T) {
	for _, text := range []string{
		"claim c of Kalah { North can force north_store > 4  with m = 2, n = 2 }",
		"claim c of Kalah { expect refuted South can force south_store > 4  with m = 2, n = 2 }",
		"claim c of Kalah { expect refuted South can force finished within 3  with m = 3, n = 2 }",
	} {
		r := claimOn(t, "kalah", text, nil, proofs.Options{})
		prevents, states, numbers, err := r.Evidence.(*cert.Strategies).Forcing(context.Background(), r.System)
		if err != nil || len(states) < 2 {
			t.Fatal(len(states), err)
		}
		shows := map[bool]string{false: cert.Forces, true: cert.Prevents}[prevents]
		for i := range states {
			less := slices.Delete(slices.Clone(states), i, i+1)
			others := slices.Delete(slices.Clone(numbers), i, i+1)
			wrong(t, r, cert.Followed{Shows: shows, States: less, Numbers: others})
			if r.Instance.Property.(*build.Force).Within < 0 && prevents {
				continue // numbers do not matter
			}
			others = slices.Clone(numbers)
			others[i] = 0 // the goal does not hold here, and it is not so that the play is over
			if !prevents || numbers[i] > 1 {
				wrong(t, r, cert.Followed{Shows: shows, States: states, Numbers: others})
			}
		}
	}
	r := claimOn(t, "kalah", "claim c of Kalah { North can force north_store > 4 }", ints("m", 2, "n", 2), proofs.Options{})
	r.Evidence = nil
	if _, err := claim.StrategyOf(context.Background(), r, 500); !errors.Is(err, claim.ErrNotKept) {
		t.Errorf("without evidence: %v", err)
	}
}

func wrong(t *testing.T, r *proofs.Result, by cert.Followed) {
	t.Helper()
	other := *r
	other.Evidence = cert.NewStrategies(r.System, rules.Kept{}, by)
	var rejected *cert.Rejected
	if f, err := claim.StrategyOf(context.Background(), &other, math.MaxInt); !errors.As(err, &rejected) {
		t.Errorf("%v with the numbers %v: %v, %v", by.States, by.Numbers, f, err)
	}
}
