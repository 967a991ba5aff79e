package proofs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// randomly tries n random rule sets, or as many as MANCHECK_RANDOM says, beginning with the seed
// MANCHECK_SEED.
func randomly(t *testing.T, n int, try func(sys *rules.System, rnd *rand.Rand) error) {
	t.Helper()
	more, _ := strconv.Atoi(os.Getenv("MANCHECK_RANDOM"))
	first, _ := strconv.Atoi(os.Getenv("MANCHECK_SEED"))
	gen := rulestest.Kernel()
	for i := first; i < first+max(n, more); i++ {
		sys := gen.Example(i + 1)
		if err := try(sys, rand.New(rand.NewPCG(2, uint64(i)))); err != nil {
			t.Fatalf("rules %d: %v\n%s", i, err, sys.Canonical())
		}
	}
}

// of returns an instance of a claim about random rules.
func of(sys *rules.System, p build.Property) *build.Instance {
	return &build.Instance{Claim: &build.Claim{Name: "random"}, System: sys, Property: p}
}

// graph is the set of states that the interpreter reaches, with the steps of each.
type graph map[string]*vertex

type vertex struct {
	state rules.State
	next  []string
}

const maxVertices = 3000

var errHuge = errors.New("too many states")

// walk follows the plays from some states. An error is a fault of the rules, or errHuge.
func walk(in *interp.Interp, from []rules.State) (graph, error) {
	g := graph{}
	for open := slices.Clone(from); len(open) > 0; {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if g[fmt.Sprint(s)] != nil {
			continue
		}
		v := &vertex{state: s.Clone()}
		if g[fmt.Sprint(s)] = v; len(g) > maxVertices {
			return nil, errHuge
		}
		if !s.Live() {
			continue
		}
		steps, err := in.Steps(s)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			v.next = append(v.next, fmt.Sprint(st.To))
			open = append(open, st.To)
		}
	}
	return g, nil
}

// leadTo returns the set of vertices from which some play leads into a set, including its members.
func (g graph) leadTo(in func(rules.State) bool) map[string]bool {
	set := map[string]bool{}
	for k, v := range g {
		set[k] = in(v.state)
	}
	for more := true; more; {
		more = false
		for k, v := range g {
			if !set[k] && slices.ContainsFunc(v.next, func(n string) bool { return set[n] }) {
				set[k], more = true, true
			}
		}
	}
	return set
}

// mustLeadTo returns the set of vertices from which every play ends in a set of finished states.
func (g graph) mustLeadTo(in func(rules.State) bool) map[string]bool {
	set := map[string]bool{}
	for k, v := range g {
		set[k] = in(v.state)
	}
	for more := true; more; {
		more = false
		for k, v := range g {
			if !set[k] && len(v.next) > 0 && !slices.ContainsFunc(v.next, func(n string) bool { return !set[n] }) {
				set[k], more = true, true
			}
		}
	}
	return set
}

func starts(in *interp.Interp) ([]rules.State, error) {
	var list []rules.State
	err := space.Starts(context.Background(), in, func(s rules.State) error {
		list = append(list, s.Clone())
		return nil
	})
	return list, err
}

// ranked returns sys with a random strategy: a statement at the start of each move sets its rank.
func ranked(sys *rules.System, rnd *rand.Rand) *rules.System {
	out := *sys
	out.Actions = slices.Clone(sys.Actions)
	pit := rules.Const{Value: rnd.IntN(len(sys.Pits))}
	for i := range out.Actions {
		rank := rules.Binary{Op: rules.Mul, L: rules.Const{Value: rnd.IntN(5) - 2}, R: rules.Binary{Op: rules.Add, L: rules.Seeds(pit), R: rules.Const{Value: 1}}}
		out.Actions[i].Body = slices.Concat([]rules.Stmt{rules.Prefer(rank)}, sys.Actions[i].Body)
	}
	return &out
}

// TestStrategiesAtRandom: the verdict on whether a strategy wins wherever anything wins agrees with
// the definition, on the graph walked by the interpreter.
func TestStrategiesAtRandom(t *testing.T) {
	tried, few := map[proofs.Status]int{}, tier.Every(40, 10)
	randomly(t, 2500/few, func(sys *rules.System, rnd *rand.Rand) error {
		if slices.ContainsFunc(sys.Actions, func(a rules.Action) bool { return rules.EffectsOf(a.Body).Ranks }) {
			return nil
		}
		followed := ranked(sys, rnd)
		want, ok := strategyWins(sys, followed)
		if !ok {
			return nil
		}
		for _, e := range []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward} {
			r, err := proofs.Decide(t.Context(), of(sys, &build.StrategyWins{Strategy: "random", Followed: followed}), proofs.Options{Engine: e})
			if err != nil || r.Status != want && (r.Status != proofs.Unknown || e != proofs.Backward) {
				return fmt.Errorf("%s: %v, %w; want %s", e, r, err, want)
			}
			tried[r.Status]++
		}
		return nil
	})
	t.Logf("verdicts: %v", tried)
	if tried[proofs.Proved] < 500/few || tried[proofs.Refuted] < 15/(2*few) {
		t.Errorf("too few verdicts: %v", tried)
	}
}

