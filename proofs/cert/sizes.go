package cert

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert/internal/insertion"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/family"
)

// Unfit says why a set that is closed under predecessors on one board is not known to be so on
// larger ones.
type Unfit = insertion.Unfit

// moreSizes is how many sizes after the first all conditions are checked for as well, as a belt:
// they hold there if they do for the first.
const moreSizes = 2

// NewSizes returns the evidence that a claim about every size holds: below has the evidence for the
// sizes before at, and closed is a set closed under predecessors for that. The error is an *Unfit
// or a *build.SizeError if the set does not show it.
func NewSizes(ctx context.Context, inst *build.Instance, at int, closed *Evidence, below []Evidence) (*Evidence, error) {
	if _, err := inst.Uniform(); err != nil {
		return nil, err
	}
	on, next, err := inst.AtSizes(at)
	if err != nil {
		return nil, err
	}
	parts, states, err := withStarts(ctx, on, closed)
	if err != nil {
		return nil, err
	}
	set := insertion.Set{Pits: parts.Pits, Vars: parts.Vars, States: states}
	stretches, err := family.Stretches(on.System, next.System)
	if err != nil {
		return nil, &Unfit{Reason: err.Error()}
	}
	var xs []int
	for _, s := range stretches {
		x, err := insertion.Place(on.System, set, s)
		if err != nil {
			return nil, err
		}
		xs = append(xs, x)
	}
	e := NewBackward(on.System, parts, nil, set.States)
	e.Kind, e.Below = Sizes, below
	f, err := inst.Family(at, xs)
	if err != nil {
		return nil, err
	}
	e.grows(f, xs)
	return &e, fits(on, f, parts, set)
}

// withStarts returns a closed set with the states that its lemmas exclude, and that lead into it:
// the larger set is closed without lemmas.
func withStarts(ctx context.Context, on *build.Instance, closed *Evidence) (Parts, []rules.State, error) {
	parts, states, err := closed.Closed(on.System)
	if err != nil {
		return parts, nil, err
	}
	st, err := stated(on, Proved)
	if err != nil {
		return parts, nil, err
	}
	b, err := st.readBackward(ctx, closed)
	if err != nil {
		return parts, nil, err
	}
	b.report = new(Report)
	player := b.m.Player()
	b.spared = func(s partial.State, action int) {
		if _, legal, err := player.Do(s, action); err != nil || legal {
			states = append(states, whatIsKnown(s))
		}
	}
	if err := b.findWays(ctx); err != nil {
		return parts, nil, err
	}
	if err := b.allPredecessors(ctx); err != nil {
		return parts, nil, err
	}
	more := NewBackward(on.System, parts, nil, states)
	var needs *NeedsSolver
	var no *Rejected
	switch err := st.checkBackward(ctx, &more, new(Report)); {
	case errors.As(err, &needs) || errors.As(err, &no):
		return parts, nil, &Unfit{Reason: "the set is closed only as far as starts are told from other states: " + err.Error(), Larger: true}
	case err != nil:
		return parts, nil, err
	}
	return more.Closed(on.System)
}

// whatIsKnown returns a state of which the parts that are not known are 0.
func whatIsKnown(s partial.State) rules.State {
	out := rules.State{Mover: s.Mover, Outcome: s.Outcome}
	for _, v := range s.Seeds {
		n, _ := v.Is()
		out.Seeds = append(out.Seeds, n)
	}
	for _, v := range s.Vars {
		n, _ := v.Is()
		out.Vars = append(out.Vars, n)
	}
	return out
}

// fits checks the conditions under which a set closed under predecessors stays so on larger boards.
func fits(on *build.Instance, f *family.Family, parts Parts, set insertion.Set) error {
	for v, kept := range parts.Over {
		if kept {
			return &Unfit{Reason: fmt.Sprintf("what `%s` is when the game is over matters", on.System.Vars[v].Name)}
		}
	}
	reach, is := on.Property.(*build.Reach)
	if !is || reach.Reachable || reach.Within >= 0 || on.Negated {
		return &Unfit{Reason: "only that something is unreachable can be shown for every size"}
	}
	goals, ok := outcomesOf(reach.Target)
	if !ok {
		return &Unfit{Reason: "the claim is about more than how the game ends"}
	}
	if on.System.Repetition != nil {
		return &Unfit{Reason: "the rules say what follows when a position comes back"}
	}
	return insertion.Check(on.System, set, f.Seams, goals)
}

// outcomesOf returns the outcomes that a condition says the game has ended with, if it says nothing
// else.
func outcomesOf(x rules.Expr) (outcomes []int, ok bool) {
	b, is := x.(rules.Binary)
	switch {
	case is && b.Op == rules.Or:
		l, ok := outcomesOf(b.L)
		r, also := outcomesOf(b.R)
		return append(l, r...), ok && also
	case is && b.Op == rules.Eq && rules.IsFixed(b.L, rules.RegisterCell, rules.OutcomeReg):
		k, is := b.R.(rules.Const)
		return []int{k.Value}, is && k.Value >= 0
	}
	return nil, false
}

// checker checks evidence of any kind for a statement.
type checker func(st *statement, ctx context.Context, e *Evidence, r *Report) error

