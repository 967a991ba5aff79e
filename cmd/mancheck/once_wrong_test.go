package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules/build"
)

// TestOneVerdict: the files that were once decided wrongly have the same verdicts by every engine,
// with endgame tables and without, with certificates and without, and from a cold and a warm cache.
// (TestOnceWrong of package proofs says which verdicts are right.)
func TestOneVerdict(t *testing.T) {
	files, err := filepath.Glob("../../proofs/testdata/wrong/*.sow")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	steps := fmt.Sprint(30_000 / tier.Every(10, 10))
	// Some of their claims are about infinitely many states: no engine ends before the time is
	// over.
	endless := []string{"g3.sow", "intr.sow", "k2.sow"}
	tables := 0
	for i, path := range files {
		if few := tier.Every(24, 5); i%few != few/2 || slices.Contains(endless, filepath.Base(path)) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			cache, tabled := t.TempDir(), t.TempDir()
			limits := []string{path, "--format", "json", "--max-states", "5_000", "--solver-steps", steps, "--timeout", "1m"}
			keep := append(slices.Clone(limits), "--cache", cache)
			ways := [][]string{
				append([]string{"check"}, limits...),
				append([]string{"check", "--certify"}, limits...),
				append([]string{"prove"}, keep...),
				append([]string{"prove"}, keep...),
				append([]string{"prove", "--certify"}, keep...),
			}
			for _, engine := range build.Engines[1:] {
				ways = append(ways, append([]string{"check", "--engine", string(engine)}, limits...))
			}
			alike := len(ways) // from here on verdicts that are open are so in each way, too
			if made := tablesOf(t, path, tabled); made > 0 {
				tables += made
				ways = append(ways, append([]string{"check", "--tables", tabled}, limits...), append([]string{"prove", "--tables", tabled}, keep...))
			}
			first := verdictsOf(t, ways[0])
			for n, way := range ways[1:] {
				for claim, verdict := range verdictsOf(t, way) {
					want := first[claim]
					if open := verdict == "unknown" || strings.HasPrefix(verdict, "bounded") || want == "unknown"; verdict != want && (!open || n+1 >= alike) {
						t.Errorf("%s: %s: %s, and otherwise %s", strings.Join(way, " "), claim, verdict, want)
					}
				}
			}
		})
	}
	if tables == 0 && tier.Full() {
		t.Error("no file has a game with endgame tables")
	}
}

// verdictsOf runs a command, and returns the verdicts by claim.
func verdictsOf(t *testing.T, command []string) map[string]string {
	t.Helper()
	var out, notes bytes.Buffer
	status := run(command, strings.NewReader(""), &out, &notes)
	if strings.Contains(notes.String(), "internal error") || strings.Contains(out.String(), "internal error") {
		t.Errorf("%s: %s%s", strings.Join(command, " "), notes.String(), out.String())
	}
	var report struct {
		Results []struct{ Claim, Verdict string }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil && status != exitFailed {
		t.Fatalf("%s: status %d: %v\n%s%s", strings.Join(command, " "), status, err, notes.String(), out.String())
	}
	verdicts := map[string]string{}
	for _, r := range report.Results {
		verdicts[r.Claim] = r.Verdict
	}
	return verdicts
}

// tablesOf builds endgame tables for the variants of a file that have them, and tells how many.
func tablesOf(t *testing.T, path, folder string) int {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, line := range strings.Split(string(src), "\n") {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "variant" {
			continue
		}
		for seeds := 1; seeds <= 6; seeds++ {
			table := filepath.Join(folder, fmt.Sprintf("%s-%d.table", words[1], seeds))
			var out, notes bytes.Buffer
			if run([]string{"table", "build", path, "--variant", words[1], "--seeds", fmt.Sprint(seeds), "-o", table}, strings.NewReader(""), &out, &notes) == 0 {
				made++
			}
		}
	}
	return made
}
