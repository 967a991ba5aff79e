package play

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// family returns the games of the examples at their first starts.
func family(t *testing.T) []*game {
	t.Helper()
	var list []*game
	for _, sys := range buildtest.Systems(t, "../../../examples/*.sow", "../../../examples/family/*.sow") {
		g, err := newGame(sys, buildtest.FirstStart(t, interp.New(sys)), nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	return list
}

// each plays some random moves, and calls visit in each state.
func (g *game) each(t *testing.T, visit func()) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(len(g.sys.Pits))))
	for range 12 {
		visit()
		if g.over() {
			return
		}
		if err := g.step(g.legal[r.IntN(len(g.legal))].Step); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLabels: in all games each pit that a move is about has a label, and the short notation of a
// move, made of labels, is no other move's.
func TestLabels(t *testing.T) {
	for _, g := range family(t) {
		g.each(t, func() {
			for _, o := range g.legal {
				for _, p := range o.pits {
					if g.labels[p] == "" {
						t.Fatalf("%s: %s has no label, in %s", g.sys.Name, g.sys.Pits[p].Name, o.notation)
					}
				}
				if s, err := g.find(o.short); err != nil || !s.To.Equal(o.To) {
					t.Fatalf("%s: %q is not %q: %v", g.sys.Name, o.short, o.notation, err)
				}
			}
		})
	}
}

// TestGrid: the board has one size whatever lies on it, the numbers on it can be read back, and
// each place of it is that of the pit that is drawn there.
func TestGrid(t *testing.T) {
	const first = '\u0100' // no other character of a board comes after it, but the mark of the mover
	for _, g := range family(t) {
		size := [2]int{g.grid.height(false), g.grid.width()}
		g.each(t, func() {
			for _, bare := range []bool{false, true} {
				d := g.drawn()
				d.bare, d.paint = bare, func(pit int, text string, _ bool) string {
					return strings.Repeat(string(first+rune(pit)), len(text))
				}
				at := map[[2]int]int{}
				lines, spots := g.grid.draw(d)
				for _, s := range spots {
					for x := range g.grid.cell() {
						at[[2]int{s.line, s.column + x}] = s.pit
					}
				}
				for y, line := range lines {
					for x, c := range []rune(line) {
						painted := c >= first && c < first+rune(len(g.sys.Pits))
						if pit, ok := at[[2]int{y, x}]; ok != painted || ok && pit != int(c-first) {
							t.Fatalf("%s: at line %d, column %d of %q is %d, %v", g.sys.Name, y, x, line, pit, ok)
						}
					}
				}
			}
			d := g.drawn()
			lines, _ := g.grid.draw(d)
			for _, line := range lines {
				if len([]rune(line)) > size[1] {
					t.Fatalf("%s: %d columns, %d were said: %s", g.sys.Name, len([]rune(line)), size[1], line)
				}
			}
			if len(lines) != size[0] {
				t.Fatalf("%s: %d lines, %d were said", g.sys.Name, len(lines), size[0])
			}
			d.before, d.bare = nil, true
			lines, _ = g.grid.draw(d)
			back, err := board.Parse(g.sys, strings.Join(lines, "\n"))
			if len(g.sys.Picture) == 1 { // read as a drawn board, not as a flat one
				back, err = board.Parse(g.sys, "{"+strings.Join(lines, "\n")+"}")
			}
			if err != nil || !slices.Equal(back.Seeds, g.state().Seeds) {
				t.Fatalf("%s: %v, %v was drawn", g.sys.Name, back.Seeds, g.state().Seeds)
			}
		})
	}
}

// TestMotion: on each picture of a move all seeds are on the board or in the hand, and the last one
// is the state that the move leads to.
func TestMotion(t *testing.T) {
	for _, g := range family(t) {
		total := g.state().Total()
		g.each(t, func() {
			if g.over() {
				return
			}
			for _, o := range g.legal {
				m, took, err := newMotion(g, o.Action, motionBudget)
				if err != nil {
					t.Fatal(err)
				}
				if m == nil {
					continue
				}
				if took > motionBudget/2+longestFrame {
					t.Errorf("%s: %s takes %v", g.sys.Name, o.notation, took)
				}
				for more := true; more; {
					more = m.step()
					sum := m.hand
					for _, n := range m.seeds {
						sum += n
					}
					if sum != total || m.hand < 0 {
						t.Fatalf("%s: %s: %d seeds of %d, %d in hand", g.sys.Name, o.notation, sum, total, m.hand)
					}
				}
				if m.hand != 0 || !slices.Equal(m.seeds, o.To.Seeds) {
					t.Fatalf("%s: %s leads to %v, shown %v", g.sys.Name, o.notation, o.To.Seeds, m.seeds)
				}
			}
		})
	}
}

// TestDrawn: a four-row board, with names, labels, marks and brackets.
func TestDrawn(t *testing.T) {
	sys := buildtest.System(t, buildtest.Text(t, `variant Four {
  player South, North
  board {
    north_store | north_outer[2..1] |
                | north_inner[2..1] |
                | south_inner[1..2] |
                | south_outer[1..2] | south_store
  }
  state lap_from : house = none
  setup { each house = 12 }
  move { choose from in my house where from > 0  choose dir in { ccw, cw }  take 1 from from into my store  lap_from = from }
}`), nil)
	g, err := newGame(sys, buildtest.FirstStart(t, interp.New(sys)), []string{"i2 cw"})
	if err != nil {
		t.Fatal(err)
	}
	want := `
› North
      o2  o1
  0 | 12  12 |
      i2  i1
    | 12  12 |
    | 12 [11]|
      i1  i2
    | 12  12 |  1+
      o1  o2
  South
`
	got := ""
	lines, _ := g.grid.draw(g.drawn())
	for _, line := range lines {
		got += strings.TrimRight(line, " ") + "\n"
	}
	if d := cmp.Diff(strings.TrimPrefix(want, "\n"), got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := g.moves[0]; got.notation != "south_inner2 cw" || got.short != "i2 cw" {
		t.Errorf("%+v", got)
	}
}

// TestResults: who has won and by how much is said of each kind of end.
func TestResults(t *testing.T) {
	for _, c := range []struct{ players, score, ending, want string }{
		{"player South, North", "score South = a, North = b", `end "all sown" when true`, "over: North wins by 3, 5 to 2 (all sown)"},
		{"player South, North", "score South = a, North = 2", `end when true`, "over: a draw, 2 all (end)"},
		{"player South, North", "", `draw "agreed" when true`, "over: a draw (agreed)"},
		{"player South, North", "", `South wins when true`, "over: South wins"},
		{"player South, North", "score South = a, North = b", `North wins majority when true`, "over: North wins by 3, 5 to 2 (majority)"},
		{"player South, North", "score South = a, North = b", `South wins when true`, "over: South wins, 2 to 5"},
		{"", "", `win when true`, "over: won"},
		{"", "", `lose SR005 when true`, "over: lost (SR005)"},
		{"", "", `end when true`, "over: ended (end)"},
	} {
		text := "variant V {\n" + c.players + "\nboard { a | b }\nsetup { a = 2  b = 5 }\nmove \"go\" { take 0 from a into b }\n" + c.ending + "\n" + c.score + "\n}"
		sys := buildtest.System(t, buildtest.Text(t, text), nil)
		st, err := interp.New(sys).Start(startOf(sys, 2, 5))
		if err != nil {
			t.Fatal(err)
		}
		g, err := newGame(sys, st, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.status(); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.ending, c.score, got, c.want)
		}
	}
}

// startOf returns an unsettled start with these seeds.
func startOf(sys *rules.System, seeds ...int) rules.State {
	st := sys.EmptyStart()
	copy(st.Seeds, seeds)
	return st
}
