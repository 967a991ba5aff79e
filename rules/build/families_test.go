package build_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// growing is a game on a board of any size, with more lines in the board and a guard.
func growing(t *testing.T, least, lines, guard string) *build.Instance {
	t.Helper()
	u := buildtest.Text(t, `variant Growing {
  param n = 60 in 1..
  board {
    hole[1..n]
    hole[n+1..2*n]
    ring way = hole[1..n], hole[2*n..n+1]
    `+lines+`
  }
  setup { each hole = 1 }
  move {
    choose p in hole
    sow p along way
    require `+guard+`
  }
  end swept when total(hole) = 0
}
claim c { for all n >= `+least+`: unreachable swept }
`)
	return buildtest.Instances(t, u, "c", nil)[0]
}

// size returns the error about sizes, which has to be one.
func size(t *testing.T, err error) *build.SizeError {
	t.Helper()
	var no *build.SizeError
	if !errors.As(err, &no) {
		t.Fatalf("%v", err)
	}
	return no
}

func TestFamilyOfAnySize(t *testing.T) {
	inst := growing(t, "5", "group middle = hole[n-1..n+2]", "last in middle")
	if inst.Size != "n" || inst.Least() != 5 || !inst.System.Params[0].Upward {
		t.Fatalf("%q from %d, %+v", inst.Size, inst.Least(), inst.System.Params)
	}
	if reach, err := inst.Uniform(); reach != 2 || err != nil {
		t.Errorf("reach %d, %v", reach, err)
	}
	f, err := inst.Middle()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{f.At, 30, 200} {
		at, err := inst.AtSize(n)
		if err != nil {
			t.Fatal(err)
		}
		made, err := f.System(n)
		if err != nil || string(made.Canonical()) != string(at.System.Canonical()) {
			t.Errorf("n = %d: %v", n, err)
		}
		if at.Size != "" || at.System.Params[0].Upward || at.System.Params[0].Value != n {
			t.Errorf("n = %d: %+v", n, at.System.Params)
		}
	}
}

// The two stretches of the group overlap up to n = 36. On greater boards there is a gap between
// them, so more sizes have to be compared than those that are near.
func TestHiddenEnd(t *testing.T) {
	inst := growing(t, "20", "group parts = hole[3..20], hole[n-15..2*n]", "last in parts")
	if reach, err := inst.Uniform(); reach != 20 || err != nil {
		t.Errorf("reach %d, %v", reach, err)
	}
	_, err := inst.Family(22, []int{10, 32})
	if why := size(t, err); !strings.Contains(why.Message, "the rules for n = 37") {
		t.Errorf("%v", why)
	}
}

func TestSizeDecidesMore(t *testing.T) {
	for _, test := range []struct{ lines, guard, why string }{
		{"", "seeds(last) < n", "line 13: `n` decides more"},
		{"", "index(last) < 1000", "line 13: the number of a pit"},
		{"", "index(hole[3]) < 1000", "line 13: the number of a pit"},
		{"", "max(number q in hole : q > 0, 500) > 20", "line 13: how many pits there are"},
		{"", "next(next(last)) = last", "line 13: `next` of another pit"},
		{"", "last /= hole[n div 2]", "line 13: `n div 2` is no multiple"},
		{"", "last /= hole[min(n, 40)]", "line 13: `min(n, 40)` is no multiple"},
		{"", "last /= hole[(n - 1) * n - n * n + 3 + n]", "line 13"},
		{"", "(1 if last in hole[1..n] else n) = 1", "line 13: `n` decides more"},
		{"facing across hole[i] = hole[2*n+1-i]", "last in hole", "line 7: what `facing"},
		{"group half = hole[1..n div 2]", "last in half", "line 7: `n div 2` is no multiple"},
		{"group far = hole[1..n+101]", "last in far", "no multiple"},
	} {
		inst := growing(t, "110", test.lines, test.guard)
		_, err := inst.Uniform()
		if why := size(t, err); !strings.Contains(why.Error(), test.why) {
			t.Errorf("%s, %s: %v", test.lines, test.guard, why)
		}
	}
}
