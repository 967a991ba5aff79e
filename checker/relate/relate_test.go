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

// TestRandomMutants compares the verdict, and the number of moves to the first difference, with a
// search by the reference interpreter over pairs kept as text.
func TestRandomMutants(t *testing.T) {
	gen := rulestest.System()
	same, different, few := 0, 0, tier.Every(20, 5)
	for i := 0; i < 1500; i += few {
		sys := gen.Example(i + 1)
		mutant := mutate(sys, rand.New(rand.NewPCG(uint64(i), 3)))
		for _, kind := range []relate.Kind{relate.Refines, relate.Equivalent} {
			r, err := search(t, sys, mutant, kind, limited(5_000))
			if err != nil || r.Stop != limit.Complete && r.Stop != limit.Found {
				continue
			}
			want, err := slowly(sys, mutant, kind)
			if err != nil {
				continue // a fault in a state that the search did not reach
			}
			if r.Stop == limit.Complete {
				same++
				if want >= 0 {
					t.Fatalf("rules %d, kind %d: hold, but differ after %d moves\n%s\n%s", i, kind, want, sys.Canonical(), mutant.Canonical())
				}
				continue
			}
			different++
			if got := longest(r.Difference); got != want {
				t.Fatalf("rules %d, kind %d: differ after %d moves (%s), want %d\n%s\n%s", i, kind, got, r.Reason, want, sys.Canonical(), mutant.Canonical())
			}
		}
	}
	if same < 50/few || different < 50/few {
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

// pair is two states reached by the same moves.
type pair struct{ l, r rules.State }

// startPairs lists the starts of both sides for each distribution of seeds; both have the same
// distributions.
func startPairs(left, right *interp.Interp) ([]pair, error) {
	var level []pair
	err := space.Starts(context.Background(), left, func(s rules.State) error {
		level = append(level, pair{l: s.Clone()})
		return nil
	})
	if err != nil {
		return nil, err
	}
	i := 0
	return level, space.Starts(context.Background(), right, func(s rules.State) error {
		level[i].r = s.Clone()
		i++
		return nil
	})
}

// slowly returns the number of moves to the first difference, or -1.
func slowly(l, r *rules.System, kind relate.Kind) (int, error) {
	left, right := interp.New(l), interp.New(r)
	level, err := startPairs(left, right)
	for _, p := range level {
		if !looksAlike(l, p.l, p.r) {
			return 0, nil
		}
	}
	seen := map[string]bool{}
	for n := 1; len(level) > 0 && err == nil; n++ {
		var next []pair
		for _, p := range level {
			if key := fmt.Sprint(p); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			a, err := left.Steps(p.l)
			if err != nil {
				return 0, err
			}
			b, err := right.Steps(p.r)
			if err != nil {
				return 0, err
			}
			written := func(in *interp.Interp, from rules.State) func(interp.Step) string {
				return func(s interp.Step) string { return in.Notation(s.Action, from) }
			}
			more, alike := match(l, a, b, written(left, p.l), written(right, p.r))
			if !alike || (kind == relate.Equivalent || len(a) == 0) && notations(a, written(left, p.l)) != notations(b, written(right, p.r)) {
				return n, nil
			}
			next = append(next, more...)
		}
		level = next
	}
	return -1, err
}

// notations counts the notations of steps. Several steps may be written in the same way.
func notations(steps []interp.Step, written func(interp.Step) string) int {
	seen := map[string]bool{}
	for _, s := range steps {
		seen[written(s)] = true
	}
	return len(seen)
}

// match pairs the steps of a with those of b by what is written for them, and reports whether each
// has a partner that looks alike.
func match(sys *rules.System, a, b []interp.Step, left, right func(interp.Step) string) ([]pair, bool) {
	var list []pair
	for _, s := range a {
		found := false
		for _, o := range b {
			if left(s) == right(o) {
				found = looksAlike(sys, s.To, o.To)
				list = append(list, pair{s.To, o.To})
			}
		}
		if !found {
			return nil, false
		}
	}
	return list, true
}

func looksAlike(sys *rules.System, a, b rules.State) bool {
	for p := range sys.Pits {
		if a.Seeds[p] != b.Seeds[p] {
			return false
		}
	}
	return a.Mover == b.Mover && a.Outcome == b.Outcome
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
