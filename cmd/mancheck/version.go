package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/smt/solver"
)

type versionCmd struct{}

// Set by the linker: version in a release, as in v1.2.3, and revision, the git revision, where the
// go command does not record it.
var version, revision string

// tool returns the name and version of this program. Verdicts in the cache and certificates have
// it.
func tool() string {
	info, _ := debug.ReadBuildInfo()
	return identity(version, revision, info)
}

// changes is added to a revision if what was built has changes that it does not have.
const changes = "+changes"

// identity returns the name, the version and the revision of the program that was built so.
func identity(version, revision string, info *debug.BuildInfo) string {
	if info != nil {
		if noted := built(info.Settings); noted != "" {
			revision = noted
		}
	}
	return strings.TrimSpace("mancheck " + edition(version, info) + " " + revision)
}

// edition returns the version of the program that was built so: that of the release or else of the
// module, as after `go install …@v1.2.3`; (devel) is a build from sources that have none.
func edition(version string, info *debug.BuildInfo) string {
	switch {
	case version != "":
		return version
	case info != nil && info.Main.Version != "":
		return info.Main.Version
	}
	return "(unknown)"
}

// Run prints the version of the program, and the solvers that it finds.
func (versionCmd) Run(s *session) error {
	fmt.Fprintf(s.out, "%s %s %s/%s\n", tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	t := term.Table{}
	for _, spec := range solver.Known {
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
			dirty = changes
		}
	}
	return revision + dirty
}

// exactTool is tool, and for a build from sources of which no revision has all also the beginning
// of the digest of the program. Processes that share a job are the same program.
func exactTool() (string, error) {
	info, _ := debug.ReadBuildInfo()
	name := tool()
	if version != "" || revised(info) {
		return name, nil
	}
	digest, err := executable()
	if err != nil {
		return "", err
	}
	return name + " " + digest[:12], nil
}

// revised reports whether the go command recorded a revision that has all that was built.
func revised(info *debug.BuildInfo) bool {
	if info == nil {
		return false
	}
	noted := built(info.Settings)
	return noted != "" && !strings.HasSuffix(noted, changes)
}

// executable returns the SHA-256 digest of this program. On Linux it reads the file that is
// running, even if another one has replaced it on disk.
var executable = sync.OnceValues(func() (string, error) {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		path, err := os.Executable()
		if err != nil {
			return "", err
		}
		if f, err = os.Open(path); err != nil {
			return "", err
		}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})
