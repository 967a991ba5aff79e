package cert

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
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

// Sizes is the evidence of a set closed under predecessors on one board, and on all larger ones.
type Sizes struct {
	Kept   Kept    `json:"kept"`
	States []State `json:"states,omitempty"`
	Growing
}

// Growing says from which size on evidence is about all sizes, and how the rules grow with them.
type Growing struct {
	At     int         `json:"at" is:"-1048576..1048576"`
	Seams  [][2]string `json:"seams,omitempty"` // the pits between which larger boards have more
	Below  []Box       `json:"below,omitempty"` // evidence for each smaller size
	Family string      `json:"family"`          // the rules for this size and all larger ones
}

func (e *Sizes) size() int { return len(e.States) + e.Growing.size() }

// Grows returns g, which several kinds of evidence have.
func (g *Growing) Grows() *Growing { return g }

func (g *Growing) size() int { return lists.Sum(g.Below, func(b Box) int { return Size(b.Is) }) }

// NewSizes returns the evidence that a claim about every size holds: below has the evidence for the
// sizes before at, and closed is a set closed under predecessors for that. The error is an *Unfit
// or a *build.SizeError if the set does not show it.
func NewSizes(ctx context.Context, inst *build.Instance, at int, closed *Backward, below []Evidence) (*Sizes, error) {
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
	f, err := inst.Family(at, xs)
	if err != nil {
		return nil, err
	}
	same := NewBackward(on.System, parts, nil, set.States)
	e := &Sizes{same.Kept, same.States, growing(f, xs)}
	e.After(below)
	return e, fits(on, f, parts, set)
}

// withStarts returns a closed set with the states that its lemmas exclude, and that lead into it:
// the larger set is closed without lemmas.
func withStarts(ctx context.Context, on *build.Instance, closed *Backward) (rules.Kept, []rules.State, error) {
	parts, states, err := closed.Closed(on.System)
	if err != nil {
		return parts, nil, err
	}
	st, err := stated(on, Proved)
	if err != nil {
		return parts, nil, err
	}
	b, err := closed.read(ctx, st)
	if err != nil {
		return parts, nil, err
	}
	b.report = new(Report)
	player := b.m.Player()
	b.spared = func(s partial.State, action int) {
		if _, legal, err := player.Do(s, action); err != nil || legal {
			states = append(states, s.Numbers())
		}
	}
	if err := b.FindWays(ctx); err != nil {
		return parts, nil, err
	}
	if err := b.allPredecessors(ctx); err != nil {
		return parts, nil, err
	}
	more := NewBackward(on.System, parts, nil, states)
	switch err := more.check(ctx, st, new(Report)); {
	case errors.As(err, new(*NeedsSolver)) || errors.As(err, new(*Rejected)):
		return parts, nil, &Unfit{Reason: "the set is closed only as far as starts are told from other states: " + err.Error(), Larger: true}
	case err != nil:
		return parts, nil, err
	}
	return more.Closed(on.System)
}

