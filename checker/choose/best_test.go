package choose

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/value"
)

// TestStandings: a move is called best, or worse, if and only if it is so for all values within the
// bounds.
func TestStandings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mover := rapid.SampledFrom([]int{value.First, value.Second}).Draw(t, "mover")
		var moves []value.MoveValue
		for range rapid.IntRange(1, 4).Draw(t, "moves") {
			lo := rapid.IntRange(-3, 3).Draw(t, "lo")
			moves = append(moves, value.MoveValue{Lo: lo, Hi: lo + rapid.IntRange(0, 2).Draw(t, "more")})
		}
		always, never := make([]bool, len(moves)), make([]bool, len(moves))
		for i := range moves {
			always[i], never[i] = true, true
		}
		each(moves, nil, func(values []int) {
			top := slices.Max(values)
			if mover == value.Second {
				top = slices.Min(values)
			}
			for i, v := range values {
				always[i] = always[i] && v == top
				never[i] = never[i] && v != top
			}
		})
		for i, got := range Standings(moves, mover) {
			want := Unsure
			switch {
			case always[i]:
				want = Best
			case never[i]:
				want = Worse
			}
			if got != want {
				t.Fatalf("move %d of %v, player %d: %d, want %d", i, moves, mover, got, want)
			}
		}
	})
}

// each calls yield with all values within the bounds of the moves.
func each(moves []value.MoveValue, values []int, yield func([]int)) {
	if len(values) == len(moves) {
		yield(values)
		return
	}
	m := moves[len(values)]
	for v := m.Lo; v <= m.Hi; v++ {
		each(moves, append(slices.Clip(values), v), yield)
	}
}

// TestInfiniteStandings: nothing is best where nothing is known, unless there is only one move.
func TestInfiniteStandings(t *testing.T) {
	open := value.MoveValue{Lo: value.NoLower, Hi: value.NoUpper}
	for _, mover := range []int{value.First, value.Second} {
		if got := Standings([]value.MoveValue{open, open}, mover); !slices.Equal(got, []Standing{Unsure, Unsure}) {
			t.Errorf("player %d: %v", mover, got)
		}
		if got := Standings([]value.MoveValue{open}, mover); !slices.Equal(got, []Standing{Best}) {
			t.Errorf("player %d, one move: %v", mover, got)
		}
	}
}
