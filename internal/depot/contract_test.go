package depot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/depot"
)

// tb is the common part of *testing.T and *rapid.T.
type tb interface {
	rapid.TB
	Context() context.Context
}

func TestFolder(t *testing.T) {
	contract(t, func(t *testing.T) depot.Depot {
		d, err := depot.Open(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}

// contract tests what every Depot promises. empty returns a depot without objects.
func contract(t *testing.T, empty func(t *testing.T) depot.Depot) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, d depot.Depot)
	}{
		{"once", once}, {"names", names}, {"lists", lists}, {"drafts", drafts}, {"reads", reads}, {"blocks", blocks}, {"writers", writers},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, empty(t)) })
	}
}

// is fails unless an object has this text.
func is(t tb, d depot.Depot, name, text string) {
	t.Helper()
	got, err := d.Get(t.Context(), name)
	if err != nil || string(got) != text {
		t.Fatalf("%s: %q, %v, want %q", name, got, err, text)
	}
	if size, err := d.Size(t.Context(), name); err != nil || size != int64(len(text)) {
		t.Fatalf("%s: %d bytes, %v, want %d", name, size, err, len(text))
	}
}

// isMissing fails if an object exists.
func isMissing(t tb, d depot.Depot, name string) {
	t.Helper()
	_, got := d.Get(t.Context(), name)
	_, size := d.Size(t.Context(), name)
	_, opened := d.Open(t.Context(), name)
	for _, err := range []error{got, size, opened} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: %v, want %v", name, err, fs.ErrNotExist)
		}
	}
}

func put(t tb, d depot.Depot, name, text string) {
	t.Helper()
	if err := d.Put(t.Context(), name, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// keep writes an object in pieces.
func keep(t tb, d depot.Depot, name string, pieces ...[]byte) {
	t.Helper()
	f, err := d.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Drop()
	for _, b := range pieces {
		if n, err := f.Write(b); err != nil || n != len(b) {
			t.Fatal(n, err)
		}
	}
	if err := f.Keep(t.Context(), name); err != nil {
		t.Fatal(err)
	}
}

func once(t *testing.T, d depot.Depot) {
	isMissing(t, d, "a/b")
	put(t, d, "a/b", "first")
	is(t, d, "a/b", "first")
	if err := d.Put(t.Context(), "a/b", []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("put again: %v", err)
	}
	if err := d.Put(t.Context(), "a/b", []byte("first")); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("put the same again: %v", err)
	}
	is(t, d, "a/b", "first")
	for range 2 {
		if err := d.Remove(t.Context(), "a/b"); err != nil {
			t.Fatal(err)
		}
		isMissing(t, d, "a/b")
	}
	put(t, d, "a/b", "")
	is(t, d, "a/b", "")
}

func names(t *testing.T, d depot.Depot) {
	for _, name := range []string{"", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", ".a", "a/.b", `a\b`, "c:a"} {
		_, got := d.Get(t.Context(), name)
		_, size := d.Size(t.Context(), name)
		_, opened := d.Open(t.Context(), name)
		f, err := d.Create(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{
			got, size, opened, d.Put(t.Context(), name, nil), d.Remove(t.Context(), name), f.Keep(t.Context(), name),
		} {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%q: %v, want %v", name, err, fs.ErrInvalid)
			}
		}
		f.Drop()
	}
	if d.String() == "" {
		t.Error("String is empty")
	}
}

func lists(t *testing.T, d depot.Depot) {
	all := []string{"a/00001", "a/00002/00003.1", "a/00002/00010.1", "a/00010", "ab/1", "b/x~y z"}
	for _, name := range []string{all[3], all[5], all[0], all[4], all[2], all[1]} {
		put(t, d, name, name)
	}
	for prefix, want := range map[string][]string{"a/": all[:4], "a/00002/": all[1:3], "ab/": all[4:5], "b/": all[5:], "c/": nil, "a/0/": nil} {
		if got, err := d.List(t.Context(), prefix); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", prefix, got, err, want)
		}
	}
	if _, err := d.List(t.Context(), ""); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an invalid prefix: %v", err)
	}
	many := make([]string, 25)
	for i := range many {
		many[i] = fmt.Sprintf("many/%05d", i)
		put(t, d, many[i], "")
	}
	if got, err := d.List(t.Context(), "many/"); err != nil || !slices.Equal(got, many) {
		t.Errorf("%q, %v, want %q", got, err, many)
	}
}

