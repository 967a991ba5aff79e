package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/dsl"
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

// bases gives files of one name the names of their folders, too.
func bases(files []input.Found) map[string]string {
	out, users := map[string]string{}, map[string]int{}
	for _, f := range files {
		users[output.Base(f.Path, ".sow")]++
	}
	for _, f := range files {
		if path := filepath.ToSlash(filepath.Clean(f.Path)); users[output.Base(path, ".sow")] > 1 {
			out[f.Path] = strings.Trim(strings.ReplaceAll(strings.TrimSuffix(path, ".sow"), "/", "."), ".")
		}
	}
	return out
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
