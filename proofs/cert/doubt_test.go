package cert_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
)

// TestDoubtfulMoves: where it depends on what is left out whether a preferred move has a fault,
// nothing is known of the other moves: they may be the only ones.
func TestDoubtfulMoves(t *testing.T) {
	program := source(t, `
variant V {
  board { a | b | c | d }
  setup { a = 1 }
  move first { prefer 1  take 1 from b into c }
  move second { take 1 from a into d }
  end when d = 1
}
claim never { unreachable d = 1 }
`)
	inst := instanceOf(t, program, "never", nil)
	start := inst.System.EmptyStart()
	start.Seeds[0] = 1
	parts := rules.Kept{Parts: rules.Parts{Pits: []bool{true, false, false, true}}}
	c, err := cert.New("test", program, inst, cert.Proved, false, cert.NewForward(inst.System, parts, []rules.State{start}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = cert.Check(context.Background(), c); !errors.As(err, new(*cert.Rejected)) {
		t.Errorf("a set without the second move: %v", err)
	}
}