// fits checks the conditions under which a set closed under predecessors stays so on larger boards.
func fits(on *build.Instance, f *family.Family, parts rules.Kept, set insertion.Set) error {
	if v := slices.Index(parts.Over, true); v >= 0 {
		return &Unfit{Reason: fmt.Sprintf("what `%s` is when the game is over matters", on.System.Vars[v].Name)}
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

// check checks the evidence of a claim about every size: each size before e.At has evidence of its
// own, and for e.At there is a set that is closed under predecessors, and stays so.
func (e *Sizes) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(sizes)
	if !is {
		return st.unfit(e)
	}
	of, f, err := e.family(ctx, st, claim, r)
	if err != nil {
		return err
	}
	parts, states, err := (&Set{Kept: e.Kept, States: e.States}).Closed(of.sys)
	if err != nil {
		return err
	}
	set := insertion.Set{Pits: parts.Pits, Vars: parts.Vars, States: states}
	report := r // only the first one is kept
	for i := 0; ; i++ {
		if err := of.checkFit(ctx, f, parts, set, report); err != nil {
			return fmt.Errorf("%s = %d: %w", claim.Size, f.At, err)
		}
		if i == moreSizes {
			r.checked("conditions under which the set stays closed on larger boards", len(f.Seams))
			return nil
		}
		if f, parts, set, err = grown(f, parts, set); err != nil {
			return reject("%v", err)
		}
		if of, err = st.atSize(claim, f.At); err != nil {
			return err
		}
		report = new(Report)
	}
}

// family returns what is to be shown for the size from which the evidence is about all, and the
// family of the rules that grows at its seams, which has to be the one that it says. The sizes
// before that are checked first.
func (g *Growing) family(ctx context.Context, st *statement, claim sizes, r *Report) (*statement, *family.Family, error) {
	if err := g.checkBelow(ctx, st, claim, r); err != nil {
		return nil, nil, err
	}
	of, f, err := g.resolve(ctx, st, claim)
	if err == nil && f.Text() != g.Family {
		err = reject("the family of the rules is another one: %s", firstDifference(g.Family, f.Text()))
	}
	return of, f, err
}

// resolve makes the family again.
func (g *Growing) resolve(ctx context.Context, st *statement, claim sizes) (*statement, *family.Family, error) {
	of, err := st.atSize(claim, g.At)
	if err != nil {
		return nil, nil, err
	}
	xs, err := seamsOf(of.sys, g.Seams)
	if err != nil {
		return nil, nil, err
	}
	f, err := claim.Family(g.At, xs)
	return of, f, unfit(ctx, err)
}

// growing describes a family in which a System grows behind the pits xs.
func growing(f *family.Family, xs []int) Growing {
	seams := lists.Map(xs, func(x int) [2]string { return [2]string{f.Base.Pits[x].Name, f.Base.Pits[x+1].Name} })
	return Growing{At: f.At, Family: f.Text(), Seams: seams}
}

// After adds the evidence for smaller sizes.
func (g *Growing) After(below []Evidence) {
	g.Below = append(g.Below, lists.Map(below, func(e Evidence) Box { return Box{e} })...)
}

// checkBelow checks the evidence of each size before g.At.
func (g *Growing) checkBelow(ctx context.Context, st *statement, claim sizes, r *Report) error {
	least := claim.Least()
	if g.At < least || len(g.Below) != g.At-least {
		return reject("the evidence for sizes from %d on begins at %d, and has %d sets for those before", least, g.At, len(g.Below))
	}
	for i, below := range g.Below {
		of, err := st.atSize(claim, least+i)
		if err == nil {
			err = below.Is.check(ctx, of, new(Report))
		}
		if err != nil {
			return fmt.Errorf("%s = %d: %w", claim.Size, least+i, err)
		}
	}
	r.checked("sizes that have evidence of their own", len(g.Below))
	return nil
}

// atSize returns what is to be shown for one size.
func (st *statement) atSize(claim sizes, size int) (*statement, error) {
	on, err := claim.AtSize(size)
	if err != nil {
		return nil, reject("%s = %d: %v", claim.Size, size, err)
	}
	of, err := stated(on, Proved)
	if err == nil {
		of.tries = st.tries
	}
	return of, err
}

// checkFit checks for one size that the set is closed under predecessors, and fits.
func (st *statement) checkFit(ctx context.Context, f *family.Family, parts rules.Kept, set insertion.Set, r *Report) error {
	if err := fits(st.inst, f, parts, set); err != nil {
		return unfit(ctx, err)
	}
	return NewBackward(st.sys, parts, nil, set.States).check(ctx, st, r)
}

// grown returns the family and the set for the next size.
func grown(f *family.Family, parts rules.Kept, set insertion.Set) (*family.Family, rules.Kept, insertion.Set, error) {
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
	if ctx.Err() == nil && (errors.As(err, new(*Unfit)) || errors.As(err, new(*build.SizeError))) {
		return reject("%v", err)
	}
	return err
}
