package cert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Check reads the rules in a certificate and checks its evidence without a solver. The error is a
// *Rejected, a *NeedsSolver or the context's.
func Check(ctx context.Context, c *Certificate) (*Report, error) {
	return c.checkBy(ctx, func(st *statement, r *Report) error {
		if err := st.checkWith(ctx, c.Evidence.Is, nil, r); err != nil {
			return err
		}
		return c.agreesOn(r)
	})
}

// CheckBy asks the solver everything, including what Check can check itself.
func CheckBy(ctx context.Context, c *Certificate, solver Solver) (*Report, error) {
	return c.checkBy(ctx, func(st *statement, r *Report) error {
		err := st.discharge(ctx, c.Evidence.Is, solver, r)
		r.Trusted = append(r.Trusted, trusted...)
		return err
	})
}

// checkBy reads the rules, and reports what check has checked.
func (c *Certificate) checkBy(ctx context.Context, check func(st *statement, r *Report) error) (*Report, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	r := st.reportOn(c.Evidence.Is)
	r.Verdict, r.SourcesDigest = c.Verdict, c.SourcesDigest
	if err := check(st, r); err != nil {
		return nil, err
	}
	return r, nil
}

// Verify checks evidence for a verdict on an instance in the same way as Check, but takes the
// instance as resolved instead of reading a file. tries bounds the possibilities tried when states
// are listed; 0 means the limit of Check. What the checker cannot check itself is left to solver,
// which may be nil.
func Verify(ctx context.Context, inst *build.Instance, verdict string, e Evidence, tries int, solver Solver) (*Report, error) {
	st, err := stated(inst, verdict)
	if err != nil {
		return nil, err
	}
	if tries > 0 {
		st.tries = tries
	}
	r := st.reportOn(e)
	r.Verdict = verdict
	return r, st.checkWith(ctx, e, solver, r)
}

// checkWith checks the evidence, asking the solver about everything if the checker alone cannot
// decide.
func (st *statement) checkWith(ctx context.Context, e Evidence, solver Solver, r *Report) error {
	err := e.check(ctx, st, r)
	if needs, is := errors.AsType[*NeedsSolver](err); is && solver != nil {
		r.Checked, r.Notes = nil, []string{needs.Reason}
		err = st.discharge(ctx, e, solver, r)
	}
	if err != nil {
		return err
	}
	r.Trusted = append(r.Trusted, trusted...)
	return ctx.Err()
}

// Subject says whether anything matches a claim. A claim that nothing matches is vacuous.
type Subject int

// Values of Subject.
const (
	SubjectUnknown Subject = iota // the states in question cannot be listed
	SomeSubject
	NoSubject // the claim holds only because nothing matches it
)

func subject(found bool) Subject {
	if found {
		return SomeSubject
	}
	return NoSubject
}

// fewTries bounds the possibilities tried to find out whether anything matches a claim.
const fewTries = 100_000

// errFound ends a listing that has found what was looked for.
var errFound = errors.New("found")

// hasSubject looks for any state of the right types, reachable or not, that satisfies a target.
func (st *statement) hasSubject(ctx context.Context, target rules.Expr, c coder, m *partial.Machine) Subject {
	for _, l := range listing.Targets(m, c.kept, target, min(st.tries, fewTries)) {
		err := l.Each(ctx, func(partial.State) error { return errFound })
		switch {
		case errors.Is(err, errFound):
			return SomeSubject
		case err != nil:
			return SubjectUnknown
		}
	}
	return NoSubject
}

// Report says what was checked of a certificate that is right. All of it follows from the rules,
// was compared with what follows from them, or was counted in the check.
type Report struct {
	Claim         Claim
	Line          int // in the file of boards, or 0
	Verdict       string
	Params        []rules.Param // what the verdict holds for
	Size          string        // the parameter of a claim about every size
	SystemHash    string
	SourcesDigest string        // of a certificate
	Evidence      string        // its kind
	States        int           // in the evidence
	K             int           // for Inductive
	Checked       []Checked     // in order of execution
	Subject       Subject       // whether anything matches the claim
	Found         []rules.State // for Winning: the starts that can be won and satisfy the condition of the claim
	Longest       int           // for Falling: moves of the longest play
	Number        int           // for Depths: the number of states that the claim counts
	Positions     []Position
	Notes         []string
	Trusted       []string // what the check relies on, in words
}