func drafts(t *testing.T, d depot.Depot) {
	f, err := d.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("given up")); err != nil {
		t.Fatal(err)
	}
	f.Drop()
	f.Drop()
	keep(t, d, "d/empty")
	keep(t, d, "d/kept", []byte("some"), nil, []byte("thing"))
	keep(t, d, "d/kept", []byte("something"))
	is(t, d, "d/empty", "")
	is(t, d, "d/kept", "something")
	if got, err := d.List(t.Context(), "d/"); err != nil || !slices.Equal(got, []string{"d/empty", "d/kept"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// noise returns pseudo-random bytes, the same for the same seed.
func noise(seed uint64, size int) []byte {
	from := rand.NewChaCha8([32]byte{byte(seed)})
	b := make([]byte, size)
	_, _ = from.Read(b) // it never fails
	return b
}

func reads(t *testing.T, d depot.Depot) {
	text := noise(1, 11<<20+17)
	keep(t, d, "large", text[:1000], text[1000:])
	o, err := d.Open(t.Context(), "large")
	if err != nil {
		t.Fatal(err)
	}
	if o.Size() != int64(len(text)) {
		t.Fatalf("%d bytes, want %d", o.Size(), len(text))
	}
	var readers sync.WaitGroup
	for k := range 6 {
		readers.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(k)))
			b := make([]byte, 1<<20)
			at := r.Int64N(o.Size())
			for range 60 {
				size := 1 + r.IntN(1<<(5+r.IntN(16)))
				n, err := o.ReadAt(b[:size], at)
				want := text[at:min(at+int64(size), o.Size())]
				if !bytes.Equal(b[:n], want) || n < size && !errors.Is(err, io.EOF) || n == size && err != nil && !errors.Is(err, io.EOF) {
					t.Errorf("%d bytes at %d: %d, %v", size, at, n, err)
					return
				}
				if at += int64(n); r.IntN(4) == 0 {
					at = r.Int64N(o.Size())
				}
			}
		})
	}
	readers.Wait()
	whole, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil || !bytes.Equal(whole, text) {
		t.Errorf("read as a whole: %d bytes, %v", len(whole), err)
	}
	if n, err := o.ReadAt(make([]byte, 1), o.Size()); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %d, %v", n, err)
	}
	if _, err := o.ReadAt(make([]byte, 1), -1); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("before the beginning: %v", err)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if _, err := o.ReadAt(make([]byte, 1), 0); err == nil {
		t.Error("a closed object can be read")
	}
}

func blocks(t *testing.T, d depot.Depot) {
	text := noise(2, 100_000)
	var hash string
	for range 2 {
		w, err := depot.NewWriter(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		var size int64
		if hash, size, err = w.Keep(t.Context()); err != nil || size != int64(len(text)) {
			t.Fatal(size, err)
		}
		w.Drop()
		if err := depot.Check(t.Context(), d, hash, size); err != nil {
			t.Fatal(err)
		}
	}
	text[5]++
	for _, bad := range [][]byte{nil, text[:99_999], text} {
		if err := d.Remove(t.Context(), depot.Block(hash)); err != nil {
			t.Fatal(err)
		}
		if bad != nil {
			keep(t, d, depot.Block(hash), bad)
		}
		if err := depot.Check(t.Context(), d, hash, 100_000); !errors.As(err, new(*depot.DamagedError)) {
			t.Errorf("%d other bytes: %v", len(bad), err)
		}
	}
}

// writers lets several goroutines write one name at the same time: one of them wins, and all read
// its text.
func writers(t *testing.T, d depot.Depot) {
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		race(t, d, fmt.Sprintf("race/%d", round), rapid.IntRange(2, 6).Draw(t, "writers"), rapid.IntRange(0, 2000).Draw(t, "bytes"))
	})
}

// race lets several goroutines write texts under one name at the same time.
func race(t tb, d depot.Depot, name string, n, size int) {
	t.Helper()
	texts, seen := make([]string, n), make([]string, n)
	won := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		texts[i] = strings.Repeat(fmt.Sprint(i), size+1)
		all.Go(func() {
			<-start
			won[i] = d.Put(t.Context(), name, []byte(texts[i]))
			text, err := d.Get(t.Context(), name)
			seen[i] = string(text)
			if err != nil {
				won[i] = err
			}
		})
	}
	close(start)
	all.Wait()
	winner := -1
	for i, err := range won {
		switch {
		case err == nil && winner >= 0:
			t.Fatalf("both %d and %d won", winner, i)
		case err == nil:
			winner = i
		case !errors.Is(err, fs.ErrExist):
			t.Fatal(err)
		}
	}
	if winner < 0 {
		t.Fatal("no writer won")
	}
	for i := range n {
		if seen[i] != texts[winner] {
			t.Fatalf("%d reads %.20q, but %d won", i, seen[i], winner)
		}
	}
}
