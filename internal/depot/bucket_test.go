//go:build cloud

package depot_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/depot/buckettest"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/file/faulty"
)

// open opens a bucket that retries without delay, and whose driver does not retry.
func open(t tb, where string) depot.Depot {
	t.Helper()
	d, err := depot.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	if err := depot.Hasten(t.Context(), d, buckettest.Bucket, prefix); err != nil {
		t.Fatal(err)
	}
	return d
}

// server starts a store.
func server(t *testing.T) *buckettest.Server {
	t.Helper()
	s := buckettest.New()
	t.Cleanup(s.Close)
	return s
}

func TestMemory(t *testing.T) {
	contract(t, func(t *testing.T) depot.Depot { return open(t, "mem://") })
}

func TestFile(t *testing.T) {
	contract(t, func(t *testing.T) depot.Depot { return open(t, "file://"+filepath.ToSlash(t.TempDir())) })
}

func TestS3(t *testing.T) {
	contract(t, func(t *testing.T) depot.Depot { return open(t, server(t).URL("")) })
}

// TestFaults tests the contract with a store that fails many requests.
func TestFaults(t *testing.T) {
	for _, f := range buckettest.Passing {
		t.Run([]string{"", "fails", "resets", "loses", "cuts", "conflicts", "delays"}[f], func(t *testing.T) {
			contract(t, func(t *testing.T) depot.Depot {
				s := server(t)
				// Each request fails at first, and by no chance as often as it is made.
				asked := map[string]int{}
				s.Fault = func(r *http.Request) buckettest.Fault {
					same := r.Method + r.URL.String() + r.Header.Get("Range")
					if asked[same]++; asked[same]%3 == 1 {
						return f
					}
					return buckettest.None
				}
				return open(t, s.URL("some/job"))
			})
		})
	}
}

// TestRandomFaults lets several writers write one name while random requests fail in random ways.
func TestRandomFaults(t *testing.T) {
	s := server(t)
	var mu sync.Mutex
	var plan []buckettest.Fault
	s.Fault = func(*http.Request) buckettest.Fault {
		mu.Lock()
		defer mu.Unlock()
		if len(plan) == 0 {
			return buckettest.None
		}
		f := plan[0]
		plan = plan[1:]
		return f
	}
	d := open(t, s.URL(""))
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		faults := rapid.SliceOfN(rapid.SampledFrom(append(buckettest.Passing, buckettest.None)), 0, depot.Tries-2).Draw(t, "faults")
		mu.Lock()
		plan = faults
		mu.Unlock()
		race(t, d, "race/"+strings.Repeat("x", round), rapid.IntRange(1, 4).Draw(t, "writers"), 100)
	})
}

// TestPrefixes: two jobs in one bucket do not see each other.
func TestPrefixes(t *testing.T) {
	s := server(t)
	a, b := open(t, s.URL("a")), open(t, s.URL("a/b/"))
	put(t, a, "x/1", "of a")
	put(t, b, "x/1", "of b")
	is(t, a, "x/1", "of a")
	is(t, b, "x/1", "of b")
	if names, _ := s.Objects(); !slices.Equal(names, []string{"a/b/x/1", "a/x/1"}) {
		t.Errorf("%q", names)
	}
	if _, err := depot.Open(t.Context(), s.URL("a/../b")); err == nil {
		t.Error("an invalid prefix is accepted")
	}
	again := open(t, a.String())
	is(t, again, "x/1", "of a")
}

