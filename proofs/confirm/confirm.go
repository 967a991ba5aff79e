// Package confirm makes verdicts of what engines claim: without its consent there is no verdict. It
// plays with the reference interpreter, gives certificates to package cert, or plays all plays
// (package enumerate), and imports no engine that finds verdicts. What is to be shown for a kind of
// claim is said by the kind itself (Kind).
package confirm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/near"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// The budget of a check for a board with at most usualPits pits.
const (
	usualBudget = 300_000
	usualPits   = 16
)

// Budget is the greatest number of states that checking one verdict about a System may take, unless
// Options.CheckAll lifts the limit. It counts the states of a closed set, or those that an
// enumeration examines. It is smaller for a board with more pits than usual, whose states take more
// time and memory. It is not a time: a verdict is checked everywhere or nowhere.
func Budget(sys *rules.System) int { return usualBudget * usualPits / max(usualPits, len(sys.Pits)) }

// smallPart is the part of the budget for an enumeration of unknown size: a search backward, a
// search with endgame tables, or a solver may have decided a question for which plays reach
// millions of states.
const smallPart = 10

// greatBudget replaces the budget with Options.CheckAll.
const greatBudget = 1 << 40

// triesPerState is how many possibilities may be tried for each state of the budget where the
// checker lists states.
const triesPerState = 20

// RejectedError says that the evidence of a verdict is wrong. That is a fault of the tool, or of
// the cache entry, and there is no verdict.
type RejectedError struct {
	Claimed *result.Result // the claimed result
	Reason  string         // of the checker
	Entry   string         // file of the cache that claims it; empty if an engine does
}

func (e *RejectedError) Error() string {
	who := string(e.Claimed.Engine)
	if e.Entry != "" {
		who = "the cache entry " + e.Entry
	}
	return fmt.Sprintf("internal error: %s says that `%s` is %s, and the check of the evidence rejects that: %s",
		who, e.Claimed.Instance.Name(), e.Claimed.Status, e.Reason)
}

// Confirm makes a verdict of the claimed result of an engine, or of an entry of a cache, on inst,
// whose claim is of this kind: it checks the evidence, and marks the Result with how it did. This
// is the only way to a conclusive verdict. What cannot be checked, or not within the budget, is
// marked as unchecked. The error is a *RejectedError or the context's.
func Confirm(ctx context.Context, inst *build.Instance, claimed *result.Result, kind Kind, opt Options) (*result.Result, error) {
	r := claimed
	r.Strict = opt.Strict
	if !r.Conclusive() {
		r.Checked, r.Gap = verdict.NotYet, nil
		return r, nil
	}
	c := &checking{ctx: ctx, inst: inst, r: r, kind: kind, opt: opt, budget: Budget(inst.System)}
	if opt.CheckAll {
		c.budget = greatBudget
		if err := c.askWhoFound(); err != nil {
			return nil, err
		}
	}
	how, gap, err := c.check()
	var no *cert.Rejected
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &no):
		return nil, &RejectedError{Claimed: r, Reason: no.Reason}
	case err != nil:
		return nil, err
	}
	if how == verdict.Unchecked && c.trustsOne() {
		return c.undecided(gap), nil
	}
	if r.Checked, r.Gap = how, gap; how != verdict.Unchecked {
		r.Trusted = nil // it was found without them
	}
	return r, nil
}

// Options say how much is checked.
type Options struct {
	CheckAll bool   // all evidence, whatever it costs: there is no budget
	Strict   bool   // an unchecked verdict is inconclusive
	Solver   string // that engines use; with CheckAll no verdict rests on it alone, if it is a program
}

// Kind is what a kind of claim contributes to the confirmation of its verdicts.
type Kind interface {
	// As returns the kind of what the same claim asserts of another System.
	As(sys *rules.System, p build.Property) Kind
	// OfPlays reports whether the claim is about plays, and so starts, and not about all states of
	// the right shape.
	OfPlays() bool
	// Shows returns a check that the plays of a verdict show it; nil if it does not rely on plays.
	// It is called only with a trace.
	Shows(r *result.Result) func(context.Context) error
	// Again finds the verdict again, in a way that has nothing to do with the engines.
	Again(q Question) (*enumerate.Opinion, error)
	// Certified checks what a verdict tells besides what its certificate shows.
	Certified(q Question, report *cert.Report) error
}

