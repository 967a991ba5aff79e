package proofs_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestArrows: imports inside proofs go one way. Certificates, the trial of formulas and the
// enumeration are below the decisions, which are below the cache and documents; the run of many
// claims is on top.
func TestArrows(t *testing.T) {
	const root = "github.com/mancheck/mancheck/proofs"
	layers := [][]string{{"/cert", "/internal/trial"}, {"/internal/enumerate"}, {""}, {"/cache", "/explain"}, {"/suite"}}
	layer := func(path string) int {
		return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, strings.TrimPrefix(path, root)) })
	}
	for _, l := range layers {
		for _, from := range l {
			out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, root+from).Output()
			if err != nil {
				t.Fatal(err)
			}
			for _, to := range strings.Fields(string(out)) {
				switch below := layer(to); {
				case !strings.HasPrefix(to, root), strings.HasPrefix(to, root+"/cert/internal/"):
				case below < 0 || below >= layer(root+from):
					t.Errorf("proofs%s imports %s", from, to)
				}
			}
		}
	}
}
