package cache_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// entries lists the files of a store.
func entries(t testing.TB, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "trimmed" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func key(n byte) cache.Key { return cache.Key{n} }

func TestStore(t *testing.T) {
	s := &cache.Store{Dir: filepath.Join(t.TempDir(), "new", "folder")}
	if _, _, ok := s.Get(key(1)); ok {
		t.Error("something was found in an empty store")
	}
	for _, text := range []string{"one", "two", ""} {
		if err := s.Put(key(1), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _, ok := s.Get(key(1)); !ok || string(got) != text {
			t.Errorf("got %q, %t; put %q", got, ok, text)
		}
	}
	if _, _, ok := s.Get(key(2)); ok {
		t.Error("the entry of another key was found")
	}
	if files := entries(t, s.Dir); len(files) != 1 {
		t.Errorf("files: %q", files)
	}
}

// TestReadOnly: nothing is written, not even a folder.
func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	s := &cache.Store{Dir: dir, ReadOnly: true}
	if err := s.Put(key(1), []byte("text")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s: %v", dir, err)
	}
}

// TestUnwritable: a store that cannot be written says so, and one that cannot be read has nothing.
func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := &cache.Store{Dir: file}
	if s.Put(key(1), nil) == nil {
		t.Error("a file was taken for a folder")
	}
	if _, _, ok := s.Get(key(1)); ok {
		t.Error("something was found in a file that is no folder")
	}
}

// TestDamage changes, removes and adds bytes anywhere in an entry: it is then as if there were
// none.
func TestDamage(t *testing.T) {
	s := &cache.Store{Dir: t.TempDir()}
	text := bytes.Repeat([]byte("a verdict with its evidence, "), 20)
	if err := s.Put(key(1), text); err != nil {
		t.Fatal(err)
	}
	path := entries(t, s.Dir)[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(t interface{ Fatalf(string, ...any) }, data []byte, how string) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatalf("%v", err)
		}
		if got, _, ok := s.Get(key(1)); ok {
			t.Fatalf("%s: got %q", how, got)
		}
	}
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1 << (i % 8)
		damaged(t, flipped, fmt.Sprintf("byte %d", i))
		damaged(t, whole[:i], fmt.Sprintf("the first %d bytes", i))
	}
	rapid.Check(t, func(t *rapid.T) {
		at, to := rapid.IntRange(0, len(whole)).Draw(t, "from"), rapid.IntRange(0, len(whole)).Draw(t, "to")
		other := append(bytes.Clone(whole[:at]), rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")...)
		other = append(other, whole[to:]...)
		if !bytes.Equal(other, whole) {
			damaged(t, other, "a piece exchanged")
		}
	})
}

// TestForeign: the entry of another key is none of this one.
func TestForeign(t *testing.T) {
	s := &cache.Store{Dir: t.TempDir()}
	for n := range byte(2) {
		if err := s.Put(key(n), []byte{n}); err != nil {
			t.Fatal(err)
		}
	}
	files := entries(t, s.Dir)
	if err := os.Rename(files[1], files[0]); err != nil {
		t.Fatal(err)
	}
	if got, _, ok := s.Get(key(0)); ok {
		t.Errorf("got %q", got)
	}
}

// TestTogether writes and reads one entry from many sides: what is read is always whole.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for n := range byte(8) {
		wg.Go(func() {
			s := &cache.Store{Dir: dir}
			for range 50 {
				if err := s.Put(key(1), bytes.Repeat([]byte{n}, 1000)); err != nil {
					t.Error(err)
				}
				got, _, ok := s.Get(key(1))
				if !ok || !bytes.Equal(got, bytes.Repeat(got[:1], 1000)) {
					t.Errorf("got %q, %t", got, ok)
				}
			}
		})
	}
	wg.Wait()
	if files := entries(t, dir); len(files) != 1 {
		t.Errorf("files: %q", files)
	}
}

// TestFields fails when a verdict or an instance gets a field that keys and entries do not know: an
// entry would lose it, or a key not depend on it.
func TestFields(t *testing.T) {
	tests := []struct {
		of    reflect.Type
		known []string
	}{
		{reflect.TypeFor[proofs.Result](), []string{
			"Verdict", "Instance", "System", "Trace", "Other",
			"Others", // which are looked for each time
			"Sets", "Lengths", "Each",
			"Evidence", "None", // without evidence a certificate is made anew, so no entry needs None
			"StepCounterexample", "Strict",
			"sentence", // of what was kept before
		}},
		{reflect.TypeFor[verdict.Verdict](), []string{
			"Claim", "Status", "Engine", "Scope", "Least", "Found",
			"Open", "Bound", // not of conclusive verdicts
			"Notes", "Stats", "K", "Value", "Vacuous", "Limited",
			"Missing", // as Open
			"Checked", "Gap", "Trusted",
		}},
		{reflect.TypeFor[proofs.SetDiff](), []string{"Kept", "Found", "Extra", "Missing"}},
		{reflect.TypeFor[build.Instance](), []string{
			"Claim", "Settings", "Open", "Some", "Size", "Negated",
			"Lost", // follows from the System and the Property
			"System", "Property", "Fitted", "borrows", "given", "board",
		}},
		{reflect.TypeFor[proofs.Options](), []string{
			"Bounds", "Engine", "Bound", "Solver", "SolverTimeout", "SolverSteps", "Shortest", "Whole",
			"Disk", "Certify", "CheckAll", "Strict", "MaxEvidence", "Tables", "Common", "Claimed", "Observer",
		}},
		{reflect.TypeFor[limit.Bounds](), []string{"MaxStates", "MaxMemory", "Threads"}},
	}
	for _, test := range tests {
		var fields []string
		for i := range test.of.NumField() {
			fields = append(fields, test.of.Field(i).Name)
		}
		if !reflect.DeepEqual(fields, test.known) {
			t.Errorf("%s has the fields %q", test.of, fields)
		}
	}
}

