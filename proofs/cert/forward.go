package cert

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// Forward is the evidence of a set closed under steps that contains all starts.
type Forward struct {
	Kept Kept `json:"kept"`
	Packed
}

// check shows that the set has every reachable state, and that these are as the claim says.
func (e *Forward) check(ctx context.Context, st *statement, r *Report) error {
	c, err := st.coder(&e.Kept)
	if err != nil {
		return err
	}
	f := &forwardSet{report: r}
	switch claim := st.says.(type) {
	case never:
		f.target = exec.ReadExpr(claim.target)
	case always:
		f.claim, f.from, f.gives = claim.EveryStep, exec.ReadExpr(claim.From), exec.ReadExpr(claim.Gives)
		if f.claim.All {
			return st.unfit(e) // not all states are in the set
		}
	case relation:
		if claim.Relates != build.Reverses {
			return st.unfit(e)
		}
		if f.undoes, err = newUndoes(ctx, claim.Relation); err != nil {
			return err
		}
	default:
		return st.unfit(e)
	}
	if err := f.all(ctx, st, c, &e.Packed, false); err != nil {
		return err
	}
	if r.Subject = subject(f.concerned > 0); f.unsure || f.concerned > 0 && f.player.Ways > 0 {
		r.Subject = SubjectUnknown // it may be that no play comes to such a step
	}
	if f.target != nil {
		if r.Subject = NoSubject; f.starts > 0 {
			r.Subject = st.hasSubject(ctx, f.target.Of, c, partial.New(ctx, st.sys))
		}
	}
	return nil
}

// forwardSet checks a set closed under steps. Every reachable state is in such a set: the starts
// are, and with a state all states that one step leads to.
type forwardSet struct {
	*closedSet
	report    *Report
	player    *partial.Player
	target    *exec.Expr       // no state satisfies it; nil: any may
	claim     *build.EveryStep // all steps are as it says; nil: any may be
	from      *exec.Expr       // of the claim, as gives
	gives     *exec.Expr
	undoes    *undoes   // for a claim that steps are taken back; else nil
	rule      numbering // of the numbers of the states; nil without numbers
	starts    int
	steps     int
	doubted   bool  // some step may meet a fault of the rules
	unsure    bool  // whether a claim about steps applies to some step
	concerned int   // steps that a claim about steps applies to
	next      []int // indices of the states that steps from the latest state lead to
}

// all reads the set and checks it. Numbers are only of use with whole states, as states that agree
// on some parts may have different ones.
func (f *forwardSet) all(ctx context.Context, st *statement, c coder, p *Packed, numbered bool) error {
	open := len(st.sys.OpenParams()) > 0
	if open && (numbered || f.undoes != nil || slices.Contains(c.kept.Pits, true)) {
		return reject("a set closed under steps is evidence for all values of a parameter only if no pits are known")
	}
	set, err := readPacked(ctx, c, p, numbered)
	if err != nil {
		return err
	}
	f.closedSet, f.player = set, set.m.Player()
	if open {
		err = f.openStarts()
	} else {
		err = f.allStarts(ctx, st.tries)
	}
	if err != nil {
		return err
	}
	f.report.Trusted = append(f.report.Trusted, executor)
	return f.allSteps(ctx)
}

// allStarts shows that every start is in the set. Starts may be counted more than once.
func (f *forwardSet) allStarts(ctx context.Context, tries int) error {
	starts, seeds := 0, 0
	err := eachStart(ctx, f.m, tries, func(s partial.State) error {
		starts++
		seeds = max(seeds, s.Numbers().Total())
		return f.startIn(s)
	})
	f.m.Bound(seeds) // no move makes any
	f.report.checked("starts, all in the set", starts)
	f.starts = starts
	return err
}

// openStarts is allStarts for all values of the open parameters.
func (f *forwardSet) openStarts() error {
	starts, doubted, err := f.player.OpenStarts(f.kept)
	if err != nil {
		return refuse.LeftOut(err, "the setup")
	}
	for _, s := range starts {
		if err := f.startIn(s.To); err != nil {
			return err
		}
	}
	f.starts, f.doubted = len(starts), doubted
	f.report.checked("ways in which games begin, all in the set", f.starts)
	return nil
}

