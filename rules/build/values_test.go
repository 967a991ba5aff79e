package build_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// turning is a board with a lap for each player and one for both.
const turning = `
variant Turning {
  player South, North
  board {
    north_store | north[3..1] |
                | south[1..3] | south_store
    ring own of South = south, south_store
    ring own of North = north, north_store
    ring both = south, south_store, north, north_store
    ring back = reverse both
    group house = south, north
    owner South = south, south_store
    owner North = north, north_store
  }
  ITEMS
  SETUP
  MOVE
  end when total(house) <= 4
}
`

func turned(t *testing.T, items, setup, move string) *rules.System {
	if setup == "" {
		setup = "setup { each house = 2 }"
	}
	return system(t, replace(turning, "ITEMS", items, "SETUP", setup, "MOVE", move), build.Settings{})
}

// TestSamePlays plays two variants side by side to a depth: what is written with values of a sort
// leads over the same boards as what is spelled out for each value.
func TestSamePlays(t *testing.T) {
	for name, c := range map[string]struct{ items, move, spelled string }{
		"a set of one pit among choices": {
			"",
			`move { choose p in {south1, south2, south3, north1, north2, my store} where p > 0  sow p along both }`,
			`move { choose p in house + store where p > 0 and p /= north3 and (p in house or p = my store)  sow p along both }`,
		},
		"lap variable": {
			"state way : lap = both",
			`move { choose p in my house where p > 0  choose way in {own, both, back}
			   sow p along way
			   if next(last) = south1 and way = back or next(last along way) = north1 { again } }`,
			`move { choose p in my house where p > 0  choose d in {own, both, back}
			   sow p along d
			   if next(last) = south1 and d = back or next(last) = north1 { again } }`,
		},
		"lap kept from move to move": {
			"state way : lap = both",
			`move { choose p in my house where p > 0  sow p along way  if last = p { way = own } else if seeds(last) > 3 { way = back } }`,
			`move { choose p in my house where p > 0
			   if k = 0 { sow p along own } else if k = 1 { sow p along both } else { sow p along back }
			   if last = p { k = 0 } else if seeds(last) > 3 { k = 2 } }`,
		},
		"local lap": {
			"state way : lap = both",
			`move { choose p in my house where p > 0
			   let d = way  let e = back
			   if total(my house) > 5 { way = own }
			   sow p along d
			   if seeds(next(last)) = 3 { sow last along e } else if seeds(last) > 1 { sow last along way } }`,
			`move { choose p in my house where p > 0
			   let j = k
			   if total(my house) > 5 { k = 0 }
			   if j = 0 { sow p along own  if seeds(next(last along own)) = 3 { sow last along back } else if seeds(last) > 1 { sow last along own } }
			   else { sow p along both  if seeds(next(last along both)) = 3 { sow last along back } else if seeds(last) > 1 {
			     if k = 0 { sow last along own } else { sow last along both } } } }`,
		},
		"lap of a player": {
			"state whose : player = South",
			`move { choose p in my house where p > 0
			   sow p along both  whose = mover
			   if last in house of whose and seeds(last) > 1 { sow last along own of whose } }`,
			`move { choose p in my house where p > 0
			   sow p along both
			   if last in my house and seeds(last) > 1 { sow last along my own } }`,
		},
		"relay along a variable": {
			"state way : lap = both",
			`move { choose p in my house where p > 0  choose way in {own, back}  sow p along way, relay while seeds(last) = 3 }`,
			`move { choose p in my house where p > 0  choose d in {own, back}  sow p along d, relay while seeds(last) = 3 }`,
		},
		"set as it was": {
			"",
			`move { choose p in my house where p > 0
			   let ones = {q in house where seeds(q) = 2}
			   sow p along both
			   if last in ones and total(ones) > 11 { capture ones into south_store }
			   for q in ones { if seeds(q) = 3 { take 1 from q into north_store } } }`,
			`move { choose p in my house where p > 0
			   let a = seeds(south1) = 2  let b = seeds(south2) = 2  let c = seeds(south3) = 2
			   let d = seeds(north1) = 2  let e = seeds(north2) = 2  let f = seeds(north3) = 2
			   sow p along both
			   if last in {q in house where q = south1 and a or q = south2 and b or q = south3 and c or q = north1 and d or q = north2 and e or q = north3 and f}
			     and total({q in house where q = south1 and a or q = south2 and b or q = south3 and c or q = north1 and d or q = north2 and e or q = north3 and f}) > 11 {
			     if a { capture south1 into south_store }
			     if b { capture south2 into south_store }
			     if c { capture south3 into south_store }
			     if d { capture north1 into south_store }
			     if e { capture north2 into south_store }
			     if f { capture north3 into south_store }
			   }
			   if a and seeds(south1) = 3 { take 1 from south1 into north_store }
			   if b and seeds(south2) = 3 { take 1 from south2 into north_store }
			   if c and seeds(south3) = 3 { take 1 from south3 into north_store }
			   if d and seeds(north1) = 3 { take 1 from north1 into north_store }
			   if e and seeds(north2) = 3 { take 1 from north2 into north_store }
			   if f and seeds(north3) = 3 { take 1 from north3 into north_store } }`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := side{t, interp.New(turned(t, c.items, "", c.move))}
			y := side{t, interp.New(turned(t, "state k : 0..2 = 1", "", c.spelled))}
			compared := 0
			x.follow(y, onlyStart(t, x.in.System()), onlyStart(t, y.in.System()), 5, &compared)
			if compared < 60 {
				t.Errorf("only %d steps compared", compared)
			}
		})
	}
}

