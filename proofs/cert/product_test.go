package cert

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/relate"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// TestRandomProducts: the pairs that a comparison of rules finds are accepted, and without one of
// them, or with another one in its place, rejected. Pairs of rules that differ are rejected.
func TestRandomProducts(t *testing.T) {
	gen := rulestest.System()
	accepted, refused, forged, few := 0, 0, 0, tier.Every(19, 5)
	for i := 0; i < 600; i += few {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		left := gen.Example(i + 1)
		right := left
		if i%3 > 0 {
			right = changed(left, r)
		}
		if i%2 > 0 {
			left, right = right, left
		}
		var pairs [][2]int
		for p := range left.Pits {
			pairs = append(pairs, [2]int{p, p})
		}
		for kind, relates := range map[relate.Kind]build.RelationKind{relate.Refines: build.Refines, relate.Equivalent: build.Equivalent} {
			for _, as := range []rules.Agreement{rules.InPlay, rules.InNotation, rules.InScore, rules.InResult} {
				opt := relate.Options{Options: forward.Options{Bounds: limit.Bounds{MaxStates: 2000}}, Pairs: pairs, In: as}
				found, err := relate.Search(t.Context(), left, right, kind, opt)
				if err != nil {
					continue // a fault of the rules
				}
				st := &statement{sys: left, says: relation{&build.Relation{Relates: relates, Other: right, In: as, Pairs: pairs}}, tries: maxListed}
				switch found.Stop {
				case limit.Complete:
					set := pairsOf(found)
					if err := checked(t, st, left, right, set); errors.As(err, new(*NeedsSolver)) {
						continue
					} else if err != nil {
						t.Fatalf("rules %d, kind %d in %s: %v\n%s\n%s", i, kind, as, err, left.Canonical(), right.Canonical())
					}
					accepted++
					if len(set) == 0 || as == rules.InPlay { // a move may have another counterpart in the set
						continue
					}
					k := r.IntN(len(set))
					less := slices.Delete(slices.Clone(set), k, k+1)
					if err := checked(t, st, left, right, less); !errors.As(err, new(*Rejected)) {
						t.Fatalf("rules %d, kind %d in %s: accepted without %v: %v", i, kind, as, set[k], err)
					}
					other := slices.Clone(set)
					other[k][1] = other[k][1].Clone()
					other[k][1].Seeds[r.IntN(len(other[k][1].Seeds))]++
					if err := checked(t, st, left, right, other); !errors.As(err, new(*Rejected)) {
						t.Fatalf("rules %d, kind %d in %s: accepted with %v for %v: %v", i, kind, as, other[k], set[k], err)
					}
					forged += 2
				case limit.Found:
					set, ok := matched(t, left, right)
					if !ok {
						continue
					}
					if err := checked(t, st, left, right, set); err == nil {
						t.Fatalf("rules %d, kind %d in %s: accepted, but they differ: %+v\n%s\n%s", i, kind, as, found.Difference, left.Canonical(), right.Canonical())
					}
					refused++
				case limit.Reached, limit.Undecided:
				}
			}
		}
	}
	t.Logf("%d accepted, %d forgeries rejected, %d that differ rejected", accepted, forged, refused)
	if accepted < 100/few || refused < 50/few || forged < 100/few {
		t.Error("too few")
	}
}

func checked(t *testing.T, st *statement, left, right *rules.System, pairs [][2]rules.State) error {
	t.Helper()
	e := NewProduct(left, right, pairs)
	return e.check(t.Context(), st, &Report{})
}

func pairsOf(r *relate.Result) [][2]rules.State {
	var list [][2]rules.State
	for _, parts := range r.Listed {
		list = append(list, [2]rules.State{parts[0], parts[1]})
	}
	return list
}

// changed is a copy with another guard or body of one action, or with
// scores or an outcome of others.
func changed(sys *rules.System, r *rand.Rand) *rules.System {
	m := *sys
	if len(m.Scores) > 1 && r.IntN(2) == 0 {
		m.Scores = slices.Clone(m.Scores)
		slices.Reverse(m.Scores)
		return &m
	}
	if r.IntN(3) == 0 {
		m.Outcomes = slices.Clone(sys.Outcomes)
		o := &m.Outcomes[r.IntN(len(m.Outcomes))]
		o.Kind, o.Winner = rules.WinOutcome, r.IntN(len(m.Players))
		return &m
	}
	m.Actions = slices.Clone(sys.Actions)
	a := &m.Actions[r.IntN(len(m.Actions))]
	if r.IntN(2) == 0 {
		a.Guard = rules.False
	} else {
		other := m.Actions[r.IntN(len(m.Actions))]
		a.Body, a.Locals = other.Body, other.Locals
	}
	return &m
}

// matched lists the pairs of live states that the same actions lead to, as far as both allow them.
func matched(t *testing.T, left, right *rules.System) ([][2]rules.State, bool) {
	t.Helper()
	l, r := interp.New(left), interp.New(right)
	var list [][2]rules.State
	if space.Starts(t.Context(), l, func(st rules.State) error {
		list = append(list, [2]rules.State{st.Clone()})
		return nil
	}) != nil {
		return nil, false
	}
	n := 0
	if space.Starts(t.Context(), r, func(st rules.State) error {
		if n < len(list) {
			list[n][1] = st.Clone()
		}
		n++
		return nil
	}) != nil || n != len(list) {
		return nil, false
	}
	live := func(p [2]rules.State) bool { return p[0].Live() && p[1].Live() }
	list = slices.DeleteFunc(list, func(p [2]rules.State) bool { return !live(p) })
	for k := 0; k < len(list) && len(list) < 3000; k++ {
		a, err := l.Steps(list[k][0])
		b, err2 := r.Steps(list[k][1])
		if err != nil || err2 != nil {
			return nil, false
		}
		for _, s := range a {
			for _, o := range b {
				p := [2]rules.State{s.To, o.To}
				same := func(q [2]rules.State) bool { return comparePairs(p, q) == 0 }
				if s.Action == o.Action && live(p) && !slices.ContainsFunc(list, same) {
					list = append(list, p)
				}
			}
		}
	}
	return list, len(list) < 3000
}
