package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/internal/tier"
)

// evil clears the screen, gives a command to a build server, turns text round, and is no UTF-8.
const evil = "\x1b[2J\x1b[1;32m✓ proved\x07\r\n::error::evil\n\x7f\u0085\u009b2J\u202eabc\u2066\u2028\xff\x9b"

// evilLine is that in one line, as valid text.
var evilLine = strings.ToValidUTF8(strings.NewReplacer("\n", "", "\r", "").Replace(evil), "?")

// clean fails if what a command wrote could control a terminal, or give a command that is not the
// program's.
func clean(t *testing.T, what string, out []byte) {
	t.Helper()
	if !utf8.Valid(out) {
		t.Errorf("%s: no UTF-8 in %q", what, out)
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		if i := strings.IndexFunc(line, func(r rune) bool { return plain.Control(r) && r != '\t' }); i >= 0 {
			t.Errorf("%s: a control character in %q", what, line)
		}
		if strings.HasPrefix(strings.TrimSpace(line), "::error::evil") {
			t.Errorf("%s: a command in %q", what, out)
		}
	}
}

// tame runs the program in process and looks at all that it writes.
func tame(t *testing.T, in string, args ...string) {
	t.Helper()
	var out, err bytes.Buffer
	code := run(args, strings.NewReader(in), &out, &err)
	if code < 0 || code > 3 || strings.Contains(err.String(), "internal error") {
		t.Errorf("%q: exit status %d\n%s", args, code, &err)
	}
	clean(t, strings.Join(args, " "), out.Bytes())
	clean(t, strings.Join(args, " "), err.Bytes())
}

const moveGame = `variant Move "title" {
  param n = 3 in 1..9
  board {
    a | b
    line way = a, b
  }
  setup { a = n }
  move "rule" {
    choose k in 1..1
    require a > 0
    take 1 from a into b
  }
  win "won" when b = 3
  end when a = 0
}
claim wins "label" { reachable b = 3 } // comment
claim no "label" { unreachable b = 2 }
`

// commandsOn are all commands and formats that read a rules file.
func commandsOn(path string) [][]string {
	list := [][]string{
		{"count", path},
		{"count", path, "--format", "json"},
		{"perft", path, "--depth", "2"},
		{"moves", path},
		{"moves", path, "--format", "json"},
		{"value", path, "--payoff", "result"},
		{"value", path, "--format", "json"},
		{"best", path},
		{"best", path, "--format", "json"},
		{"play", path, "--computer", "all"},
		{"simulate", path, "--games", "10"},
		{"simulate", path, "--games", "10", "--format", "json"},
		{"replay", path, "--moves", "1, 1"},
		{"replay", path, "--moves", "1, 7"},
		{"fmt", path},
		{"fmt", "-d", path},
		{"fmt", "-l", path},
		{"show", path},
		{"show", path, "--format", "json"},
		{"vet", path},
		{"vet", path, "--format", "json"},
		{"check", path},
		{"check", path, "--format", "json"},
		{"check", path, "--claim", "none"},
		{"trace", path, "--claim", "wins"},
		{"trace", path, "--claim", "wins", "--format", "text"},
		{"trace", path, "--claim", "none"},
		{"explain", path, "--cache", "off"},
		{"explain", path, "--cache", "off", "--format", "html"},
		{"prove", path, "--cache", "off", "--since", "none"},
		{"certify", path},
	}
	for _, format := range []string{"text", "json", "junit", "sarif", "github"} {
		list = append(list, []string{"prove", path, "--cache", "off", "--format", format})
	}
	return list
}

// TestControlRules: rules with control characters in their texts are refused by all commands, in
// words that hold none.
func TestControlRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.sow")
	for _, word := range []string{"title", "rule", "won", "label", "comment", "Move", "way"} {
		for _, bad := range []string{evilLine, "\u202e", "\x1b", "\x7f", "\u009b", "\u2028"} {
			src := strings.ReplaceAll(moveGame, word, "x"+bad)
			if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, args := range commandsOn(path) {
				if bad == evilLine {
					tame(t, "", args...)
				}
			}
			var out bytes.Buffer
			if run([]string{"check", path}, strings.NewReader(""), &out, &out) != exitFailed || !strings.Contains(out.String(), "control character") {
				t.Errorf("%q in the place of %q: %s", bad, word, &out)
			}
		}
	}
}

