package value

import "testing"

// TestEffort: positions are shallow when more than three of four with as many seeds are decided at
// once, and large when others have many below them.
func TestEffort(t *testing.T) {
	var e effort
	if e.isShallow(5) || !e.isLarge(0) {
		t.Error("something is known of what was not counted")
	}
	for i := range leastCounted {
		if e.isShallow(5) {
			t.Errorf("shallow after %d positions", i)
		}
		e.note(3, 5, 0)
		e.note(2, 6, int64(1-i%4/3)) // three of four are not decided
		e.note(1, mostSeeds, leastLarge)
	}
	for _, k := range []struct {
		inPlay int
		want   bool
	}{{4, false}, {5, true}, {6, false}, {7, false}, {mostSeeds, false}} {
		if e.isShallow(k.inPlay) != k.want {
			t.Errorf("%d seeds in play: shallow is not %v", k.inPlay, k.want)
		}
	}
	for depth, want := range []bool{true, true, false, false, true} {
		if depth == 0 {
			e.note(depth, 7, leastLarge)
		}
		if e.isLarge(depth) != want {
			t.Errorf("depth %d: large is not %v", depth, want)
		}
	}
	for range leastCounted { // now as many are decided as not
		e.note(3, 5, 1)
	}
	if e.isShallow(5) {
		t.Error("shallow though half of the positions are not decided")
	}
}
