package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	_ "embed" // what the file README says
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/template"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/rules/build"
)

// fault turns an error that ended a decision into one for the user. A fault of the rules is
// explained in the words of the interpreter. For rejected evidence it writes a bundle with
// everything that is needed to reproduce it.
func (s *session) fault(inst *build.Instance, err error) error {
	var rejected *proofs.RejectedError
	if !errors.As(err, &rejected) {
		if errors.As(err, new(*endgame.DamagedError)) {
			return explainTable(inst.System, err)
		}
		return fault.Explain(inst.System, err)
	}
	path, failed := s.bundle(rejected)
	if failed != nil {
		return fmt.Errorf("%w; what reproduces it cannot be written down: %v", err, failed)
	}
	return fmt.Errorf("%w; please report it with %s, which holds what reproduces it", err, path)
}

// bundle writes a zip file under a new name into the current folder or, if that fails, into the
// folder for temporary files: the sources, the rejected evidence, the cache entry it came from, and
// a README. It returns the path.
func (s *session) bundle(e *proofs.RejectedError) (path string, err error) {
	paths := slices.Sorted(maps.Keys(s.reader.Sources))
	files := map[string][]byte{}
	for _, path := range paths {
		files[inBundle(path)] = s.reader.Sources[path]
	}
	// Evidence that cannot be encoded is left out: the rest still helps.
	if evidence, err := cache.Encode(e.Claimed); err == nil {
		files["evidence.json"] = evidence
	}
	if e.Entry != "" {
		if files["entry"], err = file.Read(e.Entry); err != nil {
			return "", err
		}
	}
	var about, text bytes.Buffer
	err = bundleReadme.Execute(&about, map[string]any{
		"Tool": tool(), "Go": runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, "Args": s.args, "Error": e, "Result": e.Claimed, "Paths": paths,
	})
	files["README.txt"] = about.Bytes()
	z := zip.NewWriter(&text)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, failed := z.Create(name)
		if failed == nil {
			_, failed = w.Write(files[name])
		}
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return "", err
	}
	name := "mancheck-rejected-" + rand.Text()[:10] + ".zip"
	for _, dir := range []string{".", os.TempDir()} {
		path = dir + string(filepath.Separator) + name
		if err = file.Write(path, text.Bytes(), file.New); err == nil {
			return path, nil
		}
	}
	return "", err
}

// inBundle returns the path of a source within the bundle. Relative imports keep working for files
// below the current folder. Parts that would lead out of the bundle are replaced.
func inBundle(path string) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(path)), "/")
	for i, part := range parts {
		if part == ".." || part == "" || strings.ContainsRune(part, ':') {
			parts[i] = "_"
		}
	}
	return "sources/" + strings.Join(parts, "/")
}

//go:embed bundle.tmpl
var bundleText string

var bundleReadme = template.Must(template.New("README").Funcs(template.FuncMap{"inBundle": inBundle}).Parse(bundleText))
