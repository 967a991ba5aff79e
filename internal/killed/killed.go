// Package killed is for tests of what survives a kill: it runs a program and kills it.
package killed

import (
	"bufio"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// Run starts a program, kills it some time after it has written a number of lines to its standard
// output, and returns those lines. killed is false if the program ended before.
func Run(t testing.TB, c *exec.Cmd, lines int, wait time.Duration) (killed bool, out []string) {
	t.Helper()
	pipe, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	text := bufio.NewScanner(pipe)
	for len(out) < lines && text.Scan() {
		out = append(out, text.Text())
	}
	time.Sleep(wait)
	_ = c.Process.Kill()
	for text.Scan() { // Wait closes the pipe
	}
	err = c.Wait()
	if err != nil && c.ProcessState.Exited() && runtime.GOOS != "windows" {
		t.Fatalf("the process ended: %v", err)
	}
	return err != nil, out
}
