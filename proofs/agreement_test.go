package proofs_test

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// wayGame is the board of these games, and how they begin and end.
const wayGame = `
  board { w | x | y | z }
  state way : 0..2 = 0
  setup { w = 1, x = 0, y = 0, z = 0 }
  end when total(y) + total(z) > 0`

// ways has two moves to one board, which differ in a variable, and games that are like it.
const ways = `variant Both {` + wayGame + `
  move a { require w > 0  capture w into x  way = 1 }
  move b { require w > 0  capture w into x  way = 2 }
  move c { require x > 0 and way = 1  capture x into y }
  move d { require x > 0 and way = 2  capture x into z }
}
variant Swapped {` + wayGame + `
  move b { require w > 0  capture w into x  way = 1 }
  move a { require w > 0  capture w into x  way = 2 }
  move c { require x > 0 and way = 1  capture x into y }
  move d { require x > 0 and way = 2  capture x into z }
}
variant Half {` + wayGame + `
  move a { require w > 0  capture w into x  way = 1 }
  move c { require x > 0 and way = 1  capture x into y }
}
variant Written {` + wayGame + `
  move a { written "go"  require w > 0  capture w into x  way = 1 }
  move c { written "on"  require x > 0 and way = 1  capture x into y }
}
variant Unwritten {` + wayGame + `
  param more = false
  move a { written (1 div x)  require w > 0  capture w into x  way = 1 }
  move c { written (1 div y)  require x > 0 and way = 1  capture x into y }
  move e { written (1 div y)  require more and w > 0  capture w into z }
}
`

// sweepGame is what the games of sweeps have in common.
const sweepGame = `
  player South, North
  board Kalah
  move { choose from in my house where from > 0  sow from along ccw_with_stores, skip their store  if last = my store { again } }`

// sweeps has a game at whose end what is left is swept, one in which it is not, and one that counts
// it without sweeping.
const sweeps = `board Kalah { north_store | north[2..1] |
                            | south[1..2] | south_store
  setup { each house = 1, each store = 0 } }
variant Swept {` + sweepGame + `
  end when total(south) = 0 or total(north) = 0 { capture south into south_store  capture north into north_store }
  score South = south_store, North = north_store
}
variant Unswept {` + sweepGame + `
  end when total(south) = 0 or total(north) = 0
  score South = south_store, North = north_store
}
variant Counted {` + sweepGame + `
  end when total(south) = 0 or total(north) = 0
  score South = south_store + total(south), North = north_store + total(north)
}
variant Doubled {` + sweepGame + `
  end when total(south) = 0 or total(north) = 0
  score South = 2 * (south_store + total(south)), North = 2 * (north_store + total(north))
}
`

// TestAgreements decides what is compared in each way; a verdict is checked by what others accept,
// too.
func TestAgreements(t *testing.T) {
	for _, c := range []struct {
		text, claim string
		want        proofs.Status
		says        string
	}{
		{ways, "of Both { equivalent to Both in play }", proofs.Proved, ""},
		{ways, "of Both { equivalent to Swapped }", proofs.Unknown, "the same board"},
		{ways, "of Both { refines Swapped }", proofs.Unknown, "the same board"},
		{ways, "of Both { equivalent to Swapped in play and notation }", proofs.Refuted, "is legal in"},
		{ways, "of Both { equivalent to Half }", proofs.Unknown, "the same board"},
		{ways, "of Half { equivalent to Both }", proofs.Unknown, "the same board"},
		{ways, "of Half { refines Both }", proofs.Proved, ""},
		{ways, "of Both { refines Half }", proofs.Refuted, "no move of Half leads to the board to which `d` leads"},
		{ways, "of Half { equivalent to Written }", proofs.Proved, ""},
		{ways, "of Half { equivalent to Written in play and notation }", proofs.Refuted, "`a` in Half is written `go` in Written: this is a difference of notation alone"},
		{ways, "of Half { equivalent to Unwritten }", proofs.Proved, ""},
		{ways, "of Half { equivalent to Unwritten in play and notation }", proofs.Unknown, "has no value"},
		{ways, "of Half { equivalent to Unwritten(more = true) }", proofs.Refuted, "leads to the board"},
		{ways, "of Half { equivalent to Written in result }", proofs.Refuted, "`a` is legal in Half and not in Written"},
		{sweeps, "of Swept { equivalent to Unswept in result }", proofs.Refuted, "has won in"},
		{sweeps, "of Swept { equivalent to Counted in result }", proofs.Proved, "winners"},
		{sweeps, "of Swept { equivalent to Counted in score }", proofs.Proved, "scores"},
		{sweeps, "of Swept { equivalent to Counted }", proofs.Refuted, "the boards differ"},
		{sweeps, "of Counted { equivalent to Doubled in result }", proofs.Proved, "winners"},
		{sweeps, "of Counted { equivalent to Doubled in play and notation }", proofs.Proved, ""},
		{sweeps, "of Counted { refines Doubled in score }", proofs.Refuted, "the scores are"},
	} {
		inst := buildtest.Instances(t, buildtest.Text(t, c.text+"claim c "+c.claim), "c", nil)[0]
		r, err := proofs.Decide(t.Context(), inst, proofs.Options{})
		if err != nil || r.Status != c.want || !strings.Contains(r.Sentence(), c.says) || r.Conclusive() && r.Checked == proofs.Unchecked {
			t.Errorf("%s: %v, %s, %s; want %s: %s", c.claim, err, r.Status, r.Sentence(), c.want, c.says)
		}
	}
}
