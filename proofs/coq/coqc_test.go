package coq_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/coq"
)

// workshop is a folder with the compiled .v files, in which a test compiles files of its own.
type workshop struct {
	testing.TB
	dir string
}

var built struct {
	sync.Mutex
	dir string
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

// open compiles the .v files, once for all tests. A test that needs Coq is left out without it, and
// with -short.
func open(t testing.TB) workshop {
	t.Helper()
	tier.Long(t, "Coq takes a second to begin with")
	if _, err := exec.LookPath("coqc"); err != nil {
		t.Skip("Coq is not installed: no coqc")
	}
	built.Lock()
	defer built.Unlock()
	if built.dir != "" {
		return workshop{t, built.dir}
	}
	dir, err := os.MkdirTemp("", "coq")
	if err != nil {
		t.Fatal(err)
	}
	err = coq.EachFile(func(name string, text []byte) error {
		return os.WriteFile(filepath.Join(dir, name), text, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("make", "-s", "-j2", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("make: %v\n%s", err, out)
	}
	built.dir = dir
	return workshop{t, dir}
}

// compile compiles a file in a folder of its own, and returns what Coq prints.
func (w workshop) compile(text string) (string, error) {
	w.Helper()
	file := filepath.Join(w.TempDir(), "Test.v")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		w.Fatal(err)
	}
	out, err := exec.Command("coqc", "-q", "-R", w.dir, "Mancheck", file).CombinedOutput()
	return string(out), err
}
