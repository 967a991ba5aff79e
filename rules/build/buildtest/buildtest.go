// Package buildtest builds rules files for tests. Any diagnostic that is an error fails the
// test.
package buildtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// File reads a file and those that it imports.
func File(t testing.TB, path string) *build.Unit {
	t.Helper()
	return load(t, path, os.ReadFile)
}

// Text reads a file whose text this is. It imports nothing.
func Text(t testing.TB, text string) *build.Unit {
	t.Helper()
	return load(t, "test.sow", func(string) ([]byte, error) { return []byte(text), nil })
}

func load(t testing.TB, path string, read func(string) ([]byte, error)) *build.Unit {
	t.Helper()
	program, diags := dsl.Load(path, read)
	check(t, diags)
	u, diags := build.Collect(program.Files)
	check(t, diags)
	return u
}

func check(t testing.TB, diags diag.List) {
	t.Helper()
	if diags.HasErrors() {
		t.Fatal(diags)
	}
}

// System resolves the first variant of a file.
func System(t testing.TB, u *build.Unit, given build.Settings, open ...string) *rules.System {
	t.Helper()
	sys, diags := u.System(u.Variants[0], given, open...)
	check(t, diags)
	return sys
}

// Systems resolves all variants of the files that match a pattern, with their default parameters.
// There has to be a file for each pattern.
func Systems(t testing.TB, patterns ...string) []*rules.System {
	t.Helper()
	var list []*rules.System
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, f := range files {
			u := File(t, f)
			for _, v := range u.Variants {
				sys, diags := u.System(v, nil)
				check(t, diags)
				list = append(list, sys)
			}
		}
	}
	return list
}

// Instances resolves all instances of the claim with this name, or of all claims without a name.
// There has to be one.
func Instances(t testing.TB, u *build.Unit, name string, given build.Settings) []*build.Instance {
	t.Helper()
	var list []*build.Instance
	for _, c := range u.Claims {
		if name != "" && c.Name.Name != name {
			continue
		}
		claim, diags := u.Claim(c)
		list = append(list, claim.Instances(given, &diags)...)
		check(t, diags)
	}
	if len(list) == 0 {
		t.Fatalf("no claim %q", name)
	}
	return list
}

// FirstStart returns the first start.
func FirstStart(t testing.TB, in *interp.Interp) rules.State {
	t.Helper()
	var first rules.State
	err := space.Starts(context.Background(), in, func(s rules.State) error {
		first = s.Clone()
		return space.ErrStop
	})
	if err != nil {
		t.Fatal(err)
	}
	return first
}

// LongMove is the text of a game whose first move takes days if seeds are dropped one by one, with
// a way of sowing and some claims. There are a variable odd, and one for each pit of South, closed.
func LongMove(sowing, claims string) string {
	return `
variant Long {
  player South, North
  board {
    north[2..1]
    south[1..2]
  }
  state odd : bool = false
  state closed each south : bool = false
  setup { each house = 1000000000000 }
  move {
    choose from in my house where from > 0
    ` + sowing + `
  }
  end when total(south) = 0
  score South = total(south), North = total(north)
}
` + claims
}
