package backward_test

import (
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestManyPlans: a sowing that skips closed houses has a plan for each set of them. A search ends
// with its context while it lists these. If it did not, this test would take too long.
func TestManyPlans(t *testing.T) {
	sys := buildtest.System(t, buildtest.Text(t, `variant Closed {
  player South, North
  board {
    | north[8..1] |
    | south[1..8] |
  }
  state closed each house : bool
  setup { each house = 8 }
  move {
    choose from in my house where from > 0
    sow from along ccw, skip {h in house where closed(h)}
    if last = 1 { closed(last) = true }
  }
  draw when total(south) = 0
}`), nil)
	none := rules.Binary{Op: rules.Eq, L: rules.Sum{Pits: num.Run(0, len(sys.Pits))}, R: rules.Const{}}
	goal := rules.Binary{Op: rules.And, L: rules.HasOutcome(0), R: none}
	r, err := backward.Search(cost.Looks(t.Context(), 100), interp.New(sys), goal, backward.Options{})
	if err != nil || !r.Hits(limit.Interrupt) {
		t.Errorf("%v, %+v", err, r)
	}
}