// TestControlInput: nor does anything else that a command reads reach the output as it is.
func TestControlInput(t *testing.T) {
	tier.Long(t, "it runs hundreds of commands")
	t.Chdir(t.TempDir())
	t.Setenv("MANCHECK_CACHE", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Skipf("no such names of files here: %v", err)
		}
	}
	write("game.sow", moveGame)
	for _, args := range commandsOn("game.sow") {
		tame(t, "", args...)
	}
	// The command line.
	for _, args := range commandsOn("game.sow") {
		for i := range args {
			changed := append([]string{}, args...)
			changed[i] += evil
			tame(t, "", changed...)
		}
		tame(t, "", append(args, "-p", "n="+evil)...)
		tame(t, "", append(args, "-p", evil+"=1")...)
		tame(t, "", append(args, "--"+evil)...)
	}
	for _, option := range []string{"--board", "--moves", "--state", "--variant", "--solver", "--cache-dir", "--report", "--certificates", "-o", "--with"} {
		for _, command := range []string{"check", "prove", "moves", "replay", "explain", "simulate"} {
			tame(t, "", command, "game.sow", option, evil)
			tame(t, "", command, "game.sow", option+"="+evil)
		}
	}
	// The environment.
	for _, name := range []string{"COLUMNS", "MANCHECK_CACHE", "GITHUB_STEP_SUMMARY", "TERM", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		value, set := os.LookupEnv(name)
		os.Setenv(name, evil)
		tame(t, "", "prove", "game.sow", "--format", "github")
		tame(t, "", "explain", "game.sow")
		if os.Unsetenv(name); set {
			os.Setenv(name, value)
		}
	}
	// Plays and certificates.
	tame(t, evil, "play", "game.sow")
	tame(t, "claim "+evil+"\n", "play", "game.sow")
	quoted, _ := json.Marshal(evilLine + "\n::error::evil")
	for _, trace := range []string{
		evil, `{"variant": X}`, `{"variant": "Move", "params": {X: 1}}`, `{"variant": "Move", "params": {"n": X}}`,
		`{"variant": "Move", "params": {"n": "3"}, "systemHash": X, "claim": X, "start": {"pits": {X: 1}}}`,
		`{"variant": "Move", "params": {"n": "3"}, "steps": [{"move": X, "label": X}]}`, `{X: 1}`, "start: " + evil, "{" + evil,
	} {
		text := strings.ReplaceAll(trace, "X", string(quoted))
		for _, format := range []string{"text", "json"} {
			tame(t, text, "replay", "game.sow", "-", "--format", format)
			tame(t, text, "certify", "-", "--format", format)
		}
	}
	for _, command := range [][]string{{"check", "-"}, {"prove", "-", "--cache", "off"}, {"fmt"}, {"vet", "-"}, {"certify", "-"}} {
		tame(t, evil, command...)
		tame(t, "import \""+evilLine+"\"", command...)
	}
	// What solvers say.
	for _, solver := range []string{
		`echo X; cat`, `echo X >&2; exit 1`, `printf '(error X)'; cat`,
		`while read -r l; do case $l in *echo*) l=${l#*\"}; echo "${l%\"*}";; *:name*) echo '(:name X)';; *:version*) echo '(:version X)';;
			*:reason*) echo '(:reason-unknown X)';; *check-sat*) echo unknown;; esac; done`,
	} {
		write("solver.sh", strings.ReplaceAll(solver, "X", `"`+strings.NewReplacer("\"", "", "'", "").Replace(evil)+`"`))
		for _, format := range []string{"text", "json", "junit", "github"} {
			tame(t, "", "prove", "game.sow", "--cache", "off", "--engine", "smt", "--solver", "sh solver.sh", "--solver-timeout", "300ms", "--format", format)
		}
	}
	// Names of files in folders.
	write("b"+strings.ReplaceAll(evil, "/", "")+".sow", moveGame)
	tame(t, "", "prove")
	for _, format := range []string{"json", "junit", "sarif", "github"} {
		tame(t, "", "prove", ".", "--cache", "off", "--format", format)
	}
}
