package proofs_test

import (
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// TestBeyondRange: a number known before play that is out of range is reported, and nothing is
// decided with it.
func TestBeyondRange(t *testing.T) {
	for file, claims := range map[string][]string{"ovf": {"q"}, "b2": {"q1", "q2", "q3", "q4"}} {
		u := buildtest.File(t, "testdata/wrong/"+file+".sow")
		for _, name := range claims {
			for _, c := range u.Claims {
				if c.Name.Name != name {
					continue
				}
				claim, diags := u.Claim(c)
				if diags.HasErrors() {
					t.Fatal(diags)
				}
				claim.Instances(nil, &diags)
				if len(diags) != 1 || diags[0].Code != diag.NumberRange || diags[0].Help == "" || diags[0].Range.IsZero() {
					t.Errorf("%s %s: %v", file, name, diags)
				}
			}
		}
	}
}
