package judge

import (
	"strings"
	"testing"
)

const rowRules = `
variant Row {
  param n = 2 in 1..4
  player South, North
  board { a[1..2] | z
    ring lap = a[1..2], z
    owner South = a  owner North = z }
  state t : a = none
  setup { a1 = n }
  move M { choose p in a where p > 0  sow p along lap  t = a2 }
  end D when a1 = 0 and a2 = 0
}
claim r { reachable a2 = 1 and z = 1 }
claim i { invariant a2 = 0 }
`

const rowPlay = `{"variant": "Row", "params": {"n": 2},
  "start": {"pits": {"a1": 2, "a2": 0, "z": 0}, "control": {"t": null, "mover": "South"}},
  "steps": [{"move": "a1", "label": "M", "state": {"pits": {"a1": 0, "a2": 1, "z": 1}, "control": {"t": "a2", "mover": "North"}}}]}`

// TestReplay: a play is what it says, and shows what the claim is about; changed in any place it is
// not.
func TestReplay(t *testing.T) {
	f := load(t, rowRules)
	for _, c := range claims(f) {
		if err := Replay(f, c, []byte(rowPlay)); err != nil {
			t.Errorf("%s: %v", c.Name.Name, err)
		}
	}
	for _, change := range [][2]string{
		{`"n": 2`, `"n": 3`},                     // no start of that game
		{`"a1": 2`, `"a1": 1`},                   // another board
		{`"mover": "North"`, `"mover": "South"`}, // the turn has passed
		{`"t": "a2"`, `"t": "a1"`},
		{`"z": 1}`, `"z": 2}`},
		{`"move": "a1"`, `"move": "a2"`},
		{`"label": "M"`, `"label": "N"`},
		{`, "z": 0`, ``}, // a pit is missing
		{`"mover": "North"}`, `"mover": "North", "outcome": "D"}`},
	} {
		spoilt := strings.Replace(rowPlay, change[0], change[1], 1)
		if spoilt == rowPlay {
			t.Fatalf("%s changes nothing", change)
		}
		if err := Replay(f, claims(f)[0], []byte(spoilt)); err == nil {
			t.Errorf("%s for %s was not noticed", change[1], change[0])
		}
	}
	short := strings.Replace(rowPlay, rowPlay[strings.Index(rowPlay, `"steps"`):], `"steps": []}`, 1)
	if err := Replay(f, claims(f)[0], []byte(short)); err == nil {
		t.Error("a play that does not come to the target passed")
	}
}
