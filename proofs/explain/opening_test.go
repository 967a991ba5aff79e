package explain_test

import (
	"testing"

	"github.com/mancheck/mancheck/proofs/explain"
)

// TestOpening: a verdict that comes without any board shows where the game begins; one that has a
// play does not need that.
func TestOpening(t *testing.T) {
	const game = `variant Row {
  param n = 3 in 1..
  board { p[1..2] line l = p[1..2] }
  setup { p1 = n }
  move { choose q in p where q > 0 sow q along l }
}
`
	for claim, want := range map[string]int{
		"claim c { using forward unreachable p2 > 3 }": 1,
		"claim c { with n = 1 reachable p2 = 1 }":      0,
	} {
		doc := document(t, "-", func(string) ([]byte, error) { return []byte(game + claim), nil })
		starts := 0
		for _, b := range doc.Claims[0].Instances[0].Evidence {
			if s, ok := b.(*explain.States); ok && s.Title == "A start" && s.States[0].Board.State.Seeds[0] == 3 {
				starts++
			}
		}
		if starts != want {
			t.Errorf("%s: %d starts drawn", claim, starts)
		}
	}
}
