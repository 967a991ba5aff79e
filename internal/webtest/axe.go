package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// axePackage is the checker of accessibility, which npm has.
const axePackage = "axe-core@4.14.1"

// Axe returns the script of a checker of accessibility, or skips the test if there is no npm to
// fetch it.
func Axe(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no npm here")
	}
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), npm, "install", "--prefix", dir, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", axePackage).CombinedOutput()
	if err != nil {
		t.Skipf("npm does not fetch %s: %s", axePackage, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fault is a rule that a page breaks, with the places.
type fault struct {
	ID, Impact, Help string
	Nodes            []struct {
		Target         []any
		FailureSummary string
	}
}

// Accessible fails the test if a page has serious faults of accessibility as it is now.
func Accessible(t *testing.T, ctx context.Context, axe string) {
	t.Helper()
	Eval[bool](t, ctx, axe+"; true")
	Eval[bool](t, ctx, `(globalThis.axeDone = null, axe.run({ resultTypes: ["violations"] }).then(r => axeDone = JSON.stringify(r.violations)), true)`)
	Wait(t, ctx, "axeDone !== null")
	var faults []fault
	if err := json.Unmarshal([]byte(Eval[string](t, ctx, "axeDone")), &faults); err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		if f.Impact != "serious" && f.Impact != "critical" {
			t.Logf("%s: %s (%s, %d places)", f.ID, f.Help, f.Impact, len(f.Nodes))
			continue
		}
		text := ""
		for _, n := range f.Nodes[:min(3, len(f.Nodes))] {
			text += fmt.Sprintf("\n  %v: %s", n.Target, n.FailureSummary)
		}
		t.Errorf("%s: %s (%s, %d places)%s", f.ID, f.Help, f.Impact, len(f.Nodes), text)
	}
}
