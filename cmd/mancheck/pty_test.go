//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/mancheck/mancheck/internal/tier"
)

// screenOn switches to the screen of a program of its own.
var screenOn = []byte("\x1b[?1049h")

// TestTerminal plays games in a pseudo-terminal of changing size with random keys, and ends them by
// the key that does so.
func TestTerminal(t *testing.T) {
	files, err := filepath.Glob("../../examples/family/*.sow")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	r := rand.New(rand.NewPCG(3, 1))
	for i := 0; i < len(files); i += 6 * tier.Every(6) {
		path, err := filepath.Abs(files[i])
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("mancheck", "play", path, "--computer", "none")
		cmd.Env = append(os.Environ(), "TERM=xterm-256color")
		size := &pty.Winsize{Rows: uint16(1 + r.IntN(30)), Cols: uint16(20 + r.IntN(181))}
		terminal, err := pty.StartWithSize(cmd, size)
		if err != nil {
			t.Skipf("there is no pseudo-terminal here: %v", err)
		}
		var shown bytes.Buffer
		read, begun := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(read)
			part := make([]byte, 4096)
			for n, err := terminal.Read(part); err == nil; n, err = terminal.Read(part) { // until the program ends
				before := bytes.Contains(shown.Bytes(), screenOn)
				if shown.Write(part[:n]); !before && bytes.Contains(shown.Bytes(), screenOn) {
					close(begun)
				}
			}
		}()
		select {
		case <-begun:
		case <-read:
		}
		for range 12 {
			keys := []string{"\x1b[C", "\x1b[D", "\r", "\r", "\x7f", "1", "help\r", "\x1b[5~", "\x1b[6~"}
			_, _ = terminal.WriteString(keys[r.IntN(len(keys))])
			_ = pty.Setsize(terminal, &pty.Winsize{Rows: uint16(1 + r.IntN(30)), Cols: uint16(20 + r.IntN(181))})
			time.Sleep(5 * time.Millisecond)
		}
		_, _ = terminal.WriteString("\x03")
		err = cmd.Wait()
		_ = terminal.Close()
		<-read
		if err != nil || bytes.Contains(shown.Bytes(), []byte("goroutine ")) || bytes.Contains(shown.Bytes(), []byte("internal error")) {
			t.Errorf("%s: %v\n%s", filepath.Base(path), err, shown.Bytes())
		}
	}
}
