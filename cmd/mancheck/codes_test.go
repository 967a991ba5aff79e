package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/tier"
)

// TestExamplesOfCodes vets the examples of all explanations: those with a mistake have
// diagnostics of just that code, and those without have none.
func TestExamplesOfCodes(t *testing.T) {
	for _, e := range diag.Explanations() {
		t.Run(string(e.Code), func(t *testing.T) {
			t.Parallel()
			if e.Wrong == "" {
				if !strings.Contains("S005 F001 F002 F003 F006 F008 F009 X006 X007 U001 U002 U003 U004", string(e.Code)) {
					t.Error("there is no example")
				}
				return
			}
			if got := vetted(t, e.Wrong); !slices.Equal(slices.Compact(got), []string{string(e.Code)}) {
				t.Errorf("the mistake gives %v", got)
			}
			if got := vetted(t, e.Right); len(got) > 0 {
				t.Errorf("without the mistake there is still %v", got)
			}
		})
	}
}

// vetted lists the codes of what vet finds in a text.
func vetted(t *testing.T, text string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "game.sow")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	run([]string{"vet", "--thorough", "--format", "json", path}, strings.NewReader(""), &out, &errs)
	var list struct {
		Diagnostics []struct{ Code string }
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatalf("%v: %s %s", err, out.Bytes(), errs.Bytes())
	}
	var codes []string
	for _, d := range list.Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes
}

// TestNothingToVet vets the examples and the proof suite, which must give no warnings; make test
// vets some of the files.
func TestNothingToVet(t *testing.T) {
	tier.Long(t, "searches all of the games")
	var files []string
	for _, pattern := range []string{"../../examples/*.sow", "../../examples/family/*.sow", "../../proofs/*.sow", "../../proofs/values/*.sow"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatalf("no files match %s (%v)", pattern, err)
		}
		files = append(files, more...)
	}
	var some []string
	for i := 0; i < len(files); i += tier.Every(1, 23) {
		some = append(some, files[i])
	}
	var out, errs bytes.Buffer
	if code := run(append([]string{"vet", "--thorough"}, some...), strings.NewReader(""), &out, &errs); code != 0 {
		t.Errorf("exit status %d: %s", code, out.Bytes())
	}
}