// Checked counts the obligations of one kind.
type Checked struct {
	What string `json:"what"`
	N    int    `json:"n"`
}

func (r *Report) checked(what string, n int) { r.Checked = append(r.Checked, Checked{what, n}) }

// trusted has what every check relies on.
var trusted = []string{
	"the parser and the resolver, which read the text of the rules and the claim: they are the ones that the search used",
	"the argument in docs/certificates.md that what is checked is enough",
	"the Go compiler and its libraries, SHA-256, and this machine",
}

// executor is what every check relies on that plays moves.
const executor = "the executor of the resolved rules (the certificate checker shares it with the reference interpreter and the formulas, and not with the stepper of the searches)"

// reportOn returns a Report for which nothing was checked yet, without the verdict.
func (st *statement) reportOn(e Evidence) *Report {
	r := About(st.inst)
	r.Evidence, r.States = Kind(e), Size(e)
	if of, is := e.(*Inductive); is {
		r.K = of.K
	}
	return r
}

// About returns a Report that says only what is claimed.
func About(inst *build.Instance) *Report {
	return &Report{Claim: claimOf(inst), Line: inst.Line(), Params: inst.System.Params, Size: inst.Size, SystemHash: inst.System.Hash()}
}

// Binds fails with a *Rejected unless the certificate is about one of the instances: the same
// resolved rules, parameters and claim, with its label and line in the file of boards. Comments,
// layout and file names may differ.
func (c *Certificate) Binds(instances []*build.Instance) error {
	// why is the reason for the last instance of the claim, as only one of them can be shown.
	why := fmt.Sprintf("the rules in hand make no claim `%s`", c.Claim.Name)
	for _, inst := range instances {
		if inst.Claim.Name != c.Claim.Name {
			continue
		}
		switch scope, claim := ScopeOf(inst.System), claimOf(inst); {
		case !slices.Equal(c.Scope, scope):
			why = fmt.Sprintf("the certificate is about %s, the claim in hand about %s", scopeText(c.Scope), scopeText(scope))
		case c.System != string(inst.System.Canonical()):
			why = "the rules in hand are others: " + firstDifference(c.System, string(inst.System.Canonical()))
		case claim.Kind == "":
			why = "there are no certificates for claims of the kind in hand"
		case c.Claim.Asserts != claim.Asserts && c.Size != "" && c.Size == inst.Size:
			why = fmt.Sprintf("the rules or the claim in hand are others for some `%s`: the certificate is about `%s`, the claim in hand is `%s`", c.Size, c.Claim.Asserts, claim.Asserts)
		case c.Claim.Asserts != claim.Asserts:
			why = fmt.Sprintf("the certificate is about `%s`, the claim in hand is `%s`", c.Claim.Asserts, claim.Asserts)
		case c.Line != inst.Line():
			why = fmt.Sprintf("the certificate is about line %d of the file of boards, the claim in hand about line %d", c.Line, inst.Line())
		case c.Claim.Label != claim.Label:
			why = fmt.Sprintf("the certificate calls the claim %q, the rules in hand call it %q", c.Claim.Label, claim.Label)
		case c.Some != inst.Some || c.Size != inst.Size || !slices.Equal(c.Open, inst.Open):
			why = "the claim in hand quantifies over other parameters"
		default:
			return nil
		}
	}
	return reject("%s", why)
}

// scopeText lists parameters with their values.
func scopeText(list []Scope) string {
	return strings.Join(lists.Map(list, func(s Scope) string { return s.Param + " = " + s.Is }), ", ")
}

// firstDifference describes the first line in which two canonical texts differ.
func firstDifference(theirs, ours string) string {
	l, r := strings.Split(theirs, "\n"), strings.Split(ours, "\n")
	for i := range max(len(l), len(r)) {
		line := func(list []string) string {
			if i < len(list) {
				return strings.TrimSpace(list[i])
			}
			return ""
		}
		if line(l) != line(r) {
			return fmt.Sprintf("`%s` in the certificate is `%s` there", line(l), line(r))
		}
	}
	return "they differ in their layout"
}