// TestTrim: with the first entry of a day those go that nobody asked for in a long time.
func TestTrim(t *testing.T) {
	s := &cache.Store{Dir: t.TempDir()}
	for n := range byte(2) {
		if err := s.Put(key(n), []byte{n}); err != nil {
			t.Fatal(err)
		}
	}
	age := func(path string, days int) {
		at := time.Now().AddDate(0, 0, -days)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	files := entries(t, s.Dir)
	age(files[0], 31)
	age(files[1], 29)
	put := func() {
		if err := s.Put(key(2), nil); err != nil {
			t.Fatal(err)
		}
	}
	if put(); len(entries(t, s.Dir)) != 3 {
		t.Error("trimmed twice a day")
	}
	age(filepath.Join(s.Dir, "trimmed"), 2)
	put()
	if left := entries(t, s.Dir); len(left) != 2 || left[0] != files[1] {
		t.Errorf("left: %q", left)
	}
}

// TestKeeps: nothing is kept that a limit had a part in, and what nobody has checked only as the
// user's own.
func TestKeeps(t *testing.T) {
	const never, own, always = 0, 1, 2
	for _, test := range []struct {
		r    verdict.Verdict
		want int
	}{
		{verdict.Verdict{Status: proofs.Proved, Checked: proofs.ByCertificate}, always},
		{verdict.Verdict{Status: proofs.Refuted, Checked: proofs.ByReplay}, always},
		{verdict.Verdict{Status: proofs.Proved, Checked: proofs.ByEnumeration}, always},
		{verdict.Verdict{Status: proofs.Proved, Checked: proofs.Unchecked}, own},
		{verdict.Verdict{Status: proofs.Proved}, never},
		{verdict.Verdict{Status: proofs.Proved, Checked: proofs.ByCertificate, Limited: true}, never},
		{verdict.Verdict{Status: proofs.Bounded, Bound: 3}, never},
		{verdict.Verdict{Status: proofs.Unknown}, never},
	} {
		anybodys, users := &cache.Store{}, &cache.Store{Secret: []byte("secret")}
		if got := anybodys.Keeps(&proofs.Result{Verdict: test.r}); got != (test.want == always) {
			t.Errorf("%v, limited: %t: %t", test.r.Status, test.r.Limited, got)
		}
		if got := users.Keeps(&proofs.Result{Verdict: test.r}); got != (test.want != never) {
			t.Errorf("%v, limited: %t, with a secret: %t", test.r.Status, test.r.Limited, got)
		}
	}
}

// TestOwn: an entry is the user's own only if it was put with the user's secret, as it is.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	mine, others, anybodys := &cache.Store{Dir: dir, Secret: []byte("mine")}, &cache.Store{Dir: dir, Secret: []byte("other")}, &cache.Store{Dir: dir}
	want := func(s *cache.Store, own bool) {
		t.Helper()
		text, got, ok := s.Get(key(1))
		if !ok || string(text) != "text" || got != own {
			t.Errorf("got %q, %t, %t", text, got, ok)
		}
	}
	put := func(s *cache.Store) {
		t.Helper()
		if err := s.Put(key(1), []byte("text")); err != nil {
			t.Fatal(err)
		}
	}
	put(mine)
	want(mine, true)
	want(others, false)
	want(anybodys, false)
	path := entries(t, dir)[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*cache.Store{others, anybodys} {
		put(s)
		want(mine, false)
	}
	// The mark of one entry does not fit another.
	lines := bytes.SplitN(whole, []byte("\n"), 4)
	if err := mine.Put(key(1), []byte("other")); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mixed := bytes.SplitN(other, []byte("\n"), 4)
	mixed[2] = lines[2]
	if err := os.WriteFile(path, bytes.Join(mixed, []byte("\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, own, ok := mine.Get(key(1)); own || !ok || string(text) != "other" {
		t.Errorf("got %q, %t, %t", text, own, ok)
	}
}

// TestSecret: a secret is made once, for the user alone, and not by a run that only reads.
func TestSecret(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "config")
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	if secret, err := cache.Secret(true); secret != nil || err != nil {
		t.Fatalf("got %x, %v", secret, err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s: %v", dir, err)
	}
	first, err := cache.Secret(false)
	if err != nil || len(first) < 32 {
		t.Fatalf("got %x, %v", first, err)
	}
	for _, readOnly := range []bool{true, false} {
		if again, err := cache.Secret(readOnly); err != nil || !bytes.Equal(first, again) {
			t.Errorf("got %x, then %x, %v", first, again, err)
		}
	}
	path := entries(t, dir)[0]
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, first[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	if secret, err := cache.Secret(false); err == nil {
		t.Errorf("got %x", secret)
	}
}