// checking is a running Confirm.
type checking struct {
	ctx    context.Context
	inst   *build.Instance
	r      *result.Result
	kind   Kind
	opt    Options
	budget int
	finder string // the solver that found the verdict; empty if none did, or if it is not called for
	denied bool   // by another solver
}

// Refuse returns the error of wrong evidence.
func Refuse(format string, args ...any) error {
	return &cert.Rejected{Reason: fmt.Sprintf(format, args...)}
}

// check says how the evidence was checked; or, if it was not, why.
func (c *checking) check() (verdict.Checked, verdict.Gap, error) {
	if err := cmp.Or(c.aboutAll(), c.sizes()); err != nil {
		return verdict.Unchecked, nil, err
	}
	if how, err := c.play(); how != verdict.Unchecked || err != nil {
		return how, nil, err
	}
	how, gap, err := c.certificate()
	if how != verdict.Unchecked || err != nil {
		return how, gap, err
	}
	if c.inst.Size != "" { // all plays of one size say nothing of the others
		return how, cmp.Or[verdict.Gap](gap, verdict.NoCertificate), nil
	}
	how, other, err := c.enumeration()
	if gap == nil || how != verdict.Unchecked {
		gap = other
	}
	return how, gap, err
}

// aboutAll fails if one value of a quantified parameter is used to show what requires all of them.
func (c *checking) aboutAll() error {
	switch all := c.r.System == c.inst.System; {
	case all:
		return nil
	case c.inst.Some != "" && c.r.Status == verdict.Proved:
		return nil // a witness
	case c.inst.Some == "" && (len(c.inst.Open) > 0 || c.inst.Size != "") && c.r.Status == verdict.Refuted:
		return nil // a counterexample
	}
	return Refuse("the verdict is about one value of a parameter, and the claim about all")
}

// sizes fails if the numbers of a verdict are not those of the evidence that comes with it.
func (c *checking) sizes() error {
	if f, is := c.r.Found.(verdict.Play); is && (c.r.Trace == nil || len(c.r.Trace.Steps) != f.Moves) {
		return Refuse("the play does not have %d moves", f.Moves)
	}
	if l := c.r.Least; l != nil && (l.Param != c.inst.Some || !slices.ContainsFunc(c.r.System.Params, func(p rules.Param) bool {
		return p.Name == l.Param && !p.Open && p.Value == l.Value
	})) {
		return Refuse("the verdict is not about %s = %d", l.Param, l.Value)
	}
	f, is := c.r.Found.(verdict.SetFound)
	if s := c.r.Sets; is && (s == nil || f != verdict.SetFound{States: len(s.Found), Extra: len(s.Extra), Missing: len(s.Missing)}) {
		return Refuse("the set does not have %d states", f.States)
	}
	return nil
}

// play checks a verdict that relies on a play, or on two.
func (c *checking) play() (verdict.Checked, error) {
	r := c.r
	p, err := PropertyIn(c.inst, r.System)
	if err != nil {
		return verdict.Unchecked, Refuse("the verdict is about a System that the claim is not about: %v", err)
	}
	sys := r.System
	if r.Trace != nil && r.Trace.System != sys {
		// Its first state need not be a start, so the setup does not matter.
		sys = r.Trace.System
		if p, err = PropertyIn(c.inst, sys); err != nil {
			return verdict.Unchecked, Refuse("the play is one of a System that the claim is not about: %v", err)
		}
	}
	shows := c.kind.As(sys, p).Shows(r)
	switch {
	case shows == nil, r.Trace == nil && len(r.System.OpenParams()) > 0:
		return verdict.Unchecked, nil // no single play shows a claim about all values of a parameter
	case r.Trace == nil:
		return verdict.Unchecked, Refuse("there is no play that shows it")
	}
	return verdict.ByReplay, Rejection(shows(c.ctx))
}

// PropertyIn returns the instance's property as it reads in sys: its own System, or that with
// values of the open parameters.
func PropertyIn(inst *build.Instance, sys *rules.System) (build.Property, error) {
	if sys == inst.System {
		return inst.Property, nil
	}
	if sys == nil {
		return nil, errOtherSystem
	}
	on, p, err := inst.WithValues(inst.ValuesIn(sys))
	switch {
	case err != nil:
		return nil, err
	case !SameSystem(on, sys):
		return nil, errOtherSystem
	}
	return p, nil
}

