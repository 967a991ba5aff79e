//go:build unix

package file_test

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mancheck/mancheck/internal/file"
)

// fullVariable names the folder in which the test program, run again, may write no more than 1000
// bytes.
const fullVariable = "MANCHECK_TEST_FULL"

// TestFull: a disk that is full leaves the old file, and no other.
func TestFull(t *testing.T) {
	if dir := os.Getenv(fullVariable); dir != "" {
		writeFull(t, dir)
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "old"), "old", 0o666)
	cmd := exec.Command(os.Args[0], "-test.run=^TestFull$")
	cmd.Env = append(os.Environ(), fullVariable+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := read(t, filepath.Join(dir, "old")); got != "old" {
		t.Errorf("the file holds %q", got)
	}
	only(t, dir, "old")
}

func writeFull(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: 1000}); err != nil {
		t.Skip(err)
	}
	for _, mode := range []file.Mode{file.Named, file.Loose, 0} {
		if err := file.Write(filepath.Join(dir, "old"), make([]byte, 2000), mode); err == nil {
			t.Error("no error")
		}
	}
	if err := file.Write(filepath.Join(dir, "new"), make([]byte, 2000), file.New); err == nil {
		t.Error("no error")
	}
}

// TestOpen opens regular files, and does not wait for anybody who might write into a pipe.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), "text", 0o666)
	link(t, "a", filepath.Join(dir, "link"))
	for _, name := range []string{"a", "link"} {
		f, err := file.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, pipe, os.DevNull, filepath.Join(dir, "none")} {
		if f, err := file.Open(path); err == nil {
			f.Close()
			t.Errorf("%s: no error", path)
		}
	}
	for _, mode := range []file.Mode{0, file.Loose} {
		if err := file.Write(pipe, nil, mode); err == nil {
			t.Error("a pipe where the program writes: no error")
		}
	}
}

// TestReadOnly: a file that must not be written is not replaced, though its folder may be written
// to.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "old", 0o444)
	if err := file.Write(path, []byte("new"), file.Named); err == nil || read(t, path) != "old" {
		t.Errorf("error %v, the file holds %q", err, read(t, path))
	}
}
