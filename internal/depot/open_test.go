package depot_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/depot"
)

// has reports whether a package has anything of the Go CDK in it.
func has(t *testing.T, pkg string, flags ...string) bool {
	t.Helper()
	out, err := exec.Command("go", append(append([]string{"list", "-deps"}, flags...), "github.com/mancheck/mancheck/"+pkg)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(out), "\ngocloud.dev/")
}

// TestNoCloud: the drivers are many times larger than the program, which has none of them unless
// they are asked for.
func TestNoCloud(t *testing.T) {
	for _, pkg := range []string{"cmd/mancheck", "cmd/playground", "internal/depot"} {
		if has(t, pkg) {
			t.Errorf("%s imports gocloud.dev", pkg)
		}
	}
}

// TestOtherURL: what looks like a URL is never a folder.
func TestOtherURL(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, where := range []string{"http://example.org/a", "S4://a", "s3:///a"} {
		if d, err := depot.Open(t.Context(), where); err == nil {
			t.Errorf("%s is %v", where, d)
		}
	}
}
