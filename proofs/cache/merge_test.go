package cache_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/file/faulty"
	"github.com/mancheck/mancheck/proofs/cache"
)

// folder makes a store with an entry for each of the keys.
func folder(t testing.TB, secret string, texts map[byte]string) *cache.Store {
	t.Helper()
	s := &cache.Store{Dir: t.TempDir(), Secret: []byte(secret)}
	for n, text := range texts {
		if err := s.Put(key(n), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// merge merges a folder into a store, and gives the warnings.
func merge(t testing.TB, into *cache.Store, from string) (cache.Merged, []string) {
	t.Helper()
	var warnings []string
	m, err := into.Merge(context.Background(), from, func(err error) { warnings = append(warnings, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	return m, warnings
}

// TestMerge: entries come into the store as they are. Only those with the mark of the reader's own
// secret are the reader's own.
func TestMerge(t *testing.T) {
	into := folder(t, "mine", map[byte]string{1: "one"})
	mine, others := folder(t, "mine", map[byte]string{2: "two"}), folder(t, "hers", map[byte]string{3: "three"})
	for _, from := range []*cache.Store{mine, others} {
		if m, warnings := merge(t, into, from.Dir); m != (cache.Merged{Added: 1}) || len(warnings) > 0 {
			t.Errorf("%+v, %q", m, warnings)
		}
		if m, _ := merge(t, into, from.Dir); m != (cache.Merged{Known: 1}) {
			t.Errorf("again: %+v", m)
		}
	}
	for n, text := range []string{"one", "two", "three"} {
		got, own, ok := into.Get(key(byte(n + 1)))
		if !ok || string(got) != text || own != (text != "three") {
			t.Errorf("%q, own %t, found %t; want %q", got, own, ok, text)
		}
	}
	if files := entries(t, into.Dir); len(files) != 3 {
		t.Errorf("files: %q", files)
	}
}

// TestMergeKeeps: an entry that is there is not replaced, not even by the reader's own; one that is
// damaged is.
func TestMergeKeeps(t *testing.T) {
	into := folder(t, "hers", map[byte]string{1: "her one", 2: "her two"})
	into.Secret = []byte("mine")
	from := folder(t, "mine", map[byte]string{1: "my one", 2: "my two"})
	if err := os.WriteFile(into.Path(key(2)), []byte("no entry"), 0o666); err != nil {
		t.Fatal(err)
	}
	if m, warnings := merge(t, into, from.Dir); m != (cache.Merged{Added: 1, Kept: 1}) || len(warnings) > 0 {
		t.Errorf("%+v, %q", m, warnings)
	}
	if got, own, ok := into.Get(key(1)); !ok || own || string(got) != "her one" {
		t.Errorf("%q, own %t, found %t", got, own, ok)
	}
	if got, own, ok := into.Get(key(2)); !ok || !own || string(got) != "my two" {
		t.Errorf("%q, own %t, found %t", got, own, ok)
	}
}

// TestMergeSkips: what is no entry does not come into the store, and there is a warning for each
// such file; what is left of a write that was cut off, and entries of another version, have none.
func TestMergeSkips(t *testing.T) {
	from := folder(t, "mine", map[byte]string{1: "one", 2: "two", 3: "three", 4: "four"})
	change := func(n byte, how func(string) string) {
		text, err := os.ReadFile(from.Path(key(n)))
		if err == nil {
			err = os.WriteFile(from.Path(key(n)), []byte(how(string(text))), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change(1, func(s string) string { return s[:len(s)-1] })
	change(2, func(string) string { text, _ := os.ReadFile(from.Path(key(4))); return string(text) })
	change(3, func(s string) string { return strings.Replace(s, cache.Format, "mancheck-cache 3", 1) })
	dir := filepath.Dir(from.Path(key(4)))
	for _, name := range []string{filepath.Join(dir, "other"), filepath.Join(from.Dir, "trimmed"), filepath.Join(from.Dir, "readme")} {
		if err := os.WriteFile(name, []byte("text"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(from.Dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	into := folder(t, "mine", nil)
	m, warnings := merge(t, into, from.Dir)
	if m != (cache.Merged{Added: 1, Old: 1, Damaged: 3}) {
		t.Errorf("%+v", m)
	}
	for _, path := range []string{from.Path(key(1)), from.Path(key(2)), filepath.Join(dir, "other")} {
		if !slices.ContainsFunc(warnings, func(w string) bool { return strings.HasPrefix(w, path+": ") }) {
			t.Errorf("no warning of %s in %q", path, warnings)
		}
	}
	if files := entries(t, into.Dir); len(files) != 1 {
		t.Errorf("files: %q", files)
	}
}

// TestMergeFails: a folder that is not there is an error, and so is an interrupt.
func TestMergeFails(t *testing.T) {
	into, from := folder(t, "mine", nil), folder(t, "mine", map[byte]string{1: "one"})
	none := func(error) {}
	if _, err := into.Merge(context.Background(), filepath.Join(from.Dir, "none"), none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := into.Merge(context.Background(), from.Path(key(1)), none); err == nil {
		t.Error("a file was taken for a folder")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := into.Merge(ctx, from.Dir, none); !errors.Is(err, context.Canceled) || m.Added > 0 {
		t.Errorf("interrupted: %+v, %v", m, err)
	}
}

// TestMergeFaulty lets each call of the file system go wrong in each way. What is in the store then
// is what one of the two had.
func TestMergeFaulty(t *testing.T) {
	texts := map[byte]string{1: "one", 2: "two"}
	from := folder(t, "mine", texts)
	for _, kind := range faulty.Kinds {
		for at, struck := 1, true; struck; at++ {
			into := folder(t, "mine", map[byte]string{1: "its own"})
			system := faulty.New(kind, at)
			restore := file.Replace(system)
			m, err := into.Merge(context.Background(), from.Dir, func(error) {})
			restore()
			struck = system.Struck() != ""
			if got, _, ok := into.Get(key(1)); !ok || string(got) != "its own" && string(got) != "one" {
				t.Errorf("%s at %d (%s): %q, found %t", kind, at, system.Struck(), got, ok)
			}
			if got, _, ok := into.Get(key(2)); ok && string(got) != "two" || !ok && err == nil && m.Damaged == 0 {
				t.Errorf("%s at %d (%s): %q, found %t, %+v, %v", kind, at, system.Struck(), got, ok, m, err)
			}
		}
	}
}

// TestMergeRandom: after stores were merged, each key has the entry of the first that had one.
func TestMergeRandom(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		into, want := folder(t, "mine", nil), map[byte]string{}
		for f := range rapid.IntRange(1, 4).Draw(r, "folders") {
			texts := map[byte]string{}
			for _, n := range rapid.SliceOfDistinct(rapid.ByteRange(1, 9), rapid.ID[byte]).Draw(r, "keys") {
				texts[n] = fmt.Sprint(f, n)
			}
			from := folder(t, rapid.SampledFrom([]string{"mine", "hers"}).Draw(r, "secret"), texts)
			m, _ := merge(t, into, from.Dir)
			for n, text := range texts {
				if _, is := want[n]; is {
					m.Kept--
				} else {
					want[n] = text
					m.Added--
				}
			}
			if m != (cache.Merged{}) {
				r.Fatalf("%+v too many", m)
			}
			os.RemoveAll(from.Dir)
		}
		for n := range byte(10) {
			if got, _, ok := into.Get(key(n)); ok != (want[n] != "") || string(got) != want[n] {
				r.Fatalf("key %d has %q, want %q", n, got, want[n])
			}
		}
		os.RemoveAll(into.Dir)
	})
}
