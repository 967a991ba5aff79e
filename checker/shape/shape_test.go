package shape_test

import (
	"context"
	"testing"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

const picking = `
variant Pick {
  board { a[1..3]  ring lap = a[1..3] }
  state sel : a = none
  state first : bool = true
  state turns : 0..1 = 0
  setup { each a = 1 }
  move PICK when sel = none { choose sel in a }
  move SOW when sel /= none {
    sow sel along lap
    sel = last
    first = false
    if last > 1 { turns = 1 - turns }
  }
}`

func load(t *testing.T, src string) *interp.Interp {
	t.Helper()
	return interp.New(buildtest.System(t, buildtest.Text(t, src), nil))
}

// TestStartOnly: nothing is selected only at the start. `first` stays true after the choice, and
// `turns` returns to 0, so these are no lemmas.
func TestStartOnly(t *testing.T) {
	in := load(t, picking)
	sh := shape.Of(context.Background(), in)
	if len(sh.Lemmas) != 1 || sh.Lemmas[0] != (rules.StartOnly{Var: 0, Value: rules.None}) {
		t.Fatalf("lemmas %v, want sel = none alone", sh.Lemmas)
	}
	all := rules.Kept{}
	for _, c := range []struct {
		seeds []int
		sel   int
		want  bool
	}{{[]int{1, 1, 1}, rules.None, true}, {[]int{2, 1, 0}, rules.None, false}, {[]int{2, 1, 0}, 1, true}} {
		s := in.System().EmptyStart()
		s.Seeds, s.Vars[0] = c.seeds, c.sel
		if got, err := sh.Allows(s, all); err != nil || got != c.want {
			t.Errorf("Allows(%v, sel %d) = %v, %v, want %v", c.seeds, c.sel, got, err, c.want)
		}
	}
}
