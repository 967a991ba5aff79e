package play

import (
	"context"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// table is a table for the rules of a text, at which people play.
func table(t *testing.T, text string) *Table {
	t.Helper()
	sys := buildtest.System(t, buildtest.Text(t, text), nil)
	return &Table{Sys: sys, Title: sys.Name, Start: buildtest.FirstStart(t, interp.New(sys)), Computer: make([]bool, len(sys.Players)), MaxMoves: 100}
}

// shown returns the line of the screen that contains a text, and its column.
func (p player) shown(text string) (line, column int) {
	p.t.Helper()
	for y, line := range strings.Split(ansi.Strip(p.m.content()), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			return y, len([]rune(before))
		}
	}
	p.t.Fatalf("%q is not shown:\n%s", text, p.m.content())
	return 0, 0
}

// TestMouse: a click on a pit makes the move from there, a click on a listed move makes that, and a
// click elsewhere does nothing.
func TestMouse(t *testing.T) {
	p := sitDown(t, kalah(false, false))
	y, x := p.shown("|  2   2   2 |  0") // South's row
	p.click(x+6, y)
	p.moves("south2")
	y, x = p.shown("1   2   3") // its labels
	p.click(x, y)
	p.moves("south2, south1")
	y, x = p.shown("3   2   1")
	p.m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseRight})
	p.click(0, 0)
	p.moves("south2, south1")
	y, x = p.shown("moves: ")
	p.click(x+len("moves: ")+4, y)
	p.moves("south2, south1, north2")
}

// TestNumbers: a move is chosen by the numbers beside the pits, also where there are many moves,
// and what is typed may be the beginning of several.
func TestNumbers(t *testing.T) {
	four := `variant Four {
  player South, North
  board {
    north_outer[12..1]
    north_inner[12..1]
    south_inner[1..12]
    south_outer[1..12]
  }
  setup { each house = 2 }
  move { choose from in my house where from > 0  choose dir in { ccw, cw }  sow from along dir }
}`
	p := sitDown(t, table(t, four))
	if n := len(p.m.game.legal); n != 48 {
		t.Fatalf("%d moves", n)
	}
	p.press("o11 cw", "enter")
	p.moves("south_outer11 cw")
	p.press("i1", "enter") // and not i10, i11 or i12
	p.moves("south_outer11 cw")
	if p.m.typed != "i1 " || !strings.Contains(p.m.said, "i1 ccw, i1 cw") || strings.Contains(p.m.said, "i10") {
		t.Errorf("typed %q, said %q", p.m.typed, p.m.said)
	}
	p.press("cw", "enter")
	p.moves("south_outer11 cw, north_inner1 cw")
	p.press("o", "enter", "backspace", "backspace", "i12 cc", "enter") // the beginning of one
	p.moves("south_outer11 cw, north_inner1 cw, south_inner12 ccw")

	// Arrow keys: left and right keep the row and the direction, up and down go through a column.
	p.press("i5 cw")
	at := func(want string) {
		t.Helper()
		if got := p.m.game.legal[p.m.cursor].short; got != want {
			t.Errorf("the cursor is on %s, want %s", got, want)
		}
	}
	at("i5 cw")
	p.press("right")
	at("i4 cw") // North's numbers go from right to left
	p.press("left", "left")
	at("i6 cw")
	p.press("up")
	at("i6 ccw")
	p.press("up")
	at("o6 cw")
	p.press("down", "down")
	at("i6 cw")

	// A click on a pit with several moves goes from one to the next.
	p.m.typed = ""
	y, x := p.shown("i7")
	p.click(x, y)
	at("i7 ccw")
	p.click(x, y)
	at("i7 cw")
	p.press("enter")
	if got := p.m.game.moves[3].short; got != "i7 cw" {
		t.Errorf("%s was played", got)
	}
}

