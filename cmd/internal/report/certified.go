package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// Standing is the result of checking a certificate.
type Standing int

const (
	IsCertified Standing = iota // the certificate shows its verdict
	Rejected                    // it does not
	Undecided                   // neither is known
)

// String returns the word for it, the same in all formats.
func (s Standing) String() string { return [...]string{"certified", "rejected", "undecided"}[s] }

// Certified is a certificate with the result of checking it.
type Certified struct {
	File        string
	Status      Standing
	Certificate *cert.Certificate
	Report      *cert.Report // if certified
	Reason      string       // if rejected or undecided
	Scripts     []string     // paths of the scripts written for a solver
	Theorem     string       // path of the theorem written for Coq, or empty
	States      int64        // of evidence that is not in the certificate; 0: it is
}

// obligations returns the number of things that were checked one by one.
func (c *Certified) obligations() int {
	n := 0
	for _, o := range c.Report.Checked {
		n += o.N
	}
	return n
}

// evidence describes the evidence of a certificate, as in "backward-closed, 28 states".
func (c *Certified) evidence() string {
	e := &c.Certificate.Evidence
	switch n := c.states(); {
	case e.Kind == cert.Inductive:
		return fmt.Sprintf("%s, k = %d", e.Kind, e.K)
	default:
		return e.Kind + ", " + numeral.Count(n, "state")
	}
}

// states returns how many states the evidence has.
func (c *Certified) states() int64 { return max(c.States, int64(c.Certificate.Evidence.Size())) }

// certifiedScope converts the scope of a certificate, which is text, to that of a verdict. An open
// range means any number, but for the size of a claim about every size; a value that is not a
// number is true or false.
func certifiedScope(list []cert.Scope, size string) verdict.Scope {
	var s verdict.Scope
	for _, p := range list {
		lo, hi, ranged := strings.Cut(p.Is, "..")
		if ranged && hi == "" && p.Param != size {
			s.Unbounded = append(s.Unbounded, p.Param)
			continue
		}
		is := verdict.Param{Name: p.Param, All: p.All, Up: p.Param == size}
		var err error
		if is.N, err = strconv.Atoi(lo); err != nil {
			is.Bool = true
			if p.Is == "true" {
				is.N = 1
			}
		}
		is.Hi = is.N
		if n, err := strconv.Atoi(hi); err == nil {
			is.Hi = n
		}
		s.Params = append(s.Params, is)
	}
	return s
}

// CertifiedText writes the result for one certificate for people.
func CertifiedText(w io.Writer, color term.Palette, c Certified) {
	switch c.Status {
	case IsCertified:
		claim := c.Report.Claim.Name
		if c.Report.Claim.Label != "" {
			claim += fmt.Sprintf(" %q", c.Report.Claim.Label)
		}
		fmt.Fprintf(w, "%s  %s  %s  %s, %s  %s\n", color.Paint(term.Good, "✓ certified"), strings.TrimRight(claim+"  "+say.Scope(certifiedScope(c.Report.Scope, c.Report.Size), "="), " "),
			c.Report.Verdict, c.evidence(), numeral.Count(int64(c.obligations()), "obligation"),
			color.Paint(term.Faint, c.File))
		fmt.Fprintln(w, indent+color.Paint(term.Faint, printable(c.Report.Claim.Asserts+"; rules "+c.Certificate.SourcesDigest)))
		for _, n := range c.Report.Notes {
			fmt.Fprintln(w, indent+color.Paint(term.Faint, n))
		}
	case Rejected:
		fmt.Fprintf(w, "%s   %s: %s\n", color.Paint(term.Bad, "✗ rejected"), c.File, printable(c.Reason))
	case Undecided:
		fmt.Fprintf(w, "%s  %s: %s\n", color.Paint(term.Open, "? undecided"), c.File, printable(c.Reason))
	}
	if n := len(c.Scripts); n > 0 {
		fmt.Fprintf(w, "%s%s from %s on\n", indent, numeral.Count(int64(n), "script"), c.Scripts[0])
	}
	if c.Theorem != "" {
		fmt.Fprintf(w, "%stheorem: %s; make -C %s lets Coq check it\n", indent, c.Theorem, filepath.Dir(c.Theorem))
	}
}

