package proofs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/solver"
)

// DefaultBudget is the greatest number of states that checking one verdict may take, unless
// Options.CheckAll lifts the limit. It counts the states of a closed set, or those that an
// enumeration examines. It is not a time: a verdict is checked everywhere or nowhere.
const DefaultBudget = 50_000

// usualPits is the size of a board for which the budgets are meant.
const usualPits = 64

// budgetFor returns the budget for a System. It is smaller for a board with more pits than usual,
// whose states take more time and memory.
func budgetFor(sys *rules.System) int {
	return DefaultBudget * usualPits / max(usualPits, len(sys.Pits))
}

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
	Claimed *Result // the claimed result
	Reason  string  // of the checker
	Entry   string  // file of the cache that claims it; empty if an engine does
}

func (e *RejectedError) Error() string {
	who := string(e.Claimed.Engine)
	if e.Entry != "" {
		who = "the cache entry " + e.Entry
	}
	return fmt.Sprintf("internal error: %s says that `%s` is %s, and the check of the evidence rejects that: %s",
		who, e.Claimed.Instance.Name(), e.Claimed.Status, e.Reason)
}

// Confirm makes a verdict of the claimed result of an engine, or of an entry of a cache, on inst:
// it checks the evidence, and marks the Result with how it did. This is the only way to a
// conclusive verdict. What cannot be checked, or not within the budget, is marked as unchecked. The
// error is a *RejectedError or the context's.
func Confirm(ctx context.Context, inst *resolve.Instance, claimed *Result, opt Options) (*Result, error) {
	r := claimed
	r.Strict = opt.Strict
	if !r.Conclusive() {
		r.Checked, r.Gap = NotYet, nil
		return r, nil
	}
	c := &checking{ctx: ctx, inst: inst, r: r, opt: opt, budget: budgetFor(inst.System)}
	if opt.CheckAll {
		c.budget = greatBudget
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
	if r.Checked, r.Gap = how, gap; how != Unchecked {
		r.Trusted = nil // it was found without them
	}
	return r, nil
}

// checking is a running Confirm.
type checking struct {
	ctx    context.Context
	inst   *resolve.Instance
	r      *Result
	opt    Options
	budget int
}

// refuse returns the error of wrong evidence.
func refuse(format string, args ...any) error {
	return &cert.Rejected{Reason: fmt.Sprintf(format, args...)}
}

// check says how the evidence was checked; or, if it was not, why.
func (c *checking) check() (Checked, verdict.Gap, error) {
	if err := cmp.Or(c.aboutAll(), c.sizes()); err != nil {
		return Unchecked, nil, err
	}
	if how, err := c.play(); how != Unchecked || err != nil {
		return how, nil, err
	}
	how, gap, err := c.certificate()
	if how != Unchecked || err != nil {
		return how, gap, err
	}
	how, other, err := c.enumeration()
	if gap == nil || how != Unchecked {
		gap = other
	}
	return how, gap, err
}

// aboutAll fails if one value of a quantified parameter is used to show what requires all of them.
func (c *checking) aboutAll() error {
	switch all := c.r.System == c.inst.System; {
	case all:
		return nil
	case c.inst.Some != "" && c.r.Status == Proved:
		return nil // a witness
	case c.inst.Some == "" && len(c.inst.Open) > 0 && c.r.Status == Refuted:
		return nil // a counterexample
	}
	return refuse("the verdict is about one value of a parameter, and the claim about all")
}

// sizes fails if the numbers of a verdict are not those of the evidence that comes with it.
func (c *checking) sizes() error {
	if f, is := c.r.Found.(verdict.Play); is && (c.r.Trace == nil || len(c.r.Trace.Steps) != f.Moves) {
		return refuse("the play does not have %d moves", f.Moves)
	}
	if l := c.r.Least; l != nil && (l.Param != c.inst.Some || !slices.ContainsFunc(c.r.System.Params, func(p rules.Param) bool {
		return p.Name == l.Param && !p.Open && p.Value == l.Value
	})) {
		return refuse("the verdict is not about %s = %d", l.Param, l.Value)
	}
	f, is := c.r.Found.(verdict.SetFound)
	if s := c.r.Sets; is && (s == nil || f != verdict.SetFound{States: len(s.Found), Extra: len(s.Extra), Missing: len(s.Missing)}) {
		return refuse("the set does not have %d states", f.States)
	}
	return nil
}

// play checks a verdict that relies on a play, or on two.
func (c *checking) play() (Checked, error) {
	r := c.r
	p, err := PropertyIn(c.inst, r.System)
	if err != nil {
		return Unchecked, refuse("the verdict is about a System that the claim is not about: %v", err)
	}
	sys := r.System
	if r.Trace != nil && r.Trace.System != sys {
		// Its first state need not be a start, so the setup does not matter.
		sys = r.Trace.System
		if p, err = PropertyIn(c.inst, sys); err != nil {
			return Unchecked, refuse("the play is one of a System that the claim is not about: %v", err)
		}
	}
	shows := KindOf(sys, p).shows(r)
	switch {
	case shows == nil, r.Trace == nil && len(r.System.OpenParams()) > 0:
		return Unchecked, nil // no single play shows a claim about all values of a parameter
	case r.Trace == nil:
		return Unchecked, refuse("there is no play that shows it")
	}
	return ByReplay, rejected(shows(c.ctx))
}

// PropertyIn returns the instance's property as it reads in sys: its own System, or that with
// values of the open parameters.
func PropertyIn(inst *resolve.Instance, sys *rules.System) (resolve.Property, error) {
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
	case !sameSystem(on, sys):
		return nil, errOtherSystem
	}
	return p, nil
}

