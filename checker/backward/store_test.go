package backward

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// parts draws which parts of states are kept.
func parts(t *rapid.T, sys *rules.System) rules.Kept {
	marks := func(n int, what string) []bool { return rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, what) }
	switch rapid.IntRange(0, 2).Draw(t, "kept") {
	case 0:
		return rules.Kept{}
	case 1:
		return rules.Kept{Parts: rules.Parts{Pits: marks(len(sys.Pits), "pits"), Vars: marks(len(sys.Vars), "variables")}}
	}
	return rules.Kept{Parts: rules.Parts{Vars: marks(len(sys.Vars), "variables")}, Over: marks(len(sys.Vars), "over")}
}

// state draws a live or finished state with at most the given number of seeds.
func state(t *rapid.T, sys *rules.System, seeds int) rules.State {
	s := rulestest.State(sys, seeds).Draw(t, "state")
	if o := rapid.IntRange(-1, len(sys.Outcomes)-1).Draw(t, "outcome"); o >= 0 {
		s.Mover, s.Outcome = rules.None, o
	}
	return s
}

// TestKeys: a key says what is kept of a state, and keys are ordered as these states are.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		keep := parts(t, sys)
		c := pack.NewOrdered(sys, rapid.SampledFrom([]int{1, 4, 9, 40}).Draw(t, "bits"), keep)
		most := rapid.SampledFrom([]int{1, 20, 1 << 20}).Draw(t, "seeds")
		var keys [][]uint64
		var states []rules.State
		for range 2 {
			s, f, key := state(t, sys, most), pack.NewFlat(sys), make([]uint64, c.Words())
			f.Set(s)
			if err := c.Pack(f, key); err != nil {
				if !errors.Is(err, pack.ErrRange) || 1<<c.BitsFor(f)-1 <= c.Seeds() {
					t.Fatalf("%v: %v with room for %d seeds", s, err, c.Seeds())
				}
				return
			}
			c.Unpack(key, f)
			if got, want := f.State(sys), keep.Project(sys, s); !got.Equal(want) {
				t.Fatalf("%v, want %v", got, want)
			}
			keys, states = append(keys, key), append(states, f.State(sys))
		}
		if got, want := slices.Compare(keys[0], keys[1]), states[0].Compare(states[1]); got < 0 != (want < 0) || got > 0 != (want > 0) {
			t.Fatalf("%v and %v compare as %d, their keys as %d", states[0], states[1], want, got)
		}
	})
}

// TestStore adds states with more and more seeds. What was there before keeps its number.
func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		keep := parts(t, sys)
		s := newStore(sys, keep, pack.Limits{})
		var want []rules.State
		var keys []uint64
		for bits := range 30 {
			st := keep.Project(sys, state(t, sys, 1<<bits))
			f := pack.NewFlat(sys)
			f.Set(st)
			var err error
			if keys, err = s.pack(f, keys); err != nil {
				t.Fatal(err)
			}
			if err := s.add(f); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(want, st.Equal) {
				want = append(want, st)
			}
			if i, known := s.find(f); !known || !want[i].Equal(st) || s.len() != len(want) {
				t.Fatalf("%v is state %d (%v) of %d, want %v", st, i, known, s.len(), want)
			}
		}
		f := pack.NewFlat(sys)
		for i := range want {
			if s.read(i, f); !f.State(sys).Equal(want[i]) {
				t.Fatalf("state %d is %v, want %v", i, f.State(sys), want[i])
			}
		}
		if len(keys) != 30*s.codec.Words() {
			t.Fatalf("%d words for 30 keys of %d", len(keys), s.codec.Words())
		}
		for key := range slices.Chunk(keys, s.codec.Words()) {
			if i, known := s.set.Find(key); !known || i >= len(want) {
				t.Fatalf("a key that was packed anew is not in the set")
			}
		}
	})
}
