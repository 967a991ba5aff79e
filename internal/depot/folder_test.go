package depot_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/depot"
)

// TestSweep removes drafts that were left behind a day ago, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	d, err := depot.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	write := func() depot.Draft {
		w, err := d.Create(t.Context())
		if err == nil {
			_, err = w.Write([]byte("text"))
		}
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	write()
	left, err := filepath.Glob(filepath.Join(dir, ".drafts", "*"))
	if err != nil || len(left) != 1 {
		t.Fatal(left, err)
	}
	old := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(left[0], old, old); err != nil {
		t.Fatal(err)
	}
	young := write()
	if err := d.Put(t.Context(), "old", []byte("stays")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "old"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := d.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left[0]); err == nil {
		t.Error("the old draft is still there")
	}
	if err := young.Keep(t.Context(), "young"); err != nil {
		t.Error(err)
	}
	if now, err := filepath.Glob(filepath.Join(dir, ".drafts", "*")); err != nil || len(now) != 0 {
		t.Error(now, err)
	}
	for name, want := range map[string]string{"old": "stays", "young": "text"} {
		if text, err := d.Get(t.Context(), name); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if err := d.Put(t.Context(), ".drafts/x", nil); err == nil {
		t.Error("a name among the drafts: no error")
	}
	if _, err := d.Get(t.Context(), "none"); !os.IsNotExist(err) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
}