// TestCommon: what all moves begin with need not be typed.
func TestCommon(t *testing.T) {
	p := sitDown(t, table(t, `variant Common {
  board {
    hole[1..2]
    ring clockwise = hole[1..2]
    ring anticlockwise = reverse clockwise
  }
  state selected : hole = hole[1]
  setup { each hole = 2 }
  move {
    choose dir in { clockwise as C, anticlockwise as A }
    written selected dir
    sow 1 from selected along dir
  }
}`))
	p.press("A", "enter")
	p.moves("hole1 A")
}

// TestTwoPits: where a move chooses two pits a click on each makes it.
func TestTwoPits(t *testing.T) {
	p := sitDown(t, table(t, `variant Two {
  board { hole[1..4] }
  setup { each hole = 2 }
  move {
    choose a in hole where a > 0
    choose b in hole where index(b) > index(a)
    take 1 from a into b
  }
}`))
	y, x := p.shown("2  2  2  2")
	p.click(x+6, y)
	p.moves("")
	p.click(x, y)
	p.moves("hole1 hole3")
}

// laps is a game in which South moves again after a move into the store, and North only ever has
// one move.
const laps = `variant Laps {
  player South, North
  board {
    | north[1..1] | north_store
    | south[1..2] | south_store
  }
  state last_from : house = none
  setup { each south = 2, each north = 3 }
  move {
    choose from in my house where from > 0
    take 1 from from into my store
    if from = south[1] { again }
  }
  end when no move
  score South = south_store, North = north_store
}`

// TestAlone: another turn is announced; who has one move only makes it by itself, which is said,
// and to take back a move goes back to a choice.
func TestAlone(t *testing.T) {
	p := sitDown(t, table(t, laps))
	p.press("1", "enter")
	if got := strings.Join(screen{p.m}.latest(2), "\n"); got != "South: 1  South moves again" {
		t.Errorf("told %q", got)
	}
	p.press("2", "enter")
	p.moves("south1, south2, north1")
	if got := strings.Join(screen{p.m}.latest(2), "\n"); got != "South: 2\nNorth: 1  (the only move)" {
		t.Errorf("told %q", got)
	}
	p.press("1", "enter") // and all the rest follows by itself
	p.moves("south1, south2, north1, south1, south2, north1")
	if got := p.m.game.status(); got != "over: South wins by 2, 4 to 2 (end)" {
		t.Errorf("%s", got)
	}
	p.press("backspace")
	p.moves("south1, south2, north1")
	p.press("backspace")
	p.moves("south1")
}

// TestRoundAlone: only moves are not made by themselves for ever.
func TestRoundAlone(t *testing.T) {
	p := sitDown(t, table(t, `variant Round {
  board { a | b }
  setup { a = 1 }
  move "left" when a = 1 { take 1 from a into b }
  move "right" when b = 1 { take 1 from b into a }
}`))
	p.moves("left, right")
	if got := strings.Join(screen{p.m}.latest(2), "\n"); !strings.HasPrefix(got, "left, right  (the only moves)\n") {
		t.Errorf("told %q", got)
	}
	if !strings.Contains(p.m.halted, "Enter") {
		t.Errorf("halted: %q", p.m.halted)
	}
	p.press("enter")
	p.moves("left, right, left")
}

// TestFrames: a move is shown seed by seed with the hand, and a key shows its end at once.
func TestFrames(t *testing.T) {
	still := kalah(false, false)
	still.Motion = true
	p := sitDown(t, still)
	p.press("south1")
	_, cmd := p.m.Update(tea.KeyPressMsg(keys["enter"]))
	if cmd == nil || p.m.motion == nil {
		t.Fatal("nothing moves")
	}
	var boards []string
	for p.m.motion != nil {
		boards = append(boards, screen{p.m}.status()+" "+strings.Join(strings.Fields(ansi.Strip(p.m.content())), " "))
		p.m.Update(motionMsg{p.m.motions})
	}
	if len(boards) != 3 { // before, taken up, and one seed sown; after the other the board is at rest
		t.Errorf("%d pictures: %q", len(boards), boards)
	}
	if !strings.HasPrefix(boards[1], "South sows, 2 in hand") || !strings.Contains(boards[1], "| 0- 2 2 | 0") || !strings.Contains(boards[2], "| 0- 3+ 2 | 0") {
		t.Errorf("%q", boards)
	}
	p.moves("south1")
	p.press("north1")
	p.m.Update(tea.KeyPressMsg(keys["enter"]))
	if _, cmd := p.m.Update(tea.KeyPressMsg(keys["enter"])); p.m.motion != nil || cmd != nil {
		t.Error("a key does not end the motion")
	}
	p.moves("south1, north1") // and does nothing else
	p.m.Update(motionMsg{p.m.motions})
	p.moves("south1, north1")
}