// printable replaces everything that could control a terminal. Reasons quote what somebody wrote
// into a certificate.
func printable(text string) string {
	return strings.ReplaceAll(printableLines(text), "\n", string(unicode.ReplacementChar))
}

// CertifiedSummary lists what the certified verdicts rely on, and counts the results. all is the
// number of certificates, including those that could not be read.
func CertifiedSummary(w io.Writer, color term.Palette, done []Certified, all int) {
	if trusted := trustedBy(done); len(trusted) > 0 {
		fmt.Fprintln(w, "trusted:")
		for _, t := range trusted {
			fmt.Fprintln(w, "  - "+t)
		}
	}
	count := map[Standing]int{}
	for _, c := range done {
		count[c.Status]++
	}
	line, paint := summed(fmt.Sprintf("%s: %d certified", numeral.Count(int64(all), "certificate"), count[IsCertified]), []part{
		{count[Undecided], "undecided", term.Open}, {count[Rejected], "rejected", term.Bad}, {all - len(done), "failed", term.Bad},
	})
	fmt.Fprintln(w, color.Paint(paint, line))
}

// trustedBy lists what the checks of certificates rely on, without duplicates.
func trustedBy(done []Certified) []string {
	list := []string{}
	for _, c := range done {
		if c.Status != IsCertified {
			continue
		}
		for _, t := range c.Report.Trusted {
			if !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list
}

type certifiedDocument struct {
	Schema       int             `json:"schema"`
	Certificates []certified     `json:"certificates"`
	Trusted      []string        `json:"trusted"`
	Diagnostics  json.RawMessage `json:"diagnostics,omitempty"`
}

type certified struct {
	File        string    `json:"file"`
	Status      string    `json:"status"`
	Reason      string    `json:"reason"`
	Claim       string    `json:"claim"`
	Label       string    `json:"label"`
	Kind        string    `json:"kind"`
	Asserts     string    `json:"asserts"`
	Verdict     string    `json:"verdict"`
	Vacuous     bool      `json:"vacuous"`
	Scope       scope     `json:"scope"`
	SystemHash  string    `json:"systemHash"`
	Sources     string    `json:"sourcesDigest"`
	Evidence    string    `json:"evidence"`
	States      int       `json:"states"`
	K           int       `json:"k,omitempty"`
	Obligations int       `json:"obligations"`
	Checked     []checked `json:"checked"`
	Notes       []string  `json:"notes,omitempty"`
	Trusted     []string  `json:"trusted"`
	Scripts     []string  `json:"scripts,omitempty"`
	Theorem     string    `json:"theorem,omitempty"`
}

// checked counts the obligations of one kind.
type checked struct {
	What string `json:"what"`
	N    int    `json:"n"`
}

// CertifiedJSON returns the object for the certificates that were read, with the diagnostics for
// the others.
func CertifiedJSON(done []Certified, diags diag.List) any {
	doc := certifiedDocument{Schema: Schema, Certificates: []certified{}, Trusted: trustedBy(done)}
	for _, c := range done {
		doc.Certificates = append(doc.Certificates, certifiedJSON(&c))
	}
	if len(diags) > 0 {
		doc.Diagnostics = diagnosticsJSON(diags)
	}
	return doc
}

// certifiedJSON describes one certificate. If it is not certified, all fields but the status and
// the reason are merely what it claims about itself.
func certifiedJSON(c *Certified) certified {
	ct := c.Certificate
	out := certified{
		File: c.File, Status: c.Status.String(), Reason: c.Reason, Claim: ct.Claim.Name, Label: ct.Claim.Label, Kind: ct.Claim.Kind,
		Asserts: ct.Claim.Asserts, Vacuous: ct.Vacuous, Sources: ct.SourcesDigest,
		Verdict: ct.Verdict, Scope: scopeJSON(certifiedScope(ct.Scope, ct.Size), nil), SystemHash: ct.SystemHash, Evidence: ct.Evidence.Kind,
		States: int(c.states()), K: ct.Evidence.K, Checked: []checked{}, Trusted: []string{}, Scripts: c.Scripts, Theorem: c.Theorem,
	}
	if c.Status != IsCertified {
		return out
	}
	out.Obligations, out.Notes, out.Trusted = c.obligations(), c.Report.Notes, c.Report.Trusted
	for _, o := range c.Report.Checked {
		out.Checked = append(out.Checked, checked(o))
	}
	return out
}
