package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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

// timings are what may differ from run to run: members of JSON, attributes of XML, and what count and tap say.
var timings = regexp.MustCompile(`"(seconds|bytes)": [0-9.e+-]+|time="[0-9.]+"|timestamp="[^"]*"|duration_ms: [0-9.]+|seconds +[0-9.]+`)

// TestSameBytes: the same input gives the same bytes, whatever the number of threads and jobs.
func TestSameBytes(t *testing.T) {
	path := small(t)
	commands := [][]string{{"check", path}, {"check", path, "--format", "json"}, {"explain", path, "--cache", "off"}, {"count", path}}
	for _, format := range []string{"text", "json", "junit", "tap", "sarif", "github"} {
		commands = append(commands, []string{"prove", path, "../../examples/tchoukaillon.sow", "--cache", "off", "--max-states", "2000", "--solver-steps", "100000", "--format", format})
	}
	for _, args := range commands {
		var first string
		for _, n := range []int{1, 2, 4} {
			more := []string{"--threads", fmt.Sprint(n)}
			if args[0] == "prove" {
				more = append(more, "--jobs", fmt.Sprint(5-n))
			}
			var out, err bytes.Buffer
			run(append(append([]string{}, args...), more...), strings.NewReader(""), &out, &err)
			got := timings.ReplaceAllString(out.String(), "")
			if first == "" {
				first = got
			}
			if got != first || got == "" {
				t.Errorf("%q with %q:\n%s\nand before that\n%s", args, more, got, first)
			}
		}
	}
}

// FuzzCommands runs whole commands on any input. None may break, or write what controls a terminal.
func FuzzCommands(f *testing.F) {
	f.Add(uint8(0), moveGame)
	f.Add(uint8(3), strings.Replace(moveGame, "reachable", "count(starts) =", 1))
	f.Add(uint8(7), evil)
	limits := []string{"--max-states", "200", "--max-memory", "64M", "--solver-steps", "1000"}
	commands := [][]string{
		append([]string{"check", "-"}, limits...), append([]string{"check", "-", "--format", "json"}, limits...),
		append([]string{"prove", "-", "--cache", "off", "--format", "junit"}, limits...),
		append([]string{"explain", "-", "--cache", "off"}, limits...),
		{"count", "-", "--max-states", "200"}, {"perft", "-", "--depth", "2"}, {"moves", "-"}, {"replay", "-", "--moves", "1"},
		{"fmt"}, {"fmt", "-d"}, {"vet", "-"}, {"certify", "-"}, {"certify", "-", "--format", "json"},
	}
	f.Fuzz(func(t *testing.T, n uint8, in string) {
		if len(in) > 1<<14 || strings.Contains(in, "import") {
			return
		}
		var out, err bytes.Buffer
		args := commands[int(n)%len(commands)]
		code := run(args, strings.NewReader(in), &out, &err)
		if code < 0 || code > 3 || strings.Contains(err.String(), "internal error") {
			t.Fatalf("%q: exit status %d\n%s", args, code, &err)
		}
		clean(t, "output", out.Bytes())
		clean(t, "output", err.Bytes())
	})
}
