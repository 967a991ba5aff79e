package build_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// rounds is a game of two rows whose moves have this body.
func rounds(t *testing.T, items, body string) *rules.System {
	t.Helper()
	over := "" // in the midst of a relay nothing is over
	if strings.Contains(body, "go on") {
		over = "going = none and "
	}
	return system(t, fmt.Sprintf(`
variant V {
  player South, North
  board {
    north_store | north[2..1] |
                | south[1..2] | south_store
  }
  setup { each house = 2 }
  %s
  move {
    choose from in my house where from > 0
    %s
  }
  end when %s(total(south) = 0 or total(north) = 0)
}`, items, body, over), nil)
}

// TestLapAndOther: a lap is compared with laps only.
func TestLapAndOther(t *testing.T) {
	for _, other := range []string{"mover", "true", "from in house", "origin"} {
		for _, cond := range []string{"ccw = " + other, other + " = ccw"} {
			src := "variant V {\n player South, North\n board {\n north[2..1]\n south[1..2]\n }\n setup { each house = 2 }\n" +
				" move { choose from in my house where from > 0  sow from along ccw  require (" + cond + ") }\n end when total(south) = 0\n}\n"
			f, diags := dsl.Parse("game.sow", []byte(src))
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			u, _ := build.Collect([]*ast.File{f})
			if _, diags = u.System(u.Variants[0], nil); len(diags) != 1 || diags[0].Code != diag.Type {
				t.Errorf("%s: %v", cond, diags)
			}
		}
	}
}

// TestSpelledOut: relays and chains are the loops that they stand for, along a lap found once.
func TestSpelledOut(t *testing.T) {
	for short, long := range map[string]string{
		"sow from along ccw, relay while last > 1": "sow from along ccw  while last > 1 { sow last along ccw }",
		"sow 1 from from along ccw, starting at opposite(from), skip origin, relay from next(last along cw) while last > 1, each drop { require true }": `
			sow 1 from from along ccw, starting at opposite(from), skip origin, each drop { require true }
			while last > 1 { sow next(last along cw) along ccw, skip origin, each drop { require true } }`,
		"sow from along (ccw if from > 2 else cw), relay while last > 1": `
			let l = (ccw if from > 2 else cw)
			sow from along l  while last > 1 { sow last along l }`,
		"capture p back from from along (ccw if from > 2 else cw) while p > 1 into my store": `
			let l = (ccw if from > 2 else cw)
			let p = from
			while p /= none and p > 1 { capture p into my store  p = before(p along l) }`,
		"sow from along ccw  capture p back from last while p in their house and p in 2..3 into my store": `
			sow from along ccw
			let p = last
			while p /= none and (p in their house and p in 2..3) { capture p into my store  p = before(p along ccw) }`,
		"capture p forward from next(from along cw) along ccw_with_stores while p > 1 into opposite(p)": `
			let p = next(from along cw)
			while p /= none and p > 1 { capture p into opposite(p)  p = next(p along ccw_with_stores) }`,
	} {
		a, b := rounds(t, "", short), rounds(t, "", long)
		a.Laps, a.Relations = b.Laps, b.Relations
		if x, y := string(a.Canonical()), string(b.Canonical()); x != y {
			t.Errorf("%s\nis\n%s\nnot\n%s", short, x, y)
		}
	}
}

// TestChainEnds: a chain takes nothing beyond the end of a line, and a pit once.
func TestChainEnds(t *testing.T) {
	sys := system(t, `
variant V {
  board {
    a[1..4] | s
    line way = a[1..4]
  }
  setup { a[1] = 1, a[2] = 5, a[3] = 1, a[4] = 1 }
  move { capture p back from a3 along way while p > 0 into s }
}`, nil)
	in := interp.New(sys)
	list := steps(t, in, reachable(t, sys)[0])
	if len(list) != 1 || !slices.Equal(list[0].To.Seeds, []int{0, 0, 0, 1, 7}) {
		t.Errorf("steps %v", list)
	}
}

