package proofs_test

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestKalahVariants: the capture of empty pits makes a difference on all but the smallest boards; a
// variant is equivalent to itself.
func TestKalahVariants(t *testing.T) {
	for _, c := range []struct {
		m, n  int
		claim string
		want  proofs.Status
	}{
		{3, 2, "equivalent to Kalah(empty_capture = true)", proofs.Refuted},
		{3, 2, "refines Kalah(empty_capture = true)", proofs.Refuted},
		{3, 2, "equivalent to Kalah", proofs.Proved},
		{3, 2, "refines Kalah", proofs.Proved},
		{1, 3, "equivalent to Kalah(empty_capture = true)", proofs.Proved}, // a pit alone is never empty while play goes on
		{3, 2, "refines Kalah(n = 3)", proofs.Refuted},
		{3, 2, "reverses Kalah", proofs.Unknown}, // who takes it back?
	} {
		r := claimOn(t, "kalah", "claim c { "+c.claim+" }", ints("m", c.m, "n", c.n), proofs.Options{})
		if r.Status != c.want {
			t.Errorf("(%d,%d) %s: %s, %s", c.m, c.n, c.claim, r.Status, r.Sentence())
		}
	}
	r := claimOn(t, "kalah", "claim c { with m = 3, n = 3 equivalent to Kalah }", nil, proofs.Options{})
	if r.Stats.Transitions != 50509 || r.Stats.States != 27090-14 { // live ones, by independent programs
		t.Errorf("%+v", r.Stats)
	}
}

// TestDifferenceIsPlayable: both sides make the same moves from the same board, and differ only
// after the last.
func TestDifferenceIsPlayable(t *testing.T) {
	r := claimOn(t, "kalah", "claim c { with m = 6, n = 4 equivalent to Kalah(empty_capture = true) }", nil, proofs.Options{})
	if r.Status != proofs.Refuted || r.Other == nil || !strings.Contains(r.Sentence(), "after move 3, `2`, the boards differ") {
		t.Fatalf("%s: %s", r.Status, r.Sentence())
	}
	n := len(r.Trace.Steps)
	for i, s := range r.Trace.Steps {
		o := r.Other.Steps[i]
		if s.Move != o.Move || s.State.Equal(o.State) != (i < n-1) {
			t.Errorf("move %d: %v, %v", i+1, s, o)
		}
	}
	if fewest := fewestToDiffer(t, r.System, r.Other.System); n != fewest {
		t.Errorf("%d moves, %d are enough", n, fewest)
	}
}

// fewestToDiffer plays all moves on both Systems, whose states have the same shape, with an
// increasing number of moves.
func fewestToDiffer(t *testing.T, left, right *rules.System) int {
	t.Helper()
	l, r := interp.New(left), interp.New(right)
	start := left.EmptyStart()
	for p := range start.Seeds {
		if left.Start.Free[p] {
			start.Seeds[p] = 4
		}
	}
	level := []rules.State{start}
	for n := 1; n < 6; n++ {
		var next []rules.State
		for _, s := range level {
			a, err := l.Steps(s)
			b, err2 := r.Steps(s)
			if err != nil || err2 != nil || len(a) != len(b) {
				t.Fatal(err, err2)
			}
			for i := range a {
				if !a[i].To.Equal(b[i].To) {
					return n
				}
				next = append(next, a[i].To)
			}
		}
		level = next
	}
	return -1
}

// unplay is the move of Tchoukaillon backwards, as in published code golf answers: fill the first
// empty cup from all before it.
const unplay = `
variant Unplay {
  param cups  = 6 in 1..256
  param beads = 4 in 0..
  board {
    cup[cups..1] | basket
    line home = cup[cups..1], basket
  }
  setup { basket = beads }
  move {
    choose c in cup where c = 0
    written index(c)
    require basket > 0 and each x in cup : index(x) >= index(c) or x > LEAST
    take 1 from basket into c
    for p in cup { if index(p) < index(c) { take 1 from p into c } }
  }
}
`

func TestReverses(t *testing.T) {
	for least, want := range map[string]proofs.Status{"0": proofs.Proved, "1": proofs.Refuted} {
		claim := strings.Replace(unplay, "LEAST", least, 1) + "claim c of Tchoukaillon { with cups = 4, beads = 7 reverses Unplay }"
		r := claimOn(t, "tchoukaillon", claim, nil, proofs.Options{})
		if r.Status != want {
			t.Errorf("%s: %s, %s", least, r.Status, r.Sentence())
		}
		if want == proofs.Refuted && (r.Trace == nil || r.Other != nil || !strings.Contains(r.Sentence(), "takes back")) {
			t.Errorf("%s, %v", r.Sentence(), r.Trace)
		}
	}
}

func TestRelationLimits(t *testing.T) {
	claim := "claim c { with m = 3, n = 3 equivalent to Kalah }"
	if r := claimOn(t, "kalah", claim, nil, proofs.Options{Bounds: limit.Bounds{MaxStates: 100}}); r.Status != proofs.Unknown || !strings.Contains(r.Sentence(), "100") {
		t.Errorf("%s: %s", r.Status, r.Sentence())
	}
	if r := claimOn(t, "kalah", claim, nil, proofs.Options{Engine: proofs.BMC}); r.Status != proofs.Unknown {
		t.Errorf("%s: %s", r.Status, r.Sentence())
	}
}
