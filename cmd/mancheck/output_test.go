package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
)

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// small is moveGame in a file.
func small(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "game.sow")
	if err := os.WriteFile(path, []byte(moveGame), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOutputFull: a command whose output is lost has failed, and says so.
func TestOutputFull(t *testing.T) {
	t.Parallel()
	commands := [][]string{{"version"}, {"help"}, {"help", "exit-codes"}, {"completion", "bash"}, {"check", "--help"}, {}}
	for _, args := range append(commands, commandsOn(small(t))...) {
		var out, err bytes.Buffer
		run(args, strings.NewReader(""), &out, &err)
		if out.Len() == 0 {
			continue // there is nothing to lose
		}
		err.Reset()
		if code := run(args, strings.NewReader(""), full{}, &err); code != exitFailed || !strings.Contains(err.String(), "no space left") {
			t.Errorf("%q: exit status %d, %s", args, code, &err)
		}
	}
}

// timings are what may differ from run to run: members of JSON, attributes of XML, and what count
// and value say.
var timings = regexp.MustCompile(`"(seconds|bytes|nodes)": [0-9.e+-]+|time="[0-9.]+"|timestamp="[^"]*"|(nodes|seconds) +[0-9.,]+`)

// TestSameBytes: the same input gives the same bytes, whatever the number of threads and jobs.
func TestSameBytes(t *testing.T) {
	tier.Long(t, "it runs hundreds of commands")
	t.Parallel()
	path := small(t)
	const kalah, oware, congkak = "../../examples/kalah.sow", "../../examples/oware.sow", "../../examples/congkak.sow"
	modest := []string{"--max-states", "2000", "--solver-steps", fmt.Sprint(100_000 / tier.Every(10, 10))}
	commands := [][]string{
		{"count", path},
		{"count", kalah, "-p", "m=2", "-p", "n=2", "--format", "json"},
		{"value", kalah, "-p", "m=2", "-p", "n=2", "--format", "json"},
		{"best", kalah, "-p", "m=2", "-p", "n=2"},
		{"simulate", oware, "--games", "500"},
		{"trace", path, "--claim", "wins"},
		{"trace", "../../examples/tchoukaillon.sow", "--claim", "some_are_lost"},
		append([]string{"check", path, oware}, modest...), append([]string{"check", path, oware, "--format", "json"}, modest...),
		append([]string{"prove", path, oware, "../../examples/tchoukaillon.sow", "--cache", "off"}, modest...),
		append([]string{"explain", path, "--cache", "off"}, modest...), append([]string{"explain", oware, "--cache", "off", "--format", "html"}, modest...),
	}
	for _, format := range tier.First([]string{"json", "text", "junit", "sarif", "github"}, 1, 2) {
		commands = append(commands, append([]string{"prove", path, congkak, "--cache", "off", "--format", format}, modest...))
	}
	for i := 0; i < len(commands); i += tier.Every(4, 3) {
		args, first := commands[i], ""
		for _, n := range []int{1, 2, 4} {
			more := []string{"--threads", fmt.Sprint(n)}
			if args[0] == "prove" {
				more = append(more, "--jobs", fmt.Sprint(4/n))
			}
			var out, err bytes.Buffer
			run(append(append([]string{}, args...), more...), strings.NewReader(""), &out, &err)
			got := timings.ReplaceAllString(out.String(), "")
			if first == "" {
				first = got
			}
			if got != first || got == "" {
				t.Errorf("%q with %q:\n%s\nand before that\n%s\n%s", args, more, got, first, &err)
			}
		}
	}
}

// TestSameCertificates: so are the files that are written.
func TestSameCertificates(t *testing.T) {
	t.Parallel()
	var first map[string]string
	for _, n := range []string{"1", "2", "4"} {
		dir := t.TempDir()
		var out, err bytes.Buffer
		for _, claim := range [][]string{
			{"check", "../../examples/dose2015.sow", "--claim", "thesis", "-p", "n=5"},
			{"check", "../../examples/kalah.sow", "--claim", "always_a_move", "-p", "m=2", "-p", "n=2"},
		} {
			run(append(claim, "--certificates", dir, "--threads", n), strings.NewReader(""), &out, &err)
		}
		files := map[string]string{}
		list, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, f := range list {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(f)] = string(text)
		}
		if first == nil {
			first = files
		}
		if len(files) != 2 || !maps.Equal(files, first) {
			t.Errorf("with %s threads there are %d certificates, not the %d of before, or others\n%s%s", n, len(files), len(first), &out, &err)
		}
	}
}
