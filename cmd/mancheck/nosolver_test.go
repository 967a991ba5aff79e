package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
)

// TestWithoutSolver: docs/install.md says how many verdicts of which files are inconclusive without
// a solver.
func TestWithoutSolver(t *testing.T) {
	tier.Long(t, "it decides whole proof files")
	text, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	says := strings.Join(strings.Fields(string(text)), " ")
	t.Setenv("PATH", "")
	for _, name := range tier.First([]string{"winnable", "rice", "dose2015", "javeriana", "fairkalah"}, 0, 2) {
		var out, notes bytes.Buffer
		run([]string{"prove", "../../proofs/" + name + ".sow", "--solver", "z3-process", "--cache", "off"}, strings.NewReader(""), &out, &notes)
		open := strings.Count(out.String(), "? unknown")
		if want := fmt.Sprintf("%d of `%s.sow`", open, name); (open > 0) != strings.Contains(says, want) {
			t.Errorf("%s: %d are inconclusive\n%s", name, open, notes.String())
		}
	}
}
