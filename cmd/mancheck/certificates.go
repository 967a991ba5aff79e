package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
)

// certificates are the certificates that a run writes into a folder.
type certificates struct {
	dir     string                    // empty if none are wanted
	bases   map[string]string         // what names begin with, by rules file, where that is not its own name
	written map[*proofs.Result]string // paths of the certificates written
	remarks map[*proofs.Result]string // for the table: the path, or why there is no certificate
	lost    map[*proofs.Result]bool   // those whose certificates could not be written
}

// newCertificates begins a run about these files.
func newCertificates(dir string, files ...input.Found) *certificates {
	return &certificates{dir: dir, bases: bases(files), written: map[*proofs.Result]string{}, remarks: map[*proofs.Result]string{}, lost: map[*proofs.Result]bool{}}
}

// bases gives files of one name longer ones, with the names of as many folders as tell them apart.
func bases(files []input.Found) map[string]string {
	out := map[string]string{}
	for folders := 0; len(files) > 0 && folders < maxFolders; folders++ {
		users := map[string]int{}
		for _, f := range files {
			base := lastOf(f.Path, folders)
			out[f.Path] = base
			users[base]++
		}
		files = slices.DeleteFunc(slices.Clone(files), func(f input.Found) bool { return users[out[f.Path]] == 1 })
	}
	return out
}

// maxFolders bounds how many folders bases takes names of. What it does not tell apart is an error.
const maxFolders = 40

// lastOf returns the name of a file, without its ending, behind those of the folders next to it.
func lastOf(path string, folders int) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(path)), "/")
	parts = parts[max(0, len(parts)-1-folders):]
	for i, p := range parts {
		if p == ".." {
			parts[i] = "up"
		}
	}
	return strings.TrimPrefix(output.Base(strings.Join(parts, "."), ".sow"), ".")
}

// certify writes the certificate of a verdict, if certificates are wanted. A verdict without one is
// no error.
func (c *certificates) certify(r *proofs.Result, program *dsl.Program) error {
	if c.dir == "" || r.Inconclusive() {
		return nil
	}
	if _, none := r.Certificate(tool(), program); none != nil {
		c.remarks[r] = "no certificate: " + none.Error()
		return nil
	}
	path, err := c.write(r, program)
	if err != nil {
		c.lost[r] = true
		return err
	}
	c.written[r], c.remarks[r] = path, "certificate: "+path
	return nil
}

// write writes a certificate. It fails if this run wrote one of the same name for another claim; an
// older one is replaced.
func (c *certificates) write(r *proofs.Result, program *dsl.Program) (string, error) {
	path, err := r.WriteCertificate(c.dir, c.bases[r.Instance.Claim.File], tool(), program)
	if err != nil {
		return "", err
	}
	for other, taken := range c.written {
		if taken == path {
			return "", sameName(path, other, r)
		}
	}
	return path, nil
}

// sameName is the error of the second of two certificates that have one path.
func sameName(path string, first, second *proofs.Result) error {
	return fmt.Errorf("%s: the certificates of %s in %s and in %s have the same name", path, second.Instance.Name(),
		first.Instance.Claim.File, second.Instance.Claim.File)
}

// summary returns a line with the number of certificates written, if certificates are wanted.
func (c *certificates) summary() string {
	if c.dir == "" {
		return ""
	}
	return fmt.Sprintf("%s in %s\n", numeral.Count(int64(len(c.written)), "certificate"), c.dir)
}
