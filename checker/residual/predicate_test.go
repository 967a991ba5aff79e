package residual_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// TestPredicates compares the truth of random claims about steps with that of the reference
// interpreter.
func TestPredicates(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		starts, listed := listStarts(interp.New(sys))
		if !listed {
			return
		}
		p := newPlayer(t, sys, 12, rules.Parts{})
		x := rulestest.Claim(sys, true).Draw(t, "claim")
		compiled := p.stepper.Compile(x)
		for range 10 {
			s := rulestest.State(sys, 12).Draw(t, "state")
			steps, _ := p.in.Steps(s)
			for _, st := range steps {
				compared++
				want, wantErr := p.in.Holds(x, st.To, &s)
				view := residual.View{Key: p.pack(s), Start: starts(st.To), OldStart: starts(s)}
				view.Key, view.Old = p.pack(st.To), p.pack(s)
				view.CanMove = rapid.SampledFrom([]residual.Answer{residual.Unknown, p.canMove(st.To)}).Draw(t, "can move")
				got, err := p.stepper.Holds(compiled, view)
				if (err != nil) != (wantErr != nil) || err == nil && got != want {
					t.Fatalf("%v from %v to %v: %v %v, want %v %v\n%s", rules.ExprString(sys, x), s, st.To, got, err, want, wantErr, sys.Canonical())
				}
			}
		}
	})
	if compared < 10 {
		t.Errorf("only %d steps compared", compared)
	}
}

func (p *player) pack(s rules.State) []uint64 {
	flat, key := pack.NewFlat(p.in.System()), make([]uint64, p.codec.Words())
	flat.Set(s)
	if err := p.codec.Pack(flat, key); err != nil {
		panic(err)
	}
	return key
}

// canMove says whether s has a legal move, as the interpreter finds.
func (p *player) canMove(s rules.State) residual.Answer {
	can, err := p.in.Player().CanMove(s)
	switch {
	case err != nil:
		return residual.Unknown
	case can:
		return residual.Yes
	}
	return residual.No
}

// listStarts returns a test for starts, if they can be listed.
func listStarts(in *interp.Interp) (is func(rules.State) bool, ok bool) {
	var starts []rules.State
	err := space.Starts(context.Background(), in, func(s rules.State) error {
		starts = append(starts, s.Clone())
		return nil
	})
	return func(s rules.State) bool {
		for _, st := range starts {
			if st.Equal(s) {
				return true
			}
		}
		return false
	}, err == nil
}
