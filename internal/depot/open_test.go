package depot_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/depot"
)

// has reports whether a package depends on the Go CDK.
func has(t *testing.T, pkg string, flags ...string) bool {
	t.Helper()
	out, err := exec.Command("go", append(append([]string{"list", "-deps"}, flags...), "github.com/mancheck/mancheck/"+pkg)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(out), "\ngocloud.dev/")
}

// TestNoCloud: without the tag, the program has none of the drivers, which are much larger than the
// program.
func TestNoCloud(t *testing.T) {
	for _, pkg := range []string{"cmd/mancheck", "cmd/playground", "internal/depot"} {
		if has(t, pkg) {
			t.Errorf("%s imports gocloud.dev", pkg)
		}
	}
}

// TestOtherURL: a URL is never opened as a folder.
func TestOtherURL(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, where := range []string{"http://example.org/a", "S4://a", "s3:///a"} {
		if d, err := depot.Open(t.Context(), where); err == nil {
			t.Errorf("%s is %v", where, d)
		}
	}
}