var errOtherSystem = errors.New("no values of the open parameters give it")

// sameSystem reports whether two Systems are played alike.
func sameSystem(l, r *rules.System) bool {
	return l == r || l != nil && r != nil && l.Hash() == r.Hash()
}

// rejected turns the failure of a check into a rejection, except a fault of the rules, or a number
// out of range, met in a play: then the claim has no value where the play leads.
func rejected(err error) error {
	if err == nil || errors.As(err, new(*rules.LimitError)) || errors.As(err, new(*interp.RuleError)) {
		return err
	}
	return refuse("%v", err)
}

// certificate gives the evidence to the independent checker.
func (c *checking) certificate() (Checked, verdict.Gap, error) {
	e := c.r.Evidence
	if e == nil || c.r.System != c.inst.System || !cert.Certifiable(c.inst.Property, c.r.Status.String()) {
		return Unchecked, nil, nil
	}
	if e.Size() > c.budget {
		return Unchecked, verdict.OverBudget{States: c.budget}, nil
	}
	report, err := c.verify(e)
	var no *cert.Rejected
	switch {
	case err == nil:
		if report.Subject != cert.SubjectUnknown {
			c.r.Vacuous = report.Subject == cert.NoSubject
		}
		q := question{c, c.inst.System, c.budget}
		return ByCertificate, nil, KindOf(c.inst.System, c.inst.Property).certified(q, report)
	case errors.As(err, &no), c.ctx.Err() != nil:
		return Unchecked, nil, err
	}
	return Unchecked, notChecked(err), nil // neither right nor wrong
}

// verify leaves what the checker cannot do itself to a second solver, if the budget allows it.
func (c *checking) verify(e *cert.Evidence) (*cert.Report, error) {
	verdict := c.r.Status.String()
	if !c.opt.CheckAll {
		return cert.Verify(c.ctx, c.inst, verdict, e, c.budget*triesPerState, nil)
	}
	report, err := cert.Verify(c.ctx, c.inst, verdict, e, 0, nil)
	var needs *cert.NeedsSolver
	if !errors.As(err, &needs) || !e.Asks() {
		return report, err
	}
	s, failed := solver.Open(c.ctx, second(c.opt.Solver))
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	defer s.Close()
	return cert.Verify(c.ctx, c.inst, verdict, e, 0, &discharger{solver: s})
}

// second returns a solver different from the first.
func second(first string) string {
	if first == "cvc5" {
		return "z3"
	}
	return "cvc5"
}

