//go:build !js

package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/playground/internal/desk"
	"github.com/mancheck/mancheck/internal/limit"
	. "github.com/mancheck/mancheck/internal/webtest"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// program compiles the program for a browser, which is all that tests under node need.
func program(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here")
	}
	path := filepath.Join(t.TempDir(), "mancheck.wasm")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// asked is what comes back for a question.
type asked struct {
	Told   []desk.Verdict
	Answer json.RawMessage
}

// TestCompiled: the program as browsers run it finds what the command line does without a solver.
func TestCompiled(t *testing.T) {
	InTier(t)
	wasm := program(t)
	// What takes long as WebAssembly is left out.
	paths := []string{"examples/awari.sow", "examples/congkak.sow", "examples/dose2015.sow", "examples/kalah.sow", "examples/oware.sow", "examples/tchoukaillon.sow", "proofs/dose2015.sow"}
	library := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		library[path] = string(text)
	}
	var questions bytes.Buffer
	enc := json.NewEncoder(&questions)
	list := []desk.Question{{Ask: "library", Files: library}}
	for _, path := range paths {
		list = append(list, desk.Question{Ask: "decide", Source: desk.Source{Path: path, Text: library[path]}})
	}
	for _, q := range list {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	node := exec.CommandContext(t.Context(), "node", "--stack-size=8192", "web/ask.mjs", wasm)
	node.Stdin, node.Stderr = &questions, os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(bytes.NewReader(out))
	answers.Buffer(nil, 64<<20)
	answers.Scan() // of the library
	for _, path := range paths {
		if !answers.Scan() {
			t.Fatalf("there is no answer for %s", path)
		}
		var a asked
		if err := json.Unmarshal(answers.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		compare(t, path, decided(a.Told))
	}
}

// decided drops reports of progress.
func decided(told []desk.Verdict) (list []desk.Verdict) {
	for _, v := range told {
		if v.Verdict != "" {
			list = append(list, v)
		}
	}
	return list
}

// compare compares verdicts with those of the command line. A claim that only a solver decides is
// open in a browser, and says that it needs one.
func compare(t *testing.T, path string, got []desk.Verdict) {
	t.Helper()
	f, diags := input.NewReader(nil).File("../../" + path)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	items, _ := f.Items(nil, nil)
	opt := proofs.Options{Bounds: limit.Bounds{MaxStates: desk.DefaultLimits.States, MaxMemory: desk.DefaultLimits.Memory}}
	want := suite.Run(t.Context(), items, suite.Options{Decide: opt}).Items
	if len(want) != len(got) {
		t.Fatalf("%s: %d verdicts, and %d by the command line", path, len(got), len(want))
	}
	for i, item := range want {
		row := report.RowOf(item)
		if got[i].NeedsSolver && got[i].Verdict == "unknown" && got[i].Name == row.Name {
			continue
		}
		if diff := cmp.Diff(row, got[i].Row); diff != "" {
			t.Errorf("%s %s:\n%s", path, row.Name, diff)
		}
	}
}