// strategyWins is the naive definition. It is undecided if the rules have a fault.
func strategyWins(sys, followed *rules.System) (proofs.Status, bool) {
	in := interp.New(sys)
	from, err := starts(in)
	if err != nil || len(from) == 0 {
		return 0, false
	}
	all, err := walk(in, from)
	if err != nil {
		return 0, false
	}
	some, err := walk(interp.New(followed), from)
	if err != nil {
		return 0, false
	}
	won := func(s rules.State) bool { return !s.Live() && sys.Outcomes[s.Outcome].Kind == rules.WinOutcome }
	can, does := all.leadTo(won), some.mustLeadTo(won)
	for _, s := range from {
		if can[fmt.Sprint(s)] && !does[fmt.Sprint(s)] {
			return proofs.Refuted, true
		}
	}
	return proofs.Proved, true
}

// TestAncestorsAtRandom: the ancestors found by predecessors are those found by trying all states
// of the right shape.
func TestAncestorsAtRandom(t *testing.T) {
	compared, some, few := 0, 0, tier.Every(20, 5)
	randomly(t, 500/few, func(sys *rules.System, rnd *rand.Rand) error {
		in := interp.New(sys)
		target, ok := someTarget(in, rnd)
		if _, err := starts(in); !ok || err != nil {
			return nil // the rules have a fault
		}
		p := ancestorsLike(sys, target)
		list, err := ancestors(t.Context(), in, p.Of, target.Total())
		if err != nil {
			return nil // the rules have a fault: such a state has no step by that action, but the interpreter reports an error
		}
		p.Value = len(list)
		r, err := proofs.Decide(t.Context(), of(sys, p), proofs.Options{Engine: proofs.Backward})
		if err != nil || r.Status == proofs.Refuted || len(r.Notes) > 0 {
			return fmt.Errorf("%v, %w: want %d ancestors of %v: %v", r, err, len(list), target, list)
		}
		if r.Status == proofs.Proved {
			if compared++; len(list) > 0 {
				some++
			}
		}
		return nil
	})
	t.Logf("%d compared, %d with ancestors", compared, some)
	if some < 8/few {
		t.Errorf("too few could be compared")
	}
}

// ancestorsLike counts the ancestors of all states with these seeds. It reads the variables, so
// that none is ignored.
func ancestorsLike(sys *rules.System, s rules.State) *build.Count {
	of, where := []rules.Expr{}, []rules.Expr{}
	for p, n := range s.Seeds {
		of = append(of, rules.Binary{Op: rules.Eq, L: rules.Seeds(rules.Const{Value: p}), R: rules.Const{Value: n}})
	}
	for v, x := range sys.Vars {
		where = append(where, rules.Binary{Op: rules.Ge, L: rules.VarAt(v), R: rules.Const{Value: slices.Min(x.Domain)}})
	}
	return &build.Count{Set: build.CountAncestors, Of: rules.Conjunction(of...), Where: rules.Conjunction(where...), Op: rules.Eq}
}