// checkSizes checks the evidence of a claim about every size: each size before e.At has evidence of
// its own, and for e.At there is a set that is closed under predecessors, and stays so.
func (st *statement) checkSizes(ctx context.Context, e *Evidence, r *Report, check checker) error {
	if err := st.checkBelow(ctx, e, r, check); err != nil {
		return err
	}
	if len(e.StartOnly) > 0 {
		return reject("a set for every size has no lemmas about starts")
	}
	on, f, err := st.family(ctx, e)
	if err != nil {
		return err
	}
	parts, states, err := e.Closed(on.System)
	if err != nil {
		return err
	}
	set := insertion.Set{Pits: parts.Pits, Vars: parts.Vars, States: states}
	for i := 0; ; i++ {
		if err := st.checkFit(ctx, on, f, parts, set, r, i == 0); err != nil {
			return fmt.Errorf("%s = %d: %w", st.sizes.Size, f.At, err)
		}
		if i == moreSizes {
			break
		}
		if f, parts, set, err = grown(f, parts, set); err != nil {
			return reject("%v", err)
		}
		if on, err = st.sizes.AtSize(f.At); err != nil {
			return reject("%v", err)
		}
	}
	r.checked("conditions under which the set stays closed on larger boards", len(f.Seams))
	return nil
}

// family returns the instance of the size from which the evidence is about all, and the family of
// the rules that grows at its seams, which has to be the one that it says.
func (st *statement) family(ctx context.Context, e *Evidence) (*build.Instance, *family.Family, error) {
	on, err := st.sizes.AtSize(e.At)
	if err != nil {
		return nil, nil, reject("%s = %d: %v", st.sizes.Size, e.At, err)
	}
	xs, err := seamsOf(on.System, e.Seams)
	if err != nil {
		return nil, nil, err
	}
	f, err := st.sizes.Family(e.At, xs)
	if err != nil {
		return nil, nil, unfit(ctx, err)
	}
	if f.Text() != e.Family {
		return nil, nil, reject("the family of the rules is another one: %s", firstDifference(e.Family, f.Text()))
	}
	return on, f, nil
}

// grows says in which family a System grows, behind the pits xs.
func (e *Evidence) grows(f *family.Family, xs []int) {
	e.At, e.Family = f.At, f.Text()
	for _, x := range xs {
		e.Seams = append(e.Seams, [2]string{f.Base.Pits[x].Name, f.Base.Pits[x+1].Name})
	}
}

// checkBelow checks the evidence of each size before e.At.
func (st *statement) checkBelow(ctx context.Context, e *Evidence, r *Report, check checker) error {
	least := st.sizes.Least()
	if e.At < least || len(e.Below) != e.At-least {
		return reject("the evidence for sizes from %d on begins at %d, and has %d sets for those before", least, e.At, len(e.Below))
	}
	for i := range e.Below {
		of, err := st.atSize(least + i)
		if err == nil {
			err = check(of, ctx, &e.Below[i], new(Report))
		}
		if err != nil {
			return fmt.Errorf("%s = %d: %w", st.sizes.Size, least+i, err)
		}
	}
	r.checked("sizes that have evidence of their own", len(e.Below))
	return nil
}

// atSize returns what is to be shown for one size.
func (st *statement) atSize(size int) (*statement, error) {
	on, err := st.sizes.AtSize(size)
	if err != nil {
		return nil, reject("%v", err)
	}
	of, err := stated(on, Proved)
	if err == nil {
		of.tries = st.tries
	}
	return of, err
}

// checkFit checks for one size that the set is closed under predecessors, and fits. Only the first
// report is kept.
func (st *statement) checkFit(ctx context.Context, on *build.Instance, f *family.Family, parts Parts, set insertion.Set, r *Report, first bool) error {
	if err := fits(on, f, parts, set); err != nil {
		return unfit(ctx, err)
	}
	closed := NewBackward(on.System, parts, nil, set.States)
	if !first {
		r = new(Report)
	}
	of, err := st.atSize(f.At)
	if err != nil {
		return err
	}
	return of.checkBackward(ctx, &closed, r)
}

// grown returns the family and the set for the next size.
func grown(f *family.Family, parts Parts, set insertion.Set) (*family.Family, Parts, insertion.Set, error) {
	to, pits := f.Images(f.At + 1)
	larger, err := f.From(f.At + 1)
	if err != nil {
		return nil, parts, set, err
	}
	set = set.Grown(larger.Base, to, pits)
	parts.Pits = set.Pits
	return larger, parts, set, nil
}

// seamsOf returns the first pits of the seams with these names.
func seamsOf(sys *rules.System, seams [][2]string) ([]int, error) {
	var xs []int
	for _, s := range seams {
		x := sys.PitNamed(s[0])
		if x == rules.None || x+1 >= len(sys.Pits) || sys.Pits[x+1].Name != s[1] {
			return nil, reject("`%s` and `%s` do not lie side by side", s[0], s[1])
		}
		xs = append(xs, x)
	}
	return xs, nil
}

// unfit turns a condition that does not hold into a rejection.
func unfit(ctx context.Context, err error) error {
	var broken *Unfit
	var size *build.SizeError
	if ctx.Err() == nil && (errors.As(err, &broken) || errors.As(err, &size)) {
		return reject("%v", err)
	}
	return err
}
