package cert_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestImports: the checker shares no code with the engines, and with the reference interpreter only
// rules/exec. What finds evidence may rest on rules/abstract, and so it does not.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	forbidden := regexp.MustCompile(`^github\.com/mancheck/mancheck/(checker|smt|rules/interp|rules/space|rules/abstract|cmd|proofs$)`)
	for _, path := range strings.Fields(string(out)) {
		if forbidden.MatchString(path) {
			t.Errorf("imports %s", path)
		}
	}
}
