// Package result has what a decision finds: a verdict with its evidence, and the evidence as a
// certificate. What finds verdicts, what confirms them and what shows them have this in common.
package result

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Result is a verdict with its evidence.
type Result struct {
	verdict.Verdict
	Instance *build.Instance
	System   *rules.System      // the System of the trace; for `for some` the one with the value found
	Trace    *rules.Trace       // evidence of reachability or of refutation; may be nil
	Other    *rules.Trace       // a play to compare it with: one of another System by the same moves, or one that wins; may be nil
	Sets     *SetDiff           // for claims about sets of states
	Lengths  []uint64           // for a count of plays: the number of plays of 1, 2, … moves
	Strategy []enumerate.Answer // for a claim about what can be forced: what shows the verdict; nil if it was not kept
	Evidence cert.Evidence      // for a certificate, if Options.Certify requests it and there is any
	None     string             // why there is no evidence for a certificate where some was asked for; may be empty
	// StepCounterexample shows why an invariant is not inductive: its first state need not be
	// reachable, so it refutes nothing.
	StepCounterexample *rules.Trace
	Strict             bool   // an unchecked verdict is inconclusive, and a vacuous one a failure
	sentence           string // after Shed
}

// Denied is r as a verdict on inst, of which one denies what the other says.
func (r *Result) Denied(inst *build.Instance) *Result {
	d := *r
	d.Instance, d.Status = inst, r.Status.Denied()
	d.Claim.Some, d.Claim.Negated = inst.Some, inst.Negated
	return &d
}

// SetDiff compares a computed set of states with a listed one.
type SetDiff struct {
	Kept    rules.Kept    // the known parts of the states
	Found   []rules.State // the computed set
	Extra   []rules.State // computed, not listed
	Missing []build.Listed
}

// Expected returns the verdict that the claim's author expects.
func (r *Result) Expected() verdict.Status {
	return verdict.Is(!r.Instance.Claim.Refuted)
}

// AsExpected reports whether the verdict is the expected one, and good enough.
func (r *Result) AsExpected() bool {
	return r.Status == r.Expected() && !r.wanting() && !r.vacuousFailure()
}

// OfNothing is that of the verdict, but a verdict that a play from a start shows is about that
// play, even if the claim also names a position to which no play can come.
func (r *Result) OfNothing() bool {
	if r.Vacuous || r.Trace == nil {
		return r.Verdict.OfNothing()
	}
	total := r.Trace.Start.Total()
	return slices.ContainsFunc(r.Notes, func(n verdict.Note) bool {
		no, is := n.(verdict.Mention)
		return is && no.Is == verdict.NoSuchTotal && slices.ContainsFunc(r.Instance.Fitted, func(p build.Fitted) bool {
			return slices.Contains(no.Names, p.Position) && p.Seeds.Has(total)
		})
	})
}

// vacuousFailure reports whether the verdict is vacuous, and that makes the claim fail.
func (r *Result) vacuousFailure() bool { return r.Strict && r.OfNothing() && r.Conclusive() }

// Inconclusive reports whether the verdict neither confirms nor contradicts the expectation.
func (r *Result) Inconclusive() bool {
	return !r.Conclusive() || r.Checked == verdict.NotYet || r.Status == r.Expected() && r.wanting() && !r.vacuousFailure()
}

// wanting reports whether the verdict is unchecked and that is not acceptable.
func (r *Result) wanting() bool {
	return r.Checked == verdict.NotYet || r.Strict && r.Checked == verdict.Unchecked
}

// Words describes the verdict.
func (r *Result) Words() say.Words {
	p := say.Plays{System: r.System, Trace: r.Trace, Other: r.Other}
	if k, ok := r.Instance.Property.(*build.Relation); ok {
		p.Variant, p.Compared = k.Other, k.Pairs
	}
	return say.Describe(&r.Verdict, p)
}

// Sentence says in one line what the verdict rests on.
func (r *Result) Sentence() string {
	if r.System == nil {
		return r.sentence
	}
	return say.Sentence(r.System, &r.Verdict)
}

// Distinct sorts states and leaves each once, in place.
func Distinct(list []rules.State) []rules.State {
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

// SameStates reports whether two lists have the same states, in any order and number.
func SameStates(l, r []rules.State) bool {
	return slices.EqualFunc(Distinct(slices.Clone(l)), Distinct(slices.Clone(r)), rules.State.Equal)
}

// Shed forgets the System, plays and evidence of a verdict, which neither a table shows if it is as
// expected nor a summary of any verdicts. Of the play it keeps the start and the number of moves.
func (r *Result) Shed() {
	r.sentence = r.Sentence()
	if r.Trace != nil {
		r.Trace = &rules.Trace{Start: r.Trace.Start, Steps: make([]rules.TraceStep, len(r.Trace.Steps))}
	}
	r.System, r.Other, r.Sets, r.Lengths, r.Strategy, r.Evidence, r.StepCounterexample = nil, nil, nil, nil, nil, nil, nil
}

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