// enumeration finds the verdict by playing all plays.
func (c *checking) enumeration() (Checked, verdict.Gap, error) {
	budget := c.budget
	switch {
	case c.opt.CheckAll:
	case c.r.Engine != Forward || len(c.r.Trusted) > 0:
		budget /= smallPart
	case c.r.Strategy == nil && c.r.Stats.States > int64(budget):
		return Unchecked, verdict.OverBudget{States: budget}, nil
	}
	opinion, err := c.enumerate(budget)
	switch {
	case errors.As(err, new(*enumerate.UnfitError)) && cert.Certifiable(c.inst.Property, c.r.Status.String()) && !c.opt.CheckAll:
		return Unchecked, verdict.Uncertified{Why: verdict.Words(err.Error())}, nil
	case errors.As(err, new(*enumerate.UnfitError)):
		return Unchecked, verdict.NoCertificate{}, nil
	case errors.As(err, new(*enumerate.BudgetError)), errors.As(err, new(*enumerate.FaultError)), errors.As(err, new(*cert.NeedsSolver)):
		return Unchecked, notChecked(err), nil
	case err != nil:
		return Unchecked, nil, err
	}
	found := Refuted
	if opinion.Holds {
		found = Proved
	}
	if found != c.r.Status {
		return Unchecked, nil, refuse("by playing all plays it is %s", found)
	}
	if err := c.sameNumbers(opinion); err != nil {
		return Unchecked, nil, err
	}
	return ByEnumeration, nil, nil
}

// notChecked is what kept a check from an answer.
func notChecked(err error) verdict.Gap {
	var over *enumerate.BudgetError
	if errors.As(err, &over) {
		return verdict.OverBudget{States: over.Budget}
	}
	return verdict.NotChecked{Why: verdict.Words(err.Error())}
}

// sameNumbers compares the other printed numbers of a claim that counts.
func (c *checking) sameNumbers(o *enumerate.Opinion) error {
	if o.Number != nil && (c.inst.Some == "" || c.r.Status == Proved) {
		// If a claim for some value of a parameter is refuted, there is a number for each value,
		// and the verdict has none of them.
		n, is := c.r.Found.(verdict.Number)
		if !is || o.Number.Cmp(big.NewInt(int64(n.N))) != 0 {
			return refuse("by playing all plays there are %s", o.Number)
		}
	}
	if o.Found == nil || c.r.Sets == nil {
		return nil
	}
	if !sameStates(o.Found, c.r.Sets.Found) {
		return refuse("by playing all plays other starts can be won")
	}
	return nil
}

// maxValues is how many values of quantified parameters are tried.
const maxValues = 1000

// question asks for a second verdict on a property of a System, within a budget of states.
type question struct {
	*checking
	sys    *rules.System
	budget int
}

// about asks about one property.
func (c *checking) about(sys *rules.System, p resolve.Property, budget int) (*enumerate.Opinion, error) {
	return KindOf(sys, p).again(question{c, sys, budget})
}

// plays asks by playing all plays.
func (q question) plays() *enumerate.Graph { return enumerate.New(q.ctx, q.sys, q.budget) }

// near asks about single steps. The engines supply the parts of states to look at, and the right
// shape; the checker verifies both.
func (q question) near(goals ...rules.Expr) (*cert.Near, space.Kept, error) {
	keep := slice.Keep(q.ctx, q.sys, goals...).Kept
	known := slices.DeleteFunc(lemmas(shape.Of(q.ctx, interp.New(q.sys).Within(q.ctx))), func(l cert.Lemma) bool { return !keep.Vars[l.Var] })
	n, err := cert.NewNear(q.ctx, q.sys, partsOf(keep), known, q.budget, q.budget*triesPerState)
	return n, keep, err
}

// errUnfit is the error for a claim whose verdict cannot be found in a second way.
var errUnfit error = &enumerate.UnfitError{Reason: "a claim of this kind is not about plays from the starts alone"}

// enumerate decides the claim by enumeration, for each value of the parameters that it quantifies
// over.
func (c *checking) enumerate(budget int) (*enumerate.Opinion, error) {
	p, err := PropertyIn(c.inst, c.r.System)
	if err != nil {
		return nil, err
	}
	if len(c.r.System.OpenParams()) == 0 || !KindOf(c.r.System, p).ofPlays() {
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
