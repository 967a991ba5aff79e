package main

import (
	"os"
	"strings"
	"testing"
)

// TestTable: the page has the table that the packages give, and is short enough to be a map.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	want, err := made("../..")
	if err != nil {
		t.Fatal(err)
	}
	if want != string(text) {
		t.Errorf("%s is not what go run ./scripts/architecture writes: it is written again after a change of imports", page)
	}
	if n := strings.Count(want, "\n"); n > 200 {
		t.Errorf("%s has %d lines; a map has at most 200", page, n)
	}
	for _, row := range strings.Split(want, "\n") {
		if cells := strings.Split(row, " | "); strings.HasPrefix(row, "| `") && strings.TrimSpace(cells[1]) == "" {
			t.Errorf("a package without documentation: %s", row)
		}
	}
}