// TestSave: a game is saved as a play that can be replayed, and a file is replaced only after a
// yes.
func TestSave(t *testing.T) {
	table := kalah(false, false)
	files := map[string]*rules.Trace{}
	table.Save = func(path string, game *rules.Trace, replace bool) error {
		if files[path] != nil && !replace {
			return &ExistsError{path}
		}
		files[path] = game
		return nil
	}
	p := sitDown(t, table)
	p.press("south2", "enter", "ctrl+s", "here", "enter")
	if got := files["here"]; got == nil || !slices.Equal(got.Moves(), []string{"south2"}) || p.m.said != "saved to here" {
		t.Fatalf("saved %v, said %q", got, p.m.said)
	}
	p.press("south1", "enter", "save here", "enter", "n")
	if got := files["here"].Moves(); len(got) != 1 {
		t.Errorf("replaced without a yes: %v", got)
	}
	p.press("save here", "enter")
	if !strings.Contains(p.m.content(), "here exists: replace it? y/n") {
		t.Errorf("%s", p.m.content())
	}
	p.press("y")
	if got := files["here"].Moves(); !slices.Equal(got, []string{"south2", "south1"}) {
		t.Errorf("saved %v", got)
	}
	again := kalah(false, false)
	again.Past = files["here"].Moves()
	p = sitDown(t, again)
	p.moves("south2, south1")
	p.press("undo", "enter")
	p.moves("south2")
}

// TestVariables: the variables of the rules are shown only if somebody asks for them.
func TestVariables(t *testing.T) {
	p := sitDown(t, table(t, laps))
	if strings.Contains(p.m.content(), "last_from") {
		t.Errorf("%s", p.m.content())
	}
	p.press("f2")
	if p.m.said != "last_from = none" {
		t.Errorf("said %q", p.m.said)
	}
}

// TestWay: in a solitaire a hint is a shortest way to win.
func TestWay(t *testing.T) {
	for want, way := range map[string]*Way{
		"won in 2: a, b":                                {Moves: []string{"a", "b"}},
		"lost from here: no play wins":                  {Lost: true},
		"whether this can be won is not known: no time": {Why: "no time"},
	} {
		table := kalah(false, false)
		table.Way = func(context.Context, rules.State) (*Way, error) { return way, nil }
		p := sitDown(t, table)
		p.press("tab")
		if p.m.said != want {
			t.Errorf("said %q, want %q", p.m.said, want)
		}
	}
}

// TestHintHasRoom: in a window of 60 by 20 a hint about six moves is seen whole.
func TestHintHasRoom(t *testing.T) {
	p := sitDown(t, kalah(false, false))
	for _, size := range [][2]int{{60, 20}, {80, 24}, {100, 30}} {
		p.m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		p.m.said = "a1\na2\na3\na4\na5\na6"
		for _, line := range strings.Split(p.m.said, "\n") {
			if !strings.Contains(p.m.content(), line) {
				t.Fatalf("%v: there is no %s:\n%s", size, line, p.m.content())
			}
		}
	}
}

// TestCommonRow: the players have their names also if nobody owns a row at a side.
func TestCommonRow(t *testing.T) {
	tab := table(t, `variant T {
  player South, North
  board {
    heap
    north[2..1]
    south[1..2]
    left
  }
  setup { each house = 1 }
  move { choose from in my house where from > 0 sow from along ccw }
  end when no move
}`)
	if got := sides(tab.Sys); got != [2]int{1, 0} {
		t.Errorf("the players at the sides are %v", got)
	}
}
