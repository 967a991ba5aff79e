package symmetry_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// steps lists the successors of a state, each once.
func steps(in *interp.Interp, s rules.State) ([]rules.State, error) {
	list, err := in.Steps(s)
	var to []rules.State
	for _, st := range list {
		to = append(to, st.To)
	}
	slices.SortFunc(to, rules.State.Compare)
	return slices.CompactFunc(to, rules.State.Equal), err
}

// fataler is the common interface of *testing.T and *rapid.T.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// check compares the steps of the image of a state with the images of its steps.
func check(t fataler, in *interp.Interp, g symmetry.Group, s rules.State) {
	t.Helper()
	from, err := steps(in, s)
	for _, sym := range g.Members {
		var want []rules.State
		for _, to := range from {
			want = append(want, sym.Image(g.Sys, to))
		}
		slices.SortFunc(want, rules.State.Compare)
		got, imageErr := steps(in, sym.Image(g.Sys, s))
		if (err != nil) != (imageErr != nil) || err == nil && !slices.EqualFunc(got, want, rules.State.Equal) {
			t.Fatalf("%v of %v: steps %v, %v, want %v, %v\n%s", sym, s, got, imageErr, want, err, g.Sys.Canonical())
		}
	}
}

// TestKnown pins the symmetries of known boards.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		file   string
		order  int // with the identity
		starts int // that map starts to starts
	}{
		{"dose2015", 4, 4}, // both reflections: the starts are all distributions
		{"kalah", 2, 1},    // the players with their rows: the first player begins
		{"oware", 2, 1},
		{"tchoukaillon", 1, 1}, // the store lies at one end
	} {
		sys := buildtest.Systems(t, "../../examples/"+c.file+".sow")[0]
		g := symmetry.Find(context.Background(), sys)
		if g.Order() != c.order {
			t.Errorf("%s: %d symmetries, want %d", c.file, g.Order(), c.order)
		}
		if k := g.Keeping(rules.Parts{}).Order(); k != c.starts {
			t.Errorf("%s: %d symmetries keep the starts, want %d", c.file, k, c.starts)
		}
	}
}

// TestGames compares steps in the games of the family.
func TestGames(t *testing.T) {
	found := 0
	for i, sys := range buildtest.Systems(t, "../../examples/*/*.sow") {
		if i%tier.Every(6) != 0 {
			continue
		}
		g, in := symmetry.Find(context.Background(), sys), interp.New(sys)
		if len(g.Members) == 0 {
			continue
		}
		found++
		rapid.Check(t, func(t *rapid.T) { check(t, in, g, rulestest.State(sys, 40).Draw(t, "state")) })
	}
	if found == 0 {
		t.Error("no game has a symmetry")
	}
}

// TestRandomSystems compares steps in random rule sets.
func TestRandomSystems(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		g := symmetry.Find(context.Background(), sys)
		if found += len(g.Members); len(g.Members) == 0 {
			return
		}
		in := interp.New(sys)
		for range 4 {
			check(t, in, g, rulestest.State(sys, 12).Draw(t, "state"))
		}
	})
	t.Logf("%d symmetries", found)
}

// TestLeast compares least images of packed states, and the sizes of orbits, with those of states.
func TestLeast(t *testing.T) {
	for _, file := range []string{"dose2015", "kalah", "oware"} {
		sys := buildtest.Systems(t, "../../examples/"+file+".sow")[0]
		g := symmetry.Find(context.Background(), sys)
		codec, err := pack.NewCodec(sys, 60, rules.Parts{})
		if err != nil {
			t.Fatal(err)
		}
		r := g.Reducer(codec)
		packed := func(s rules.State) []uint64 {
			flat, key := pack.NewFlat(sys), make([]uint64, codec.Words())
			flat.Set(s)
			if err := codec.Pack(flat, key); err != nil {
				t.Fatal(err)
			}
			return key
		}
		rapid.Check(t, func(t *rapid.T) {
			s := rulestest.State(sys, 60).Draw(t, "state")
			orbit := [][]uint64{packed(s)}
			for _, sym := range g.Members {
				orbit = append(orbit, packed(sym.Image(sys, s)))
			}
			slices.SortFunc(orbit, slices.Compare)
			least, orbit := orbit[0], slices.CompactFunc(orbit, slices.Equal)
			key := packed(s)
			if n := r.Size(key); n != len(orbit) {
				t.Fatalf("orbit of %d, want %d", n, len(orbit))
			}
			if r.Least(key); !slices.Equal(key, least) {
				t.Fatalf("least %x, want %x", key, least)
			}
		})
	}
}
