package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
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
	File    string
	Status  Standing
	Report  *cert.Report // if certified
	Reason  string       // if rejected or undecided
	Scripts []string     // paths of the scripts written for a solver
	Theorem string       // path of the theorem written for Coq, or empty
}

// obligations returns the number of things that were checked one by one.
func obligations(r *cert.Report) int {
	return lists.Sum(r.Checked, func(o cert.Checked) int { return o.N })
}

// evidenceOf describes the evidence of a certificate, as in "backward-closed, 28 states".
func evidenceOf(r *cert.Report) string {
	if r.K > 0 {
		return fmt.Sprintf("%s, k = %d", r.Evidence, r.K)
	}
	return r.Evidence + ", " + numeral.Count(int64(r.States), "state")
}

// certifiedScope returns the scope of a certified verdict.
func certifiedScope(r *cert.Report) verdict.Scope {
	return verdict.ScopeOf(&rules.System{Params: r.Params})
}

// CertifiedText writes the result for one certificate for people.
func CertifiedText(w io.Writer, color term.Palette, c Certified) {
	switch c.Status {
	case IsCertified:
		r := c.Report
		claim := r.Claim.Name
		if r.Line > 0 {
			claim += fmt.Sprintf("[line=%d]", r.Line)
		}
		if r.Claim.Label != "" {
			claim += fmt.Sprintf(" %q", r.Claim.Label)
		}
		fmt.Fprintf(w, "%s  %s  %s  %s, %s  %s\n", color.Paint(term.Good, "✓ certified"), strings.TrimRight(claim+"  "+say.Scope(certifiedScope(r), "="), " "),
			r.Verdict, evidenceOf(r), numeral.Count(int64(obligations(r)), "obligation"),
			color.Paint(term.Faint, c.File))
		fmt.Fprintln(w, indent+color.Paint(term.Faint, printable(r.Claim.Asserts+"; rules "+r.SourcesDigest)))
		for _, n := range r.Notes {
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
	shown := lists.Filter(done, func(c Certified) bool { return c.Status == IsCertified })
	return append([]string{}, lists.Distinct(lists.Flat(shown, func(c Certified) []string { return c.Report.Trusted }))...)
}

type certifiedDocument struct {
	Schema       int             `json:"schema"`
	Certificates []certified     `json:"certificates"`
	Trusted      []string        `json:"trusted"`
	Diagnostics  json.RawMessage `json:"diagnostics,omitempty"`
}

type certified struct {
	File   string `json:"file"`
	Status string `json:"status"`
	Reason string `json:"reason"`
	*shown
	Scripts []string `json:"scripts,omitempty"`
	Theorem string   `json:"theorem,omitempty"`
}

// shown is what a certificate shows. There is none for one that is rejected or undecided: what it
// says of itself is not repeated.
type shown struct {
	Claim       string         `json:"claim"`
	Label       string         `json:"label"`
	Line        int            `json:"line,omitempty"`
	Kind        string         `json:"kind"`
	Asserts     string         `json:"asserts"`
	Verdict     string         `json:"verdict"`
	Vacuous     *bool          `json:"vacuous,omitempty"` // nil: not known
	Scope       scope          `json:"scope"`
	SystemHash  string         `json:"systemHash"`
	Sources     string         `json:"sourcesDigest"`
	Evidence    string         `json:"evidence"`
	States      int            `json:"states"`
	K           int            `json:"k,omitempty"`
	Obligations int            `json:"obligations"`
	Checked     []cert.Checked `json:"checked"`
	Notes       []string       `json:"notes,omitempty"`
	Trusted     []string       `json:"trusted"`
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

func certifiedJSON(c *Certified) certified {
	out := certified{File: c.File, Status: c.Status.String(), Reason: c.Reason, Scripts: c.Scripts, Theorem: c.Theorem}
	if c.Status != IsCertified {
		return out
	}
	r := c.Report
	out.shown = &shown{
		Claim: r.Claim.Name, Label: r.Claim.Label, Line: r.Line, Kind: r.Claim.Kind, Asserts: r.Claim.Asserts, Verdict: r.Verdict,
		Scope: scopeJSON(certifiedScope(r), nil), SystemHash: r.SystemHash, Sources: r.SourcesDigest, Evidence: r.Evidence,
		States: r.States, K: r.K, Obligations: obligations(r), Checked: append([]cert.Checked{}, r.Checked...), Notes: r.Notes, Trusted: r.Trusted,
	}
	if r.Subject != cert.SubjectUnknown {
		out.Vacuous = new(r.Subject == cert.NoSubject)
	}
	return out
}
