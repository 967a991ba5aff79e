package cert

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// linearSum draws a sum of multiples of the seeds of one to three pits, or of all.
func linearSum(r *rand.Rand, sys *rules.System) rules.Expr {
	x := rules.Number(r.IntN(3))
	switch r.IntN(3) {
	case 0:
		all := rules.Sum{}
		for p := range sys.Pits {
			all.Pits = append(all.Pits, p)
		}
		return all
	case 1:
		return rules.PitAt(r.IntN(len(sys.Pits)))
	}
	for range 1 + r.IntN(3) {
		term := rules.Binary{Op: rules.Mul, L: rules.Number(r.IntN(4) - 1), R: rules.Seeds(rules.FixedPit(r.IntN(len(sys.Pits))))}
		x = rules.Binary{Op: rules.Add, L: x, R: term}
	}
	return x
}

// linearCondition draws a condition on such sums: also of their remainders, and with old on what
// they were before a step.
func linearCondition(r *rand.Rand, sys *rules.System, old bool) rules.Expr {
	if r.IntN(5) == 0 {
		op := []rules.Op{rules.And, rules.Or}[r.IntN(2)]
		return rules.Binary{Op: op, L: linearCondition(r, sys, old), R: rules.Not{X: linearCondition(r, sys, old)}}
	}
	x := linearSum(r, sys)
	op := []rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge}[r.IntN(6)]
	switch {
	case old && r.IntN(4) > 0:
		return rules.Binary{Op: op, L: x, R: rules.Old{X: x}}
	case r.IntN(4) == 0:
		by := 2 + r.IntN(2)
		x = rules.Binary{Op: rules.Mod, L: x, R: rules.Number(by)}
		return rules.Binary{Op: op, L: x, R: rules.Number(r.IntN(by))}
	}
	return rules.Binary{Op: op, L: x, R: rules.Number(r.IntN(20) - 3)}
}

// decided reports whether a check has accepted evidence, and counts.
func decided(t *testing.T, err error, accepted, rejected *int) bool {
	t.Helper()
	switch {
	case errors.As(err, new(*Rejected)), errors.As(err, new(*NeedsSolver)):
		*rejected++
		return false
	case err != nil:
		t.Fatal(err)
	}
	*accepted++
	return true
}

// TestRandomConserved: what the number of seeds shows of all states is true of each state that some
// play comes to.
func TestRandomConserved(t *testing.T) {
	gen := rulestest.System()
	accepted, rejected := 0, 0
	for i := 0; i < 1500; i += tier.Every(25, 7) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 19))
		all := playAll(t, sys, 300)
		if all == nil || all.starts == 0 {
			continue
		}
		in := interp.New(sys)
		for range 6 {
			target := linearCondition(r, sys, false)
			st := &statement{sys: sys, says: never{target}, tries: maxListed}
			e := &Conserved{}
			if !decided(t, e.check(t.Context(), st, &Report{}), &accepted, &rejected) {
				continue
			}
			for _, s := range all.states {
				if holds, err := in.Holds(target, s, nil); err != nil || holds {
					t.Fatalf("rules %d: %v satisfies %s: %v\n%s", i, s, rules.ExactString(sys, target), err, sys.Canonical())
				}
			}
		}
	}
	t.Logf("%d accepted, %d rejected", accepted, rejected)
	if few := tier.Every(50, 10); accepted < 500/few || rejected < 500/few {
		t.Error("too few")
	}
}

