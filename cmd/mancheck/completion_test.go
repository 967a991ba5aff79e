package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBashCompletion asks bash what it would offer.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	var script, errs bytes.Buffer
	if code := run([]string{"completion", "bash"}, strings.NewReader(""), &script, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"g.sow": "variant Row {\n  param n = 3 in 1..9\n}\nclaim ends {\n  terminates\n}\nclaim never { never stuck }\n", "notes.txt": "", "sub/other.sow": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ line, want string }{
		{"pro", "prove"},
		{"check --str", "--strict"},
		{"check --format ", "text json"},
		{"check --format = j", "json"},
		{"check g.sow --engine ba", "backward"},
		{"explain g.sow --format ", "md html"},
		{"check g.sow --claim ", "ends never"},
		{"check g.sow --claim e", "ends"},
		{"count g.sow --variant ", "Row"},
		{"count g.sow -p ", "n="},
		{"check ", "g.sow sub"},
		{"explain g.sow -o n", "notes.txt"},
		{"certify n", "notes.txt"},
		{"table ", "build csv info verify probe"},
		{"completion ", "bash zsh fish"},
		{"help exi", "exit-codes"},
	} {
		words := append([]string{"mancheck"}, strings.Split(test.line, " ")...)
		cmd := exec.Command(bash, append([]string{"--norc", "-c", script.String() + `
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_mancheck
printf '%s\n' "${COMPREPLY[@]}"`, "bash"}, words...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		got, want := strings.Fields(string(out)), strings.Fields(test.want)
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %q, want %q", test.line, err, got, want)
		}
	}
}
