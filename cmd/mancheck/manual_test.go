package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestManual keeps docs/cli.md as the commands and their texts are; -update writes it.
func TestManual(t *testing.T) {
	out := outputOf(t, "help", "--format", "md")
	const path = "../../docs/cli.md"
	if *update {
		if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, path) != out {
		t.Errorf("docs/cli.md is to be written again: go test ./cmd/mancheck -run TestManual -update")
	}
	for _, c := range commands() {
		if c.help != "" && texts.Brief(c.name) == "" {
			t.Errorf("help/%s.md says nothing", c.name)
		}
	}
	// Each way to call a command with commands of its own has a heading.
	of := regexp.MustCompile(`(?m)^    mancheck ((?:merge|plan|table) [a-z]+) `)
	calls := of.FindAllStringSubmatch(out, -1)
	if len(calls) < 8 {
		t.Errorf("only %d subcommands are shown", len(calls))
	}
	for _, call := range calls {
		if !strings.Contains(out, "\n`"+call[1]+"`: ") {
			t.Errorf("no heading for %s", call[1])
		}
	}
}

// TestManPages formats each page as man does, which must not complain.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	outputOf(t, "help", "--format", "man", "-o", dir)
	pages, err := filepath.Glob(filepath.Join(dir, "*.[17]"))
	want := 1 + len(texts.Topics) // one for the program
	for _, c := range commands() {
		if c.help != "" { // hidden ones have none
			want++
		}
	}
	if err != nil || len(pages) != want {
		t.Fatalf("%d pages, want %d: %v", len(pages), want, err)
	}
	for _, page := range pages {
		text := read(t, page)
		if strings.Contains(text, "](") || !strings.Contains(text, "SH NAME") {
			t.Errorf("%s holds Markdown, or has no name", page)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	out, err := exec.Command(groff, append([]string{"-man", "-t", "-k", "-Tutf8", "-ww", "-z"}, pages...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// outputOf runs a command that has to succeed, and returns what it writes.
func outputOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := run(args, strings.NewReader(""), &out, &errs); code != exitExpected {
		t.Fatalf("%q: %d, %s", args, code, errs.String())
	}
	return out.String()
}
