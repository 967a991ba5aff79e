package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

// tool is the name and version of this program.
func tool() string {
	version, revision := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		revision = built(info.Settings)
	}
	return "mancheck " + version + revision
}

// Run prints the version of the module, the revision it was built from, and the version of Go.
func (versionCmd) Run(s *session) error {
	fmt.Fprintf(s.out, "%s %s %s/%s\n", tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// built names the revision, if the build knew it.
func built(settings []debug.BuildSetting) string {
	var revision, dirty string
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			revision = " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return revision + dirty
}
