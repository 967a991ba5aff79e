package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewcomers vets the files of testdata/newcomer, each with one or two mistakes that are made
// before the language is known: words and signs of other languages, misspelt and missing words,
// claims that claim nothing. No file is passed over in silence, none has more than three
// diagnostics, and each of these has a place and says what to do. newcomer.txt has them all;
// -update writes it.
func TestNewcomers(t *testing.T) {
	t.Chdir("testdata/newcomer")
	files, err := filepath.Glob("*.sow")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	var all strings.Builder
	for _, path := range files {
		var out, text, errs bytes.Buffer
		run([]string{"vet", "--format", "json", path}, strings.NewReader(""), &out, &errs)
		var list struct {
			Diagnostics []struct {
				Code, File, Message, Help string
				Range                     *struct{ Start struct{ Line, Column int } }
			}
		}
		if err := json.Unmarshal(out.Bytes(), &list); err != nil {
			t.Fatalf("%s: %v: %s %s", path, err, out.Bytes(), errs.Bytes())
		}
		if n := len(list.Diagnostics); n < 1 || n > 3 {
			t.Errorf("%s has %d diagnostics", path, n)
		}
		for _, d := range list.Diagnostics {
			if d.Range == nil || d.Range.Start.Line < 1 || d.File != path || d.Help == "" {
				t.Errorf("%s: %s (%s) has no place or no help", path, d.Code, d.Message)
			}
		}
		run([]string{"vet", path}, strings.NewReader(""), &text, &errs)
		shown, _, _ := strings.Cut(text.String(), "\n`mancheck help")
		fmt.Fprintf(&all, "== %s ==\n%s\n", path, shown)
	}
	golden(t, "newcomer.txt", all.String())
}

// golden compares a text with the one in a file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; go test -run %s -update\n%s", path, t.Name(), got)
	}
}