var errOtherSystem = errors.New("no values of the open parameters give it")

// SameSystem reports whether two Systems are played alike.
func SameSystem(l, r *rules.System) bool {
	return l == r || l != nil && r != nil && l.Hash() == r.Hash()
}

// Rejection turns the failure of a check into a rejection, except a fault of the rules, or a number
// out of range, met in a play: then the claim has no value where the play leads.
func Rejection(err error) error {
	if err == nil || errors.As(err, new(*rules.LimitError)) || errors.As(err, new(*interp.RuleError)) {
		return err
	}
	return Refuse("%v", err)
}

// certificate gives the evidence to the independent checker.
func (c *checking) certificate() (verdict.Checked, verdict.Gap, error) {
	e := c.r.Evidence
	if e == nil || c.r.System != c.inst.System || !cert.Certifiable(c.inst, c.r.Status.String()) {
		return verdict.Unchecked, nil, nil
	}
	if cert.Size(e) > c.budget {
		return verdict.Unchecked, verdict.OverBudget.Of(c.budget), nil
	}
	report, err := c.verify(e)
	var no *cert.Rejected
	switch {
	case err == nil:
		if report.Subject != cert.SubjectUnknown {
			c.r.Vacuous = report.Subject == cert.NoSubject
		}
		q := Question{Ctx: c.ctx, Result: c.r, Sys: c.inst.System, budget: c.budget}
		return verdict.ByCertificate, nil, c.kind.Certified(q, report)
	case errors.As(err, &no), c.ctx.Err() != nil:
		return verdict.Unchecked, nil, err
	}
	return verdict.Unchecked, notChecked(err), nil // neither right nor wrong
}

// verify leaves what the checker cannot do itself to a solver, if the budget allows it.
func (c *checking) verify(e cert.Evidence) (*cert.Report, error) {
	verdict := c.r.Status.String()
	if !c.opt.CheckAll {
		return cert.Verify(c.ctx, c.inst, verdict, e, c.budget*triesPerState, nil)
	}
	report, err := cert.Verify(c.ctx, c.inst, verdict, e, 0, nil)
	var needs *cert.NeedsSolver
	if !errors.As(err, &needs) || !cert.Asks(e) {
		return report, err
	}
	return c.second(e, err)
}

// enumeration finds the verdict by playing all plays.
func (c *checking) enumeration() (verdict.Checked, verdict.Gap, error) {
	budget := c.budget
	switch {
	case c.opt.CheckAll:
	case c.r.Engine != verdict.Forward || len(c.r.Trusted) > 0:
		budget /= smallPart
	case c.r.Strategy == nil && c.r.Stats.States > int64(budget):
		return verdict.Unchecked, verdict.OverBudget.Of(budget), nil
	}
	opinion, err := c.enumerate(budget)
	switch {
	case errors.As(err, new(*enumerate.UnfitError)) && cert.Certifiable(c.inst, c.r.Status.String()) && !c.opt.CheckAll:
		return verdict.Unchecked, verdict.Uncertified.Says(err.Error()), nil
	case errors.As(err, new(*enumerate.UnfitError)):
		return verdict.Unchecked, verdict.NoCertificate, nil
	case errors.As(err, new(*enumerate.BudgetError)), errors.As(err, new(*enumerate.FaultError)), errors.As(err, new(*cert.NeedsSolver)):
		return verdict.Unchecked, notChecked(err), nil
	case err != nil:
		return verdict.Unchecked, nil, err
	}
	if found := verdict.Is(opinion.Holds); found != c.r.Status {
		return verdict.Unchecked, nil, Refuse("by playing all plays it is %s", found)
	}
	if err := c.sameNumbers(opinion); err != nil {
		return verdict.Unchecked, nil, err
	}
	return verdict.ByEnumeration, nil, nil
}

// notChecked is what kept a check from an answer.
func notChecked(err error) verdict.Gap {
	if over, is := errors.AsType[*enumerate.BudgetError](err); is {
		return verdict.OverBudget.Of(over.Budget)
	}
	return verdict.NotChecked.Says(err.Error())
}