// TestGoOn compares a game whose laps are moves with the game in which each relay is one move: the
// states between two laps aside they have the same states and steps.
func TestGoOn(t *testing.T) {
	for lap, relay := range map[string]string{
		"sow from along ccw  if last > 1 { go on from last }":                          "sow from along ccw, relay while last > 1",
		"sow from along cw  if next(last) > 2 { go on from next(last) }":               "sow from along cw, relay from next(last) while next(last) > 2",
		"choose way in {ccw, cw}  sow from along way  if last > 1 { go on from last }": "choose way in {ccw, cw}  sow from along way, relay while last > 1",
	} {
		t.Run(lap, func(t *testing.T) {
			laps, whole := rounds(t, "", lap), rounds(t, "", relay)
			in, relayed := interp.New(laps), interp.New(whole)
			lapped := 0
			for _, s := range reachable(t, laps) {
				if s.Vars[0] != rules.None {
					lapped++
					if list := steps(t, in, s); s.Live() && len(list) > 1 {
						t.Fatalf("in %v there are %d ways to go on", s, len(list))
					}
					continue
				}
				want, endless := map[string]int{}, false
				for _, st := range steps(t, relayed, bare(s)) {
					want[fmt.Sprint(bare(st.To))]++
					endless = endless || st.To.Outcome == len(whole.Outcomes)-1
				}
				if endless {
					continue // where laps are moves, such a play goes on for ever
				}
				got := map[string]int{}
				for _, st := range steps(t, in, s) {
					got[fmt.Sprint(bare(lastLap(t, in, st.To)))]++
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("from %v\n%v\nwant\n%v", s, got, want)
				}
			}
			if lapped < 10 {
				t.Errorf("only %d states in which somebody goes on", lapped)
			}
		})
	}
}

// bare is a state without what remembers that somebody goes on.
func bare(s rules.State) rules.State {
	s = s.Clone()
	s.Vars = []int{}
	return s
}

// lastLap plays on until nobody has to go on.
func lastLap(t *testing.T, in *interp.Interp, s rules.State) rules.State {
	t.Helper()
	for s.Live() && s.Vars[0] != rules.None {
		list := steps(t, in, s)
		if len(list) != 1 {
			t.Fatalf("%d ways to go on from %v", len(list), s)
		}
		s = list[0].To
	}
	return s
}

// TestWays: `going_as` is there only if there are several ways, and they have names.
func TestWays(t *testing.T) {
	one := rounds(t, "", "sow from along ccw  go on from last")
	if len(one.Vars) != 1 || one.Vars[0].Name != "going" || len(one.Vars[0].Domain) != 5 {
		t.Errorf("variables %+v", one.Vars)
	}
	two := rounds(t, "move SOW { choose p in my house  choose k in 1..2  sow p along cw  go on from next(last) }", "sow from along ccw  go on from last")
	if got := strings.Join(two.Enums[0], " "); got != "first SOW_1 SOW_2 move" || two.Vars[1].Init != 0 {
		t.Errorf("ways %s", got)
	}
}

