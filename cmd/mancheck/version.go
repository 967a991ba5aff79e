package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/smt/solver"
)

type versionCmd struct{}

// revision is the git revision that the program was built from. The linker sets it if the go
// command does not record it.
var revision string

// tool returns the name and version of this program. Verdicts in the cache and certificates have
// it.
func tool() string {
	version, from := "(unknown)", revision
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		if noted := built(info.Settings); noted != "" {
			from = noted
		}
	}
	if from == "" {
		return "mancheck " + version
	}
	return "mancheck " + version + " " + from
}

// Run prints the version of the program, and the solvers that it finds.
func (versionCmd) Run(s *session) error {
	fmt.Fprintf(s.out, "%s %s %s/%s\n", tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	t := term.Table{}
	for _, spec := range []string{"z3", "z3-process", "cvc5"} {
		name, err := solver.Version(s.ctx, spec)
		if err != nil {
			name = err.Error()
		}
		t.Row("--solver "+spec, name)
	}
	t.Write(s.out, "  ")
	return nil
}

// built returns the revision that the go command recorded, or an empty string.
func built(settings []debug.BuildSetting) string {
	var revision, dirty string
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return revision + dirty
}
