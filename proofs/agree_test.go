package proofs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/engine"
)

// TestSolverAgrees: if the solver decides a claim of an example, its verdict is that of the
// explicit engines.
func TestSolverAgrees(t *testing.T) {
	if len(solvers(t)) == 0 {
		t.Skip("no solver")
	}
	files, _ := filepath.Glob("../examples/*.sow")
	decided := 0
	asked := map[string]int{}
	for _, f := range files {
		if filepath.Base(f) == "congkak.sow" {
			continue // relays: it takes long to find that they overrun their unrolling
		}
		for _, inst := range buildtest.Instances(t, buildtest.File(t, f), "", nil) {
			if inst.Size != "" {
				continue // infinitely many boards
			}
			if asked[f+inst.Claim.Name]++; asked[f+inst.Claim.Name] > 2 || inst.Some != "" || len(asked)%tier.Every(15, 3) > 0 {
				continue // two values of a sweep are enough, and `for some` asks many questions
			}
			r := decide(t, inst, proofs.Options{Engine: proofs.SMT, Bound: 3, SolverSteps: 4_000})
			t.Logf("%s: %s by %s, %s", r.Instance.Name(), r.Status, r.Engine, r.Stats.Elapsed.Round(time.Millisecond))
			if r.Inconclusive() {
				continue
			}
			decided++
			if !r.AsExpected() {
				t.Errorf("%s: %s by %s, expected %s: %s", r.Instance.Name(), r.Status, r.Engine, r.Expected(), r.Sentence())
			}
		}
	}
	t.Logf("%d claims decided by a solver", decided)
	if decided == 0 || decided < 12 && tier.Full() {
		t.Errorf("a solver decides only %d claims of the examples", decided)
	}
}

// randomRules is how many random rule sets are tried: enough for the solver to decide more than a
// hundred. (It cannot if the rules have a fault in some state, or a loop that may run long.)
const randomRules = 450

// TestPreimagesAgree: on random rules, the predecessors of a random state are the same when a
// solver lists them, when they are constructed, and when every state with as many seeds is tried.
func TestPreimagesAgree(t *testing.T) {
	if len(solvers(t)) == 0 {
		t.Skip("no solver")
	}
	n := randomRules / tier.Every(22, 6)
	gen := rulestest.Kernel()
	var c comparison
	for i := range n {
		sys := gen.Example(i + 1)
		if err := c.preimages(t.Context(), sys, rand.New(rand.NewPCG(1, uint64(i)))); err != nil {
			t.Fatalf("rules %d: %v\n%s", i, err, sys.Canonical())
		}
	}
	t.Logf("of %d rule sets: %d asked of the solver, %d constructed", n, c.asked, c.built)
	if c.asked < n/5 || c.built < n/20 {
		t.Errorf("too few could be compared")
	}
}

// comparison counts how many rule sets the solver and the construction could decide.
type comparison struct{ asked, built int }

func (c *comparison) preimages(ctx context.Context, sys *rules.System, rnd *rand.Rand) error {
	in := interp.New(sys)
	target, ok := someTarget(in, rnd)
	if !ok {
		return nil
	}
	want, err := tried(ctx, in, target)
	if limit := new(rules.LimitError); errors.As(err, &limit) {
		return nil // the interpreter cannot decide
	} else if err != nil {
		return err
	}
	asked, err := askPreimage(ctx, in, target)
	if undecided := engine.Undecided(err); !undecided {
		if err != nil || !slices.EqualFunc(want, sorted(asked), rules.State.Equal) {
			return fmt.Errorf("asked: %v, %w", err, &differ{target, want, asked})
		}
		c.asked++
	}
	closed, err := built(ctx, in, target)
	if !errors.As(err, new(*backward.HardError)) && !errors.As(err, new(*shape.VagueError)) {
		if err != nil || !slices.EqualFunc(want, sorted(closed), rules.State.Equal) {
			return fmt.Errorf("built: %v, %w", err, &differ{target, want, closed})
		}
		c.built++
	}
	return nil
}

// everything keeps all parts, so that the seeds of a predecessor are as many as those of the
// target.
func everything(sys *rules.System) rules.Kept {
	return rules.Kept{}
}

// tried finds the predecessors among all states with as many seeds. An action that meets a fault
// has no step.
func tried(ctx context.Context, in *interp.Interp, target rules.State) ([]rules.State, error) {
	keep := everything(in.System())
	sh := shape.Of(context.Background(), in)
	var found []rules.State
	err := space.MatchingUpTo(ctx, in, rules.HasOutcome(rules.Live), keep, new(target.Total()), func(s rules.State) error {
		inPlay, err := sh.Allows(s, everything(in.System()))
		if err != nil || !inPlay || s.Total() != target.Total() {
			return err
		}
		steps, _, err := in.Legal(s)
		if err != nil {
			return err
		}
		for _, st := range steps {
			if st.To.Equal(target) {
				found = append(found, s.Clone())
				break
			}
		}
		return nil
	})
	return sorted(found), err
}

func built(ctx context.Context, in *interp.Interp, target rules.State) ([]rules.State, error) {
	preds, err := backward.Predecessors(ctx, in, everything(in.System()), target)
	var list []rules.State
	for _, p := range preds {
		list = append(list, p.State)
	}
	return list, err
}

type differ struct {
	target    rules.State
	want, got []rules.State
}

func (d *differ) Error() string {
	return fmt.Sprintf("predecessors of %v: %v, want %v", d.target, d.got, d.want)
}

func askPreimage(ctx context.Context, in *interp.Interp, target rules.State) ([]rules.State, error) {
	sys := in.System()
	opt := engine.Options{Timeout: 2 * time.Second, Unroll: 1, MaxCases: 64}
	f, err := engine.NewFinder(ctx, sys, everything(sys), shape.Of(context.Background(), in).Conditions(), 500, opt)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Predecessors(target)
}

// someTarget returns the result of a random step from a random state.
func someTarget(in *interp.Interp, rnd *rand.Rand) (rules.State, bool) {
	sys := in.System()
	for range 20 {
		s := sys.EmptyStart()
		for range 1 + rnd.IntN(4) { // few: all states with as many seeds are tried
			s.Seeds[rnd.IntN(len(s.Seeds))]++
		}
		for v := range s.Vars {
			s.Vars[v] = sys.Vars[v].Domain[rnd.IntN(len(sys.Vars[v].Domain))]
		}
		s.Mover = rnd.IntN(len(sys.Players))
		if steps, err := in.Steps(s); err == nil && len(steps) > 0 {
			return steps[rnd.IntN(len(steps))].To, true
		}
	}
	return rules.State{}, false
}

func sorted(list []rules.State) []rules.State {
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

// allEngines are the engines whose names the language has, in its order.
func allEngines() (list []proofs.Engine) {
	for _, e := range build.Engines {
		list = append(list, proofs.Engine(e))
	}
	return list
}

// TestEngineNames: the engines of verdicts are those that the language names.
func TestEngineNames(t *testing.T) {
	known := []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward, proofs.BMC, proofs.Induction, proofs.SMT, proofs.Laws, proofs.Hunt, proofs.Abstraction, proofs.Cases}
	if got := allEngines(); !slices.Equal(got, known) {
		t.Errorf("the language has %q, verdicts have %q", got, known)
	}
}
