package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/smt/solver"
)

// TestTable: the page has the table of the rows, and these are in the order of the files.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := read(kept)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := put(string(text), table(rows)); err != nil || want != string(text) {
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
	n, every := 0, 25*tier.Every(4)
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