// sameNumbers compares the other printed numbers of a claim that counts.
func (c *checking) sameNumbers(o *enumerate.Opinion) error {
	if o.Number != nil && (c.inst.Some == "" || c.r.Status == verdict.Proved) {
		// If a claim for some value of a parameter is refuted, there is a number for each value,
		// and the verdict has none of them.
		n, is := verdict.NumberOf(c.r.Found)
		if !is || o.Number.Cmp(big.NewInt(int64(n))) != 0 {
			return Refuse("by playing all plays there are %s", o.Number)
		}
	}
	if o.Found == nil || c.r.Sets == nil {
		return nil
	}
	if !result.SameStates(o.Found, c.r.Sets.Found) {
		return Refuse("by playing all plays other starts can be won")
	}
	return nil
}

// Question asks about a verdict on a property of Sys in a second way, within a budget of states.
type Question struct {
	Ctx    context.Context
	Result *result.Result
	Sys    *rules.System
	budget int
}

// Plays asks by playing all plays.
func (q Question) Plays() *enumerate.Graph { return enumerate.New(q.Ctx, q.Sys, q.budget) }

// Near asks about single steps. The engines supply the parts of states to look at, and the right
// shape; the checker verifies both.
func (q Question) Near(goals ...rules.Expr) (*near.Near, rules.Kept, error) {
	keep := slice.Keep(q.Ctx, q.Sys, goals...).Kept
	known := lists.Filter(shape.Of(q.Ctx, interp.New(q.Sys).Within(q.Ctx)).Lemmas, func(l rules.StartOnly) bool { return keep.Vars[l.Var] })
	n, err := near.New(q.Ctx, q.Sys, keep, known, q.budget, q.budget*triesPerState)
	return n, keep, err
}

// Same reports whether a verdict is about just this System, and is what was found, so that all that
// it tells can be compared.
func (q Question) Same(o *enumerate.Opinion) bool {
	return q.Result.System == q.Sys && len(q.Sys.OpenParams()) == 0 && (q.Result.Status == verdict.Proved) == o.Holds
}

// maxValues is how many values of quantified parameters are tried.
const maxValues = 1000

// about asks about one property.
func (c *checking) about(sys *rules.System, p build.Property, budget int) (*enumerate.Opinion, error) {
	return c.kind.As(sys, p).Again(Question{Ctx: c.ctx, Result: c.r, Sys: sys, budget: budget})
}

// enumerate decides the claim by enumeration, for each value of the parameters that it quantifies
// over.
func (c *checking) enumerate(budget int) (*enumerate.Opinion, error) {
	p, err := PropertyIn(c.inst, c.r.System)
	if err != nil {
		return nil, err
	}
	if len(c.r.System.OpenParams()) == 0 || !c.kind.OfPlays() {
		return c.about(c.r.System, p, budget)
	}
	some := c.inst.Some != ""
	if some && len(c.inst.Open) > 0 {
		return nil, &enumerate.UnfitError{Reason: "parameters are quantified over in two ways"}
	}
	tried, holds := 0, false
	err = c.eachValue(func(values []int) (bool, error) {
		sys, p, err := c.inst.WithValues(values)
		if err != nil {
			return false, &enumerate.UnfitError{Reason: err.Error()}
		}
		o, err := c.about(sys, p, budget)
		if err != nil {
			return false, err
		}
		budget -= o.States
		if o.Starts == 0 {
			return true, nil // a value without a start is skipped
		}
		tried++
		holds = o.Holds
		return holds != some, nil
	})
	if err == nil && tried == 0 {
		err = &enumerate.UnfitError{Reason: "there is no start"}
	}
	return &enumerate.Opinion{Holds: holds}, err
}

// eachValue calls try for the values of all open parameters, until it returns false.
func (c *checking) eachValue(try func(values []int) (bool, error)) error {
	open := c.inst.System.OpenParams()
	total := 1
	for _, i := range open {
		p := &c.inst.System.Params[i]
		if !p.HasHi {
			return &enumerate.UnfitError{Reason: "`" + p.Name + "` has no greatest value"}
		}
		n := p.Hi - p.Lo + 1
		if n <= 0 || n > maxValues {
			return &enumerate.BudgetError{Budget: c.budget}
		}
		if total *= n; total > maxValues {
			return &enumerate.BudgetError{Budget: c.budget}
		}
	}
	for n := range total {
		var values []int
		for _, i := range open {
			p := &c.inst.System.Params[i]
			width := p.Hi - p.Lo + 1
			values = append(values, p.Lo+n%width)
			n /= width
		}
		if more, err := try(values); err != nil || !more {
			return err
		}
	}
	return nil
}
