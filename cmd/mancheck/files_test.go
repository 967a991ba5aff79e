package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/file/faulty"
	"github.com/mancheck/mancheck/internal/tier"
)

// filedGame is a small game with a claim of each kind of evidence.
const filedGame = `import "board.sow"
variant Small {
  player South, North
  board Two
  setup { each house = 2 }
  move {
    choose from in my house where from > 0
    sow from along ccw_with_stores, skip their store
    if last = my store { again }
  }
  end when total(south) = 0 or total(north) = 0 {
    capture south into south_store
    capture north into north_store
  }
  score South = south_store, North = north_store
}
claim closed  { unreachable south_store > 8 }
claim play    { reachable south_store > 4 }
claim refuted { expect refuted  invariant south_store < 5 }
claim worth   { value(start) >= -8 }
claim list    { for board in file "boards.csv": value(start) >= low }
`

const filedBoard = `board Two {
  north_store | north[2..1] |
              | south[1..2] | south_store
}
`

// filed are commands with the files that they leave, run in a folder with the game. Those before
// the last are run before, on a file system without faults.
var filed = []struct {
	commands []string
	leaves   []string // which a failing run may leave undone, as they were, or done, and nothing else
}{
	{commands: []string{"check g.sow"}},
	{commands: []string{"check g.sow --certify --certificates certs"}},
	{commands: []string{"prove g.sow --cache-dir cache"}},
	{commands: []string{"prove g.sow --cache-dir cache", "prove g.sow --cache-dir cache"}},
	{commands: []string{"prove g.sow --cache-dir cache -o r.json --format json", "prove g.sow --cache-dir cache --format junit -o r.json"}, leaves: []string{"r.json"}},
	{commands: []string{"prove g.sow --cache off --report junit=a/r.xml --report sarif=r.sarif"}, leaves: []string{"a/r.xml", "r.sarif"}},
	{commands: []string{"count g.sow --disk levels"}},
	{commands: []string{"count g.sow --disk levels", "count g.sow --disk levels"}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table"}, leaves: []string{"t.table"}},
	{commands: []string{"table build g.sow --seeds 2 -o t.table", "table build g.sow --seeds 3 -o t.table --force"}, leaves: []string{"t.table"}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table", "table info t.table"}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table", "table verify g.sow t.table"}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table", "table probe g.sow t.table --board '1 1 0 0 1 0'"}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table", "value g.sow --tables t.table"}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table", "best g.sow --tables ."}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table", "check g.sow --claim worth --tables ."}},
	{commands: []string{"table build g.sow --seeds 3 -o t.table", "prove g.sow --tables . --cache-dir cache", "prove g.sow --tables . --cache-dir cache"}},
	{commands: []string{"check g.sow --claim closed --certificates certs", "certify certs/g.closed.cert"}},
	{commands: []string{"check g.sow --claim closed --certificates certs", "certify certs/g.closed.cert --rules g.sow"}},
	{commands: []string{"check g.sow --claim closed --certificates certs", "certify certs/g.closed.cert --emit smt2:questions"}},
	{commands: []string{"explain g.sow --claim closed -o e.html"}, leaves: []string{"e.html"}},
	{commands: []string{"trace g.sow --claim play -o t.json"}, leaves: []string{"t.json"}},
	{commands: []string{"trace g.sow --claim play -o t.json", "replay g.sow t.json"}},
	{commands: []string{"simulate g.sow --games 50 --seed 1"}},
	{commands: []string{"fmt -w ugly.sow"}, leaves: []string{"ugly.sow"}},
	{commands: []string{"vet g.sow"}},
	{commands: []string{"show g.sow"}},
	{commands: []string{"moves g.sow"}},
	{commands: []string{"perft g.sow --depth 3"}},
}

