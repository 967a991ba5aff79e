package report

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs/suite"
)

// TestEnding: a play says why it ends there, if the board does not.
func TestEnding(t *testing.T) {
	const line = `variant Line {
  param round = false
  board { a[1..3] ring way = a[1..3] }
  setup { a1 = 1 }
  move GO { choose p in a where p > 0 and (round or index(p) < 3)  sow p along way }
  move OUT { choose p in a where p > 0 and not round and index(p) > 3  sow p along way }
  win WON when a2 > 1
}
`
	for _, test := range []struct{ claim, want string }{
		{"claim c of Line { never stuck }", "2. a2  GO\n      0   0-  1+\n     stuck: there is no legal move\n"},
		{"claim c of Line { with round = true terminates }", "3. a3  GO\n      1+  0   0-\n     as at the start: the last 3 moves can repeat forever\n"},
		{"variant Draw {\n board { a[1..3] ring way = a[1..3] }\n setup { a1 = 1 }\n move { choose p in a where p > 0  sow p along way }\n draw SAME when repeated\n}\nclaim c of Draw { reachable SAME }", "3. a3  move\n      1+  0   0-\n     as at the start: the game is over: SAME\n"},
		{"claim c of Line { unreachable a2 = 1 }", "1. a1  GO\n      0-  1+  0\n"},
	} {
		items := read(t, line+test.claim)
		r := suite.Run(t.Context(), items, suite.Options{}).Items[0].Result
		if r == nil || r.Trace == nil {
			t.Fatalf("%s: %+v", test.claim, r)
		}
		if text := Play(r.Trace, ""); !strings.HasSuffix(text, test.want) {
			t.Errorf("%s:\n%s", test.claim, text)
		}
	}
}
