package obligation_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/smt/obligation"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// down is a game with a single play: from three seeds in a, each move takes one to b. TAKE is how
// many are taken out of a.
const down = `
variant Down {
  board { a | b  line lap = a, b }
  setup { any where a = 3 }
  move when a > 0 { take TAKE from a into b }
}
`

// questions resolves down, and a condition on its states.
func questions(t *testing.T, take, cond string) (*obligation.Questions, rules.Expr) {
	t.Helper()
	text := strings.Replace(down, "TAKE", take, 1) + "claim c { unreachable " + cond + " }"
	inst := buildtest.Instances(t, buildtest.Text(t, text), "c", nil)
	q, err := obligation.About(inst[0].System, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q, inst[0].Property.(*build.Reach).Target
}

// shown reports whether a solver shows f.
func shown(t *testing.T, f *term.Term, err error) bool {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.Open(context.Background(), "")
	if missing := new(solver.NotInstalled); errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = obligation.Shown(t.Context(), s, f)
	if not := new(obligation.NotShownError); err != nil && (!errors.As(err, &not) || not.Answer.Status != solver.Sat) {
		t.Fatal(err)
	}
	return err == nil
}

// TestWellBehaved: two seeds cannot be taken from a pit that holds one.
func TestWellBehaved(t *testing.T) {
	for take, want := range map[string]bool{"1": true, "2": false} {
		q, _ := questions(t, take, "true")
		if shown(t, q.WellBehaved, nil) != want {
			t.Errorf("taking %s is well behaved: %v, want %v", take, !want, want)
		}
	}
}

func TestPath(t *testing.T) {
	for _, c := range []struct {
		show string
		path obligation.Path
		keep bool // what is shown is assumed in the states before
		want bool
	}{
		{"a = 3", obligation.Path{Start: true}, false, true},
		{"a = 2", obligation.Path{Start: true}, false, false},
		{"a = 2", obligation.Path{Start: true, Steps: 1}, false, true},
		{"a = 1 and b = 2", obligation.Path{Start: true, Steps: 2}, false, true},
		{"a = 1", obligation.Path{Start: true, Steps: 4}, false, true}, // there is no such path
		{"total(pit) = 3", obligation.Path{Steps: 1}, true, true},
		{"total(pit) = 3", obligation.Path{Steps: 1}, false, false},
		{"b /= 5", obligation.Path{Steps: 1}, true, false}, // from one seed and four
	} {
		q, show := questions(t, "1", c.show)
		c.path.Show = show
		if c.keep {
			c.path.Assume = []rules.Expr{show}
		}
		if f, err := q.Path(c.path); shown(t, f, err) != c.want {
			t.Errorf("%s after %d moves (start: %v, assumed: %v): want %v", c.show, c.path.Steps, c.path.Start, c.keep, c.want)
		}
	}
}

func TestWriteSMT2(t *testing.T) {
	q, show := questions(t, "1", "a = 3")
	f, err := q.Path(obligation.Path{Start: true, Show: show})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := obligation.WriteSMT2(&out, "the start", f); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"; the start\n; expected answer: unsat\n", "(assert", "(check-sat)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
}
