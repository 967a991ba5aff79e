package trial_test

import (
	"bufio"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/record"
	"github.com/mancheck/mancheck/rules/space"
)

const familyDir = "../../../examples/family"

// systemOf resolves the variant of a file as an entry of the map says; without one, with default
// sizes.
func systemOf(t *testing.T, u *build.Unit, e *record.Entry) *rules.System {
	t.Helper()
	v, given := u.Variants[len(u.Variants)-1], build.Settings{}
	if e != nil {
		for _, w := range e.With {
			value, err := build.ParseValue(w.Value)
			if err != nil {
				t.Fatal(err)
			}
			given[w.Name] = value
		}
	}
	sys, diags := u.System(v, given)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return sys
}

// familyFiles lists the files that have a variant; others have a board that several share.
func familyFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(familyDir, "*.sow"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(path string) bool { return len(buildtest.File(t, path).Variants) == 0 })
	if len(files) < 40 {
		t.Fatalf("%d variants, of forty", len(files))
	}
	return files
}

// familyGames is how many random games are played of each variant; MANCHECK_GAMES changes it.
func familyGames(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("MANCHECK_GAMES")); err == nil {
		return n
	}
	if tier.Short() {
		return 1
	}
	return 5
}

// TestFamilyPlays plays random games of every variant by the interpreter and by the stepper. They
// have to agree in all steps of all states, and no seed gets lost.
func TestFamilyPlays(t *testing.T) {
	const longest = 300 // moves
	for _, path := range familyFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".sow"), func(t *testing.T) {
			t.Parallel()
			sys := systemOf(t, buildtest.File(t, path), nil)
			in := interp.New(sys)
			m := residual.NewPlayer(t.Context(), sys, rules.Parts{}, nil)
			rng := rand.New(rand.NewPCG(1, uint64(len(path))))
			start := onlyStart(t, in)
			for range familyGames(t) {
				s := start
				for range longest {
					steps, err := in.Steps(s)
					if errors.As(err, new(*rules.LimitError)) {
						break // a relay that is longer than anybody plays
					}
					if err != nil {
						t.Fatal(err)
					}
					if err := trial.Steps(m, s, steps); err != nil {
						t.Fatal(err)
					}
					if len(steps) == 0 {
						break
					}
					to := steps[rng.IntN(len(steps))].To
					if seedsIn(to) != seedsIn(s) {
						t.Fatalf("%d seeds become %d:\n%v\n%v", seedsIn(s), seedsIn(to), s, to)
					}
					s = to
				}
			}
		})
	}
}

func seedsIn(s rules.State) int {
	n := 0
	for _, k := range s.Seeds {
		n += k
	}
	return n
}

func onlyStart(t *testing.T, in *interp.Interp) rules.State {
	t.Helper()
	var found []rules.State
	err := space.Starts(t.Context(), in, func(s rules.State) error {
		found = append(found, s.Clone())
		return nil
	})
	if err != nil || len(found) != 1 {
		t.Fatalf("%d starts, %v", len(found), err)
	}
	return found[0]
}

// TestFamilyRecords replays games that an independent general game system has recorded, one for
// each entry of the map.
func TestFamilyRecords(t *testing.T) {
	m, games := familyRecords(t)
	for _, e := range m.Entries {
		if !slices.ContainsFunc(games, func(g record.Game) bool { return m.Find(&g) == e }) {
			t.Errorf("there is no record of %s", e.Game)
		}
	}
	for i := 0; i < len(games); i += tier.Every(4) {
		g := &games[i]
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			e := m.Find(g)
			if e == nil {
				t.Fatal("there is no such game in the map")
			}
			in := interp.New(entrySystem(t, e))
			if n, err := record.Replay(t.Context(), in, e, g); err != nil {
				t.Errorf("after %d of %d plies: %v", n, len(g.Plies), err)
			}
		})
	}
}

