//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestWiped: whether work that does not look at the signal is abandoned after the first Ctrl-C, or
// killed by the second, no line of progress is left on the screen.
func TestWiped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.sow")
	text := "variant Row {\n  board { p[1..3] line l = p[1..3] }\n  setup { p1 = 2, p2 = 0, p3 = 0 }\n" +
		"  move { choose q in p where q > 0 sow q along l }\n}\nclaim sleeps { terminates within 3 }\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for keys := 1; keys <= 2; keys++ {
		cmd := exec.Command("sleeper", "check", path)
		cmd.Env = append(os.Environ(), "TERM=xterm-256color")
		terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
		if err != nil {
			t.Skipf("there is no pseudo-terminal here: %v", err)
		}
		var shown bytes.Buffer
		part := make([]byte, 4096)
		sent := false
		for n, err := terminal.Read(part); err == nil; n, err = terminal.Read(part) { // until the program ends
			shown.Write(part[:n])
			if !sent && bytes.Contains(shown.Bytes(), []byte("0/1 sleeps")) {
				sent = true
				for range keys {
					_, _ = terminal.WriteString("\x03")
					time.Sleep(200 * time.Millisecond) // two signals that wait are one
				}
			}
		}
		if err := cmd.Wait(); err == nil || !sent {
			t.Errorf("%d keys: %v, sent %v", keys, err, sent)
		}
		_ = terminal.Close()
		last := shown.Bytes()
		if at := bytes.LastIndex(last, []byte("\x1b[K")); at >= 0 {
			last = last[at:]
		}
		if bytes.Contains(last, []byte("0/1")) {
			t.Errorf("%d keys: the line is left on the screen: %q", keys, &shown)
		}
	}
}
