package cache_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/proofs/cache"
)

// TestLinks: a symbolic link below the folder of a cache is not followed, by reading or by writing.
// The folder itself may be one.
func TestLinks(t *testing.T) {
	elsewhere, dir := t.TempDir(), filepath.Join(t.TempDir(), "link")
	link := func(to, path string) {
		t.Helper()
		if err := os.Symlink(to, path); err != nil {
			t.Skip(err)
		}
	}
	link(t.TempDir(), dir)
	s := &cache.Store{Dir: dir}
	put := func(k cache.Key) error { return s.Put(k, []byte("text")) }
	get := func(k cache.Key) bool { _, _, ok := s.Get(k); return ok }
	k := cache.Key{1}
	if err := put(k); err != nil || !get(k) {
		t.Fatalf("an entry of a folder behind a link: %v", err)
	}
	moved := filepath.Join(elsewhere, "entry")
	if err := os.Rename(s.Path(k), moved); err != nil {
		t.Fatal(err)
	}
	link(moved, s.Path(k))
	if get(k) {
		t.Error("a link is read")
	}
	if err := put(k); err != nil || !get(k) {
		t.Errorf("a link is not replaced: %v", err)
	}
	k[0]++
	link(elsewhere, filepath.Dir(s.Path(k)))
	if err := put(k); err == nil || get(k) {
		t.Error("a folder behind a link is written to")
	}
	if list, err := os.ReadDir(elsewhere); err != nil || len(list) != 1 {
		t.Errorf("%v in the other folder, %v", list, err)
	}
}
