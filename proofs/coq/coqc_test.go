package coq_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/coq"
)

// workshop is a folder with the .v files, for which a test compiles files of its own.
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

// openWhole is open for a test that scripts/coq-tests runs, and `make test` does not: Coq takes
// minutes for all of them.
func openWhole(t testing.TB) workshop {
	t.Helper()
	tier.Whole(t, "Coq compiles most of the theory")
	return open(t)
}

// open makes a folder with the .v files, one for all tests. A test that needs Coq is left out
// without it, and with -short.
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
	built.dir = dir
	return workshop{t, dir}
}

// compile compiles a file in a folder of its own, after the part of the theory that it needs. It
// returns what Coq prints, and the processor time that it takes.
func (w workshop) compile(text string) (string, time.Duration, error) {
	w.Helper()
	args := []string{"-s", "-j2", "-C", w.dir}
	err := coq.EachNeeded([]byte(text), func(name string, _ []byte) error {
		if module, is := strings.CutSuffix(name, ".v"); is {
			args = append(args, module+".vo")
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	if out, err := exec.Command("make", args...).CombinedOutput(); err != nil {
		w.Fatalf("make: %v\n%s", err, out)
	}
	file := filepath.Join(w.TempDir(), "Test.v")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		w.Fatal(err)
	}
	cmd := exec.Command("coqc", "-q", "-R", w.dir, "Mancheck", file)
	out, err := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// closed is what Coq says of a theorem that assumes nothing.
const closed = "Closed under the global context\n"

// accepted fails unless Coq accepts a file with theorems, and says that they assume nothing.
func (w workshop) accepted(what, text string) {
	w.Helper()
	out, took, err := w.compile(text)
	if err != nil || strings.ReplaceAll(out, closed, "") != "" || !strings.Contains(out, closed) {
		w.Errorf("%s: %v: %s", what, err, out)
	}
	w.Logf("%s: %v of processor time", what, took)
}
