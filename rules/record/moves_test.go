package record_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/record"
)

// readFile reads the games of a file in testdata.
func readFile(t *testing.T, name string) []record.Game {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	games, err := record.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// readMap reads the map of testdata.
func readMap(t *testing.T, text string) *record.Map {
	t.Helper()
	m, err := record.ReadMap("test.map", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func movesMap(t *testing.T) *record.Map {
	t.Helper()
	text, err := os.ReadFile("testdata/moves.map")
	if err != nil {
		t.Fatal(err)
	}
	return readMap(t, string(text))
}

// systemOf builds the rules of an entry.
func systemOf(t *testing.T, e *record.Entry) *rules.System {
	t.Helper()
	u := buildtest.File(t, filepath.Join("testdata", e.File))
	sys, diags := u.System(u.Variants[len(u.Variants)-1], build.Settings{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return sys
}

// TestMoves replays games that other programs and people have played, from PlayOK, PlayStrategy
// (with positions), OpenSpiel (with boards and numbers of legal moves), the games of OpenSpiel in
// two other notations, and eight of joansalasoler/oware (up to more than half of the seeds). Games
// with another move are found to differ.
func TestMoves(t *testing.T) {
	m := movesMap(t)
	total, changed := 0, 0
	for _, name := range []string{"playok.txt", "moves.txt", "mancala.txt", "oware.txt"} {
		games := readFile(t, name)
		for i := range games {
			g := &games[i]
			e := m.Find(g)
			if e == nil {
				t.Fatalf("%s: no entry for %q", name, g.Name)
			}
			sys := systemOf(t, e)
			total += len(g.Plies)
			res, err := record.Replay(t.Context(), interp.New(sys), e, g)
			if err != nil || res.Plies != len(g.Plies) || len(res.Plays) != 1 {
				t.Errorf("%s, %s, trial %d: %d of %d plies, %d plays, %v", name, g.Name, g.Trial, res.Plies, len(g.Plies), len(res.Plays), err)
				continue
			}
			// Without the middle move the next is another player's.
			if k := len(g.Plies) / 2; k > 2 && g.Name != "kalah" && g.Name != "vying" && g.Name != "mancala" {
				g.Plies = slices.Delete(g.Plies, k, k+1)
				if _, err := record.Replay(t.Context(), interp.New(sys), e, g); errors.As(err, new(*record.Difference)) {
					changed++
				}
			}
		}
	}
	if total != 1_799 || changed < 12 {
		t.Errorf("%d plies, %d changed games differ", total, changed)
	}
}

// TestReadMoves reads moves among all that may stand between them.
func TestReadMoves(t *testing.T) {
	for text, want := range map[string]string{
		"3 6, 2":                           "3 6 2",
		"3 6\n2\n":                         "3 6; 2",
		"# remark\n3 6 # more\n":           "3 6",
		"\ufeff3 6\r\n2\r\n":               "3 6; 2",
		"[Game \"x\"]\n\n1. 3 6\n2. 2 1\n": "3 6 2 1",
		"[Game \"x\"]\n1.3 6 2...2":        "3 6 2",
		"[Game \"x\"]\n3 {a\n b} 6 ; c\n2": "3 6 2",
		"[Game \"x\"]\n3 (4 (5) 6) 7 $12!": "3 7",
		"[Game \"x\"]\n3! 6?! 2??":         "3 6 2",
		"[Game \"x\"]\n3 1-0\n4 0-1":       "3; 4",
		"[Game \"x\"]\n3\n[Game \"x\"]\n4": "3; 4",
		"[Game \"x\"]\n":                   "",
		"1-0":                              "",
		"[Game \"x\"]\n78(10) 36(26) 91X":  "78(10) 36(26) 91X",
		"[Event \"a \\\"b\\\"\"]\nA b":     "A b",
		"{3} 4":                            "4",
	} {
		games, err := record.Read(strings.NewReader(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, g := range games {
			var moves []string
			for _, p := range g.Plies {
				moves = append(moves, p.Move)
			}
			got = append(got, strings.Join(moves, " "))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, and not %q", text, strings.Join(got, "; "), want)
		}
	}
	for _, text := range []string{strings.Repeat("1 ", 1<<17), "3 6\x00", "3 \xff", "3\u200b 6", "game: x\n# Apply action \"3", "game: x\n# Apply joint action [\"3\"]"} {
		if _, err := record.Read(strings.NewReader(text)); !errors.As(err, new(*record.ParseError)) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestPositions reads boards as sites print them, or refuses them. The board is that of a game of
// Kalah with three houses after some moves.
func TestPositions(t *testing.T) {
	const houses = "south[1..3], south_store, north[1..3], north_store"
	for _, c := range []struct{ view, text, want string }{
		{houses + ", mover", "0 3 4 2 1 0 5 3 S", "0 3 4 2 1 0 5 3 South"},
		{houses + ", mover", "0 3 4 2 1 0 5 3 North", "0 3 4 2 1 0 5 3 North"},
		{houses, "0,3,4,2,1,0,5,3", "0 3 4 2 1 0 5 3 South"},
		{houses, "[0, 3, 4, 2, 1, 0, 5, 3]", "0 3 4 2 1 0 5 3 South"},
		{houses, "A0 B3 C4 store2 / a1 b0 c5 store3", "0 3 4 2 1 0 5 3 South"},
		{"north_store, north[3..1], south[1..3], south_store", "(3) 5 0 1 | 0 3 4 (2)", "0 3 4 2 1 0 5 3 South"},
		{"north[3..1], north_store, south_store, south[1..3], mover", "-5-0-1-\n3-------2\n-0-3-4-\nCurrent player: n", "0 3 4 2 1 0 5 3 North"},
		{"mover, " + houses, "S:0.3.4.2.1.0.5.3", "0 3 4 2 1 0 5 3 South"},
		{"runs north[3..1], south[1..3], south_store, north_store, mover, _", "5S,1,1S/1,3S,4S 2 3 N 12", "0 3 4 2 1 0 5 3 North"},
		{"runs north[3..1], south[1..3], south_store, north_store, mover, _", "5S,2/2,4S 2 7 S 1", "0 0 4 2 0 0 5 7 South"},
		{"for South " + houses + ", mover position for North north[1..3], north_store, south[1..3], south_store, mover", "1 0 5 3 0 3 4 2 N", "0 3 4 2 1 0 5 3 North"},
		{"for South " + houses + ", mover position for North north[1..3], north_store, south[1..3], south_store, mover", "0 3 4 2 1 0 5 3 S", "0 3 4 2 1 0 5 3 South"},
		{houses, "0 3 4 2 1 0 5", "refused"},
		{houses, "0 3 4 2 1 0 5 3 1", "refused"},
		{houses, "0 3 4 2 1 0 5 4", "refused"}, // 19 seeds
		{houses, "0.0 3.0 4.0 2.0 1.0 0.0 5.0 3.0", "refused"},
		{houses, "DCBA", "refused"},
		{houses, "99999999999999999999 3 4 2 1 0 5 3", "refused"},
		{houses + ", mover", "0 3 4 2 1 0 5 3", "refused"},
		{houses + ", mover", "0 3 4 2 1 0 5 3 W", "refused"},
		{"runs " + houses, "t,5S,1/4S 2 3 N", "refused"},
		{"runs " + houses, "9999999999/4S", "refused"},
		{"for South " + houses + ", mover", "0 3 4 2 1 0 5 3 N", "refused"},
		{houses + " position north[1..3], north_store, " + "south[1..3], south_store", "0 3 4 2 1 0 5 3", "refused"}, // two ways
		{"south[1..3], south_store, north[1..3] + north_store", "0 3 4 2 1 0 5 3", "error"},
		{"south[1..3]?, south_store, north[1..3], north_store", "0 3 4 2 1 0 5 3", "refused"},
	} {
		entry := fmt.Sprintf("game \"kalah\" by \"../../../examples/kalah.sow\" { position %s }", c.view)
		e := readMap(t, entry).Entries[0]
		u := buildtest.File(t, "../../examples/kalah.sow")
		sys, diags := u.System(u.Variants[0], build.Settings{"m": {N: 3}, "n": {N: 3}})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		games, err := record.Read(strings.NewReader("[Game \"kalah\"]\n[FEN \"" + strings.ReplaceAll(c.text, "\n", " ") + "\"]\n"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := record.Replay(t.Context(), interp.New(sys), e, &games[0])
		got := "refused"
		if err == nil {
			s := res.Plays[0].States[0]
			got = board.Flat(sys, s) + " " + sys.Players[s.Mover]
		}
		if got != c.want && !(c.want == "error" && err != nil) {
			t.Errorf("position %s, %q: %s, and not %s (%v)", c.view, c.text, got, c.want, err)
		}
	}
}

// TestNames: what a map may say wrong, and names that stand for several moves.
func TestNames(t *testing.T) {
	const head = "game \"kalah\" by \"../../../examples/kalah.sow\" { "
	for _, c := range []struct{ entry, moves, want string }{
		{"sites south[1..6] names 1..6", "3", ""},
		{"sites south[1..6] names 6..1", "4 1", ""}, // 4 is the third house, whose last seed goes to the store
		{"sites south[1..6] names 1..7", "3", "more names than sites"},
		{"sites south[1..6] names a..6", "3", "neither numbers nor letters"},
		{"sites south[1..6] names 1..100000", "3", "neither numbers nor letters"},
		{"sites south[1..6] move `([1-6`", "3", "move: "},
		{"sites south[1..6] names 1..6 move `([1-6])`", "7", "no move such as"},
		{"sites south[1..6] names 1..6 move `([1-6]?)`", "3x", "no move such as"},
		{"sites south[1..6] players \"w\"", "3", "1 names of players"},
		{"position for East south[1..6]", "3", "no player `East`"},
		{"position south[1..7]", "3", "no pit"},
		{"sites south[1..6] names \"x\" = 3", "x 6", ""},
		{"sites south[1..6] names 1, 2, 3, 4, 5, 3", "3", "2 plays"}, // the third and the sixth
		{"sites south[1..6] names 1..6 move `([1-6])(?P<score>[0-9])`", "31", ""},
		{"sites south[1..6] names 1..6 move `([1-6])(?P<score>[0-9])`", "30", "the score or the board is another"},
		{"sites south[1..6] names 1..6 move `([1-6])(?P<score>[0-9]*)`", "399999999999999999999", "is no number"},
	} {
		e := readMap(t, head+c.entry+" }").Entries[0]
		games, err := record.Read(strings.NewReader(c.moves))
		if err != nil {
			t.Fatal(err)
		}
		res, err := record.Replay(t.Context(), interp.New(systemOf(t, e)), e, &games[0])
		got := fmt.Sprint(err)
		switch {
		case err == nil && len(res.Plays) > 1:
			got = fmt.Sprintf("%d plays", len(res.Plays))
		case err == nil:
			got = ""
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: %q, and not %q", c.entry, c.moves, got, c.want)
		}
	}
}
