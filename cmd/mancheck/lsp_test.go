package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/lsp"
	"github.com/mancheck/mancheck/cmd/internal/report"
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
		code := command(t, []string{"check", path, "--claim", i.Claim, "--brief"}, "", &out, &failed)
		row := report.RowOf(i)
		if code != 0 || !strings.Contains(out.String(), row.Mark+" "+row.Verdict) || row.Found == "" || !strings.Contains(out.String(), row.Found) {
			t.Errorf("%s: %+v, check says\n%s", i.Name(), row, out.String())
		}
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