// side is one of two games that are played side by side.
type side struct {
	t  *testing.T
	in *interp.Interp
}

// follow plays the moves of the same notation in both games, and compares the boards.
func (x side) follow(y side, a, b rules.State, depth int, compared *int) {
	if depth == 0 {
		return
	}
	left, right := steps(x.t, x.in, a), steps(y.t, y.in, b)
	if len(left) != len(right) {
		x.t.Fatalf("%d moves and %d in %v", len(left), len(right), a.Seeds)
	}
	for i := range left {
		*compared++
		s, r := left[i].To, right[i].To
		if !slices.Equal(s.Seeds, r.Seeds) || s.Mover != r.Mover || s.Outcome != r.Outcome {
			x.t.Fatalf("from %v by move %d: %v and %v", a.Seeds, i, s, r)
		}
		x.follow(y, s, r, depth-1, compared)
	}
}

// TestSetupSetsState: the start has the values that the setup says, and its player begins.
func TestSetupSetsState(t *testing.T) {
	sys := turned(t, "state way : lap = both  state closed each house : bool  state phase : {opening, main}  state before : phase  state tuz each player : house",
		"setup { each house = 2, closed(north2) = true, phase = main, way = back, mover = North, tuz(South) = north1, before = main }",
		"move { choose p in my house where not closed(p)  sow p along way }")
	s := onlyStart(t, sys)
	got := map[string]string{}
	for i := range sys.Vars {
		got[sys.Vars[i].Name] = sys.ValueName(sys.Vars[i].Type, s.Vars[i])
	}
	for name, want := range map[string]string{
		"way": "back", "closed(north1)": "false", "closed(north2)": "true", "phase": "main", "before": "main", "tuz(South)": "north1", "tuz(North)": "none",
	} {
		if got[name] != want {
			t.Errorf("%s = %s, want %s", name, got[name], want)
		}
	}
	if sys.Players[s.Mover] != "North" {
		t.Errorf("%s begins", sys.Players[s.Mover])
	}
	if list := steps(t, interp.New(sys), s); fmt.Sprint(len(list)) != "2" {
		t.Errorf("%d moves with one house closed, want 2", len(list))
	}
}
