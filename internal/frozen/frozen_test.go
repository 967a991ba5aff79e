package frozen

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mancheck/mancheck/internal/file"
)

// opened makes a file of some blocks and opens it.
func opened(t *testing.T, size int, most int64) (*File, string, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "large")
	text := make([]byte, size)
	r := rand.New(rand.NewPCG(1, uint64(size)))
	for i := range text {
		text[i] = byte(1 + r.IntN(255))
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := file.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	f, err := Open(h, most)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f, path, text
}

// TestContents reads files that fit into memory and others, by several goroutines.
func TestContents(t *testing.T) {
	for _, size := range []int{0, 1, blockSize, 9*blockSize + 77} {
		for _, most := range []int64{1, 3 * blockSize, 1 << 30} {
			f, _, text := opened(t, size, most)
			if f.Len() != int64(size) || f.Sum != sha256.Sum256(text) || (f.All() != nil) != (int64(size) <= most) && size > 0 {
				t.Errorf("%d bytes: length %d, sum %x", size, f.Len(), f.Sum)
			}
			var group sync.WaitGroup
			for g := range 4 {
				group.Go(func() {
					r := rand.New(rand.NewPCG(2, uint64(g)))
					for range 2000 {
						if size == 0 {
							return
						}
						at := r.IntN(size)
						if b := f.Byte(int64(at)); b != text[at] {
							t.Errorf("byte %d is %d, want %d", at, b, text[at])
							return
						}
					}
					from := r.IntN(size + 1)
					to := from + r.IntN(size-from+1)
					var part []byte
					f.Each(int64(from), int64(to), func(b []byte) { part = append(part, b...) })
					if !bytes.Equal(part, text[from:to]) {
						t.Errorf("%d to %d differ", from, to)
					}
				})
			}
			group.Wait()
			if err := f.Err(); err != nil || len(f.kept) > f.maxBlocks {
				t.Errorf("%d of at most %d blocks are kept: %v", len(f.kept), f.maxBlocks, err)
			}
		}
	}
}

// TestChanged changes files after they were opened: bytes are what they were, or Err fails.
func TestChanged(t *testing.T) {
	for _, most := range []int64{2 * blockSize, 1 << 30} {
		for _, cut := range []bool{false, true} {
			f, path, text := opened(t, 7*blockSize, most)
			if cut {
				if err := os.Truncate(path, blockSize/2); err != nil {
					t.Fatal(err)
				}
			} else {
				other := bytes.Clone(text)
				for i := range other {
					other[i]++
				}
				if err := os.WriteFile(path, other, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			same := true
			for i := 0; i < len(text); i += 999 {
				same = same && f.Byte(int64(i)) == text[i]
			}
			if err := f.Err(); !same && !errors.Is(err, file.ErrChanged) || same && err != nil || same != (f.All() != nil) {
				t.Errorf("the bytes are the same: %v, error %v", same, err)
			}
		}
	}
}