// TestNoBucket: a missing bucket does not look like an empty one.
func TestNoBucket(t *testing.T) {
	where := strings.Replace(server(t).URL(""), buckettest.Bucket, "other", 1)
	if _, err := depot.Open(t.Context(), where); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// nothing fails if a store has an object or an unfinished upload.
func nothing(t *testing.T, s *buckettest.Server) {
	t.Helper()
	if names, open := s.Objects(); len(names) > 0 || open > 0 {
		t.Errorf("the store has %q, and %d unfinished uploads", names, open)
	}
}

// TestFull: if a store is full, every write fails and leaves nothing behind.
func TestFull(t *testing.T) {
	for _, size := range []int{0, 100, 20 << 20} {
		s := server(t)
		d := open(t, s.URL(""))
		uploads := 0
		s.Fault = func(r *http.Request) buckettest.Fault {
			if r.Method != http.MethodPut {
				return buckettest.None
			}
			if uploads++; size <= 100 || uploads > 1 { // the first part succeeds
				return buckettest.Full
			}
			return buckettest.None
		}
		f, err := d.Create(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(noise(3, size)); err != nil {
			t.Fatal(err)
		}
		if err := f.Keep(t.Context(), "a"); err == nil || errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "QuotaExceeded") {
			t.Errorf("%d bytes: %v", size, err)
		}
		nothing(t, s)
		if err := d.Put(t.Context(), "b", noise(3, size)); err == nil || errors.Is(err, fs.ErrExist) {
			t.Errorf("%d bytes at once: %v", size, err)
		}
		nothing(t, s)
		s.Fault = nil
		isMissing(t, d, "a")
	}
}

// TestParts: a large object is uploaded in parts. It appears as a whole, and once.
func TestParts(t *testing.T) {
	s := server(t)
	d := open(t, s.URL(""))
	text := noise(4, 20<<20+3)
	keep(t, d, "a", text)
	keep(t, d, "a", text)
	if got, err := d.Get(t.Context(), "a"); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if asked := s.Asked(); asked[http.MethodPut] != 3 || asked[http.MethodPost] != 2 {
		t.Errorf("requests: %v", asked)
	}
	if err := d.Put(t.Context(), "a", text); !errors.Is(err, fs.ErrExist) {
		t.Errorf("put again: %v", err)
	}
	if names, open := s.Objects(); !slices.Equal(names, []string{"a"}) || open > 0 {
		t.Errorf("%q, and %d unfinished uploads", names, open)
	}
}

// TestCancelled: a write that is cancelled leaves nothing behind, and its error is that of the
// context.
func TestCancelled(t *testing.T) {
	why := errors.New("this is enough")
	for _, size := range []int{100, 20 << 20} {
		for at := range 5 {
			s := server(t)
			d := open(t, s.URL(""))
			ctx, cancel := context.WithCancelCause(t.Context())
			var n atomic.Int64
			s.Fault = func(r *http.Request) buckettest.Fault {
				if r.Method == http.MethodGet || r.Method == http.MethodHead {
					return buckettest.None
				}
				if int(n.Add(1)) <= at && size > 100 {
					return buckettest.None
				}
				if r.Method == http.MethodDelete {
					return buckettest.None
				}
				cancel(why)
				return buckettest.Resets
			}
			f, err := d.Create(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(noise(5, size)); err != nil {
				t.Fatal(err)
			}
			if err := f.Keep(ctx, "a"); !errors.Is(err, why) {
				t.Errorf("%d bytes, cancelled at request %d: %v", size, at, err)
			}
			if err := d.Put(ctx, "b", noise(5, size)); !errors.Is(err, why) {
				t.Errorf("%d bytes, after the context ended: %v", size, err)
			}
			nothing(t, s)
		}
	}
}

// TestCancelledEarly does the same for stores that take the bytes at once.
func TestCancelledEarly(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []depot.Depot{open(t, "mem://"), open(t, "file://"+filepath.ToSlash(dir))} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Put(ctx, "x/a", []byte("text")); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", d, err)
		}
		if got, err := d.List(t.Context(), "x/"); err != nil || len(got) > 0 {
			t.Errorf("%s: %q, %v", d, got, err)
		}
	}
}

// TestScratch: whichever call to the file system fails, an object appears as a whole or not at all.
func TestScratch(t *testing.T) {
	text := noise(6, 100_000)
	for _, kind := range []faulty.Kind{faulty.Fails, faulty.Shortens, faulty.Full} {
		for at, more := 1, true; more; at++ {
			d := open(t, "mem://")
			sys := faulty.New(kind, at)
			restore := file.Replace(sys)
			err := write(t.Context(), d, "x/a", text)
			restore()
			got, missing := d.Get(t.Context(), "x/a")
			switch {
			case err == nil && !bytes.Equal(got, text):
				t.Errorf("%v at call %d: no error, and %d bytes", kind, at, len(got))
			case err != nil && !errors.Is(missing, fs.ErrNotExist):
				t.Errorf("%v at call %d: %v, and there are %d bytes", kind, at, err, len(got))
			}
			more = sys.Struck() != ""
		}
	}
}

