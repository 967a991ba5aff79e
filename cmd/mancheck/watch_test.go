//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mancheck/mancheck/proofs"
)

const watchedRules = `variant Row {
  board {
    a[1..3]
    ring way = a[1..3]
  }
  setup { each a = 1 }
  move {
    choose p in a where p > 0
    sow p along way
  }
  end when a3 = 3
}
claim all_three { reachable a3 = 3 }
claim two { reachable a2 = 2 }
`

// seen is what a program has written so far.
type seen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *seen) read(from io.Reader) {
	part := make([]byte, 4096)
	for n, err := from.Read(part); err == nil; n, err = from.Read(part) {
		s.mu.Lock()
		s.text.Write(part[:n])
		s.mu.Unlock()
	}
}

// await waits until a text stands behind what was awaited before.
func (s *seen) await(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		_, after, found := bytes.Cut(s.text.Bytes(), []byte(want))
		if found {
			rest := bytes.Clone(after)
			s.text.Reset()
			s.text.Write(rest)
		}
		s.mu.Unlock()
		if found {
			return
		}
	}
	t.Fatalf("%q was not written, but\n%s", want, s.text.String())
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWatch changes a file, and one that it imports, while they are watched.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	path, imported := filepath.Join(dir, "game.sow"), filepath.Join(dir, "claims", "more.sow")
	for _, folder := range []string{filepath.Dir(imported), filepath.Join(dir, ".git")} { // one repository
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, path, watchedRules)
	write(t, imported, "import \"../game.sow\"\nclaim one of Row { reachable a1 = 3 }\n")
	cmd := exec.Command("mancheck", "watch", imported, "--cache", "off")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var s seen
	go s.read(out)
	s.await(t, "✓ proved   one ")
	s.await(t, "1 claim: 1 as expected")
	time.Sleep(50 * time.Millisecond) // the files are followed before the claims are decided
	write(t, path, strings.Replace(watchedRules, "sow p along way", "take all from p", 1))
	s.await(t, "failed")
	write(t, path, strings.Replace(watchedRules, "where p > 0", "where p > 7", 1))
	s.await(t, "✗ refuted  one ")
	next := path + ".new"
	write(t, next, watchedRules)
	if err := os.Rename(next, path); err != nil { // as editors do
		t.Fatal(err)
	}
	s.await(t, "✓ proved   one ")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInconclusive {
		t.Errorf("exit status %d", code)
	}
}

// TestWatchKeeps: a round decides only what a change touches.
func TestWatchKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.sow")
	s := newSession(t.Context(), strings.NewReader(""), io.Discard, io.Discard, nil)
	w, err := (&watchCmd{Paths: []string{path}, cacheFlags: cacheFlags{Cache: "off"}}).watching(s)
	if err != nil {
		t.Fatal(err)
	}
	defer w.files.Close()
	round := func() (kept []string) {
		t.Helper()
		rep, err := w.round(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range rep.Items {
			if i.Cached {
				kept = append(kept, i.Claim)
			}
		}
		return kept
	}
	write(t, path, watchedRules)
	if kept := round(); len(kept) != 0 {
		t.Errorf("the first round knew %q", kept)
	}
	write(t, path, "// A comment.\n"+strings.Replace(watchedRules, "a2 = 2", "a2 = 3", 1))
	if kept := round(); len(kept) != 1 || kept[0] != "all_three" {
		t.Errorf("kept %q", kept)
	}
	write(t, path, strings.Replace(watchedRules, "each a = 1", "a1 = 1, a2 = 1, a3 = 1", 1))
	if kept := round(); len(kept) > 1 {
		t.Errorf("kept %q, though the rules are others", kept)
	}
}

// TestWatchKeepsNoOtherSizes: a verdict on every size is not kept if only greater sizes are others.
func TestWatchKeepsNoOtherSizes(t *testing.T) {
	before, after := sizeTwins(t)
	path := filepath.Join(t.TempDir(), "game.sow")
	s := newSession(t.Context(), strings.NewReader(""), io.Discard, io.Discard, nil)
	w, err := (&watchCmd{Paths: []string{path}, cacheFlags: cacheFlags{Cache: "off"}}).watching(s)
	if err != nil {
		t.Fatal(err)
	}
	defer w.files.Close()
	for n, round := range []struct {
		text   string
		status proofs.Status
		kept   bool
	}{{before, proofs.Proved, false}, {"// A comment.\n" + before, proofs.Proved, true}, {after, proofs.Refuted, false}, {before, proofs.Proved, false}} {
		write(t, path, round.text)
		rep, err := w.round(t.Context())
		if err != nil || len(rep.Items) != 1 || rep.Items[0].Result == nil {
			t.Fatalf("round %d: %v, %v", n, rep, err)
		}
		if i := rep.Items[0]; i.Result.Status != round.status || i.Cached != round.kept {
			t.Errorf("round %d: %s, kept %v", n, i.Result.Status, i.Cached)
		}
	}
}

// sizeTwins reads the two files of a script that differ at greater sizes than the least only.
func sizeTwins(t *testing.T) (before, after string) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", "script", "every_size.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		switch f.Name {
		case "before.sow":
			before = string(f.Data)
		case "after.sow":
			after = string(f.Data)
		}
	}
	return before, after
}

// TestWatchScreen: on a terminal a table takes the place of the one before, with the evidence of
// what is not as expected, and a change ends the round that is under way.
func TestWatchScreen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.sow")
	write(t, path, watchedRules)
	cmd := exec.Command("mancheck", "watch", path, "--cache", "off")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 20, Cols: 90})
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	var s seen
	go s.read(terminal)
	s.await(t, clearScreen)
	s.await(t, "2 claims: 2 as expected")
	s.await(t, "waiting for changes")
	// A claim that no engine decides soon.
	write(t, path, strings.NewReplacer("a[1..3]", "a[1..24]", "a3 = 3", "a24 = 24", "a2 = 2", "a2 = 7", "each a = 1", "each a = 9").Replace(watchedRules))
	s.await(t, clearScreen)
	time.Sleep(300 * time.Millisecond)
	write(t, path, strings.Replace(watchedRules, "a2 = 2", "a2 = 7", 1))
	s.await(t, clearScreen)
	s.await(t, "1 not as expected")
	_, _ = terminal.WriteString("\x03")
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInconclusive {
		t.Errorf("exit status %d", code)
	}
	_ = terminal.Close()
}
