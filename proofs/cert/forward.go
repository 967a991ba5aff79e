package cert

import (
	"context"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
)

// forwardSet checks a set closed under steps. Every reachable state is in such a set: the starts
// are, and with a state all states that one step leads to.
type forwardSet struct {
	*closedSet
	*statement
	report    *Report
	player    *partial.Player
	starts    int
	steps     int
	concerned int       // steps that a claim about steps applies to
	undoes    *undoes   // for a claim that steps are taken back; else nil
	rule      numbering // for Falling and Depths; else nil
	next      []int     // indices of the states that steps from the latest state lead to
}

// checkForward checks the evidence of kind Forward, Falling or Depths.
func (st *statement) checkForward(ctx context.Context, e *Evidence, r *Report) error {
	if len(st.sys.OpenParams()) > 0 {
		return reject("a set closed under steps is evidence for one value of each parameter only")
	}
	// Numbers are only of use with whole states, as states that agree on some parts may have
	// different ones.
	c, err := whole(st.sys), error(nil)
	if e.Kind == Forward {
		c, err = st.coder(e)
	}
	if err != nil {
		return err
	}
	set, err := readPacked(ctx, c, e.Packed, e.Count, e.Kind != Forward)
	if err != nil {
		return err
	}
	f := &forwardSet{closedSet: set, statement: st, report: r, player: set.m.Player()}
	if st.relation != nil {
		if f.undoes, err = newUndoes(ctx, st.relation); err != nil {
			return err
		}
	}
	switch {
	case st.ends != nil:
		f.rule = &falling{forwardSet: f}
	case st.counts != nil:
		f.rule = &depths{forwardSet: f, reached: make([]bool, len(set.states))}
	}
	if err := f.allStarts(ctx); err != nil {
		return err
	}
	if err := f.allSteps(ctx); err != nil {
		return err
	}
	r.Subject = subject(f.concerned > 0)
	if f.rule != nil {
		r.Subject = subject(f.starts > 0)
		if err := f.rule.concludes(); err != nil {
			return err
		}
	}
	if f.target != nil && f.starts > 0 {
		r.Subject = st.hasSubject(ctx, c, f.m)
	}
	r.Trusted = append(r.Trusted, executor)
	return nil
}

// allStarts shows that every start is in the set. Starts may be counted more than once.
func (f *forwardSet) allStarts(ctx context.Context) error {
	starts := 0
	err := eachStart(ctx, f.m, f.tries, func(s partial.State) error {
		starts++
		return f.startIn(s)
	})
	f.report.checked("starts, all in the set", starts)
	f.starts = starts
	return err
}

// startIn fails unless a start is in the set.
func (f *forwardSet) startIn(s partial.State) error {
	if f.undoes != nil && !s.Live() {
		return nil // no step begins there
	}
	i, err := f.place(s)
	switch {
	case err != nil:
		return leftOut(err, "the start %s", f.m.Text(s))
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
	steps, err := f.player.Steps(s)
	if err != nil {
		return leftOut(err, "a move from %s", f.m.Text(s))
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
			return reject("no move takes back `%s` from %s to %s", f.closedSet.sys.ActionName(step.Action), f.m.Text(s), f.m.Text(step.To))
		}
		if !step.To.Live() {
			return nil
		}
	}
	i, err := f.place(step.To)
	if err != nil {
		return leftOut(err, "the move `%s` from %s", f.closedSet.sys.ActionName(step.Action), f.m.Text(s))
	}
	if i < 0 {
		return reject("the set is not closed: the move `%s` leads from %s to %s, which is not in it",
			f.closedSet.sys.ActionName(step.Action), f.m.Text(s), f.m.Text(step.To))
	}
	f.next = append(f.next, i)
	return f.asClaimed(s, step)
}

// asClaimed checks a claim about steps for one step.
func (f *forwardSet) asClaimed(s partial.State, step partial.Step) error {
	p := f.step
	if p == nil || p.Actions != nil && !p.Actions[step.Action] {
		return nil
	}
	if concerned, err := f.decided(p.From, s, nil); err != nil || !concerned {
		return err
	}
	f.concerned++
	holds, err := f.decided(p.Gives, step.To, &s)
	if err == nil && !holds {
		return reject("the move `%s` from %s to %s is not as the claim says",
			f.closedSet.sys.ActionName(step.Action), f.m.Text(s), f.m.Text(step.To))
	}
	return err
}