// TestChoicesByLap: a choice for each lap is made anew in each, under its conditions; one for the
// first lap has the value that is said in later ones. Neither is a way to go on.
func TestChoicesByLap(t *testing.T) {
	sys := system(t, `
variant V {
  board { hole[1..4]  ring r = hole  ring l = reverse r }
  setup { hole1 = 2 }
  move {
    choose p in hole where p > 0
    choose dir in {r, l} each lap where dir = r or going = none
    choose k in 1..2 for the first lap, then 0 where k < 3
    choose kept in {1, 2}
    sow p along dir
    if k = 0 { end }
    go on from last
  }
}`, nil)
	if got := strings.Join(sys.Enums[0], " "); got != "first move_1 move_2" {
		t.Errorf("ways %s", got)
	}
	in, s := interp.New(sys), sys.EmptyStart()
	copy(s.Seeds, []int{2, 0, 0, 0})
	moves := func() (list []string, to rules.State) {
		for _, st := range steps(t, in, s) {
			list, to = append(list, in.Notation(st.Action, s)), st.To
		}
		return list, to
	}
	first, next := moves()
	if got, want := strings.Join(first, ", "), "hole1 r 1 1, hole1 r 1 2, hole1 r 2 1, hole1 r 2 2, hole1 l 1 1, hole1 l 1 2, hole1 l 2 1, hole1 l 2 2"; got != want {
		t.Errorf("first lap: %s, want %s", got, want)
	}
	s = next // two seeds were sown to the left, as far as hole3
	later, last := moves()
	if got, want := strings.Join(later, ", "), "hole3 r 0 2"; got != want {
		t.Errorf("later lap: %s, want %s", got, want)
	}
	if last.Outcome == rules.Live {
		t.Error("k is not 0 in the later lap")
	}
}

// TestWaysThatNobodyHas: nothing is wrong with a body in ways to choose that are never legal.
func TestWaysThatNobodyHas(t *testing.T) {
	sys := system(t, `
variant V {
  player South, North
  board {
    | north[2..1] |
    | south[1..2] |
    ring round of South = south[1..2]
    ring round of North = north[1..2]
  }
  setup { each house = 2 }
  move {
    choose from in {north1, south1} where from in my house
    sow from along round
  }
  end when total(house) = 0
}`, nil)
	var ways []string
	for _, a := range sys.Actions {
		ways = append(ways, sys.Players[a.Mover]+" "+a.Choices[0].Text)
	}
	if want := []string{"South south1", "North north1"}; !slices.Equal(ways, want) {
		t.Errorf("%q, want %q", ways, want)
	}
}

// TestWaysOfConditions: the choices may ask for what `go on` declares, in each of very many ways.
func TestWaysOfConditions(t *testing.T) {
	sys := system(t, `
variant V {
  board { hole[1..60]  ring l = hole }
  setup { hole1 = 3 }
  move A {
    choose k in 1..80
    choose p in {h in hole where going = none} where going = none and going_as = first and p > 0
    sow p along l
    if k > 1 { go on from last }
  }
  move B { choose p in hole where p > 0  sow p along l  if last > 1 { go on from last } }
}`, nil)
	if n := len(sys.Vars[1].Domain); n != 82 {
		t.Errorf("%d ways, want 81 and `first`", n)
	}
	if n, want := len(sys.Actions), 2*81*60; n != want {
		t.Errorf("%d actions, want %d", n, want)
	}
}

// TestGoingInChoices: a condition in the set to choose from is one behind it, also about `going`.
func TestGoingInChoices(t *testing.T) {
	played := func(choose string) []string {
		sys := system(t, `
variant V {
  board { hole[1..3]  ring l = hole }
  setup { hole1 = 1, hole2 = 1, hole3 = 2 }
  move { `+choose+`  sow p along l  if last > 1 { go on from last } }
}`, nil)
		in, list := interp.New(sys), []string{}
		s := sys.EmptyStart()
		copy(s.Seeds, []int{1, 1, 2})
		for range 4 {
			next := steps(t, in, s)
			for _, st := range next {
				list = append(list, fmt.Sprint(st.To))
			}
			if len(next) == 0 {
				break
			}
			s = next[0].To
		}
		return list
	}
	want := played("choose p in hole where p > 0 and going = none")
	if len(want) < 5 || !slices.ContainsFunc(want, func(s string) bool { return s != want[0] }) {
		t.Fatalf("played %q", want)
	}
	for _, choose := range []string{
		"choose p in {h in hole where h > 0 and going = none}",
		"choose p in {h in hole where not (h = 0 or going in hole)}",
		"choose p in hole without {h in hole where going /= none} where p > 0",
	} {
		if got := played(choose); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", choose, got, want)
		}
	}
}
