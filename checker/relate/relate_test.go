package relate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/relate"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

var names = [2]string{"left", "right"}

func limited(states int64) relate.Options {
	return relate.Options{Options: forward.Options{Bounds: limit.Bounds{MaxStates: states}}}
}

func search(t *testing.T, l, r *rules.System, kind relate.Kind, opt relate.Options) (*relate.Result, error) {
	t.Helper()
	opt.Names = names
	return relate.Search(context.Background(), l, r, kind, opt)
}

// TestRandomAgainstThemselves: rules are equivalent to themselves, if no two starts look alike.
func TestRandomAgainstThemselves(t *testing.T) {
	gen := rulestest.System()
	decided, few := 0, tier.Every(15, 4)
	for i := 0; i < 600; i += few {
		sys := gen.Example(i + 1)
		r, err := search(t, sys, sys, relate.Equivalent, limited(20_000))
		if err != nil {
			continue // a fault of the rules
		}
		if r.Stop == limit.Found {
			t.Fatalf("%s\n%s", r.Reason, sys.Canonical())
		}
		if r.Stop == limit.Complete {
			decided++
		}
	}
	if decided < 100/few {
		t.Errorf("only %d could be decided", decided)
	}
}

// agreements are all of them.
var agreements = []rules.Agreement{rules.InPlay, rules.InNotation, rules.InScore, rules.InResult}

// TestRandomMutants compares the verdict, and the number of moves to the first difference, with a
// search by the reference interpreter over states of the one and sets of states of the other.
func TestRandomMutants(t *testing.T) {
	gen := rulestest.System()
	var same, different [4]int
	few := tier.Every(20, 5)
	for i := 0; i < 1500; i += few {
		sys := gen.Example(i + 1)
		mutant := mutate(sys, rand.New(rand.NewPCG(uint64(i), 3)))
		for _, kind := range []relate.Kind{relate.Refines, relate.Equivalent} {
			for _, as := range agreements {
				opt := limited(5_000)
				opt.In = as
				r, err := search(t, sys, mutant, kind, opt)
				if err != nil || r.Stop != limit.Complete && r.Stop != limit.Found {
					continue
				}
				want, err := slowly(sys, mutant, kind, as)
				if err != nil {
					continue // a fault in a state that the search did not reach
				}
				if r.Stop == limit.Complete {
					same[as]++
					if want >= 0 {
						t.Fatalf("rules %d, kind %d in %s: hold, but differ after %d moves\n%s\n%s", i, kind, as, want, sys.Canonical(), mutant.Canonical())
					}
					continue
				}
				different[as]++
				if got := longest(r.Difference); got != want {
					t.Fatalf("rules %d, kind %d in %s: differ after %d moves (%+v), want %d\n%s\n%s", i, kind, as, got, r.Difference, want, sys.Canonical(), mutant.Canonical())
				}
			}
		}
	}
	if slices.Min(same[:]) < 50/few || slices.Min(different[:]) < 25/few {
		t.Errorf("too few: %d hold, %d differ", same, different)
	}
}

func longest(d *relate.Difference) int { return max(len(d.Actions[0]), len(d.Actions[1])) }

// mutate changes one action of a copy: it removes it, truncates it after its first statement, or
// replaces it by another one.
func mutate(sys *rules.System, r *rand.Rand) *rules.System {
	m := *sys
	m.Actions = append([]rules.Action{}, sys.Actions...)
	a := &m.Actions[r.IntN(len(m.Actions))]
	switch r.IntN(3) {
	case 0:
		a.Guard = rules.False
	case 1:
		a.Body = a.Body[:min(1, len(a.Body))]
	default:
		other := &m.Actions[r.IntN(len(m.Actions))]
		a.Body, a.Locals = other.Body, other.Locals
	}
	return &m
}

// tracks is a state of one side, and the states of the other that the same moves lead to.
type tracks struct {
	own    rules.State
	others []rules.State
}

// slowly returns the number of moves to the first difference, or -1.
func slowly(l, r *rules.System, kind relate.Kind, as rules.Agreement) (int, error) {
	n, err := refines(l, r, as)
	if err != nil || kind == relate.Refines {
		return n, err
	}
	if m, err := refines(r, l, as); n < 0 || m >= 0 && m < n || err != nil {
		return m, err
	}
	return n, nil
}

