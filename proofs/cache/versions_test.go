package cache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestTwoVersions: programs of two versions use one folder at the same time. Each finds what it has
// kept, or nothing, and never what the other one has.
func TestTwoVersions(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for version := range 2 {
		for worker := range 2 {
			group.Go(func() {
				s := &Store{Dir: dir, Secret: bytes.Repeat([]byte{byte(version)}, secretSize)}
				for round := range 150 {
					n := (round*7 + worker) % 20
					k := Key(sha256.Sum256(fmt.Append(nil, version, n))) // keys depend on the version (TestKeys)
					text := fmt.Appendf(nil, "verdict %d of version %d", n, version)
					if got, own, ok := s.Get(k); ok && (!own || !bytes.Equal(got, text)) {
						t.Errorf("version %d found %q", version, got)
					}
					if err := s.Put(k, text); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
}

// TestClock: whatever the clock said when an entry was kept, and says now, the entry is found, or
// was removed, and others are kept.
func TestClock(t *testing.T) {
	now := time.Now()
	for _, kept := range []time.Time{now, now.AddDate(-50, 0, 0), now.AddDate(50, 0, 0), time.Unix(0, 0)} {
		for _, trimmed := range []time.Time{now, now.AddDate(-50, 0, 0), now.AddDate(50, 0, 0)} {
			s := &Store{Dir: t.TempDir()}
			if err := s.Put(Key{1}, []byte("first")); err != nil {
				t.Fatal(err)
			}
			for path, at := range map[string]time.Time{s.Path(Key{1}): kept, filepath.Join(s.Dir, "trimmed"): trimmed} {
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			}
			if text, _, ok := s.Get(Key{1}); !ok || string(text) != "first" {
				t.Errorf("kept %v: found %q, %v", kept, text, ok)
			}
			if err := s.Put(Key{2}, []byte("second")); err != nil {
				t.Error(err)
			}
			if text, _, ok := s.Get(Key{2}); !ok || string(text) != "second" {
				t.Errorf("trimmed %v: found %q, %v", trimmed, text, ok)
			}
			if text, _, ok := s.Get(Key{1}); ok && string(text) != "first" {
				t.Errorf("kept %v: found %q", kept, text)
			}
		}
	}
}

// TestOlderFormat: an entry of the format before is not found, though all else about it is right.
func TestOlderFormat(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	k := Key{1}
	if err := s.Put(k, []byte("text")); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(s.Path(k))
	if err != nil {
		t.Fatal(err)
	}
	older := bytes.Replace(whole, []byte(Format), []byte("mancheck-cache 3"), 1)
	if bytes.Equal(older, whole) {
		t.Fatal("this is the older format")
	}
	if err := os.WriteFile(s.Path(k), older, 0o666); err != nil {
		t.Fatal(err)
	}
	if text, _, ok := s.Get(k); ok {
		t.Errorf("found %q", text)
	}
}
