package main

import (
	"runtime/debug"
	"testing"
)

func TestIdentity(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}}
	changed := append(commit[:1:1], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	module := func(version string, settings []debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	for name, c := range map[string]struct {
		version, revision string
		info              *debug.BuildInfo
		want              string
	}{
		"release":             {"v1.2.3", "0123456789ab", module("(devel)", nil), "mancheck v1.2.3 0123456789ab"},
		"release, no info":    {"v1.2.3", "0123456789ab", nil, "mancheck v1.2.3 0123456789ab"},
		"go install":          {"", "", module("v1.2.3", nil), "mancheck v1.2.3"},
		"make":                {"", "0123456789ab", module("(devel)", nil), "mancheck (devel) 0123456789ab"},
		"go build":            {"", "", module("v0.0.0-2026", commit), "mancheck v0.0.0-2026 0123456789ab"},
		"go build, changes":   {"", "fedcba987654", module("(devel)", changed), "mancheck (devel) 0123456789ab+changes"},
		"go run":              {"", "", module("(devel)", nil), "mancheck (devel)"},
		"stripped of it all":  {"", "", nil, "mancheck (unknown)"},
		"a module, no number": {"", "", module("", nil), "mancheck (unknown)"},
	} {
		if got := identity(c.version, c.revision, c.info); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestRevised: only a revision without changes says what a build was made from.
func TestRevised(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}}
	for name, c := range map[string]struct {
		settings []debug.BuildSetting
		want     bool
	}{
		"commit":  {commit, true},
		"changes": {append(commit[:1:1], debug.BuildSetting{Key: "vcs.modified", Value: "true"}), false},
		"nothing": {nil, false},
	} {
		if got := revised(&debug.BuildInfo{Settings: c.settings}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if revised(nil) {
		t.Error("without information")
	}
}