// refines returns the number of moves to the first difference of the left, or -1: it follows all
// plays of the right that are as one of the left so far.
func refines(l, r *rules.System, as rules.Agreement) (int, error) {
	left, right := interp.New(l), interp.New(r)
	begins := map[string][]rules.State{}
	err := space.Starts(context.Background(), right, func(s rules.State) error {
		k, err := looks(right, s, as)
		k += fmt.Sprint(s.Seeds)
		begins[k] = append(begins[k], s.Clone())
		return err
	})
	if err != nil {
		return 0, err
	}
	var level []tracks
	err = space.Starts(context.Background(), left, func(s rules.State) error {
		k, err := looks(left, s, as)
		level = append(level, tracks{s.Clone(), begins[k+fmt.Sprint(s.Seeds)]})
		return err
	})
	seen := map[string]bool{}
	for n := 0; err == nil; n++ {
		for _, x := range level {
			if len(x.others) == 0 {
				return n, nil
			}
		}
		var next []tracks
		for _, x := range level {
			if key := fmt.Sprint(x); seen[key] || !x.own.Live() {
				continue
			} else {
				seen[key] = true
			}
			more, err := x.steps(left, right, as)
			if err != nil {
				return 0, err
			}
			next = append(next, more...)
		}
		if level = next; len(level) == 0 {
			return -1, nil
		}
	}
	return 0, err
}

// steps are the tracks after one move. If the left is stuck and the right is not, there is one that
// has no others.
func (x tracks) steps(left, right *interp.Interp, as rules.Agreement) ([]tracks, error) {
	to := map[string][]rules.State{}
	stuck := false
	for _, o := range x.others {
		steps, err := right.Steps(o)
		if err != nil {
			return nil, err
		}
		stuck = stuck || len(steps) == 0
		for _, s := range steps {
			k, err := known(right, o, s, as)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(to[k], s.To.Equal) {
				to[k] = append(to[k], s.To)
			}
		}
	}
	steps, err := left.Steps(x.own)
	if err != nil || len(steps) == 0 && stuck {
		return nil, err
	}
	if len(steps) == 0 {
		return []tracks{{own: x.own}}, nil
	}
	var out []tracks
	for _, s := range steps {
		k, err := known(left, x.own, s, as)
		if err != nil {
			return nil, err
		}
		out = append(out, tracks{s.To, to[k]})
	}
	return out, nil
}

// known is what a step is known by, with what has to be the same after it.
func known(in *interp.Interp, from rules.State, s interp.Step, as rules.Agreement) (string, error) {
	k, err := looks(in, s.To, as)
	if as != rules.InPlay {
		k += in.Notation(s.Action, from)
	}
	return k, err
}

// looks is what has to be the same in a state.
func looks(in *interp.Interp, s rules.State, as rules.Agreement) (string, error) {
	sys := in.System()
	k := fmt.Sprintln(s.Mover, s.Live())
	if as == rules.InPlay || as == rules.InNotation {
		k += fmt.Sprintln(s.Seeds)
	}
	if s.Live() {
		return k, nil
	}
	o := sys.Outcomes[s.Outcome]
	scored := o.Kind == rules.EndOutcome && len(sys.Players) > 1
	var points []int
	if as == rules.InScore || scored {
		for _, x := range sys.Scores {
			n, err := in.Eval(x, s, nil)
			if err != nil {
				return "", err
			}
			points = append(points, n)
		}
	}
	if as == rules.InScore {
		k += fmt.Sprintln(points)
	}
	if scored && points != nil {
		best := slices.Max(points)
		for _, n := range points {
			k += fmt.Sprint(n == best)
		}
		return k + "decided", nil
	}
	if o.Kind == rules.WinOutcome {
		if len(sys.Players) > 1 {
			k += fmt.Sprint(o.Winner)
		}
		return k + "decided", nil
	}
	if o.Kind == rules.DrawOutcome && len(sys.Players) > 1 {
		return k + "truetruedecided", nil
	}
	return k + fmt.Sprint(o.Kind), nil
}

