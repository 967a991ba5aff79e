package proofs

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Others looks for plays that show a verdict as its own play does, and are replayed likewise, but
// differ from it and from one another in the first move or in the rule of the last one: the
// shortest ones, at most a number of them. The limits of opt are those of each search. The result
// is nil unless the claim is one that a state, or a step, decides to which a play comes. The error
// is a *RejectedError.
func Others(ctx context.Context, r *Result, most int, opt Options) (*result.Others, error) {
	inst, shown := r.Instance.Plain(), *r
	if inst != r.Instance {
		shown = *r.Denied(inst)
	}
	if r.Trace == nil {
		return nil, nil
	}
	sys, property, err := inst.WithValues(inst.ValuesIn(r.Trace.System))
	shows := claim.KindOf(sys, property).Shows(&shown)
	safe, is := property.(build.Safe)
	if err != nil || !is || shows == nil {
		return nil, nil
	}
	safety := safe.Safety(sys)
	o := &others{run: engines.New(ctx, inst, r.Claim, opt).On(sys), bad: forward.BadStep{From: rules.Not{X: safety.Never}, Bad: safety.Never}, within: -1}
	if p, is := property.(*build.Reach); is {
		o.within = p.Within
	}
	if p := safety.Step; p != nil {
		if o.bad = (forward.BadStep{From: p.From, Actions: p.Actions, Bad: rules.Not{X: p.Gives}}); p.All {
			return nil, nil // its play need not begin with a start
		}
	}
	o.search()
	slices.SortStableFunc(o.found, func(a, b *rules.Trace) int { return cmp.Compare(len(a.Steps), len(b.Steps)) })
	o.found = slices.DeleteFunc(o.found, func(t *rules.Trace) bool { return alike(t, r.Trace) })
	out := &result.Others{Plays: o.found[:min(most, len(o.found))], All: o.all && len(o.found) <= most}
	for _, t := range out.Plays {
		shown.System, shown.Trace = sys, t
		if err := shows(ctx); err != nil {
			return nil, &RejectedError{Claimed: &shown, Reason: err.Error()}
		}
	}
	return out, nil
}

// alike reports whether two plays have the same first move and the same rule of the last one.
func alike(a, b *rules.Trace) bool {
	m, n := len(a.Steps), len(b.Steps)
	return m > 0 && n > 0 && a.Steps[0].Move == b.Steps[0].Move && a.Steps[m-1].Label == b.Steps[n-1].Label
}

// others is a search for plays that end with a bad step, for each first move and each rule.
type others struct {
	run    *engines.Run
	bad    forward.BadStep
	within int // most moves of a play; negative: any number
	found  []*rules.Trace
	all    bool // no limit ended a search
}

var errStarts = errors.New("there are too many starts")

// begun is a first move.
type begun struct {
	start, to rules.State
	action    int
	move      string
}

// search searches for them all. What cannot be searched, such as infinitely many starts or moves
// that break the rules, is left out.
func (o *others) search() {
	var first []begun
	err := o.run.Starts()(o.run.Ctx, func(s rules.State) error {
		if most := o.run.Opt.MaxStates; most > 0 && int64(len(first)) > most {
			return errStarts
		}
		steps, err := o.run.In.Steps(s)
		for _, step := range steps {
			first = append(first, begun{s.Clone(), step.To, step.Action, o.run.In.Notation(step.Action, s)})
		}
		return err
	})
	o.all = err == nil
	labels := lists.Distinct(lists.Map(o.run.Sys.Actions, func(a rules.Action) string { return a.Label }))
	for _, move := range lists.Distinct(lists.Map(first, func(b begun) string { return b.move })) {
		roots := lists.Filter(first, func(b begun) bool { return b.move == move })
		for _, label := range labels {
			if err := o.after(roots, label); err != nil {
				o.all = false
			}
		}
	}
}

// after searches for a shortest play that begins with one of the first moves, the last of which has
// a label.
func (o *others) after(roots []begun, label string) error {
	bad := o.bad
	bad.Actions = make([]bool, len(o.run.Sys.Actions))
	for i, a := range o.run.Sys.Actions {
		bad.Actions[i] = a.Label == label && (o.bad.Actions == nil || o.bad.Actions[i])
	}
	for _, b := range roots {
		from, err := o.run.In.Holds(bad.From, b.start, nil)
		is := false
		if err == nil && from && bad.Actions[b.action] && o.within != 0 {
			is, err = o.run.In.Holds(bad.Bad, b.to, &b.start)
		}
		if is {
			return o.add(b, nil)
		}
		if err != nil {
			return err
		}
	}
	opt := o.run.ForwardOptions()
	if opt.MaxDepth = max(o.within-1, 0); o.within == 0 || o.within == 1 {
		return nil
	}
	from := forward.From(lists.Map(roots, func(b begun) rules.State { return b.to })...)
	res, err := forward.Search(o.run.Ctx, o.run.Sys, from, forward.Query{BadStep: &bad}, opt)
	if err != nil || res.Stop != limit.Found {
		o.all = o.all && err == nil && (res.Stop == limit.Complete || res.Stop == limit.DepthLimit)
		return err
	}
	return o.add(lists.Find(roots, func(b begun) bool { return b.to.Equal(res.Trace.Start) }), res.Trace.Actions)
}

// add adds the play of a first move and the moves after it.
func (o *others) add(b begun, actions []int) error {
	t, err := o.run.Replay(b.start, append([]int{b.action}, actions...))
	if err == nil {
		o.found = append(o.found, t)
	}
	return err
}
