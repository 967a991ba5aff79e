package cert

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Report says what was checked of a certificate that is right.
type Report struct {
	Claim      Claim
	Verdict    string
	Scope      []Scope
	SystemHash string
	Evidence   string    // its kind
	Checked    []Checked // in order of execution
	Subject    Subject   // whether anything matches the claim
	Positions  []Position
	Notes      []string
	Trusted    []string // what the check relies on, in words
}

// Checked counts the obligations of one kind.
type Checked struct {
	What string
	N    int
}

func (r *Report) checked(what string, n int) { r.Checked = append(r.Checked, Checked{what, n}) }

// trusted is what every check relies on.
var trusted = []string{
	"the parser and the resolver, which read the text of the rules and the claim: they are the ones that the search used",
	"the argument in docs/certificates.md that what is checked is enough",
	"the Go compiler and its libraries, SHA-256, and this machine",
}

const executor = "the executor of the resolved rules (the certificate checker shares it with the reference interpreter and the formulas, and not with the stepper of the searches)"

// Check reads the rules in a certificate and checks its evidence, without a solver. The error is a
// *Rejected, a *NeedsSolver or the context's.
func Check(ctx context.Context, c *Certificate) (*Report, error) { return CheckWith(ctx, c, nil) }

// CheckWith is Check, but leaves what it cannot check itself to a solver.
func CheckWith(ctx context.Context, c *Certificate, solver Solver) (*Report, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	r := c.report()
	if err := st.checkWith(ctx, &c.Evidence, solver, r); err != nil {
		return nil, err
	}
	return r, c.agreesOn(r)
}

// report returns a Report in which nothing is checked yet.
func (c *Certificate) report() *Report {
	return &Report{Claim: c.Claim, Verdict: c.Verdict, Scope: c.Scope, SystemHash: c.SystemHash, Evidence: c.Evidence.Kind}
}

func (st *statement) check(ctx context.Context, e *Evidence, r *Report) error {
	if (st.best != nil) != (e.Kind == Strategies) {
		return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind)
	}
	if r := st.relation; r != nil && e.Kind != map[bool]string{true: Forward, false: Product}[r.Relates == resolve.Reverses] {
		return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind)
	}
	switch e.Kind {
	case Backward:
		return st.checkBackward(ctx, e, r)
	case Forward:
		return st.checkForward(ctx, e, r)
	case Product:
		if st.relation == nil {
			return reject("pairs of states show nothing about such a claim")
		}
		return st.checkProduct(ctx, e, r)
	case Strategies:
		return st.checkStrategies(ctx, e, r)
	case Inductive:
		return &NeedsSolver{"the evidence is an inductive invariant"}
	}
	return reject("unknown evidence `%s`", e.Kind)
}

// coder reads which parts of states are kept in the evidence.
func (st *statement) coder(e *Evidence) (coder, error) {
	kept, err := keptOf(st.sys, e.Kept)
	return coder{st.sys, kept}, err
}

// closedSet is a set of states, given by their kept parts.
type closedSet struct {
	coder
	m      *partial.Machine
	states []rules.State
	member map[string]int // by key: the place among the states, from 1 on
	key    []byte         // the last one
}

// lookEvery is after how many states the context is looked at.
const lookEvery = 256

func newClosedSet(ctx context.Context, c coder, states []rules.State) (*closedSet, error) {
	if err := increasing(states); err != nil {
		return nil, err
	}
	set := &closedSet{coder: c, m: partial.New(ctx, c.sys), states: states, member: make(map[string]int, len(states))}
	var key []byte
	for i, s := range states {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		key = c.kept.AppendState(key[:0], s)
		set.member[string(key)] = i + 1
	}
	return set, nil
}

// has reports whether the kept parts of s are in the set.
func (set *closedSet) has(s partial.State) (bool, error) {
	key, err := set.keyOf(s)
	return set.member[string(key)] > 0, err
}

// keyOf gives what tells the states of the set apart. The next one takes its place.
func (set *closedSet) keyOf(s partial.State) ([]byte, error) {
	key, err := set.m.AppendKey(set.key[:0], s, set.kept)
	if err == nil {
		set.key = key
	}
	return key, err
}

// leftOut is the error for a decision that depends on something unknown; where says what was done.
// The certificate may still be right: separately each unknown part is less restricted than all of
// them together.
func leftOut(err error, where string, args ...any) error {
	var open *partial.Unknown
	if errors.As(err, &open) {
		why := " depends on %s, which the certificate leaves out"
		if open.Part == partial.SweptStart {
			why = " depends on %s"
		}
		return &NeedsSolver{Reason: fmt.Sprintf(where+why, append(args, open.Part)...)}
	}
	var broken *partial.Fault
	if errors.As(err, &broken) {
		return reject(where+": %v", append(args, broken)...)
	}
	return err
}

// unlisted turns the error of a listing into a verdict on the certificate.
func unlisted(err error, what string) error {
	var infinite *listing.Unbounded
	var many *listing.TooMany
	if errors.As(err, &infinite) || errors.As(err, &many) {
		return &NeedsSolver{"the " + what + " cannot be listed: " + err.Error()}
	}
	return err
}

// CheckBy leaves everything to a solver, even what Check can do itself.
func CheckBy(ctx context.Context, c *Certificate, solver Solver) (*Report, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	r := c.report()
	if err := st.discharge(ctx, &c.Evidence, solver, r); err != nil {
		return nil, err
	}
	r.Trusted = append(r.Trusted, trusted...)
	return r, nil
}