func familyRecords(t *testing.T) (*record.Map, []record.Game) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(familyDir, "records.map"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := record.ReadMap("records.map", text)
	if err != nil {
		t.Fatal(err)
	}
	var games []record.Game
	for _, name := range []string{"records.tsv", "relays.tsv", "players.tsv"} {
		f, err := os.Open(filepath.Join("../../testdata/family", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		more, err := record.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, more...)
	}
	return m, games
}

func entrySystem(t *testing.T, e *record.Entry) *rules.System {
	t.Helper()
	return systemOf(t, buildtest.File(t, filepath.Join(familyDir, e.File)), e)
}

// TestFamilyPerft counts the sequences of up to four moves. The counts are the same system's, of
// the games in records.tsv.
func TestFamilyPerft(t *testing.T) {
	m, _ := familyRecords(t)
	for game, want := range perftCounts(t, "perft.tsv") {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			e := m.Find(&record.Game{Name: game})
			if e == nil {
				t.Fatal("there is no such game in the map")
			}
			sys := entrySystem(t, e)
			got, err := forward.Perft(t.Context(), sys, onlyStart(t, interp.New(sys)), len(want))
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
		})
	}
}

// TestFamilyOtherPerft counts them for files of which there is no record. The counts are those of a
// program that plays mancala games by their properties.
func TestFamilyOtherPerft(t *testing.T) {
	for file, want := range perftCounts(t, "mancala_games.tsv") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			sys := systemOf(t, buildtest.File(t, filepath.Join(familyDir, file)), nil)
			got, err := forward.Perft(t.Context(), sys, onlyStart(t, interp.New(sys)), len(want))
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
		})
	}
}

// perftCounts reads lines of a game, or file, and its counts.
func perftCounts(t *testing.T, name string) map[string][]uint64 {
	t.Helper()
	f, err := os.Open(filepath.Join("../../testdata/family", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	counts := map[string][]uint64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		game, rest, _ := strings.Cut(lines.Text(), "\t")
		for _, text := range strings.Fields(rest) {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				break // the heading
			}
			counts[game] = append(counts[game], n)
		}
	}
	return counts
}

// TestFamilyRulings pins that the recorded games break the published rules, which files play by
// default: by these no record can be replayed of which the map says `recorded = true`. (But that of
// Papan Dakon can: the player whose first turn was the shorter happens to be the one whose turn it
// would be anyway.) A file that has both has a claim that shows a play on which they differ.
func TestFamilyRulings(t *testing.T) {
	m, games := familyRecords(t)
	for i := range m.Entries {
		e := *m.Entries[i]
		with := e.With
		e.With = slices.DeleteFunc(slices.Clone(with), func(w *record.Setting) bool { return w.Name == "recorded" })
		u := buildtest.File(t, filepath.Join(familyDir, e.File))
		v := u.Variants[len(u.Variants)-1]
		both := slices.ContainsFunc(ast.All[*ast.Param](v), func(p *ast.Param) bool { return p.Name.Name == "recorded" })
		if both != (len(e.With) < len(with)) {
			t.Errorf("%s: the file has a parameter `recorded`: %t; the map sets it: %t", e.File, both, !both)
		}
		if !both {
			continue
		}
		if !slices.ContainsFunc(u.Claims, func(c *ast.Claim) bool { return c.Name.Name == "rulings" }) {
			t.Errorf("%s has no claim `rulings`", e.File)
		}
		t.Run(e.Game, func(t *testing.T) {
			t.Parallel()
			g := &games[slices.IndexFunc(games, func(g record.Game) bool { return g.Name == e.Game })]
			n, err := record.Replay(t.Context(), interp.New(systemOf(t, u, &e)), &e, g)
			if !errors.As(err, new(*record.Difference)) && e.File != "papan_dakon.sow" {
				t.Errorf("the record can be replayed by the published rules, too (%d plies, %v)", n, err)
			}
		})
	}
}
