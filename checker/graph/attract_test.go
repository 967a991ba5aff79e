package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAttract compares distances with those of a definition by rounds: in round d the states are
// added from which the player can force a state of an earlier round.
func TestAttract(t *testing.T) {
	reached := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(12)
		to, mine := make([][]uint32, n), make([]bool, n)
		for i := range to {
			mine[i] = r.IntN(2) == 0
			for range r.IntN(4) {
				to[i] = append(to[i], uint32(r.IntN(n)))
			}
		}
		targets := []uint32{uint32(r.IntN(n))}
		for _, mine := range [][]bool{mine, nil} {
			want := slices.Repeat([]int32{Never}, n)
			want[targets[0]] = 0
			for d := int32(1); d <= int32(n); d++ {
				for i := range want {
					good := 0
					for _, j := range to[i] {
						if want[j] < d {
							good++
						}
					}
					if want[i] == Never && good > 0 && (mine == nil || mine[i] || good == len(to[i])) {
						want[i] = d
						reached++
					}
				}
			}
			if have := Attract(n, func(i int) []uint32 { return to[i] }, mine, slices.Clone(targets)); !slices.Equal(have, want) {
				t.Fatalf("steps %v, player %v, targets %v: %v, want %v", to, mine, targets, have, want)
			}
		}
	}
	if reached < 500 {
		t.Errorf("only %d states are reached", reached)
	}
}
