package file_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/file"
)

// TestScratch: the folder is gone afterwards, and so are old ones of programs that were killed.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	old := time.Now().Add(-8 * 24 * time.Hour)
	for _, name := range []string{"mancheck-task-old", "mancheck-task-new", "other-old"} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(path, "file"), "text", 0o666)
		if name == "mancheck-task-new" {
			continue
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	path, remove, err := file.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(path, "file"), "text", 0o666)
	remove()
	only(t, dir, "mancheck-task-new", "other-old")
}
