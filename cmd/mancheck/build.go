package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

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
