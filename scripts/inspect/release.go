package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// release is what lies in the folder.
type release struct {
	dir, version string
	without      []string
	sums         map[string]string // SHA-256 of the files by their names
}

// system is one that there is a program for.
type system struct{ os, arch string }

var systems = []system{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// uploaded are the endings of what is part of a release.
var uploaded = regexp.MustCompile(`\.(tar\.gz|zip|deb|cdx\.json|vsix)$`)

// checksums reads checksums.txt. It has each file of the release, and nothing else.
func (r *release) checksums() error {
	text, err := os.ReadFile(filepath.Join(r.dir, "checksums.txt"))
	if err != nil {
		return err
	}
	r.sums = map[string]string{}
	var errs []error
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
			return fmt.Errorf("checksums.txt: %q", line)
		}
		data, err := r.read(name)
		if got := sha256.Sum256(data); err == nil && hex.EncodeToString(got[:]) != sum {
			err = fmt.Errorf("%s: not the SHA-256 of checksums.txt", name)
		}
		errs = append(errs, err)
		r.sums[name] = sum
	}
	entries, err := os.ReadDir(r.dir)
	for _, e := range entries {
		if uploaded.MatchString(e.Name()) && r.sums[e.Name()] == "" {
			errs = append(errs, fmt.Errorf("%s: not in checksums.txt", e.Name()))
		}
	}
	return errors.Join(append(errs, err)...)
}

// read reads a file of the release. An extension for editors lies beside the folder.
func (r *release) read(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return os.ReadFile(filepath.Join(r.dir, "..", name))
	}
	return data, err
}

// archive unpacks a file of the release. It must have the files that are wanted, and none that is
// empty.
func (r *release) archive(name string, wanted ...string) (map[string][]byte, error) {
	data, err := r.read(name)
	if err != nil {
		return nil, err
	}
	files, err := unpack(name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var errs []error
	for _, file := range wanted {
		if len(files[file]) == 0 {
			errs = append(errs, fmt.Errorf("%s has no %s", name, file))
		}
	}
	for file, text := range files {
		if len(text) == 0 {
			errs = append(errs, fmt.Errorf("%s: %s is empty", name, file))
		}
		errs = append(errs, r.traceless(name+": "+file, text))
	}
	return files, errors.Join(errs...)
}

// playground checks the archive with the playground.
func (r *release) playground() error {
	base := fmt.Sprintf("mancheck_%s_playground", r.version)
	var wanted []string
	for _, file := range []string{
		"LICENSE", "LICENSES-go.txt", "LICENSES-npm.txt", "app.js", "index.html", "library.json", "mancheck.wasm", "style.css", "worker.js",
	} {
		wanted = append(wanted, base+"/"+file)
	}
	files, err := r.archive(base+".zip", wanted...)
	if err == nil && !strings.Contains(string(files[base+"/mancheck.wasm"]), "v"+r.version) {
		err = errors.New("the playground does not know its version")
	}
	return err
}

var (
	caskFile = regexp.MustCompile(`url ".*/mancheck_#\{version\}_(\w+)_(\w+)\.tar\.gz"`)
	caskSum  = regexp.MustCompile(`sha256 "(\w+)"`)
)

// cask checks the checksums of the Homebrew cask.
func (r *release) cask() error {
	text, err := os.ReadFile(filepath.Join(r.dir, "homebrew/Casks/mancheck.rb"))
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), fmt.Sprintf("version %q\n", r.version)) {
		return errors.New("the cask is of another version")
	}
	files, sums := caskFile.FindAllStringSubmatch(string(text), -1), caskSum.FindAllStringSubmatch(string(text), -1)
	if len(files) != len(sums) {
		return fmt.Errorf("the cask has %d archives and %d checksums", len(files), len(sums))
	}
	var found []system
	for i, f := range files {
		found = append(found, system{f[1], f[2]})
		name := fmt.Sprintf("mancheck_%s_%s_%s.tar.gz", r.version, f[1], f[2])
		if r.sums[name] != sums[i][1] {
			return fmt.Errorf("the cask has another checksum for %s", name)
		}
	}
	for _, s := range systems {
		if s.os != "windows" && !slices.Contains(found, s) {
			return fmt.Errorf("the cask has no archive for %s on %s", s.os, s.arch)
		}
	}
	return nil
}