// TestRandomGroups: groups of pits that are said to keep their seeds, or to get so many at once
// only, are accepted only if that is true of all plays, and decide only what is.
func TestRandomGroups(t *testing.T) {
	gen := rulestest.System()
	accepted, rejected, decides := 0, 0, 0
	for i := 0; i < 2500; i += tier.Every(25, 7) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 23))
		all := playAll(t, sys, 300)
		if all == nil || all.starts == 0 {
			continue
		}
		in := interp.New(sys)
		for range 8 {
			g := Group{}
			in2 := make([]bool, len(sys.Pits))
			for range 1 + r.IntN(2) {
				in2[r.IntN(len(sys.Pits))] = true
			}
			for p, has := range in2 {
				if has {
					g.Pits = append(g.Pits, sys.Pits[p].Name)
				}
			}
			if r.IntN(3) == 0 {
				g.Every = 2 + r.IntN(2)
			}
			st := &statement{sys: sys, tries: maxListed}
			_, err := st.groups([]Group{g})
			if !decided(t, err, &accepted, &rejected) {
				continue
			}
			seeds := func(s rules.State) (n int) {
				for p, has := range in2 {
					if has {
						n += s.Seeds[p]
					}
				}
				return n
			}
			for at, s := range all.states {
				for _, to := range all.next[at] {
					d := seeds(all.states[to]) - seeds(s)
					if g.Every == 0 && d < 0 || g.Every > 0 && d%g.Every != 0 {
						t.Fatalf("rules %d: the seeds in %v change by %d\n%s", i, g, d, sys.Canonical())
					}
				}
			}
			for range 4 {
				target := linearCondition(r, sys, false)
				st.says = never{target}
				e := &Grouped{[]Group{g}}
				if e.check(t.Context(), st, &Report{}) != nil {
					continue
				}
				decides++
				for _, s := range all.states {
					if holds, err := in.Holds(target, s, nil); err != nil || holds {
						t.Fatalf("rules %d: %v satisfies %s: %v\n%s", i, s, rules.ExactString(sys, target), err, sys.Canonical())
					}
				}
			}
		}
	}
	t.Logf("%d accepted, %d rejected, %d claims decided", accepted, rejected, decides)
	if few := tier.Every(50, 10); accepted < 500/few || rejected < 500/few || decides < 500/few {
		t.Error("too few")
	}
}

// TestRandomMoved: what the ways of seeds show of each step is true of steps from random states.
func TestRandomMoved(t *testing.T) {
	gen := rulestest.System()
	accepted, rejected := 0, 0
	for i := 0; i < 2000; i += tier.Every(25, 7) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 29))
		in := interp.New(sys)
		claims := rulestest.Claim(sys, true)
		for n := range 8 {
			p := &build.EveryStep{From: rules.True, Gives: linearCondition(r, sys, true)}
			if n%4 == 0 {
				p.Gives = claims.Example(i*8 + n)
			}
			if n%4 == 1 {
				p.From = linearCondition(r, sys, false)
			}
			st := &statement{sys: sys, says: always{p}, tries: maxListed}
			e := &Moved{}
			if !decided(t, e.check(t.Context(), st, &Report{}), &accepted, &rejected) {
				continue
			}
			for k := range 20 {
				s := rulestest.State(sys, 12).Example(k)
				if is, err := in.Holds(p.From, s, nil); err != nil || !is {
					continue
				}
				steps, _, err := in.Legal(s)
				if err != nil {
					continue
				}
				for _, step := range steps {
					if holds, err := in.Holds(p.Gives, step.To, &s); err != nil || !holds {
						t.Fatalf("rules %d: %v from %v is not as %s: %v\n%s", i, step.To, s, rules.ExactString(sys, p.Gives), err, sys.Canonical())
					}
				}
			}
		}
	}
	t.Logf("%d accepted, %d rejected", accepted, rejected)
	if few := tier.Every(50, 10); accepted < 500/few || rejected < 500/few {
		t.Error("too few")
	}
}

// TestRandomRanks: a rank is accepted only if each step of each play lowers it, also one that was
// tampered with. What is proposed is tried, and with some weights changed.
func TestRandomRanks(t *testing.T) {
	gen := rulestest.System()
	accepted, rejected, proposed, forged := 0, 0, 0, 0
	for i := 0; i < 6000; i += tier.Every(75, 21) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 31))
		if i%2 == 0 { // more of them have a rank
			sys.Reactions = slices.DeleteFunc(sys.Reactions, func(rules.Reaction) bool { return r.IntN(2) == 0 })
			sys.Actions = slices.DeleteFunc(sys.Actions, func(rules.Action) bool { return r.IntN(2) == 0 })
		}
		rank := laws.Rank(sys)
		if rank == nil || len(sys.Actions) == 0 {
			continue
		}
		proposed++
		for n := range 8 {
			try := make([][]int, len(rank))
			for l := range rank {
				try[l] = slices.Clone(rank[l])
				if n > 0 {
					try[l][r.IntN(len(sys.Pits))] += r.IntN(3) - 1
				}
			}
			st := &statement{sys: sys, says: ends{&build.Terminates{Within: -1}}}
			e := &Ranked{try}
			if !decided(t, e.check(t.Context(), st, &Report{}), &accepted, &rejected) {
				continue
			}
			if n > 0 {
				forged++
			}
			lowersAll(t, sys, try)
		}
	}
	t.Logf("%d proposed, %d accepted (%d of them changed), %d rejected", proposed, accepted, forged, rejected)
	if few := tier.Every(150, 30); accepted < 300/few || rejected < 300/few {
		t.Error("too few")
	}
}

