package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
)

// completed is a command line, and what each shell offers for its last word.
var completed = []struct{ line, want string }{
	{"pro", "prove"},
	{"check --str", "--strict"},
	{"check --format ", "text json junit sarif github"},
	{"check --format=js", "--format=json"},
	{"check g.sow --engine ba", "backward"},
	{"explain g.sow --format ", "md html"},
	{"check g.sow --claim ", "ends never"},
	{"check g.sow --claim e", "ends"},
	{"check --claim=e g.sow --claim n", "never"},
	{"prove sub --claim ", "other"},
	{"prove --claim ", "ends never other"},
	{"count g.sow --variant ", "Row"},
	{"count g.sow -p ", "n= fast="},
	{"count g.sow -p n=1", "n=1 n=10 n=11"},
	{"count g.sow -p fast=", "fast=false fast=true"},
	{"moves g.sow --state ", "hand= mover=South mover=North"},
	{"play g.sow --computer ", "none all South North"},
	{"simulate g.sow --with So", "South=far South=search:"},
	{"simulate g.sow --with f", "far"},
	{"check g.sow --solver z", "z3 z3-process"},
	{"prove --report j", "json= junit="},
	{"check ", "g.sow sub"},
	{"explain g.sow -o n", "notes.txt"},
	{"prove --certificates ", "sub"},
	{"certify n", "notes.txt"},
	{"table ", "build csv info verify probe"},
	{"table build --end", "--endless"},
	{"plan ", "count check table resume"},
	{"plan check g.sow --claim ", "ends never"},
	{"plan count g.sow --on ", "local slurm kubernetes"},
	{"plan count g.sow --dir ", "sub"},
	{"merge ", "reports caches"},
	{"merge caches ", "sub"},
	{"completion ", "bash zsh fish"},
	{"help exi", "exit-codes"},
	{"complet", "completion"},
	{"count g.sow --variant X -p zz", ""},
}

const completedRules = `variant Row {
  param n = 3 in 1..11
  param fast = true
  player South, North
  board {
    a[1..n]
    ring way = a[1..n]
  }
  state hand : 0..2 = 0
  setup { each a = 1 }
  move { choose p in a where p > 0  sow p along way }
}
strategy far of Row = greatest p
claim ends {
  terminates
}
claim never { never stuck }
`

// completing makes a folder with files to complete, and the program beside it.
func completing(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"g.sow": completedRules, "notes.txt": "", "sub/other.sow": "variant Other { board { a[1..2] ring way = a[1..2] } setup { each a = 1 } move { choose p in a  sow p along way } }\nclaim other { never stuck }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, os.Environ()
}

func inShell(t *testing.T, dir string, env []string, name string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) == 1 && got[0] == "" {
		return nil
	}
	slices.Sort(got)
	return got
}

func offers(t *testing.T, line string, got []string, want string) {
	t.Helper()
	list := strings.Fields(want)
	slices.Sort(list)
	if !slices.Equal(got, list) {
		t.Errorf("%s: %q, want %q", line, got, list)
	}
}

// TestBashCompletion asks bash what it would offer. Bash makes words of their own of `=`, and
// replaces only what stands behind it.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	dir, env := completing(t)
	script := outputOf(t, "completion", "bash") + `
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_mancheck
printf '%s\n' "${COMPREPLY[@]}"`
	for i := 0; i < len(completed); i += tier.Every(8, 2) {
		test := completed[i]
		words := []string{"mancheck"}
		for _, w := range strings.Split(test.line, " ") {
			name, value, joined := strings.Cut(w, "=")
			if words = append(words, name); joined {
				words = append(words, "=")
			}
			if value != "" {
				words = append(words, value)
			}
		}
		want := test.want
		if name, _, joined := strings.Cut(test.line[strings.LastIndex(test.line, " ")+1:], "="); joined {
			want = strings.ReplaceAll(want, name+"=", "")
		}
		offers(t, test.line, inShell(t, dir, env, bash, append([]string{"--norc", "-c", script, "bash"}, words...)...), want)
	}
}

// TestFishCompletion asks fish what it would offer.
func TestFishCompletion(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("there is no fish here")
	}
	dir, env := completing(t)
	env = append(env, "HOME="+dir)
	script := outputOf(t, "completion", "fish")
	for i := 0; i < len(completed); i += tier.Every(8, 2) {
		test := completed[i]
		got := inShell(t, dir, env, fish, "--no-config", "-c", script+"\ncomplete -C "+strings.ReplaceAll("mancheck "+test.line, " ", `\ `))
		want := test.want
		for i, line := range got {
			got[i], _, _ = strings.Cut(line, "\t")
		}
		if strings.Contains(want, "sub") || strings.Contains(want, ".txt") {
			continue // fish offers all files
		}
		slices.Sort(got)
		offers(t, test.line, got, want)
	}
}

// TestCompletionOfShells: each script is one that its shell can read.
func TestCompletionOfShells(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = strings.NewReader(outputOf(t, "completion", shell))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
