package input

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnreadableFolder: a folder that cannot be listed is one that cannot be read, beside the files
// that can. Here its path is too long, which is so for every user.
func TestUnreadableFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "game.sow"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at, err := os.OpenRoot(dir)
	for range 25 {
		if err != nil {
			t.Fatal(err)
		}
		name := strings.Repeat("d", 200)
		if err := at.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
		above := at
		at, err = above.OpenRoot(name)
		above.Close()
	}
	at.Close()
	found, err := Find([]string{dir})
	if err != nil || len(found) != 2 || !found[0].Named || found[1].Path != filepath.Join(dir, "game.sow") {
		t.Fatal(found, err)
	}
	if _, diags := NewReader(nil).File(found[0].Path); !diags.HasErrors() {
		t.Error("the folder is read")
	}
}
