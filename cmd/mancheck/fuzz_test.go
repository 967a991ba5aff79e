package main

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/tier"
)

// A whole command under test is an archive: the comment is the command line, and the files are what
// it finds in its folder. The file called stdin is standard input.
const stdinName = "stdin"

// modest are the limits of a command under test.
var modest = map[string][]string{
	"check":   {"--max-states", "200", "--max-memory", "64M", "--solver-steps", "1000", "--threads", "1"},
	"prove":   {"--max-states", "200", "--max-memory", "64M", "--solver-steps", "1000", "--threads", "1", "--jobs", "1"},
	"explain": {"--max-states", "200", "--max-memory", "64M", "--solver-steps", "1000", "--threads", "1"},
	"trace":   {"--max-states", "200", "--max-memory", "64M", "--solver-steps", "1000", "--threads", "1"},
	"count":   {"--max-states", "200", "--max-memory", "64M", "--threads", "1"},
	"value":   {"--max-states", "200", "--max-memory", "64M", "--threads", "1"},
	"best":    {"--max-states", "200", "--max-memory", "64M", "--threads", "1"},
}

// unpacked is an archive, or nil: the library does not bear a line `-- --`.
func unpacked(text []byte) (a *txtar.Archive) {
	defer func() {
		if recover() != nil {
			a = nil
		}
	}()
	return txtar.Parse(text)
}

const (
	mostInput    = 1 << 14
	mostAllocs   = 2 << 30
	mostCommands = 60 // seeds from scripts that plain tests run
)

// mostTime is when a command is interrupted. A fuzzer does more with many short runs.
func mostTime() time.Duration {
	if flag.Lookup("test.fuzz").Value.String() != "" {
		return 50 * time.Millisecond
	}
	return time.Second
}

// FuzzCommands runs whole commands on any files. None may break, write what controls a terminal, or
// go on when it is interrupted.
func FuzzCommands(f *testing.F) {
	for _, name := range []string{"stdin", "game.sow"} {
		for _, args := range commandsOn(strings.Replace(name, stdinName, "-", 1)) {
			seed(f, args, map[string]string{name: moveGame})
		}
	}
	seed(f, []string{"check", "-"}, map[string]string{stdinName: evil})
	seed(f, []string{"certify", "-", "--format", "json"}, map[string]string{stdinName: evil})
	seed(f, []string{"replay", "game.sow", "-"}, map[string]string{"game.sow": moveGame, stdinName: "start: 3 0\n1, 1 # two\n1"})
	for i, c := range scripted(f) {
		if i%tier.Every(8, 1) == 0 {
			seed(f, c.args, c.files)
		}
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		if len(archive) > mostInput {
			return
		}
		a := unpacked(archive)
		if a == nil {
			return
		}
		args := words(strings.TrimSpace(string(a.Comment)))
		if !harmless(args) {
			return
		}
		t.Chdir(t.TempDir())
		t.Setenv("MANCHECK_CACHE", "cache")
		t.Setenv("XDG_CONFIG_HOME", t.TempDir())
		in := laidDown(t, a)
		var out, err bytes.Buffer
		code := 0
		cost.Limited(t, mostAllocs, func() { code = command(t, modestly(args), in, &out, &err) })
		if code < 0 || code > 3 || strings.Contains(err.String(), "internal error") {
			t.Fatalf("%q: exit status %d\n%s", args, code, &err)
		}
		clean(t, "output", out.Bytes())
		clean(t, "standard error", err.Bytes())
	})
}

// command runs a command that is interrupted after some time. Unlike the program it waits for the
// command to end by itself.
func command(t *testing.T, args []string, in string, out, err *bytes.Buffer) int {
	ctx, stop := context.WithTimeoutCause(t.Context(), mostTime(), errInterrupted)
	defer stop()
	s := newSession(ctx, strings.NewReader(in), out, err, term.NewProgress(err, out))
	defer s.budget.Stop()
	s.args = args
	return s.run(args)
}

func seed(f *testing.F, args []string, files map[string]string) {
	a := &txtar.Archive{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(files[name])})
	}
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = arg
		if strings.ContainsAny(arg, " \t") || arg == "" {
			quoted[i] = "'" + arg + "'"
		}
	}
	a.Comment = []byte(strings.Join(quoted, " ") + "\n")
	f.Add(txtar.Format(a))
}

