package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/lsp"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// decided decides claims of a file for an editor.
func decided(t *testing.T, path string, settings lsp.Settings, claims ...string) []*suite.Item {
	t.Helper()
	job := lsp.Job{Path: path, Claims: claims, Reader: input.NewReader(strings.NewReader("")), Settings: settings, Watch: func(suite.Progress) {}}
	items, err := deciderOf{}.Decide(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// TestEditorDecides: an editor gets the verdicts of `check`.
func TestEditorDecides(t *testing.T) {
	t.Setenv("MANCHECK_CACHE", filepath.Join(t.TempDir(), "cache"))
	path := "../../examples/kalah.sow"
	for _, i := range decided(t, path, lsp.Settings{}, "positions_a", "final_positions", "every_game_ends") {
		var out, failed bytes.Buffer
		code := run([]string{"check", path, "--claim", i.Claim}, strings.NewReader(""), &out, &failed)
		row := report.RowOf(i)
		if code != 0 || !strings.Contains(out.String(), row.Mark+" "+row.Verdict) || row.Found == "" || !strings.Contains(out.String(), row.Found) {
			t.Errorf("%s: %+v, check says\n%s", i.Name(), row, out.String())
		}
	}
}

// TestEditorDecidesBeside: an editor gets verdicts beside a claim with a mistake of syntax, and no
// more items than those of the claims that it asks for.
func TestEditorDecidesBeside(t *testing.T) {
	t.Setenv("MANCHECK_CACHE", filepath.Join(t.TempDir(), "cache"))
	src, err := os.ReadFile("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kalah.sow")
	if err := os.WriteFile(path, append(src, "claim broken { foo }\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	items := decided(t, path, lsp.Settings{}, "positions_a", "final_positions")
	if len(items) != 2 || items[0].Result == nil || items[1].Result == nil || items[1].Claim != "final_positions" {
		t.Errorf("%d items", len(items))
	}
	if items := decided(t, path, lsp.Settings{}, "broken"); len(items) != 1 || items[0].Result != nil {
		t.Errorf("a claim with a mistake has %d items", len(items))
	}
}

// TestEditorVets: an editor shows what `vet` prints, of files with mistakes, too.
func TestEditorVets(t *testing.T) {
	files, err := filepath.Glob("../../dsl/testdata/*/*.sow")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	dir := t.TempDir()
	for _, e := range diag.Explanations() { // each has a file with such a mistake
		if e.Wrong != "" {
			path := filepath.Join(dir, string(e.Code)+".sow")
			if err := os.WriteFile(path, []byte(e.Wrong), 0o666); err != nil {
				t.Fatal(err)
			}
			files = append(files, path)
		}
	}
	wrong := 0
	for _, path := range files {
		var out, failed bytes.Buffer
		command(t, []string{"vet", path, "--format", "json"}, "", &out, &failed)
		reader := input.NewReader(strings.NewReader(""))
		found := editor.Read(t.Context(), path, reader.Imports(path)).Vet(t.Context()).Diags
		if got := string(objectText(diag.JSON(found))); got != out.String() {
			t.Errorf("%s: an editor shows\n%s\nvet prints\n%s", path, got, out.String())
		}
		if found.HasErrors() {
			wrong++
		}
	}
	if wrong < 20 {
		t.Errorf("only %d files have a mistake", wrong)
	}
}

// TestEditorCache: verdicts are kept in files only for a workspace that is trusted.
func TestEditorCache(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "cache")
		t.Setenv("MANCHECK_CACHE", dir)
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir(), "config"))
		decided(t, "../../examples/kalah.sow", lsp.Settings{Trusted: trusted}, "final_positions")
		if _, err := os.Stat(dir); (err == nil) != trusted {
			t.Errorf("trusted: %v, and the cache: %v", trusted, err)
		}
	}
}

// TestEditorLimits: a limit that is reached is no verdict, and an interrupt is an error.
func TestEditorLimits(t *testing.T) {
	var short lsp.Settings
	if err := short.Timeout.UnmarshalJSON([]byte("1e-9")); err != nil {
		t.Fatal(err)
	}
	job := lsp.Job{Path: "../../examples/kalah.sow", Claims: []string{"conservation"}, Reader: input.NewReader(strings.NewReader("")), Settings: short}
	items, err := deciderOf{}.Decide(t.Context(), job)
	if err == nil && (len(items) != 1 || items[0].Result == nil || items[0].Result.Status != proofs.Unknown) {
		t.Errorf("within no time: %+v", items)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	job.Settings = lsp.Settings{}
	if items, err := (deciderOf{}).Decide(ctx, job); err == nil {
		t.Errorf("interrupted: %+v", items)
	}
}
