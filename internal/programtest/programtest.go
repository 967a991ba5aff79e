// Package programtest builds programs of this module for tests.
package programtest

import (
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// Build builds the program in a package, and returns its path. It has the build tags of the test,
// so that most of it is in Go's cache.
func Build(t testing.TB, pkg string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(pkg))
	args := []string{"build", "-o", path}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				args = append(args, "-tags="+s.Value)
			}
		}
	}
	if out, err := exec.Command("go", append(args, pkg)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}
