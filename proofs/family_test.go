package proofs_test

import (
	"bufio"
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/record"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/resolve/resolvetest"
	"github.com/mancheck/mancheck/rules/space"
)

const familyDir = "../examples/family"

// systemOf resolves the variant of a file as an entry of the map says; without one, with default
// sizes.
func systemOf(t *testing.T, u *resolve.Unit, e *record.Entry) *rules.System {
	t.Helper()
	v, given := u.Variants[len(u.Variants)-1], resolve.Settings{}
	if e != nil {
		for _, w := range e.With {
			value, err := resolve.ParseValue(w.Value)
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
	files = slices.DeleteFunc(files, func(path string) bool { return len(resolvetest.File(t, path).Variants) == 0 })
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
	if testing.Short() {
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
			sys := systemOf(t, resolvetest.File(t, path), nil)
			in := interp.New(sys)
			m, err := step.Compile(sys)
			if err != nil {
				t.Fatal(err)
			}
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

// TestFamilyRecords replays games that an independent general game system has recorded.
func TestFamilyRecords(t *testing.T) {
	m, games := familyRecords(t)
	for i := 0; i < len(games); i += tier.Every(4) {
		g := &games[i]
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			e := m.Find(g.Name)
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
	f, err := os.Open("testdata/family/records.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	games, err := record.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return m, games
}

func entrySystem(t *testing.T, e *record.Entry) *rules.System {
	t.Helper()
	return systemOf(t, resolvetest.File(t, filepath.Join(familyDir, e.File)), e)
}

// TestFamilyPerft counts the sequences of up to four moves. The counts are the same system's.
func TestFamilyPerft(t *testing.T) {
	m, _ := familyRecords(t)
	for game, want := range perftCounts(t) {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			e := m.Find(game)
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

// perftCounts reads lines of a game and its counts.
func perftCounts(t *testing.T) map[string][]uint64 {
	t.Helper()
	f, err := os.Open("testdata/family/perft.tsv")
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

// TestFamilyDepartures pins where a file follows the recorded games and not the published rules,
// as its comment says: with the published rule in its place the record cannot be replayed.
func TestFamilyDepartures(t *testing.T) {
	m, games := familyRecords(t)
	for _, c := range []struct {
		game string
		edit []string // old and new text, in turn
	}{
		{"two_rows/Wari.lud", []string{"if last = 6 {", "if last = 6 and last in their house {"}},
		{"two_rows/Toguz Kumalak.lud", []string{"not (recorded and tuz(P) = south1)", "true"}},
		{"two_rows/Pachgarhwa.lud", []string{"capture gap into my store\n      go on from last", "go on from gap"}},
		{"two_rows/Pallankuli.lud", []string{
			"if p = 4 and p in south { capture p into south_store }", "if p = 4 { capture p into my store }",
		}},
		{"two_rows/Sungka.lud", []string{
			"state passes", "state closed each house : bool\n  state passes",
			"skip their store", "skip their store + {h in house where closed(h)}",
			"else { phase = sowing }", "else { phase = sowing for h in house { closed(h) = (h = 0) } }",
		}},
		{"two_rows/O An Quan.lud", []string{"if k < 2 * m and gap in house", "if gap in house"}},
		{"two_rows/Mawkar Katiya.lud", []string{
			"if p > 0 and p = extra(mover) and not barred(p) { capture p into my store }",
			"if p > 0 and p = extra(opponent) and not barred(p) { capture p into their store }",
		}},
		{"three_rows/Selus.lud", []string{"let rank = 3\n", "let rank = 3\n    if from > 3 { rank = 4 }\n"}},
		{"four_rows/Hawalis.lud", []string{"last in my inner and last was empty and", "last in my inner and"}},
		{"four_rows/Hus (Damara).lud", []string{"in my house where from > 0", "in my house where from > 1"}},
		{"four_rows/Hus (Nama).lud", []string{"if last in inner and behind(near) > 0 { lot = seeds(behind(near)) }", ""}},
		{"four_rows/Kisolo.lud", []string{"take 1 from p into behind(from)", "capture p into behind(from)", "take 1 from q into behind(p)", "capture q into behind(p)"}},
		{"four_rows/Mefuvha.lud", []string{"capture last, across(last)", "capture across(last)"}},
		{"four_rows/Nsolo.lud", []string{"if last in inner and last > 1 and", "if last in inner and last = 1 and"}},
	} {
		t.Run(c.game, func(t *testing.T) {
			t.Parallel()
			e := m.Find(c.game)
			path := filepath.Join(familyDir, e.File)
			published := publish(t, path, c.edit)
			sys := systemOf(t, published, e)
			g := &games[slices.IndexFunc(games, func(g record.Game) bool { return g.Name == c.game })]
			n, err := record.Replay(t.Context(), interp.New(sys), e, g)
			if !errors.As(err, new(*record.Difference)) {
				t.Errorf("the published rule replays the record, too (%d plies, %v)", n, err)
			}
		})
	}
}

// publish loads a file with edits.
func publish(t *testing.T, path string, edit []string) *resolve.Unit {
	t.Helper()
	f, err := proofs.Load(path, func(at string) ([]byte, error) {
		text, err := os.ReadFile(at)
		if err != nil || at != path {
			return text, err
		}
		for i := 0; i < len(edit); i += 2 {
			if !bytes.Contains(text, []byte(edit[i])) {
				t.Fatalf("%s does not contain %q", path, edit[i])
			}
			text = bytes.ReplaceAll(text, []byte(edit[i]), []byte(edit[i+1]))
		}
		return text, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f.Unit
}
