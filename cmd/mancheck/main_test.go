package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
)

// TestMain runs the tests. A plan that one of them carries out in this process starts this program
// again for its tasks: that is mancheck, and would else be all the tests.
func TestMain(m *testing.M) {
	programs := map[string]func(){"liar": liar, "sleeper": sleeper}
	if programs[filepath.Base(os.Args[0])] == nil && len(os.Args) > 1 && os.Args[1] == "task" {
		main()
	}
	testscript.Main(withProgram{m}, programs)
}

// program is mancheck, as a script of the shell: where the environment has a folder for it, what is
// written as JSON is kept there, beside the command line.
const program = `#!/bin/sh
case "$` + jsonDir + ` $*" in
/*' --format json'* | /*' --format=json'*)
	kept=$` + jsonDir + `/$$
	echo "$*" > "$kept.args"
	'%[1]s' "$@" > "$kept.json"
	code=$?
	cat "$kept.json"
	exit $code ;;
*) exec '%[1]s' "$@" ;;
esac
`

// withProgram runs tests that find mancheck in $PATH.
type withProgram struct{ tests *testing.M }

// Run builds mancheck: a thousand starts of it take half the time of as many of this program, most
// of which is spent on packages of tests.
func (w withProgram) Run() int {
	dir, err := os.MkdirTemp("", "mancheck-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built := filepath.Join(dir, "built")
	build := exec.Command("go", append(append([]string{"build"}, sameFlags()...), "-o", built, ".")...)
	build.Stderr = os.Stderr
	if err := errors.Join(build.Run(), os.WriteFile(filepath.Join(dir, "mancheck"), fmt.Appendf(nil, program, built), 0o755)); err != nil {
		fmt.Fprintln(os.Stderr, "building mancheck for the tests:", err)
		return 1
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return w.tests.Run()
}

// sameFlags are the flags that this program was built with.
func sameFlags() []string {
	flags := []string{"-buildvcs=false"}
	built, _ := debug.ReadBuildInfo()
	for _, s := range built.Settings {
		if s.Key == "-tags" || s.Key == "-race" {
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	return flags
}

// liar is mancheck with engines that call each claim whose name begins with `lie` proved or
// refuted, whichever it is not.
func liar() {
	tellClaimed = func(r *proofs.Result) {
		if !strings.HasPrefix(r.Instance.Claim.Name, "lie") {
			return
		}
		switch r.Status {
		case proofs.Proved:
			r.Status = proofs.Refuted
		case proofs.Refuted:
			r.Status = proofs.Proved
		}
	}
	main()
}

// sleeper is mancheck with an engine that never returns from claims whose name begins with `sleep`.
func sleeper() {
	tellClaimed = func(r *proofs.Result) {
		if strings.HasPrefix(r.Instance.Claim.Name, "sleep") {
			select {}
		}
	}
	main()
}

var update = flag.Bool("update", false, "write what the commands print into the scripts that compare it")

// TestScripts runs testdata/script. There $EXAMPLES is the folder of the examples, `exits N
// command…` wants an exit status, and `cmpjson FILE FILE` compares JSON but for what is different
// each time. JSON has to fit its schema. The condition `whole` is true if everything is tested.
//
// With -short, and without -run, only some of the scripts run: together they start a thousand
// processes.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := loadSchemas("../../docs/schemas")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("XDG_CONFIG_HOME", env.Getenv("WORK")+"/config")
			kept, err := os.MkdirTemp("", "json")
			env.Setenv(jsonDir, kept)
			env.Defer(func() { fit(t, kept, schemas) })
			return err
		},
		Condition: func(name string) (bool, error) {
			if name == "whole" {
				return tier.Full(), nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "cmpjson": cmpJSON, "junk": junk, "pipe": pipe,
			"xmlcount": xmlCount, "jsoncount": jsonCount,
		},
	})
}

// scripts lists scripts in testdata/script.
func scripts(t *testing.T) (some []string) {
	t.Helper()
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if flag.Lookup("test.run").Value.String() != "" {
		return all
	}
	few := tier.Every(4, 1)
	for i := few / 4; i < len(all); i += few {
		some = append(some, all[i])
	}
	return some
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS command…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// volatile are the members that are different each time.
var volatile = map[string]bool{"seconds": true, "bytes": true, "nodes": true, "method": true, "systemHash": true}

func cmpJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cmpjson FILE FILE")
	}
	var got, want any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &got))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &want))
	level(got)
	level(want)
	if d := cmp.Diff(want, got); d != "" {
		ts.Fatalf("%s and %s differ (-want +got):\n%s", args[1], args[0], d)
	}
}

// level sets what is different each time to null.
func level(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if volatile[name] {
				v[name] = nil
			}
			level(member)
		}
	case []any:
		for _, item := range v {
			level(item)
		}
	}
}

// junk writes a file of a number of bytes, all equal to the one given.
func junk(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	b, err := strconv.Atoi(args[2])
	ts.Check(err)
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(b)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

// pipe runs a command whose standard output nobody reads, and wants it to be quiet about that.
func pipe(ts *testscript.TestScript, _ bool, args []string) {
	r, w, err := os.Pipe()
	ts.Check(err)
	r.Close()
	defer w.Close()
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout = w
	var said bytes.Buffer
	cmd.Stderr = &said
	if cmd.Run() == nil {
		ts.Fatalf("the command succeeded")
	}
	if said.Len() > 0 {
		ts.Fatalf("standard error: %s", &said)
	}
}
