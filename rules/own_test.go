package rules_test

import (
	"slices"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestOwnTables: laps and relations that the System does not have are declared in the order in
// which they occur, each once, and are named as those of the System are.
func TestOwnTables(t *testing.T) {
	sys := &rules.System{Players: []string{"P", "Q"}, Pits: []rules.Pit{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	round, line := rulestest.NewLap("round", true, 3, 0, 1, 2), rulestest.NewLap("way", false, 3, 2, 0)
	line.Owner = 1
	face := rules.Relation{Name: "face", To: []int{1, 0, rules.None}}
	x := rules.RelatedBy(rules.NextAlong(rules.Last, &round), &face)
	y := rules.BeforeAlong(rules.NextAlong(rules.Last, &round), &line)
	if got, want := rules.ExactString(sys, y), "before(next(last along round) along way of \"Q\")"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	got := rules.OwnTables(sys, nil, x, rules.Binary{Op: rules.Eq, L: y, R: rules.FixedPit(0)})
	want := []string{"relation face = b, a, none", "ring round = a, b, c", "line way of \"Q\" = c, a"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range []struct {
		pits   []int
		x      rules.Expr
		broken bool
	}{{[]int{0, 1, 2}, y, false}, {[]int{1, 2, 0}, x.X, false}, {[]int{1, 0, 2}, x.X, true}, {[]int{1, 0, 2}, rules.RelatedBy(rules.Last, &face), false}, {[]int{1, 2, 0}, x, true}} {
		r := rules.NewRenamer(sys, rules.Renaming{Pits: c.pits, Players: []int{0, 1}})
		if image := r.Expr(c.x); r.Broken != c.broken || !c.broken && rules.ExactString(sys, image) != rules.ExactString(sys, c.x) {
			t.Errorf("%v: broken %v", c.pits, r.Broken)
		}
	}
}

// TestPairPits: pits are paired by name, and the others by the place in the picture.
func TestPairPits(t *testing.T) {
	board := func(rows ...[]string) *rules.System {
		s := &rules.System{}
		for _, row := range rows {
			var part []int
			for _, name := range row {
				part = append(part, len(s.Pits))
				s.Pits = append(s.Pits, rules.Pit{Name: name})
			}
			s.Picture = append(s.Picture, [][]int{part})
		}
		return s
	}
	for _, c := range []struct {
		a, b     *rules.System
		out      [2][]bool
		pairs    [][2]int
		unpaired [2][]int
	}{
		{a: board([]string{"a", "b"}), b: board([]string{"b", "a"}), pairs: [][2]int{{0, 1}, {1, 0}}},
		{a: board([]string{"a", "b"}, []string{"c"}), b: board([]string{"x", "b"}, []string{"y"}), pairs: [][2]int{{0, 0}, {1, 1}, {2, 2}}},
		{a: board([]string{"a", "b"}), b: board([]string{"b", "x"}), pairs: [][2]int{{1, 0}}, unpaired: [2][]int{{0}, {1}}}, // the places of a and x are taken
		{a: board([]string{"a", "b"}), b: board([]string{"a"}), pairs: [][2]int{{0, 0}}, unpaired: [2][]int{{1}, nil}},
		{a: board([]string{"a", "b"}), b: board([]string{"a"}), out: [2][]bool{{false, true}, nil}, pairs: [][2]int{{0, 0}}},
		{a: board([]string{"a"}), b: board([]string{"x"}), out: [2][]bool{nil, {true}}, unpaired: [2][]int{{0}, nil}}, // x is nobody's counterpart
	} {
		pairs, unpaired := rules.PairPits(c.a, c.b, c.out)
		if !slices.Equal(pairs, c.pairs) || !slices.Equal(unpaired[0], c.unpaired[0]) || !slices.Equal(unpaired[1], c.unpaired[1]) {
			t.Errorf("%v, %v; want %v, %v", pairs, unpaired, c.pairs, c.unpaired)
		}
	}
}