// ancestors tries all states of the right shape with the given number of seeds.
func ancestors(ctx context.Context, in *interp.Interp, of rules.Expr, seeds int) ([]rules.State, error) {
	sh := shape.Of(context.Background(), in)
	var all []rules.State
	err := space.MatchingUpTo(ctx, in, rules.HasOutcome(rules.Live), everything(in.System()), &seeds, func(s rules.State) error {
		ok, err := sh.Allows(s, everything(in.System()))
		if ok && s.Total() == seeds {
			all = append(all, s.Clone())
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	g, err := walk(in, all)
	if err != nil {
		return nil, err
	}
	is := func(s rules.State) bool {
		ok, e := in.Holds(of, s, nil)
		err = errors.Join(err, e)
		return ok
	}
	lead := g.leadTo(is)
	var list []rules.State
	for _, s := range all {
		if lead[fmt.Sprint(s)] && !is(s) {
			list = append(list, s)
		}
	}
	return list, err
}

// TestOrderAtRandom: the engines in the order of auto reach the verdict of the forward search
// alone.
func TestOrderAtRandom(t *testing.T) {
	tried := map[string]int{}
	randomly(t, 60/tier.Every(10, 4), func(sys *rules.System, rnd *rand.Rand) error {
		p := &build.Reach{Target: rulestest.Claim(sys, false).Example(rnd.IntN(1 << 20)), Within: -1}
		if from, err := starts(interp.New(sys)); err != nil || len(from) == 0 {
			return nil // there is nothing to decide
		}
		want, err := proofs.Decide(t.Context(), of(sys, p), proofs.Options{Engine: proofs.Forward, Bounds: limit.Bounds{MaxStates: maxVertices}})
		if err != nil || want.Status == proofs.Unknown {
			return nil // a fault of the rules
		}
		for _, e := range []proofs.Engine{proofs.Auto, proofs.Induction} {
			got, err := proofs.Decide(t.Context(), of(sys, p), proofs.Options{Engine: e, Bounds: limit.Bounds{MaxStates: maxVertices}, SolverTimeout: 300 * time.Millisecond})
			if err != nil || got.Status != proofs.Unknown && got.Status != want.Status {
				return fmt.Errorf("%s: %v, %w; want %s, %s for %v", e, got, err, want.Status, want.Sentence(), p.Target)
			}
			tried[fmt.Sprint(e, " ", got.Engine, " ", got.Status)]++
		}
		return nil
	})
	t.Logf("verdicts: %v", tried)
}

// TestEndingsOverVariables: games whose endings read variables and ask for moves, with actions that
// may meet faults, have the same verdict by the backward and the forward search.
func TestEndingsOverVariables(t *testing.T) {
	tried, few := map[string]int{}, tier.Every(20, 5)
	randomly(t, 2000/few, func(sys *rules.System, rnd *rand.Rand) error {
		if len(sys.Vars) == 0 || len(sys.Outcomes) < 3 {
			return nil
		}
		sys = endedByVariables(sys, rnd)
		p := &build.Reach{Target: rules.HasOutcome(rnd.IntN(2)), Within: -1}
		got, err := proofs.Decide(t.Context(), of(sys, p), proofs.Options{Engine: proofs.Backward, Bounds: limit.Bounds{MaxStates: maxVertices}})
		if err != nil || got.Status == proofs.Unknown {
			return nil
		}
		reached, err := reaches(sys, p.Target)
		if err != nil {
			return nil // too many states
		}
		if reached != (got.Status == proofs.Refuted) {
			return fmt.Errorf("%s (%s), but reached: %v for %v", got.Status, got.Sentence(), reached, p.Target)
		}
		tried[got.Status.String()]++
		return nil
	})
	if tried["proved"] < 5/few || tried["refuted"] < 5/few {
		t.Errorf("too few verdicts: %v", tried)
	}
}

// endedByVariables replaces the endings by some without a body that read variables and ask for
// moves.
func endedByVariables(sys *rules.System, rnd *rand.Rand) *rules.System {
	out := *sys
	out.Reactions = nil
	var all []int
	for p := range sys.Pits {
		all = append(all, p)
	}
	for o := range 2 {
		v := rnd.IntN(len(sys.Vars))
		domain := sys.Vars[v].Domain
		is := rules.Binary{Op: rules.Eq, L: rules.VarAt(v), R: rules.Const{Value: domain[rnd.IntN(len(domain))]}}
		few := rules.Binary{Op: rules.Le, L: rules.Sum{Pits: all}, R: rules.Const{Value: 1 + rnd.IntN(6)}}
		out.Reactions = append(out.Reactions, rulestest.EndIf(len(sys.Players), o, rules.Conjunction(is, few)))
	}
	if rnd.IntN(2) == 0 {
		out.Reactions = append(out.Reactions, rulestest.EndIf(len(sys.Players), rnd.IntN(2), rules.NoMove))
	}
	return &out
}

// reaches plays everything that the interpreter allows. An action that meets a fault of the rules
// has no step.
func reaches(sys *rules.System, target rules.Expr) (bool, error) {
	in := interp.New(sys)
	open, err := starts(in)
	seen := map[string]bool{}
	for len(open) > 0 && err == nil {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[fmt.Sprint(s)] {
			continue
		}
		if seen[fmt.Sprint(s)] = true; len(seen) > maxVertices {
			return false, errHuge
		}
		if is, err := in.Holds(target, s, nil); is || err != nil {
			return is, err
		}
		var steps []interp.Step
		if steps, _, err = in.Legal(s); err != nil {
			return false, err
		}
		for _, step := range steps {
			open = append(open, step.To)
		}
	}
	return false, err
}
