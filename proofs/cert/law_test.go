package cert

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// linearCondition draws a condition on the seeds of one to three pits, or of all.
func linearCondition(r *rand.Rand, sys *rules.System) rules.Expr {
	if r.IntN(5) == 0 {
		op := []rules.Op{rules.And, rules.Or}[r.IntN(2)]
		return rules.Binary{Op: op, L: linearCondition(r, sys), R: rules.Not{X: linearCondition(r, sys)}}
	}
	var x rules.Expr = rules.Number(r.IntN(3))
	if r.IntN(2) == 0 {
		all := rules.Sum{}
		for p := range sys.Pits {
			all.Pits = append(all.Pits, p)
		}
		x = all
	} else {
		for range 1 + r.IntN(3) {
			term := rules.Binary{Op: rules.Mul, L: rules.Number(r.IntN(4) - 1), R: rules.Seeds(rules.FixedPit(r.IntN(len(sys.Pits))))}
			x = rules.Binary{Op: rules.Add, L: x, R: term}
		}
	}
	op := []rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge}[r.IntN(6)]
	return rules.Binary{Op: op, L: x, R: rules.Number(r.IntN(20) - 3)}
}

// TestRandomConserved: what the number of seeds shows of all states is true of each state that some
// play comes to.
func TestRandomConserved(t *testing.T) {
	gen := rulestest.System()
	accepted, rejected := 0, 0
	for i := 0; i < 1500; i += tier.Every(6) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 19))
		all := playAll(t, sys, 300)
		if all == nil || all.starts == 0 {
			continue
		}
		in := interp.New(sys)
		for range 6 {
			target := linearCondition(r, sys)
			st := &statement{sys: sys, target: target, tries: maxListed}
			e := NewConserved()
			err := st.check(t.Context(), &e, &Report{})
			switch {
			case errors.As(err, new(*Rejected)), errors.As(err, new(*NeedsSolver)):
				rejected++
				continue
			case err != nil:
				t.Fatalf("rules %d: %v", i, err)
			}
			accepted++
			for _, s := range all.states {
				if holds, err := in.Holds(target, s, nil); err != nil || holds {
					t.Fatalf("rules %d: %v satisfies %s: %v\n%s", i, s, rules.ExactString(sys, target), err, sys.Canonical())
				}
			}
		}
	}
	t.Logf("%d accepted, %d rejected", accepted, rejected)
	if few := tier.Every(6); accepted < 500/few || rejected < 500/few {
		t.Error("too few")
	}
}
