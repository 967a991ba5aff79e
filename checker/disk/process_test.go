package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/killed"

	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/tier"
)

// searched is the graph of the tests in this file, and childFolder the variable that makes this
// test program search it in a folder.
var searched = graph{words: 1, degree: 3, most: 60_000}

const childFolder = "MANCHECK_DISK_TEST_FOLDER"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFolder); path != "" {
		if err := searchIn(path); err != nil {
			_, _ = os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var searchOptions = Options{Words: 1, Identity: "a graph", Threads: 2}

func searchIn(path string) error {
	s, err := Open(context.Background(), path, searchOptions)
	if err != nil {
		return err
	}
	s.shrink(64, 2000, 10, 4)
	e := &explorer{graph: searched, store: s, every: 16}
	e.saved = func() { fmt.Println("saved") }
	return errors.Join(e.explore(), s.Close())
}

// TestKill kills a process tens of times, each time after a few checkpoints. The next process
// always continues.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	r := rand.New(rand.NewPCG(1, 1))
	kills := 0
	for ended := false; !ended; kills++ {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childFolder+"="+path)
		dead, _ := killed.Run(t, c, r.IntN(4), time.Duration(r.IntN(3000))*time.Microsecond)
		ended = !dead
	}
	s, err := Open(context.Background(), path, searchOptions)
	if err != nil {
		t.Fatal(err)
	}
	e := &explorer{graph: searched, store: s}
	if err := errors.Join(e.explore(), e.equal(searched.levels()), s.Close()); err != nil {
		t.Errorf("after %d kills: %v", kills, err)
	}
	if kills < 20 {
		t.Errorf("there were only %d kills", kills)
	}
}

// TestLock opens a folder twice.
func TestLock(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("without locks")
	}
	path := filepath.Join(t.TempDir(), "store")
	s, err := Open(context.Background(), path, searchOptions)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), path, searchOptions); !errors.Is(err, file.ErrLocked) {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(context.Background(), path, searchOptions); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestForeign: a folder with other contents is left alone.
func TestForeign(t *testing.T) {
	path := t.TempDir()
	name := filepath.Join(path, nameOf(sorted.File{Number: 7}))
	if err := os.WriteFile(name, []byte("something"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), path, searchOptions); !errors.As(err, new(*sorted.CorruptError)) {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "something" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// measured is a file system that measures the memory in use whenever a table is complete. At that
// time the buffers of its writer and of the tables that it reads are all in memory.
type measured struct {
	file.System
	peak uint64
}

type measuredFile struct {
	file.Handle
	folder *measured
}

func (m *measured) OpenFile(path string, flag int, perm fs.FileMode) (file.Handle, error) {
	f, err := m.System.OpenFile(path, flag, perm)
	if err != nil || !isTable(filepath.Base(path)) || flag&os.O_CREATE == 0 {
		return f, err
	}
	return measuredFile{f, m}, nil
}

// Close measures.
func (f measuredFile) Close() error {
	f.folder.peak = max(f.folder.peak, inUse())
	return f.Handle.Close()
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMemory adds many more keys than there is memory for.
func TestMemory(t *testing.T) {
	const limit, batch, batches = 2 << 20, 1000, 300
	for _, w := range tier.First(widths[:], 1, len(widths)) {
		r := rand.New(rand.NewPCG(1, uint64(w)))
		keys := make([]uint64, batch*w)
		before := inUse()
		dir := &measured{System: file.Operating()}
		restore := file.Replace(dir)
		s, err := open(t.Context(), t.TempDir(), Options{Words: w, Memory: limit, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for range batches {
				for j := range keys {
					keys[j] = r.Uint64() >> 30
				}
				if err := s.Adder(0).Add(keys); err != nil {
					t.Fatal(err)
				}
			}
			if n, err := s.Settle(0); err != nil || s.Len(s.Levels()-1) < batch*batches*99/100 {
				t.Fatal(n, err)
			}
		}
		restore()
		index := uint64(2 * batch * batches / s.shape.Block * sorted.EntrySize(w)) // its slice may have twice the capacity
		if used := dir.peak - before; used < limit/2 || used > limit+index {
			t.Errorf("keys of %d words: %d bytes, limit %d and %d", w, used, limit, index)
		}
	}
}