// TestEveryCall lets each call of the file system go wrong in each way, one at a time, for each
// command. The result is that of a run without faults, or an error that says what went wrong.
// Whatever it is, nothing of the user's is lost, and the same command succeeds afterwards.
//
// It is a sample of the calls; MANCHECK_CALLS=1 tries all.
func TestEveryCall(t *testing.T) {
	tier.Long(t, "it runs hundreds of commands")
	tried, same := 0, 0
	for _, c := range filed {
		t.Run(c.commands[len(c.commands)-1], func(t *testing.T) {
			clean := newFiledRun(t, c.commands)
			want := clean.last(faulty.New(faulty.Fails, 0))
			calls := clean.system.Calls()
			if want.status == exitFailed || calls == 0 {
				t.Fatalf("status %d after %d calls: %s", want.status, calls, want.notes)
			}
			step := max(1, calls/6) * tier.Every(10, 3)
			if os.Getenv("MANCHECK_CALLS") != "" {
				step = 1
			}
			for _, kind := range faulty.Kinds {
				for at := 1 + int(kind)%step; at <= calls; at += step {
					run := newFiledRun(t, c.commands)
					before := run.contents(c.leaves)
					got := run.last(faulty.New(kind, at))
					struck := run.system.Struck()
					if struck == "" {
						continue
					}
					tried++
					what := fmt.Sprintf("call %d %s: %s", at, kind, struck)
					rules := strings.HasSuffix(struck, ".sow") || strings.HasSuffix(struck, ".csv")
					input := kind == faulty.Alters && rules
					switch {
					case strings.Contains(got.notes+got.out, "internal error"):
						t.Errorf("%s: %s%s", what, got.notes, got.out)
					case input: // other rules: another answer, or a mistake
					case got.same(want):
						same++
					case kind == faulty.Alters && strings.HasSuffix(struck, ".table") && got.digested() == want.digested(): // it says which bytes were trusted
						same++
					case got.status == exitUnexpected && kind == faulty.Alters && strings.Contains(got.out, "rejected"): // evidence
					case got.status == exitExpected || got.status == exitUnexpected || got.notes+got.out == "":
						t.Errorf("%s: status %d, and nothing is said of it\n%s%s\nwant %d\n%s", what, got.status, got.notes, got.out, want.status, want.out)
					}
					after := run.contents(c.leaves)
					for name, text := range after {
						if text != before[name] && text != clean.contents(c.leaves)[name] && !rules { // where the rules cannot be read, a report says so
							t.Errorf("%s: %s is neither as it was nor as it should be", what, name)
						}
					}
					if again := run.last(faulty.New(faulty.Fails, 0)); !again.same(want) && !input && !run.done(c.leaves, after, before) {
						t.Errorf("%s: the same command then: status %d\n%s%s\nwant %d\n%s", what, again.status, again.notes, again.out, want.status, want.out)
					}
					run.restore()
				}
			}
			clean.restore()
		})
	}
	t.Logf("%d calls went wrong; the result was the same %d times, and otherwise there was an error", tried, same)
}

// filedRun is a folder in which commands are run.
type filedRun struct {
	t        *testing.T
	dir      string
	commands []string
	system   *faulty.System
}

// newFiledRun makes a folder and runs all commands but the last.
func newFiledRun(t *testing.T, commands []string) *filedRun {
	t.Helper()
	r := &filedRun{t: t, dir: t.TempDir(), commands: commands}
	for name, text := range map[string]string{"g.sow": filedGame, "board.sow": filedBoard, "boards.csv": "low\n-8\n", "ugly.sow": strings.ReplaceAll(filedGame, "  ", " ")} {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", r.dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(r.dir, "config"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(r.dir, "cachehome"))
	t.Chdir(r.dir)
	for _, c := range commands[:len(commands)-1] {
		if got := r.run(c); got.status == exitFailed {
			t.Fatalf("%s: %s", c, got.notes)
		}
	}
	return r
}

// restore is for the next run in the same test.
func (r *filedRun) restore() { r.t.Chdir(os.TempDir()) }

// last runs the last command on a file system.
func (r *filedRun) last(s *faulty.System) printed {
	r.system = s
	defer file.Replace(s)()
	return r.run(r.commands[len(r.commands)-1])
}

// printed is what a command prints, less what differs from run to run: claims that are decided at
// the same time share the positions that they value.
type printed struct {
	status     int
	out, notes string
}

func (a printed) same(b printed) bool { return a.status == b.status && a.out == b.out }

var digest = regexp.MustCompile(`SHA-256 [0-9a-f]{64}`)

// digested is what was printed without the digests of tables.
func (a printed) digested() printed { return printed{a.status, digest.ReplaceAllString(a.out, ""), ""} }

var (
	quoted  = regexp.MustCompile(`'[^']*'|\S+`)
	seconds = regexp.MustCompile(`(?m)("?(seconds|elapsed|time|nodes|per second|cached)"?:? *=?"?) *[0-9.,e-]+|[0-9.]+ ?s\b|, \d+ cached|timestamp="[^"]*"|(?m), \d+ states?$|"(states|transitions|bytes|depth)": \d+`)
)

func (r *filedRun) run(command string) printed {
	var args []string
	for _, arg := range quoted.FindAllString(command, -1) {
		args = append(args, strings.Trim(arg, "'"))
	}
	var out, notes bytes.Buffer
	status := run(args, strings.NewReader(""), &out, &notes)
	return printed{status, seconds.ReplaceAllString(out.String(), "$1"), notes.String()}
}

// contents are the files, less what differs from run to run; of one that is missing "".
func (r *filedRun) contents(names []string) map[string]string {
	all := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil && !os.IsNotExist(err) {
			r.t.Fatal(err)
		}
		all[name] = seconds.ReplaceAllString(string(text), "$1")
	}
	return all
}

