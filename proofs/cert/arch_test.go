package cert_test

import (
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs/cert"
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

// TestSchema: the schema has exactly the fields of the format.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("../../docs/certificate.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{cert.Certificate{}, cert.Claim{}, cert.Scope{}, cert.Evidence{}, cert.Kept{}, cert.StartOnly{}, cert.State{}, cert.Strategy{}, cert.Group{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(x)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !strings.Contains(string(text), `"`+name+`": {`) {
				t.Errorf("%T: the schema does not know %s", x, name)
			}
		}
	}
}
