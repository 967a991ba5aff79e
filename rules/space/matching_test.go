package space_test

import (
	"errors"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// TestManyValues: a search that finds no board for any of billions of values of variables looks
// whether it is over all the same.
func TestManyValues(t *testing.T) {
	sys := buildtest.System(t, buildtest.Text(t, `variant Wide {
  board { a | b }
  state x : 0..60_000
  state y : 0..60_000
  setup { a = 3 }
  move { require a > 0  take 1 from a into b  x = x + 1  y = x }
}`), nil)
	full := rules.Binary{Op: rules.Gt, L: rules.Sum{Pits: []int{0, 1}}, R: rules.Number(3)}
	few := rules.Binary{Op: rules.Lt, L: rules.Sum{Pits: []int{0, 1}}, R: rules.Number(2)}
	ctx := limit.WithLooks(t.Context(), 50)
	err := space.Matching(ctx, interp.New(sys), rules.Conjunction(full, few), rules.Kept{}, func(rules.State) error { return space.ErrFound })
	if !errors.Is(err, limit.ErrLooks) {
		t.Errorf("%v", err)
	}
}
