package main

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
)

// TestSweepKilled: a sweep that is killed again and again, and whose cache is damaged, writes in
// the end what one writes that nobody disturbs.
func TestSweepKilled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 12 / tier.Every(12, 3) {
		dir := t.TempDir()
		sweep := func(cache string) *exec.Cmd {
			c := exec.Command("mancheck", "sweep", "../../examples/kalah.sow", "-p", "m=2..4", "-p", "n=2..3", "-p", "empty_capture=both",
				"--max-states", "2000", "--each", "1h", "--format", "csv", "--cache-dir", filepath.Join(dir, cache))
			c.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "HOME="+dir)
			return c
		}
		var code *exec.ExitError
		want, err := sweep("whole").Output()
		if !errors.As(err, &code) || code.ExitCode() != exitInconclusive {
			t.Fatalf("%v\n%s", err, want)
		}
		kills := 0
		for wait := 20 * time.Millisecond; ; wait += wait / 8 {
			c := sweep("killed")
			if dead := kill(t, c, time.Duration(r.Int64N(int64(wait)))); !dead {
				break
			}
			kills++
			damage(t, r, filepath.Join(dir, "killed"))
		}
		got, _ := sweep("killed").Output()
		if !bytes.Equal(got, want) {
			t.Errorf("after %d kills:\n%s\nwant\n%s", kills, got, want)
		}
		t.Logf("%d kills", kills)
	}
}

// kill runs a program that may end with the status of open cells, and kills it after a while.
func kill(t *testing.T, c *exec.Cmd, wait time.Duration) (dead bool) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(wait)
	_ = c.Process.Kill()
	_ = c.Wait()
	return c.ProcessState.ExitCode() != exitInconclusive
}

// damage changes a byte of one of the files below a folder.
func damage(t *testing.T, r *rand.Rand, dir string) {
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return nil
	})
	if len(files) == 0 {
		return
	}
	path := files[r.IntN(len(files))]
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 {
		text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
