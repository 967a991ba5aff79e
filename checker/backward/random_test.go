package backward_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// fewSeeds bounds the states that are searched for predecessors one by one.
const fewSeeds = 5

// graph is all steps between states with few seeds, by target.
type graph struct {
	index   map[string]int // of targets
	targets []rules.State
	preds   [][]backward.Pred
}

// fataler is either kind of test.
type fataler interface{ Fatalf(string, ...any) }

// allSteps lists the steps from all states with few kept seeds. A state in which the rules have a
// fault has none.
func allSteps(t fataler, in *interp.Interp, keep rules.Kept) (g graph) {
	g.index = map[string]int{}
	live := rules.HasOutcome(rules.Live)
	sh := shape.Of(context.Background(), in).Exactly() // as Predecessors decides it
	err := space.MatchingUpTo(context.Background(), in, live, keep, new(fewSeeds), func(s rules.State) error {
		inPlay, err := sh.Allows(s, keep)
		if vague := errors.As(err, new(*shape.VagueError)); err != nil && !vague || err == nil && !inPlay {
			return err
		}
		steps, _ := in.Steps(s)
		for _, st := range steps {
			g.add(backward.Pred{State: s, Action: st.Action}, keep.Project(in.System(), st.To))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return g
}

func (g *graph) add(p backward.Pred, to rules.State) {
	key := fmt.Sprint(to)
	i, known := g.index[key]
	if !known {
		i = len(g.targets)
		g.index[key] = i
		g.targets, g.preds = append(g.targets, to), append(g.preds, nil)
	}
	g.preds[i] = append(g.preds[i], p)
}

func samePreds(got, want []backward.Pred) bool {
	return slices.EqualFunc(got, want, func(p, q backward.Pred) bool { return p.Action == q.Action && p.State.Equal(q.State) })
}

// few drops predecessors with more seeds than were examined, or in which the rules have a fault,
// and sorts the rest.
func few(in *interp.Interp, preds []backward.Pred) []backward.Pred {
	out := slices.DeleteFunc(slices.Clone(preds), func(p backward.Pred) bool {
		_, err := in.Steps(p.State)
		return err != nil || p.State.Total() > fewSeeds
	})
	slices.SortFunc(out, func(p, q backward.Pred) int {
		if c := p.State.Compare(q.State); c != 0 {
			return c
		}
		return p.Action - q.Action
	})
	return out
}

// someTargets samples the targets if there are many.
func (g graph) someTargets() []int {
	var list []int
	for i := 0; i < len(g.targets); i += 1 + len(g.targets)/50 {
		list = append(list, i)
	}
	return list
}

// compare checks that constructed predecessors are those found by trying all states. It counts the
// targets compared, and those that are hard.
func compare(t fataler, sys *rules.System) (same, difficult int) {
	in := interp.New(sys)
	keep := slice.Keep(context.Background(), sys).Kept
	g := allSteps(t, in, keep)
	for _, i := range g.someTargets() {
		got, err := backward.Predecessors(context.Background(), in, keep, g.targets[i])
		if errors.As(err, new(*backward.HardError)) || errors.As(err, new(*shape.VagueError)) {
			difficult++
			continue
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		if got, want := few(in, got), few(in, g.preds[i]); !samePreds(got, want) {
			t.Fatalf("target %v: predecessors %v, want %v\n%s", g.targets[i], got, want, sys.Canonical())
		}
		same++
	}
	return same, difficult
}

func TestPreimageOfSimpleSystems(t *testing.T) {
	same, difficult := 0, 0
	for seed := range uint64(80 / tier.Every(8)) {
		s, d := compare(t, simpleSystem(rand.New(rand.NewPCG(seed, 1))))
		same, difficult = same+s, difficult+d
	}
	if same < 2000/tier.Every(10) {
		t.Errorf("only %d targets compared, %d were hard", same, difficult)
	}
}

// TestPreimageOfAnySystem: most of these are hard, but none may be wrong.
func TestPreimageOfAnySystem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, rulestest.System().Draw(t, "system")) })
}

// TestLongSowings plays from random states with many seeds, so that sowings go several rounds, past
// ignored pits, too. Every step must be found again, and every predecessor found must have the
// step.
func TestLongSowings(t *testing.T) {
	var total longSowings
	for seed := range uint64(400 / tier.Every(8)) {
		r := rand.New(rand.NewPCG(seed, 3))
		sys := simpleSystem(r)
		in := interp.New(sys)
		keep := slice.Keep(context.Background(), sys).Kept
		if seed%3 == 0 {
			keep = rules.Kept{}
		}
		for range 10 {
			total.play(t, in, keep, manySeeds(r, sys))
		}
	}
	if total.steps < 1500/tier.Every(8) || total.rounds < 200/tier.Every(8) || total.ignored < 40/tier.Every(8) {
		t.Errorf("too few: %+v", total)
	}
}

// longSowings counts what was compared.
type longSowings struct {
	steps   int
	rounds  int // of these, with more than two seeds for each pit sown at once
	ignored int // and of those, with ignored pits
}

// manySeeds returns a live state with some empty pits and some full ones.
func manySeeds(r *rand.Rand, sys *rules.System) rules.State {
	s := sys.EmptyStart()
	for p := range s.Seeds {
		if most := []int{0, 3, 60}[r.IntN(3)]; most > 0 {
			s.Seeds[p] = r.IntN(most)
		}
	}
	for v, x := range sys.Vars {
		s.Vars[v] = x.Domain[r.IntN(len(x.Domain))]
	}
	s.Mover = r.IntN(len(sys.Players))
	return s
}

// play compares the steps from a state with the predecessors of the states they lead to.
func (n *longSowings) play(t *testing.T, in *interp.Interp, keep rules.Kept, s rules.State) {
	t.Helper()
	sys := in.System()
	inPlay, err := shape.Of(context.Background(), in).Exactly().Allows(keep.Project(sys, s), keep)
	if err != nil || !inPlay {
		return
	}
	steps, err := in.Steps(s)
	if err != nil {
		return
	}
	for _, step := range steps {
		to := keep.Project(sys, step.To)
		preds, err := backward.Predecessors(context.Background(), in, keep, to)
		if errors.As(err, new(*backward.HardError)) || errors.As(err, new(*shape.VagueError)) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		from := backward.Pred{State: keep.Project(sys, s), Action: step.Action}
		if !slices.ContainsFunc(preds, func(p backward.Pred) bool { return p.Action == from.Action && p.State.Equal(from.State) }) {
			t.Fatalf("%v by action %d to %v is missing in %v\n%s", from.State, from.Action, to, preds, sys.Canonical())
		}
		for _, p := range preds {
			after, legal, err := in.Do(p.State, p.Action)
			if err != nil || !legal || !keep.Project(sys, after).Equal(to) {
				t.Fatalf("%v by action %d leads to %v (%v, %v), not to %v\n%s", p.State, p.Action, after, legal, err, to, sys.Canonical())
			}
		}
		n.count(s, step.To, keep)
	}
}

func (n *longSowings) count(s, to rules.State, keep rules.Kept) {
	n.steps++
	for p := range s.Seeds {
		if s.Seeds[p]-to.Seeds[p] > 2*len(s.Seeds) {
			n.rounds++
			if !keep.All() {
				n.ignored++
			}
			return
		}
	}
}
