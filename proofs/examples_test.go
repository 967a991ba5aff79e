package proofs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// load reads a program without faults.
func load(t testing.TB, path string) *resolve.Unit {
	t.Helper()
	prog, diags := dsl.Load(path, os.ReadFile)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	u, diags := resolve.Collect(prog.Files)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return u
}

func parse(t testing.TB, src string) *resolve.Unit {
	t.Helper()
	f, diags := dsl.Parse("test.sow", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	u, diags := resolve.Collect([]*ast.File{f})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return u
}

// instances resolves all instances of one claim, or of all claims if name is empty.
func instances(t testing.TB, u *resolve.Unit, name string, given resolve.Settings) []*resolve.Instance {
	t.Helper()
	var list []*resolve.Instance
	for _, c := range u.Claims {
		if name != "" && c.Name.Name != name {
			continue
		}
		claim, diags := u.Claim(c)
		list = append(list, claim.Instances(given, &diags)...)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	if len(list) == 0 {
		t.Fatalf("no claim %q", name)
	}
	return list
}

func decide(t testing.TB, inst *resolve.Instance, opt proofs.Options) *proofs.Result {
	t.Helper()
	r, err := proofs.Decide(context.Background(), inst, opt)
	if err != nil {
		t.Fatalf("%s: %v", inst.Claim.Name, err)
	}
	return r
}

// system resolves the only variant of an example with parameters.
func system(t testing.TB, path string, given resolve.Settings) *rules.System {
	t.Helper()
	u := load(t, path)
	sys, diags := u.System(u.Variants[0], given)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return sys
}

func ints(pairs ...any) resolve.Settings {
	s := resolve.Settings{}
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case int:
			s[pairs[i].(string)] = resolve.Value{N: v}
		case bool:
			n := 0
			if v {
				n = 1
			}
			s[pairs[i].(string)] = resolve.Value{N: n, Bool: true}
		}
	}
	return s
}

// parseWith reads a program that imports files of a folder.
func parseWith(t testing.TB, dir, src string) *resolve.Unit {
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
	u, diags := resolve.Collect(prog.Files)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return u
}
