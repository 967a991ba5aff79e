package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/coq"
	"github.com/mancheck/mancheck/smt/solver"
)

// TestTable: the page has its tables, and the rows are in the order of the files.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := read(kept)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := made("../.."); err != nil || want != string(text) {
		t.Errorf("%s is not what go run ./scripts/trust writes: %v", page, err)
	}
	files, err := suite("../..")
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, r := range rows {
		at := slices.Index(files, filepath.Join("../..", r.file))
		if at < last {
			t.Errorf("%s %s is out of order, or its file is gone", r.file, r.name)
		}
		last = at
	}
}

// TestRows: verdicts rest on what the rows say. A sample is decided; of the others it is compared
// that there is a row for each.
func TestRows(t *testing.T) {
	rows, err := read(kept)
	if err != nil {
		t.Fatal(err)
	}
	files, err := suite("../..")
	if err != nil {
		t.Fatal(err)
	}
	_, missing := solver.Version(t.Context(), "")
	n, every := 0, 25*tier.Every(8, 3)
	for _, path := range files {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		sampled := func(instance string) bool {
			if n >= len(rows) || rows[n].file != name || rows[n].name != instance {
				t.Fatalf("no row for %s %s; go run -tags z3 ./scripts/trust -decide", name, instance)
			}
			n++
			bySolver := proofs.Engine(rows[n-1].engine).BySolver()
			return n%every == 0 && (missing == nil || !bySolver)
		}
		got, err := restsOn(t.Context(), path, name, sampled)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range got {
			if !slices.Contains(rows, g) {
				t.Errorf("it rests on something else now: %v", g.fields())
			}
		}
	}
	if n != len(rows) {
		t.Errorf("%d claims, and %d rows", n, len(rows))
	}
}

// TestStatements: the theorems that are emitted consist of the words whose definitions the page
// lists. One claim of each kind with each kind of evidence is tried.
func TestStatements(t *testing.T) {
	rows, err := read(kept)
	if err != nil {
		t.Fatal(err)
	}
	defined, err := readTheory("../../" + theoryFolder)
	if err != nil {
		t.Fatal(err)
	}
	sample := map[string][]string{} // names of instances by file
	seen := map[string]bool{}
	for _, r := range rows {
		if of := r.kind + r.verdict + r.evidence; r.evidence != "" && r.engine != "smt" && !seen[of] {
			seen[of] = true
			sample[r.file] = append(sample[r.file], r.name)
		}
	}
	used := map[string]bool{}
	for file, names := range sample {
		f, err := proofs.Open("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		instances, err := f.Instances(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, inst := range instances {
			if !slices.Contains(names, inst.Name()) {
				continue
			}
			res, err := proofs.Decide(t.Context(), inst, proofs.Options{Bounds: limit.Bounds{MaxStates: 20_000}, Certify: true})
			if err != nil {
				t.Fatal(err)
			}
			c, err := res.Certificate("", f.Program)
			if err != nil {
				continue // not decided within so few states
			}
			text, err := coq.Theorem(t.Context(), c)
			if err != nil {
				continue // no theorem for this kind
			}
			for _, m := range stated.FindAllStringSubmatch(string(text), -1) {
				for _, name := range identifier.FindAllString(m[1], -1) {
					switch d := defined.by[name]; {
					case d == nil || strings.Contains(string(text), "\nDefinition "+name+" "):
					case slices.Contains(statements, name):
						used[name] = true
					case !slices.Contains(base, d[0].file):
						t.Errorf("%s %s: %s.v defines %s, which the page does not list: %s", file, inst.Name(), d[0].file, name, m[1])
					}
				}
			}
		}
	}
	for _, word := range []string{"unreachable", "reachable", "terminates", "every_step", "keeps_seeds", "with_ranges", "instance"} {
		if !used[word] {
			t.Errorf("no theorem says %q", word)
		}
	}
}

// stated is what an emitted theorem says.
var stated = regexp.MustCompile(`(?m)^Theorem \w+ : (.*)\.$`)
