package term

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestNoTerminal: whatever is no terminal has no progress, no colours and lines of any width, and a
// pipe is known as one.
func TestNoTerminal(t *testing.T) {
	t.Setenv("COLUMNS", "40")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !isPipe(w) || isPipe(f) || isPipe(&bytes.Buffer{}) {
		t.Error("a pipe is taken for a file, or a file for a pipe")
	}
	for _, out := range []*os.File{w, f} {
		if Width(out) != 0 || WantsColor(out) || NewProgress(out, out).Active() {
			t.Errorf("%s is taken for a terminal", out.Name())
		}
	}
}

// TestClock: a clock that nobody sees can be stopped all the same.
func TestClock(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, &out)
	p.Clock("at work")()
	p.Stop()
	if out.Len() > 0 {
		t.Errorf("%q", &out)
	}
}