// TestKalah: with empty captures some play of three pits soon differs, and the description says
// how.
func TestKalah(t *testing.T) {
	r, err := search(t, rulestest.Kalah(3, 3, false), rulestest.Kalah(3, 3, true), relate.Equivalent, relate.Options{})
	if err != nil || r.Stop != limit.Found || r.Difference.Starts[1] == nil {
		t.Fatalf("%v, %+v", err, r)
	}
}

// TestHand: a pit that one side has alone is compared unless it is ignored.
func TestHand(t *testing.T) {
	sys := rulestest.Kalah(2, 1, false)
	with := *sys
	with.Pits = append(append([]rules.Pit{}, sys.Pits...), rules.Pit{Name: "hand", Group: "hand", Owner: rules.None})
	with.Relations = []rules.Relation{{Name: "opposite", To: append(slices.Clone(sys.Relations[0].To), rules.None)}}
	with.Start.Free = append(append([]bool{}, sys.Start.Free...), false)
	with.Laps = nil
	for _, l := range sys.Laps {
		l.Next, l.Prev = append(append([]int{}, l.Next...), rules.None), append(append([]int{}, l.Prev...), rules.None)
		with.Laps = append(with.Laps, l)
	}
	other := with
	other.Actions = append([]rules.Action{}, with.Actions...)
	hand := len(sys.Pits)
	for i := range other.Actions {
		take := rules.Transfer{From: rules.Const{Value: hand}, Into: rules.Const{Value: 0}}
		other.Actions[i].Body = append([]rules.Stmt{take}, other.Actions[i].Body...)
	}
	lap := func() (pairs [][2]int) {
		for _, p := range sys.Laps[0].Pits {
			pairs = append(pairs, [2]int{p, p})
		}
		return pairs
	}()
	for i, c := range []struct {
		l, r  *rules.System
		pairs [][2]int
		want  limit.Stop
	}{
		{&with, &other, nil, limit.Complete}, // the hand is always empty
		{&with, sys, nil, limit.Undecided},   // no counterpart
		{&with, sys, lap, limit.Complete},    // it is ignored
		{sys, &with, nil, limit.Undecided},   // nor here
		{&with, filled(&with, hand), nil, limit.Found},
		{&with, filled(&with, hand), lap, limit.Complete},
	} {
		r, err := search(t, c.l, c.r, relate.Equivalent, relate.Options{Pairs: c.pairs})
		if err != nil || r.Stop != c.want {
			t.Errorf("%d: %v, %+v; want %v", i, err, r, c.want)
		}
	}
}

// filled is a System whose starts have one more seed, in the given pit.
func filled(sys *rules.System, pit int) *rules.System {
	more := *sys
	more.Start.Free = append([]bool{}, sys.Start.Free...)
	more.Start.Free[pit] = true
	one := rules.Binary{Op: rules.Eq, L: rules.Sum{Pits: []int{pit}}, R: rules.Const{Value: 1}}
	more.Start.Cond = rules.Conjunction(sys.Start.Cond, one)
	return &more
}

func TestStops(t *testing.T) {
	sys := rulestest.Kalah(3, 3, false)
	for _, c := range []struct {
		other *rules.System
		opt   relate.Options
		kind  relate.Kind
		want  limit.Stop
		hit   limit.Kind
	}{
		{sys, limited(100), relate.Equivalent, limit.Reached, limit.States},
		{sys, relate.Options{Options: forward.Options{Bounds: limit.Bounds{MaxMemory: 1 << 10}}}, relate.Equivalent, limit.Reached, limit.Memory},
		{rulestest.Kalah(2, 3, false), relate.Options{}, relate.Equivalent, limit.Undecided, limit.None},
		{rulestest.Kalah(3, 2, false), relate.Options{}, relate.Refines, limit.Found, limit.None},
		{sys, relate.Options{}, relate.Reverses, limit.Undecided, limit.None},
	} {
		r, err := search(t, sys, c.other, c.kind, c.opt)
		if err != nil || r.Stop != c.want || r.Hit.Kind != c.hit || r.Stop != limit.Found && r.Reason == "" {
			t.Errorf("%+v: %v, %+v", c, err, r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := relate.Search(ctx, sys, sys, relate.Equivalent, relate.Options{}); err != nil || !r.Hits(limit.Interrupt) {
		t.Errorf("%v, %+v", err, r)
	}
}
