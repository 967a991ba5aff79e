package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
)

// TestVersionsAreDocumented: docs/compatibility.md has the versions that are written.
func TestVersionsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"`language " + dsl.Language + "`",
		fmt.Sprintf("`kernel %d`", rules.TextVersion),
		fmt.Sprintf("`\"version\": %d`", cert.Version),
		fmt.Sprintf("`\"schema\": %d`", report.Schema),
		"`" + cache.Format + "`",
	} {
		if !strings.Contains(string(text), "| "+want+" |") {
			t.Errorf("docs/compatibility.md does not say %s", want)
		}
	}
}
