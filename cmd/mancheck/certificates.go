package main

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
)

// certificates are those that a run writes into a folder.
type certificates struct {
	dir     string                    // "" if none are wanted
	written map[*proofs.Result]string // their paths
	remarks map[*proofs.Result]string // where they are, or why there is none
	lost    int                       // how many could not be written
}

func newCertificates(dir string) *certificates {
	return &certificates{dir: dir, written: map[*proofs.Result]string{}, remarks: map[*proofs.Result]string{}}
}

// certify writes the certificate of a verdict, if some are wanted and there is one.
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
		c.lost++
		return err
	}
	c.written[r], c.remarks[r] = path, "certificate: "+path
	return nil
}

// write refuses to replace a certificate that this very run wrote for another claim.
func (c *certificates) write(r *proofs.Result, program *dsl.Program) (string, error) {
	path, err := r.WriteCertificate(c.dir, tool(), program)
	if err != nil {
		return "", err
	}
	for other, taken := range c.written {
		if taken == path {
			return "", fmt.Errorf("%s: the certificates of %s in %s and in %s have the same name", path, r.Instance.Name(),
				other.Instance.Claim.File, r.Instance.Claim.File)
		}
	}
	return path, nil
}

// summary says how many there are, if some were wanted.
func (c *certificates) summary() string {
	if c.dir == "" {
		return ""
	}
	return fmt.Sprintf("%s in %s\n", numeral.Count(int64(len(c.written)), "certificate"), c.dir)
}
