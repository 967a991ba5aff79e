package proofs_test

import (
	"testing"

	"github.com/mancheck/mancheck/proofs"
)

func TestTmp(t *testing.T) {
	for _, c := range [][2]int{{7, 20}, {20, 100}, {60, 1000}, {130, 5000}} {
	inst := instances(t, load(t, "../examples/tchoukaillon.sow"), "one_each", ints("cups", c[0], "beads", c[1]))[0]
	r := decide(t, inst, proofs.Options{})
	t.Log(c, r.Status, r.Engine, r.Reason, r.Notes, r.Stats)
	}
}
