package build_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// boardOf resolves a variant with a drawn board, whose players are South and North.
func boardOf(t *testing.T, picture, body string) *rules.System {
	t.Helper()
	return system(t, fmt.Sprintf(`
variant V {
  player South, North
  board {
%s
  }
  setup { each pit = 1 }
  move { choose from in my house %s }
}`, picture, body), nil)
}

func pitNames(sys *rules.System, pits []int) string {
	var names []string
	for _, p := range pits {
		names = append(names, sys.ValueName(rules.PitType, p))
	}
	return strings.Join(names, " ")
}

// lapsOf writes all laps and relations of a board.
func lapsOf(sys *rules.System) string {
	var lines []string
	for _, l := range sys.Laps {
		of := ""
		if l.Owner != rules.None {
			of = " of " + sys.Players[l.Owner]
		}
		lines = append(lines, l.Name+of+": "+pitNames(sys, l.Pits))
	}
	for _, r := range sys.Relations {
		lines = append(lines, r.Name+": "+pitNames(sys, r.To))
	}
	return strings.Join(lines, "\n")
}

const (
	twoRows = `
    north_store | north[2..1] |
                | south[1..2] | south_store`
	fourRows = `
    north_out[1..2]
    north_in[1..2]
    south_in[1..2]
    south_out[1..2]`
	sixRows = `
    north_out[1..2]
    north_mid[1..2]
    north_in[1..2]
    south_in[1..2]
    south_mid[1..2]
    south_out[1..2]`
	allFour = "sow from along my ccw  sow from along my cw  require opposite(from) = behind(from)"
)

