package file_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/file"
)

// read is what a file holds.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil { // whatever the umask
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Skip(err)
	}
}

// only fails if a folder holds anything but the files named.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %q, want %q", got, names)
	}
}

func TestWrite(t *testing.T) {
	for name, mode := range map[string]file.Mode{"named": file.Named, "unnamed": 0, "loose": file.Loose} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a")
			for _, text := range []string{"a longer text", "short", ""} {
				if err := file.Write(path, []byte(text), mode); err != nil {
					t.Fatal(err)
				}
				if got := read(t, path); got != text {
					t.Errorf("the file holds %q, want %q", got, text)
				}
			}
			only(t, dir, "a")
		})
	}
}

func TestKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "old", 0o640)
	if err := file.Write(path, []byte("new"), file.Named); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := file.Write(path, []byte("first"), file.New); err != nil {
		t.Fatal(err)
	}
	if err := file.Write(path, []byte("second"), file.New); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	link(t, "nowhere", filepath.Join(dir, "b"))
	if err := file.Write(filepath.Join(dir, "b"), nil, file.New); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link that leads nowhere: error %v", err)
	}
	if got := read(t, path); got != "first" {
		t.Errorf("the file holds %q", got)
	}
	only(t, dir, "a", "b")
}

// TestNewRace: of many that want to make the same file just one does.
func TestNewRace(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	made := make(chan int, 20)
	for i := range 20 {
		wg.Go(func() {
			if file.Write(filepath.Join(dir, "a"), []byte{byte(i)}, file.New) == nil {
				made <- i
			}
		})
	}
	wg.Wait()
	if len(made) != 1 || read(t, filepath.Join(dir, "a"))[0] != byte(<-made) {
		t.Errorf("%d of them made the file", len(made))
	}
	only(t, dir, "a")
}

// repeating is a file system that makes each link twice, as NFS does when an answer is lost.
type repeating struct{ file.System }

func (s repeating) Link(from, to string) error {
	_ = s.System.Link(from, to)
	return s.System.Link(from, to)
}

// TestNewRepeated: that a call was repeated does not make a file somebody else's.
func TestNewRepeated(t *testing.T) {
	defer file.Replace(repeating{file.Operating()})()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := file.Write(path, []byte("first"), file.New); err != nil {
		t.Fatal(err)
	}
	if err := file.Write(path, []byte("second"), file.New); !errors.Is(err, fs.ErrExist) || read(t, path) != "first" {
		t.Errorf("error %v, the file holds %q", err, read(t, path))
	}
	only(t, dir, "a")
}

// TestLink: a link that the user named is followed and stays, one that lies where the program
// writes is replaced.
func TestLink(t *testing.T) {
	for name, c := range map[string]struct {
		mode file.Mode
		old  string // what the link leads to holds then
	}{"named": {file.Named, "new"}, "unnamed": {0, "old"}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			target, path := filepath.Join(dir, "target"), filepath.Join(dir, "link")
			write(t, target, "old", 0o666)
			link(t, "target", path)
			if err := file.Write(path, []byte("new"), c.mode); err != nil {
				t.Fatal(err)
			}
			if read(t, path) != "new" || read(t, target) != c.old {
				t.Errorf("the file holds %q, what the link led to %q", read(t, path), read(t, target))
			}
			info, err := os.Lstat(path)
			if err != nil || (info.Mode().Type() == fs.ModeSymlink) != (c.mode == file.Named) {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			only(t, dir, "link", "target")
		})
	}
}

// TestNames: a file with other names is written where it is, if the user named it.
func TestNames(t *testing.T) {
	for name, c := range map[string]struct {
		mode file.Mode
		old  string
	}{"named": {file.Named, "new"}, "unnamed": {0, "older"}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			other, path := filepath.Join(dir, "other"), filepath.Join(dir, "file")
			write(t, path, "older", 0o666)
			if err := os.Link(path, other); err != nil {
				t.Skip(err)
			}
			if err := file.Write(path, []byte("new"), c.mode); err != nil {
				t.Fatal(err)
			}
			if read(t, path) != "new" || read(t, other) != c.old {
				t.Errorf("the file holds %q, and by its other name %q", read(t, path), read(t, other))
			}
			only(t, dir, "file", "other")
		})
	}
}

func TestDanglingLink(t *testing.T) {
	dir := t.TempDir()
	link(t, "target", filepath.Join(dir, "link"))
	link(t, "circle", filepath.Join(dir, "circle"))
	if err := file.Write(filepath.Join(dir, "link"), []byte("new"), file.Named); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "target")); got != "new" {
		t.Errorf("the file holds %q", got)
	}
	if err := file.Write(filepath.Join(dir, "circle"), nil, file.Named); err == nil {
		t.Error("links in a circle: no error")
	}
	only(t, dir, "circle", "link", "target")
}

func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []file.Mode{file.Named, 0} {
		if err := file.Write(dir, nil, mode); err == nil {
			t.Error("a directory: no error")
		}
		err := file.Write(filepath.Join(dir, "no", "such"), nil, mode)
		if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "part") {
			t.Errorf("no folder: error %v", err)
		}
	}
	if err := file.Write(os.DevNull, []byte("text"), file.Named); err != nil {
		t.Errorf("a device: %v", err)
	}
	only(t, dir)
}

// TestSweep: what a program that was killed left behind is removed a day later, when its file is
// written, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	old := time.Now().Add(-25 * time.Hour)
	left := map[string]bool{} // whether it stays
	for name, stays := range map[string]bool{
		".out.ABCDEFGHIJKLMNOPQRSTUVWX23.part": false, ".out.2BCDEFGHIJKLMNOPQRSTUVWX23.part": true, ".out.txt.ABCDEFGHIJKLMNOPQRSTUVWX23.part2": true,
		".other.ABCDEFGHIJKLMNOPQRSTUVWX23.part": true, ".out.part": true, "out.ABCDEFGHIJKLMNOPQRSTUVWX23.part": true,
	} {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(name, ".out.2") { // which another run is writing now
			if err := os.Chtimes(at, old, old); err != nil {
				t.Fatal(err)
			}
		}
		left[at] = stays
	}
	if err := file.Write(path, []byte("text"), 0); err != nil {
		t.Fatal(err)
	}
	for at, stays := range left {
		if _, err := os.Stat(at); (err == nil) != stays {
			t.Errorf("%s: %v", at, err)
		}
	}
}
