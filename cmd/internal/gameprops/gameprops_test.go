package gameprops

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// played is a line of testdata/games.jsonl: what a file of MancalaGames (commit 2b1c596c) says of a
// game, and how many sequences of moves that program plays, with South to begin and without its end
// where too few seeds for a capture are left. Counts stop before it ends a game whose relay has no
// end.
type played struct {
	File  string
	Perft []struct {
		M, N   int
		Counts []uint64
	}
	text []byte
}

func games(t *testing.T) (list []played) {
	t.Helper()
	f, err := os.Open("testdata/games.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		g := played{text: slices.Clone(in.Bytes())}
		if err := json.Unmarshal(g.text, &g); err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	return list
}

// TestPlayed: each game whose rules are written has the moves that it has in MancalaGames, at its
// own board and at a smaller one.
func TestPlayed(t *testing.T) {
	read := 0
	for _, g := range games(t) {
		rules, err := Rules(g.text, g.File)
		if err != nil && strings.HasPrefix(err.Error(), "this game has what no rules are written for: ") {
			if g.Perft != nil {
				t.Errorf("%s: %v", g.File, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if read++; len(g.Perft) < 2 {
			t.Errorf("%s has no counts", g.File)
		}
		t.Run(g.File, func(t *testing.T) {
			t.Parallel()
			file, err := proofs.Load("game.sow", func(string) ([]byte, error) { return rules, nil })
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range g.Perft {
				sys, diags := file.Unit.System(file.Unit.Variants[0], build.Settings{"m": build.Value{N: p.M}, "n": build.Value{N: p.N}})
				if err := diags.Err(); err != nil {
					t.Fatal(err)
				}
				start, _, err := input.FirstStart(t.Context(), interp.New(sys))
				if err != nil {
					t.Fatal(err)
				}
				got, err := forward.Perft(t.Context(), sys, start, len(p.Counts))
				if err != nil || !slices.Equal(got, p.Counts) {
					t.Errorf("m = %d, n = %d: %d, %v, want %d\n%s", p.M, p.N, got, err, p.Counts, rules)
				}
			}
		})
	}
	if read < 50 {
		t.Errorf("only %d games are read", read)
	}
}

// TestRefuses: what the template has no rules for is named.
func TestRefuses(t *testing.T) {
	for _, test := range []struct{ info, want string }{
		{`"mlaps": 3`, "mlaps=3"},
		{`"pickextra": 3, "capt_on": [4]`, "pickextra=3"},
		{`"unheard": 1`, "unheard=1"},
		{`"unheard": true`, "unheard=1"},
		{`"unheard": [1]`, "unheard=[1]"},
		{`"unheard": 0`, ""},
		{`"mustpass": true, "mustshare": true`, "mustpass with mustshare"},
		{`"capt_on": "two"`, "capt_on is neither"},
		{`"udir_holes": 2`, "udir_holes cannot be 2"},
		{`"capt_on": 2`, "capt_on cannot be 2"},
		{`"mlaps": [1]`, "mlaps cannot be [1]"},
	} {
		_, err := Rules([]byte(`{"game_class": "Mancala", "game_constants": {"holes": 6, "nbr_start": 4},
			"game_info": {"name": "Game", "stores": true, "sow_direct": 1, `+test.info+`}}`), "Game")
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.info, err, test.want)
		}
	}
	for _, text := range []string{
		"", "{", "[]", `"text"`, "{}", `{"game_info": 7}`,
		`{"game_class": "Mancala", "game_constants": {"holes": -1}, "game_info": {"sow_direct": 1}}`,
		`{"game_class": "Mancala", "game_constants": {"holes": 6, "nbr_start": 0}, "game_info": {"sow_direct": 1}}`,
	} {
		if _, err := Rules([]byte(text), "Game"); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