func TestLapsFollow(t *testing.T) {
	for name, c := range map[string]struct{ picture, body, want string }{
		"nothing is used":   {twoRows, "sow from along none_of_these", ""},
		"round without":     {twoRows, "sow from along cw", "cw: north2 north1 south2 south1"},
		"round with stores": {twoRows, "sow from along ccw_with_stores  sow from along cw_with_stores", "ccw_with_stores: south1 south2 south_store north1 north2 north_store\ncw_with_stores: north_store north2 north1 south_store south2 south1"},
		"facing":            {twoRows, "require opposite(from) > 0", "opposite: none south1 south2 north2 north1 none"},
		"all ends": {`
    a | north[1..1] | b
    c | south[1..1] | d`, "sow from along ccw_with_stores", "ccw_with_stores: south1 d b north1 a c"},
		"no bars":        {"\n north[1..1] x\n south[1..1]", "sow from along ccw", "ccw: south1 north1"},
		"unequal rows":   {"\n north[1..2]\n south[1..1]", "sow from along ccw", "ccw: south1 north2 north1"},
		"a row of nones": {"\n hand\n north[1..1]\n south[1..1]", "sow from along ccw", "ccw: south1 north1"},
		"four rows": {fourRows, allFour, `ccw of North: north_in1 north_in2 north_out2 north_out1
cw of North: north_out1 north_out2 north_in2 north_in1
ccw of South: south_out1 south_out2 south_in2 south_in1
cw of South: south_in1 south_in2 south_out2 south_out1
opposite: none none south_in1 south_in2 north_in1 north_in2 none none
behind: north_in1 north_in2 north_out1 north_out2 south_out1 south_out2 south_in1 south_in2`},
		"three rows a side": {sixRows, allFour, `ccw of North: north_in2 north_in1 north_out2 north_out1 north_mid1 north_mid2
cw of North: north_mid2 north_mid1 north_out1 north_out2 north_in1 north_in2
ccw of South: south_out1 south_out2 south_mid2 south_mid1 south_in1 south_in2
cw of South: south_in2 south_in1 south_mid1 south_mid2 south_out2 south_out1
opposite: none none none none south_in1 south_in2 north_in1 north_in2 none none none none
behind: north_in1 north_in2 north_out1 north_out2 north_mid1 north_mid2 south_mid1 south_mid2 south_out1 south_out2 south_in1 south_in2`},
		"one row against two": {`
    north[2..1]
    south_in[1..2]
    south_out[1..2]`, allFour, `ccw of North: north1 north2
cw of North: north2 north1
ccw of South: south_out1 south_out2 south_in2 south_in1
cw of South: south_in1 south_in2 south_out2 south_out1
opposite: south_in1 south_in2 north2 north1 none none
behind: none none south_out1 south_out2 south_in1 south_in2`},
		"rows of unequal length": {`
    north[1..1]
    south_in[1..2]
    south_out[1..2]`, "sow from along my ccw", "ccw of North: north1\nccw of South: south_out1 south_out2 south_in2 south_in1"},
		"owners below the picture": {`
    a[1..1]
    b[1..1]
    c[1..1]
    d[1..1]
    owner South = a, b
    owner North = c, d`, "sow from along my cw  require behind(from) > 0", "cw of South: a1 b1\ncw of North: c1 d1\nbehind: b1 a1 d1 c1"},
		"declared otherwise": {twoRows + `
    line ccw = south[1..2], north[1..2]
    map opposite south1 = north1`, "sow from along ccw  require opposite(from) > 0", "ccw: south1 south2 north1 north2\nopposite: none none none north1 none none"},
		"a lap of the board uses it": {twoRows + `
    ring round = reverse ccw`, "sow from along round", "ccw: south1 south2 north1 north2\nround: north2 north1 south2 south1"},
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.Replace(c.body, "sow from along none_of_these", "again", 1)
			if got := lapsOf(boardOf(t, c.picture, body)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestTerritories: nothing follows if the rows are not those of two players, one above the other.
func TestTerritories(t *testing.T) {
	for rows, want := range map[string]string{
		"a[1..2] \n b[1..1] \n b_far[1..2]":         "ccw of A: a2 a1\nccw of B: b_far1 b_far2 b1",
		"a[1..2] \n b[1..1] \n c[1..1]":             "",
		"a[1..2] \n b[1..1] \n a_far[1..1]":         "",
		"a[1..2] c[1..1] \n b[1..1] \n b_far[1..1]": "",
		"a[1..2] \n a_far[1..1] \n a_farther[1..1]": "",
		"x[1..2] \n a[1..1] \n b[1..1]":             "",
	} {
		f, diags := dsl.Parse("test.sow", fmt.Appendf(nil, `
variant V {
  player A, B, C
  board {
    %s
  }
  setup { each pit = 1 }
  move { choose p in my house  sow p along my ccw }
}`, rows))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		u, _ := build.Collect([]*ast.File{f})
		sys, diags := u.System(u.Variants[0], nil)
		switch {
		case want == "" && (len(diags) != 1 || diags[0].Code != diag.Unknown):
			t.Errorf("%s: %v", rows, diags)
		case want != "" && diags.HasErrors():
			t.Errorf("%s: %v", rows, diags)
		case want != "" && lapsOf(sys) != want:
			t.Errorf("%s: got\n%s\nwant\n%s", rows, lapsOf(sys), want)
		}
	}
}

func TestOwnersFollow(t *testing.T) {
	for name, c := range map[string]struct{ players, picture, want string }{
		"by name":        {"South, North", "north[1..1] | south_store | southern | x[1..1] | SOUTH[1..1]", "North South - - -"},
		"longest name":   {"A, A_b", "a | a_b[1..1] | a_c | a_b_c", "A A_b A A_b"},
		"owner lines":    {"South, North", "north[1..1] | south[1..1] \n owner South = north", "South -"},
		"in a solitaire": {"South", "south[1..1] | x", "- -"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := system(t, fmt.Sprintf("variant V {\n player %s\n board {\n %s\n }\n setup { each pit = 1 }\n move { choose p in pit take 1 from p into p }\n}", c.players, c.picture), nil)
			var got []string
			for _, p := range sys.Pits {
				if p.Owner == rules.None {
					got = append(got, "-")
				} else {
					got = append(got, sys.Players[p.Owner])
				}
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("owners %s, want %s", s, c.want)
			}
		})
	}
}

// TestGroupsFollow: houses and stores, unless the board has such names of its own.
func TestGroupsFollow(t *testing.T) {
	for picture, want := range map[string]string{
		"a[1..2] | s":                    "house: a1 a2, store: s",
		"a[1..2]":                        "house: a1 a2",
		"house[1..2] | s":                "house: house1 house2, store: s",
		"a[1..2] | s\n group house = a1": "store: s, house: a1",
	} {
		sys := boardOf(t, picture, "again")
		var got []string
		for _, g := range sys.Groups {
			if g.Name == "house" || g.Name == "store" {
				got = append(got, g.Name+": "+pitNames(sys, g.Pits))
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s, want %s", picture, s, want)
		}
	}
}

// TestShares: a variant may take a board by name, and parameters and players are its own.
func TestShares(t *testing.T) {
	sys := system(t, `
board rows {
  far[n..1]
  near[1..n]
  owner Ann = near
}
variant V {
  param n = 2
  player Ann, Bob
  board rows
  setup { each house = 1 }
  move { choose from in my house  sow from along ccw }
}`, nil)
	if got := lapsOf(sys); got != "ccw: near1 near2 far1 far2" {
		t.Error(got)
	}
	if p := sys.Pits[sys.PitNamed("near2")]; p.Owner != 0 {
		t.Errorf("near2 is owned by %d", p.Owner)
	}
}
