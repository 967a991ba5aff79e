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
	programs := map[string]func(){"mancheck": fitting, "liar": liar, "sleeper": sleeper}
	if programs[filepath.Base(os.Args[0])] == nil && len(os.Args) > 1 && os.Args[1] == "task" {
		main()
	}
	testscript.Main(m, programs)
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
// each time. The condition `whole` is true if everything is tested.
//
// With -short, and without -run, only some of the scripts run: together they start a thousand
// processes.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := filepath.Abs("../../docs/schemas")
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
			env.Setenv(schemasDir, schemas)
			env.Setenv("XDG_CONFIG_HOME", env.Getenv("WORK")+"/config")
			return nil
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
