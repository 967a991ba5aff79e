package rules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
)

// TestReflection turns over boards whose images are plain.
func TestReflection(t *testing.T) {
	stores := [][][]int{{{0}, {1, 2, 3}}, {{}, {4, 5, 6}, {7}}} // a store at the left above, one at the right below
	kalah := [][][]int{{{}, {0, 1}, {}}, {{2}, {}, {3}}, {{}, {4, 5}, {}}}
	for _, c := range []struct {
		name      string
		picture   [][][]int
		pits      int
		lr, ud    bool
		want      []int
		different bool // no reflection
	}{
		{"columns", [][][]int{{{0, 1, 2}}, {{3, 4, 5}}}, 6, true, false, []int{2, 1, 0, 5, 4, 3}, false},
		{"rows", [][][]int{{{0, 1, 2}}, {{3, 4, 5}}}, 6, false, true, []int{3, 4, 5, 0, 1, 2}, false},
		{"both", [][][]int{{{0, 1, 2}}, {{3, 4, 5}}}, 6, true, true, []int{5, 4, 3, 2, 1, 0}, false},
		{"stores keep their row", kalah, 6, false, true, []int{4, 5, 2, 3, 0, 1}, false},
		{"stores change sides", kalah, 6, true, true, []int{5, 4, 3, 2, 1, 0}, false},
		{"a pit alone keeps its row", [][][]int{{{0}, {1}}, {{2}}}, 3, false, true, []int{2, 1, 0}, false},
		{"a pit outside stays", [][][]int{{{0, 1}}}, 3, true, false, []int{1, 0, 2}, false},
		{"no place in the row", stores, 8, true, false, nil, true},
		{"not restored by turning it over again", [][][]int{{{0}, {1}}, {{2}, {3, 4, 5}, {6}}}, 7, true, true, nil, true},
	} {
		sys := &rules.System{Picture: c.picture, Pits: make([]rules.Pit, c.pits)}
		got, ok := sys.Reflection(c.lr, c.ud)
		if ok == c.different || ok && !slices.Equal(got, c.want) {
			t.Errorf("%s: %v %v", c.name, got, ok)
		}
	}
}

// TestReflectionRandom: whatever the picture, turning it over twice restores it, so that a
// reflection takes no two pits to the same place.
func TestReflectionRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := &rules.System{}
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			var row [][]int
			for range rapid.IntRange(0, 3).Draw(t, "parts") {
				var part []int
				for range rapid.IntRange(0, 2).Draw(t, "pits") {
					part = append(part, len(sys.Pits))
					sys.Pits = append(sys.Pits, rules.Pit{})
				}
				row = append(row, part)
			}
			sys.Picture = append(sys.Picture, row)
		}
		pits, ok := sys.Reflection(rapid.Bool().Draw(t, "left and right"), rapid.Bool().Draw(t, "top and bottom"))
		if !ok {
			return
		}
		if len(pits) != len(sys.Pits) {
			t.Fatalf("%d images of %d pits", len(pits), len(sys.Pits))
		}
		for p, q := range pits {
			if pits[q] != p {
				t.Fatalf("%v: %v", sys.Picture, pits)
			}
		}
	})
}
