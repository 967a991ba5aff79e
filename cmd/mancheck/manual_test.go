package main

import (
	"cmp"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/term"
)

// TestManual keeps docs/cli.md as the commands and their texts are; -update writes it.
func TestManual(t *testing.T) {
	out := string(allDocuments(t).markdown())
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

// allDocuments has the grammar of all commands, and the texts about them.
func allDocuments(t *testing.T) *documents {
	t.Helper()
	s := newSession(t.Context(), strings.NewReader(""), io.Discard, io.Discard, term.NewProgress(io.Discard, io.Discard))
	defer s.budget.Stop()
	return &documents{Manual: texts, grammar: s.parser(func(string) bool { return true }).Model}
}

// manPages is the folder into which releases have the pages for man written.
var manPages = flag.String("man", "", "write the pages for man into this folder")

// TestManPages formats each page as man does, which must not complain.
func TestManPages(t *testing.T) {
	dir := cmp.Or(*manPages, t.TempDir())
	var list []string
	for _, p := range allDocuments(t).pages(tool()) {
		list = append(list, filepath.Join(dir, p.Name))
		if err := os.WriteFile(list[len(list)-1], p.Text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := 1 + len(texts.Topics) // one for the program
	for _, c := range commands() {
		if c.help != "" { // hidden ones have none
			want++
		}
	}
	if len(list) != want {
		t.Fatalf("%d pages, want %d", len(list), want)
	}
	for _, page := range list {
		text := read(t, page)
		if strings.Contains(text, "](") || !strings.Contains(text, "SH NAME") {
			t.Errorf("%s holds Markdown, or has no name", page)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	out, err := exec.Command(groff, append([]string{"-man", "-t", "-k", "-Tutf8", "-ww", "-z"}, list...)...).CombinedOutput()
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