// startIn fails unless a start is in the set.
func (f *forwardSet) startIn(s partial.State) error {
	if f.undoes != nil && !s.Live() {
		return nil // no step begins there
	}
	i, err := f.place(s)
	switch {
	case err != nil:
		return refuse.LeftOut(err, "the start %s", f.m.Text(s))
	case i < 0:
		return reject("the start %s is not in the set", f.m.Text(s))
	case f.rule != nil:
		return f.rule.start(i)
	}
	return nil
}

// allSteps shows for each state that its steps lead into the set, and that it satisfies the claim.
func (f *forwardSet) allSteps(ctx context.Context) error {
	if err := f.each(ctx, f.leadsInside); err != nil {
		return err
	}
	f.report.checked("states of the set, all as the claim says", len(f.states))
	f.report.checked("steps from them, all into the set", f.steps)
	if f.doubted {
		f.report.Notes = append(f.report.Notes, "an action that meets a fault of the rules has no step; whether one does was not asked")
	}
	return nil
}

// leadsInside checks one state of the set and its steps.
func (f *forwardSet) leadsInside(i int, s partial.State) error {
	if f.target != nil {
		bad, err := f.decided(f.target, s, nil)
		if err != nil {
			return err
		}
		if bad {
			return reject("the state %s of the set is not as the claim says", f.m.Text(s))
		}
	}
	if f.claim != nil {
		_, err := f.decided(f.from, s, nil)
		if err != nil && (f.reader.Doubted() || !errors.As(err, new(*refuse.NeedsSolver))) {
			return err // the condition may have no value
		}
	}
	steps, err := f.stepsFrom(s)
	if err != nil {
		return refuse.LeftOut(err, "a move from %s", f.m.Text(s))
	}
	f.next = f.next[:0]
	for _, step := range steps {
		if err := f.stepIn(s, step); err != nil {
			return err
		}
	}
	f.steps += len(steps)
	if f.rule == nil {
		return nil
	}
	return f.rule.state(i, s, f.next)
}

// stepsFrom lists the steps from a state of the set. Where they depend on what is not kept these
// are all that there may be, unless the claim needs to know.
func (f *forwardSet) stepsFrom(s partial.State) ([]partial.Step, error) {
	if f.undoes != nil || f.rule != nil {
		return f.player.Steps(s)
	}
	steps, doubted, err := f.player.Leads(s, f.kept)
	f.doubted = f.doubted || doubted
	return steps, err
}

// stepIn checks one step from s. If the claim is that steps are taken back, the set has only live
// states.
func (f *forwardSet) stepIn(s partial.State, step partial.Step) error {
	if f.undoes != nil {
		f.concerned++
		back, err := f.undoes.is(s, step.To)
		if err != nil {
			return err
		}
		if !back {
			return reject("no move takes back `%s` from %s to %s", f.sys.ActionName(step.Action), f.m.Text(s), f.m.Text(step.To))
		}
		if !step.To.Live() {
			return nil
		}
	}
	i, err := f.place(step.To)
	if err != nil {
		return refuse.LeftOut(err, "the move `%s` from %s", f.sys.ActionName(step.Action), f.m.Text(s))
	}
	if i < 0 {
		return reject("the set is not closed: the move `%s` leads from %s to %s, which is not in it",
			f.sys.ActionName(step.Action), f.m.Text(s), f.m.Text(step.To))
	}
	f.next = append(f.next, i)
	return f.asClaimed(s, step)
}

// asClaimed checks a claim about steps for one step.
func (f *forwardSet) asClaimed(s partial.State, step partial.Step) error {
	p := f.claim
	if p == nil || !rules.Counts(p.Actions, step.Action) {
		return nil
	}
	concerned, err := f.decided(f.from, s, nil)
	if err == nil && !concerned {
		return nil
	}
	if f.concerned++; err != nil {
		f.unsure = true
	}
	holds, open := f.decided(f.gives, step.To, &s)
	if open == nil && holds {
		return nil // whether the claim is about the step or not
	}
	if err = cmp.Or(err, open); err == nil {
		return reject("the move `%s` from %s to %s is not as the claim says",
			f.sys.ActionName(step.Action), f.m.Text(s), f.m.Text(step.To))
	}
	return err
}