// lowersAll fails unless the steps of random states after which the game goes on lower the rank.
func lowersAll(t *testing.T, sys *rules.System, rank [][]int) {
	t.Helper()
	in := interp.New(sys)
	for k := range 25 {
		s := rulestest.State(sys, 12).Example(k)
		steps, _, err := in.Legal(s)
		if err != nil {
			continue
		}
		for _, step := range steps {
			worth := func(s rules.State) (out []int) {
				for _, level := range rank {
					n := 0
					for p, w := range level {
						n += w * s.Seeds[p]
					}
					out = append(out, n)
				}
				return out
			}
			if step.To.Live() && slices.Compare(worth(step.To), worth(s)) >= 0 {
				t.Fatalf("rank %v: %v after %v by %s\n%s", rank, step.To, s, sys.ActionName(step.Action), sys.Canonical())
			}
		}
	}
}

// TestLawsOfKalah: what is shown of Kalah at the size that people play, and what is not.
func TestLawsOfKalah(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	rank := laws.Rank(sys)
	if len(rank) != 2 {
		t.Fatalf("the rank %v", rank)
	}
	finite := &statement{sys: sys, says: ends{&build.Terminates{Within: -1}}}
	within := &statement{sys: sys, says: ends{&build.Terminates{Within: 1000}}}
	grows := func(pit int) *statement {
		x := rules.PitAt(pit)
		return &statement{sys: sys, says: always{&build.EveryStep{From: rules.True, Gives: rules.Binary{Op: rules.Ge, L: x, R: rules.Old{X: x}}}}}
	}
	late := [][]int{rank[1], rank[0]}
	for _, c := range []struct {
		name string
		st   *statement
		e    Evidence
		ok   bool
	}{
		{"rank", finite, &Ranked{rank}, true},
		{"no level", finite, &Ranked{}, false},
		{"first level alone", finite, &Ranked{rank[:1]}, false},
		{"second level alone", finite, &Ranked{rank[1:]}, false},
		{"levels in the other order", finite, &Ranked{late}, false},
		{"too few weights", finite, &Ranked{[][]int{rank[0][1:]}}, false},
		{"a number of moves", within, &Ranked{rank}, false},
		{"store", grows(6), &Moved{}, true},
		{"house", grows(3), &Moved{}, false},
		{"steps by a rank", grows(6), &Ranked{rank}, false},
		{"end by the ways of seeds", finite, &Moved{}, false},
		{"groups without a group", &statement{sys: sys, says: never{linearTarget(6, rules.Gt, 48)}, tries: maxListed}, &Grouped{}, false},
		{"groups", &statement{sys: sys, says: never{linearTarget(6, rules.Gt, 48)}, tries: maxListed}, &Grouped{[]Group{{Pits: []string{sys.Pits[6].Name}}}}, true},
		{"group of a house", &statement{sys: sys, says: never{linearTarget(6, rules.Gt, 48)}, tries: maxListed}, &Grouped{[]Group{{Pits: []string{sys.Pits[3].Name}}}}, false},
		{"group of a pit that is not there", &statement{sys: sys, says: never{linearTarget(6, rules.Gt, 48)}, tries: maxListed}, &Grouped{[]Group{{Pits: []string{"x"}}}}, false},
	} {
		err := c.e.check(t.Context(), c.st, &Report{})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// linearTarget is that a pit compares so with a number.
func linearTarget(pit int, op rules.Op, n int) rules.Expr {
	return rules.Binary{Op: op, L: rules.PitAt(pit), R: rules.Number(n)}
}