// write writes an object.
func write(ctx context.Context, d depot.Depot, name string, text []byte) error {
	f, err := d.Create(ctx)
	if err != nil {
		return err
	}
	defer f.Drop()
	for b := range slices.Chunk(text, 30_000) {
		if _, err := f.Write(b); err != nil {
			return err
		}
	}
	return f.Keep(ctx, name)
}

// TestRequests: sequential reads take few requests, also at several offsets in turn.
func TestRequests(t *testing.T) {
	s := server(t)
	d := open(t, s.URL(""))
	const size = 16 << 20
	keep(t, d, "a", noise(7, size))
	o, err := d.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	before := s.Asked()[http.MethodGet]
	b := make([]byte, 32<<10)
	for at := int64(0); at < size; at += int64(len(b)) {
		if _, err := o.ReadAt(b, at); err != nil {
			t.Fatal(err)
		}
	}
	// Windows of 512 KB, 1 MB, 2 MB and then 4 MB.
	if n := s.Asked()[http.MethodGet] - before; n != 7 {
		t.Errorf("%d requests for 16 MB in order, want 7", n)
	}
	before = s.Asked()[http.MethodGet]
	for at := int64(0); at < 4<<20; at += int64(len(b)) {
		for k := range int64(3) {
			if _, err := o.ReadAt(b, k*5<<20+at); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Each of three readers has its own windows of 512 KB, 1 MB, 2 MB and 4 MB.
	if n := s.Asked()[http.MethodGet] - before; n > 12 {
		t.Errorf("%d requests for three times 4 MB in order, want at most 12", n)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// TestGivesUp: if a store always fails, requests fail, and no object looks like a missing one.
func TestGivesUp(t *testing.T) {
	s := server(t)
	d := open(t, s.URL(""))
	put(t, d, "x/a", "text")
	s.Fault = func(*http.Request) buckettest.Fault { return buckettest.Fails }
	before := s.Asked()
	_, got := d.Get(t.Context(), "x/a")
	_, size := d.Size(t.Context(), "x/a")
	_, list := d.List(t.Context(), "x/")
	for _, err := range []error{got, size, list, d.Put(t.Context(), "x/b", nil), d.Remove(t.Context(), "x/a")} {
		if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
			t.Errorf("%v", err)
		}
	}
	// Remove begins with a request for the size.
	if n := s.Asked(); n[http.MethodGet]-before[http.MethodGet] != 2*depot.Tries || n[http.MethodHead]-before[http.MethodHead] != 2*depot.Tries {
		t.Errorf("requests: %v, then %v", before, n)
	}
	s.Fault = nil
	is(t, d, "x/a", "text")
	isMissing(t, d, "x/b")
}

// TestCredentials: a file that a driver misses does not look like a missing object.
func TestCredentials(t *testing.T) {
	s := server(t)
	t.Setenv("AWS_ROLE_ARN", "arn:aws:iam::1:role/r")
	t.Setenv("AWS_WEB_IDENTITY_TOKEN_FILE", filepath.Join(t.TempDir(), "missing"))
	where := strings.Replace(s.URL(""), "anonymous=true", "", 1)
	if _, err := depot.Open(t.Context(), where); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestInside: a folder that a driver misses does not look like a missing object.
func TestInside(t *testing.T) {
	d := open(t, "file://"+filepath.ToSlash(t.TempDir()))
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	if err := d.Put(t.Context(), "x/a", nil); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestNoScratch: no scratch files are left.
func TestNoScratch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	d := open(t, "mem://")
	keep(t, d, "a", []byte("text"))
	if _, err := d.Create(t.Context()); err != nil { // never dropped, as in a killed process
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestCloud: a program with the tag has the drivers.
func TestCloud(t *testing.T) {
	for _, pkg := range []string{"cmd/mancheck", "internal/depot"} {
		if !has(t, pkg, "-tags", "cloud") {
			t.Errorf("%s has no gocloud.dev", pkg)
		}
	}
}
