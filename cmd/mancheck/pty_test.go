//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	files = slices.DeleteFunc(files, func(path string) bool { return strings.HasSuffix(path, "_rows.sow") }) // boards alone
	r := rand.New(rand.NewPCG(3, 1))
	for i := 0; i < len(files); i += 6 * tier.Every(6, 3) {
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
			keys := []string{"\x1b[C", "\x1b[D", "\r", "\r", "\x7f", "1", "help\r", "\x1b[5~", "\x1b[6~", "\x1b[<0;12;7M", "\x1b[<0;20;16M", "\x1bOQ"}
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

// TestLeaveTerminal plays games to their ends in a pseudo-terminal, and leaves them by Escape and a
// yes. What is left on the terminal is the result and a command, which replays the game.
func TestLeaveTerminal(t *testing.T) {
	kalah, err := filepath.Abs("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(t.TempDir(), "a game.json")
	const result, last = "South wins by 2, 3 to 1 (end)", "  2. South: 1  move"
	for _, c := range []struct {
		args []string
		keys string // before the game ends
		want string // in the command
	}{
		{[]string{kalah, "-p", "m=2", "-p", "n=1"}, "2\r", "-p m=2 -p n=1 --moves '2, 1'"}, // and the only other move follows
		{[]string{kalah, "-p", "m=2", "-p", "n=1", "--save", saved}, "2\r", "game.json'"},
		{[]string{kalah, "--from", saved}, "", "--variant Kalah -p m=2 -p n=1 -p empty_capture=false --moves '2, 1'"},
	} {
		left := leave(t, append([]string{"play", "--computer", "none"}, c.args...), c.keys, result)
		at := strings.Index(left, "mancheck replay ")
		if at < 0 || !strings.Contains(left[:at], "over: "+result) {
			t.Fatalf("left: %q", left)
		}
		line, _, _ := strings.Cut(left[at:], "\r\n")
		out, err := exec.Command("sh", "-c", line).CombinedOutput()
		if err != nil || !strings.Contains(line, c.want) || !strings.Contains(string(out), last) || !strings.Contains(string(out), "over: end") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// leave runs a game in a pseudo-terminal with these keys until a text is shown, and then leaves it.
// It returns what is left on the terminal.
func leave(t *testing.T, args []string, keys, until string) string {
	t.Helper()
	cmd := exec.Command("mancheck", args...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "MANCHECK_NO_MOTION=1")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	defer terminal.Close()
	shown, part := "", make([]byte, 4096)
	wait := func(text string) {
		for !strings.Contains(shown, text) {
			n, err := terminal.Read(part)
			if shown += string(part[:n]); err != nil {
				t.Fatalf("%q is not shown: %v\n%q", text, err, shown)
			}
		}
	}
	wait("▏")
	_, _ = terminal.WriteString(keys)
	wait(until)
	_, _ = terminal.WriteString("\x1b")
	wait("leave the game? y/n")
	_, _ = terminal.WriteString("y")
	for n, err := terminal.Read(part); err == nil; n, err = terminal.Read(part) {
		shown += string(part[:n])
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%q: %v", args, err)
	}
	_, left, _ := strings.Cut(shown, "\x1b[?1049l") // back on the screen of the shell
	return left
}