// done reports whether a run that failed had written all of its files: the next one then finds them
// there, and may refuse to replace them.
func (r *filedRun) done(names []string, after, before map[string]string) bool {
	for _, name := range names {
		if after[name] == "" || after[name] == before[name] {
			return false
		}
	}
	return len(names) > 0
}

// TestNoOtherWay: nothing but package file opens or changes files of the user's, so that
// TestEveryCall sees all calls. What the system tells of itself in files is no file of anybody's.
func TestNoOtherWay(t *testing.T) {
	call := regexp.MustCompile(`\bos\.(Open|OpenFile|Create|CreateTemp|MkdirTemp|ReadFile|WriteFile|Rename|Remove|RemoveAll|Stat|Lstat|ReadDir|Mkdir|MkdirAll|Link|Readlink|Symlink|Chmod|Chtimes|Truncate)\(`)
	root := filepath.Join("..", "..")
	for _, top := range []string{"cmd", "dsl", "rules", "checker", "smt", "proofs", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			at := filepath.ToSlash(path)
			for _, allowed := range []string{"internal/file/", "internal/limit/", "proofs/internal/judge/", "buildtest/", "webtest/", "internal/killed/", "cmd/mancheck/version.go", "smt/solver/kill_linux.go"} {
				if strings.Contains(at, allowed) {
					return nil
				}
			}
			text, err := os.ReadFile(path)
			for n, line := range strings.Split(string(text), "\n") {
				if call.MatchString(line) {
					t.Errorf("%s:%s: %s", at, strconv.Itoa(n+1), strings.TrimSpace(line))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestEveryFileOpens plays, simulates and values each variant of the examples and proof files: no
// setup, with several starts or one, asks for a board. It is a sample.
func TestEveryFileOpens(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../examples/*.sow", "../../examples/family/*.sow", "../../proofs/*.sow"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, list, err)
		}
		files = append(files, list...)
	}
	variants := regexp.MustCompile(`(?m)^variant (\w+)`)
	opened, few := 0, tier.Every(16, 4)
	for i := 0; i < len(files); i += few {
		for _, v := range variants.FindAllStringSubmatch(read(t, files[i]), -1) {
			opened++
			t.Run(filepath.Base(files[i])+"/"+v[1], func(t *testing.T) {
				t.Parallel()
				opens(t, files[i], v[1])
			})
		}
	}
	if opened < 48/few {
		t.Errorf("%d were opened", opened)
	}
}

// opens plays, simulates and values a variant.
func opens(t *testing.T, path, variant string) {
	t.Helper()
	for _, args := range [][]string{{"play"}, {"simulate", "--games", "2"}, {"value", "--max-states", "10", "--timeout", "300ms"}, {"best", "--max-states", "10", "--timeout", "300ms"}} {
		out, err := exec.Command("mancheck", append(args, path, "--variant", variant)...).CombinedOutput()
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
		// A value may be unknown within so few states, or the rules may not say what plays are
		// worth.
		if err != nil && (args[0] == "play" || args[0] == "simulate") || strings.Contains(string(out), "R011") || strings.Contains(string(out), "--board") {
			t.Errorf("%s: %v\n%s", args[0], err, out)
		}
	}
}
