package proofs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

func decide(t testing.TB, inst *build.Instance, opt proofs.Options) *proofs.Result {
	t.Helper()
	r, err := proofs.Decide(context.Background(), inst, opt)
	if err != nil {
		t.Fatalf("%s: %v", inst.Claim.Name, err)
	}
	return r
}

// system resolves the only variant of an example with parameters.
func system(t testing.TB, path string, given build.Settings) *rules.System {
	t.Helper()
	return buildtest.System(t, buildtest.File(t, path), given)
}

func ints(pairs ...any) build.Settings {
	s := build.Settings{}
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case int:
			s[pairs[i].(string)] = build.Value{N: v}
		case bool:
			n := 0
			if v {
				n = 1
			}
			s[pairs[i].(string)] = build.Value{N: n, Bool: true}
		}
	}
	return s
}

// parseWith reads a program that imports files of a folder.
func parseWith(t testing.TB, dir, src string) *build.Unit {
	t.Helper()
	root := filepath.Join(dir, "test.sow")
	prog, diags := dsl.Load(root, func(path string) ([]byte, error) {
		if path == root {
			return []byte(src), nil
		}
		return os.ReadFile(path)
	})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	u, diags := build.Collect(prog.Files)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return u
}