// words splits a command line. What stands in single quotes is one word, or a part of one.
func words(line string) []string {
	var list []string
	word, quoted, begun := "", false, false
	for _, c := range line {
		switch {
		case c == '\'':
			quoted, begun = !quoted, true
		case !quoted && strings.ContainsRune(" \t\n", c):
			if begun {
				list = append(list, word)
			}
			word, begun = "", false
		default:
			word, begun = word+string(c), true
		}
	}
	if begun {
		list = append(list, word)
	}
	return list
}

// harmless keeps the fuzzer from running programs, writing outside of its folder, and taking limits
// away.
func harmless(args []string) bool {
	for _, arg := range args {
		for _, bad := range []string{"--solver", "--since", "--changed", "--certify", "--timeout", "--max-", "--threads", "--jobs", "--allow-imports", ".."} {
			if strings.Contains(arg, bad) {
				return false
			}
		}
		if name, value, ok := strings.Cut(arg, "="); filepath.IsAbs(arg) || ok && strings.HasPrefix(name, "-") && filepath.IsAbs(value) {
			return false
		}
		if strings.Contains(arg, ":/") || strings.Contains(arg, "=/") || strings.HasPrefix(arg, "-o/") {
			return false
		}
	}
	return true
}

// modestly adds limits to a command line.
func modestly(args []string) []string {
	if len(args) == 0 || modest[args[0]] == nil {
		return args
	}
	return slices.Concat(args[:1], modest[args[0]], args[1:])
}

// laidDown writes the files of an archive into the folder, and gives standard input.
func laidDown(t *testing.T, a *txtar.Archive) (in string) {
	for _, f := range a.Files {
		if f.Name == stdinName {
			in = string(f.Data)
			continue
		}
		if !filepath.IsLocal(f.Name) || strings.ContainsRune(f.Name, 0) {
			continue
		}
		// A name that cannot be one of a file is left out.
		if os.MkdirAll(filepath.Dir(f.Name), 0o777) == nil {
			_ = os.WriteFile(f.Name, f.Data, 0o666)
		}
	}
	return in
}

type scriptedCommand struct {
	args  []string
	files map[string]string
}

// scripted are the commands in the scripts that need only the files in them, and examples.
func scripted(f *testing.F) []scriptedCommand {
	paths, err := fs.Glob(os.DirFS("testdata/script"), "*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatal("no scripts", err)
	}
	var list []scriptedCommand
	seen := map[string]bool{}
	for _, path := range paths {
		a, err := txtar.ParseFile(filepath.Join("testdata/script", path))
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(a.Comment)) {
			_, line, ok := strings.Cut(line, " mancheck ")
			args := words(line)
			if c, fits := commandOf(f, args, a); ok && fits && harmless(args) && !seen[flagsOf(args)] {
				seen[flagsOf(args)] = true
				list = append(list, c)
			}
		}
	}
	if len(list) < mostCommands/2 {
		f.Fatalf("only %d commands in the scripts", len(list))
	}
	return list[:min(len(list), mostCommands)]
}

// flagsOf names the kind of a command line, by its flags.
func flagsOf(args []string) string {
	kind := args[0]
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") || i > 0 && args[i-1] == "--format" {
			kind += " " + arg
		}
	}
	return kind
}

// commandOf takes the files that a command line names from its script.
func commandOf(f *testing.F, args []string, a *txtar.Archive) (scriptedCommand, bool) {
	if len(args) == 0 {
		return scriptedCommand{}, false
	}
	c := scriptedCommand{files: map[string]string{}}
	size := 0
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "$EXAMPLES/"); ok {
			text, err := os.ReadFile(filepath.Join("../../examples", name))
			if err != nil {
				return c, false
			}
			c.files[name], arg = string(text), name
		}
		for _, file := range a.Files {
			if file.Name == arg {
				c.files[arg] = string(file.Data)
			}
		}
		c.args = append(c.args, arg)
		size += len(c.files[arg])
	}
	return c, size < mostInput/2 && !strings.Contains(strings.Join(c.args, " "), "$")
}
