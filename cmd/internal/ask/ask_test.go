package ask_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/ask"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

const text = `variant V {
  param m = 2 in 2..9
  board { a[1..m] ring r = a[1..m] }
  setup { a[1] = 2 }
  move { choose from in a where from > 0 sow from along r }
  when a[1] = 5 { capture a[1] into a[2] }
  win Done when a[2] = 2
}
variant Other { board { b | c } setup { b = 1 } move { take 1 from b into c } }
claim kept of V { invariant total(a) = 2 }
claim wide of V { with m = 3 invariant total(a) = 2 }
claim other of Other { terminates }
`

func asker(t *testing.T) (*ask.Asker, rules.State) {
	t.Helper()
	program, diags := dsl.Load("game.sow", func(string) ([]byte, error) { return []byte(text), nil })
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	f, diags := input.Parsed(t.Context(), "game.sow", program)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	sys, diags := f.System("V", nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	in := interp.New(sys)
	st, err := input.OnlyStart(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return &ask.Asker{File: f, Game: in}, st
}

// TestItem: a claim is asked of the board that is played on, from a state in which play can begin.
func TestItem(t *testing.T) {
	a, st := asker(t)
	if got := a.Claims(); !slices.Equal(got, []string{"kept", "wide"}) {
		t.Errorf("the claims are %q", got)
	}
	item, err := a.Item("kept", st)
	if err != nil || item.Instance.System.Name != "V" || item.Name() != "kept" {
		t.Errorf("%v, %v", item, err)
	}
	var elsewhere *ask.ElsewhereError
	if _, err := a.Item("wide", st); !errors.As(err, &elsewhere) || elsewhere.Boards != "m = 3" {
		t.Errorf("a claim about wider boards: %v", err)
	}
	over := st.Clone()
	over.Outcome, over.Mover = 0, rules.None
	if _, err := a.Item("kept", over); err == nil || !strings.Contains(err.Error(), "the game is over") {
		t.Errorf("after the end: %v", err)
	}
	unsettled := st.Clone()
	unsettled.Seeds[0] = 5
	if _, err := a.Item("kept", unsettled); err == nil || !strings.Contains(err.Error(), "would change this position") {
		t.Errorf("a position that does not stay: %v", err)
	}
}
