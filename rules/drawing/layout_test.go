package drawing_test

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/drawing"
)

// system returns the first variant of an example.
func system(t *testing.T, name string) *rules.System {
	t.Helper()
	program, diags := dsl.Load("../../examples/"+name+".sow", os.ReadFile)
	unit, more := build.Collect(program.Files)
	if err := append(diags, more...).Err(); err != nil {
		t.Fatal(err)
	}
	sys, diags := unit.System(unit.Variants[0], nil)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return sys
}

// plain is a layout as a browser gets it.
type plain struct {
	W, H  int
	Spots []struct {
		Pit     string
		X, Y, H int
		Store   bool
	}
	Players []struct {
		Name string
		X, Y int
	}
	PitVar, Label string
}

func layout(t *testing.T, name string) (l plain) {
	t.Helper()
	text, err := json.Marshal(drawing.LayoutOf(system(t, name)))
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLayout: pits lie in rows within the board and apart from each other, and stores are as tall
// as the board.
func TestLayout(t *testing.T) {
	for name, pits := range map[string]int{"kalah": 14, "oware": 14, "tchoukaillon": 7, "family/hus_nama": 64} {
		l := layout(t, name)
		if len(l.Spots) != pits {
			t.Errorf("%s has %d pits, want %d", name, len(l.Spots), pits)
		}
		seen := map[[2]int]bool{}
		for _, s := range l.Spots {
			if s.X-19 < 0 || s.X+19 > l.W || s.Y-s.H/2 < 0 || s.Y+s.H/2 > l.H {
				t.Errorf("%s: %s lies outside", name, s.Pit)
			}
			if seen[[2]int{s.X, s.Y}] {
				t.Errorf("%s: %s lies on another pit", name, s.Pit)
			}
			seen[[2]int{s.X, s.Y}] = true
			if s.Store && len(l.Players) > 0 && s.H <= 68 {
				t.Errorf("%s: the store %s is %d tall", name, s.Pit, s.H)
			}
		}
	}
}

// TestPlayers: North has the upper row and South the lower one, and in a solitaire nobody has a
// side.
func TestPlayers(t *testing.T) {
	l := layout(t, "kalah")
	rows := map[string]int{}
	for _, s := range l.Spots {
		rows[s.Pit] = s.Y
	}
	names := map[string]int{}
	for _, p := range l.Players {
		names[p.Name] = p.Y
	}
	if len(names) != 2 || names["North"] >= rows["north1"] || rows["north1"] >= rows["south1"] || rows["south1"] >= names["South"] {
		t.Errorf("players at %v, pits at %v", names, rows)
	}
	if names["South"] >= l.H || names["North"] <= 0 {
		t.Errorf("players at %v on a board %d tall", names, l.H)
	}
	if l := layout(t, "dose2015"); len(l.Players) != 0 || l.PitVar != "selected" || l.Label != "" {
		t.Errorf("a solitaire has players %v, its variable is %q, its label %q", l.Players, l.PitVar, l.Label)
	}
	if l.PitVar != "" || l.Label != "move" {
		t.Errorf("the variable is %q, the label %q", l.PitVar, l.Label)
	}
}

// TestDots: each number of seeds that is drawn has as many places, all of them in the pit and
// apart.
func TestDots(t *testing.T) {
	for n, places := range drawing.Dots {
		seen := map[[2]int]bool{}
		for _, at := range places {
			seen[at] = true
			if at[0]*at[0]+at[1]*at[1] > 15*15 {
				t.Errorf("%d seeds: %v is at the edge", n, at)
			}
		}
		if len(seen) != n {
			t.Errorf("%d seeds have the places %v", n, places)
		}
	}
	if !reflect.DeepEqual(drawing.Dots[1], [][2]int{{0, 0}}) {
		t.Errorf("one seed lies at %v", drawing.Dots[1])
	}
}
