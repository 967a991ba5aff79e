package result

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/proofs/cert"
)

// Certificate makes the certificate of a verdict, or says why there is none.
func (r *Result) Certificate(tool string, program *dsl.Program) (*cert.Certificate, error) {
	evidence := r.Evidence
	if evidence == nil && r.ShownByPlay() {
		evidence = cert.NewPlay(r.System, r.Trace)
	}
	switch {
	case evidence == nil && r.None != "":
		return nil, errors.New(r.None)
	case r.System != r.Instance.System:
		return nil, fmt.Errorf("the evidence is for one value of a parameter that the claim quantifies over")
	case evidence == nil || !cert.Certifiable(r.Instance, r.Status.String()):
		return nil, fmt.Errorf("there are no certificates for a verdict like this")
	}
	return cert.New(tool, program, r.Instance, r.Status.String(), r.Vacuous, evidence)
}

// ShownByPlay reports whether the trace is a play that a certificate can be about.
func (r *Result) ShownByPlay() bool {
	return r.Trace != nil && r.Trace.System == r.Instance.System && cert.ShownByPlay(r.Instance, r.Status.String())
}

// WriteCertificate writes the certificate of a verdict into a folder, which it makes if necessary,
// and returns its path. It replaces an existing file only if that is a certificate. The name of the
// file begins with base or, if that is empty, with the name of the rules file.
func (r *Result) WriteCertificate(dir, base, tool string, program *dsl.Program) (string, error) {
	c, err := r.Certificate(tool, program)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := cert.Write(&text, c); err != nil {
		return "", err
	}
	path := filepath.Join(dir, fileName(r, base)+".cert")
	if err := file.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return path, replaceCertificate(path, text.Bytes())
}

// fileName returns the instance's name without characters special to file systems and shells.
func fileName(r *Result, base string) string {
	switch file := strings.TrimSuffix(filepath.Base(r.Instance.Claim.File), ".sow"); {
	case base != "":
	case file == "-":
		base = "stdin"
	default:
		base = file
	}
	return base + "." + strings.NewReplacer("[", ".", "]", "", "=", "", ",", ".").Replace(r.Instance.Name())
}

// replaceCertificate does not overwrite anything but a certificate. It does not follow a link,
// since nobody chose this name.
func replaceCertificate(path string, data []byte) error {
	if info, err := file.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s exists and is not a regular file: it is not changed", path)
	}
	if old, err := file.Read(path); err == nil {
		if _, err := cert.Read(bytes.NewReader(old)); err != nil && !bytes.Equal(old, data) {
			return fmt.Errorf("%s exists and is not a certificate: it is not changed", path)
		}
	}
	return file.Write(path, data, 0)
}
