package proofs_test

import (
	"context"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// longClaims is a claim of each form about a game with a very long move.
const longClaims = `
claim kept { invariant total(pit) = 4000000000000 }
claim never { reachable odd and not odd }
claim moves { never stuck }
claim ends { terminates }
claim first { from start every step gives total(pit) > 0 }
claim onward { start -> total(south) > 0 }
claim many { count(states) > 0 }
claim plays { count(plays of 2 moves) > 0 }
claim same { equivalent to Long }
claim worth { value(start) = 0 }
claim won { winner(start) = none }
claim choice { best(start) = { 1, 2 } }
claim forced { South can force odd within 3 }
`

// sowings are those that every player of moves has to drop one by one, and a loop of as many rounds
// as there are seeds.
var sowings = []string{
	"sow from along ccw, skip {p in south where closed(p)}",
	"sow from along ccw, each drop { odd = not odd }",
	"sow from along ccw, skip {p in south where closed(p)}, relay while last > 1",
	"while from > 0 { take 1 from from into next(from along ccw) }",
	"let k = 0 while k < 1000000 { sow from along ccw, skip {p in south where closed(p)} take 0 from last into from k = k + 1 }",
}

// TestLongMoves: every engine ends with its context, also in the middle of a move, and what it says
// then is no wrong verdict. If one did not, this test would take too long.
func TestLongMoves(t *testing.T) {
	tier.Long(t, "it plays very long moves")
	right := map[string]proofs.Status{"kept": proofs.Proved, "never": proofs.Refuted, "first": proofs.Proved, "many": proofs.Proved, "same": proofs.Proved}
	for i := 0; i < len(sowings); i += tier.Every(4, 2) {
		sowing := sowings[i]
		u := buildtest.Text(t, buildtest.LongMove(sowing, longClaims))
		for _, inst := range buildtest.Instances(t, u, "", nil) {
			for _, e := range allEngines() {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
				r, err := proofs.Decide(ctx, inst, proofs.Options{Engine: e})
				cancel()
				name := inst.Claim.Name
				switch want, known := right[name]; {
				case err != nil:
					t.Errorf("%s: %s by %s: %v", sowing, name, e, err)
				case r.Status == proofs.Proved || r.Status == proofs.Refuted:
					if known && r.Status != want {
						t.Errorf("%s: %s by %s is %s: %s", sowing, name, e, r.Status, r.Sentence())
					}
				case r.Sentence() == "":
					t.Errorf("%s: %s by %s is %s without a reason", sowing, name, e, r.Status)
				}
			}
		}
	}
}
