package cert

import (
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/proofs/cert/internal/everysize"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/family"
)

// sizeLaws are the kinds of evidence by which a law shows a claim about every size.
var sizeLaws = []string{SizesRank, SizesMoves, SizesSeeds}

// NewSizesLaw returns the evidence that a law shows a claim about every size: below has the
// evidence for the sizes before at, and xs are the first pits of the seams. With sinks the law is
// that each move lowers the rank of sinks and heights, which have an entry for each pit. The error
// is an *Unfit or a *build.SizeError if the law does not show it.
func NewSizesLaw(inst *build.Instance, at int, xs []int, sinks []bool, heights []int, below []Evidence) (*Evidence, error) {
	on, err := inst.AtSize(at)
	if err != nil {
		return nil, err
	}
	e := Evidence{Kind: kindOfLaw(on.Property), Below: below, Heights: heights}
	for p, is := range sinks {
		if is {
			e.Sinks = append(e.Sinks, on.System.Pits[p].Name)
		}
	}
	f, err := inst.Likely(at, xs)
	if err != nil {
		return nil, err
	}
	e.grows(f, xs)
	if err := lawful(inst, f, e.Kind, everysize.Falling{Sinks: sinks, Heights: heights}); err != nil {
		return nil, err
	}
	_, err = inst.Family(at, xs)
	return &e, err
}

// lawful checks the conditions under which a law of some kind shows the claim for all sizes of a
// family.
func lawful(inst *build.Instance, f *family.Family, kind string, rank everysize.Falling) error {
	if f.Base.Repetition != nil {
		return &Unfit{Reason: "the rules say what follows when a position comes back"}
	}
	sizes, err := inst.Telling(f.At)
	if err != nil {
		return err
	}
	why := ""
	switch kind {
	case SizesRank:
		why = rank.Check(f.Base, f.Seams)
	case SizesMoves:
		why = stepsGrow(f, sizes)
	case SizesSeeds:
		why = totalKept(f, sizes)
	}
	if why != "" {
		return &Unfit{Reason: why, Larger: true}
	}
	return nil
}

// stepsGrow reports why the claim about steps does not follow from which pits never lose seeds.
func stepsGrow(f *family.Family, sizes []*build.Instance) (why string) {
	if why := everysize.Kept(f.Base); why != "" {
		return why
	}
	var growing []bool
	for _, one := range sizes {
		p, is := one.Property.(*build.EveryStep)
		switch {
		case !is:
			return "the claim is not about steps"
		case !plain(p.From):
			return "`from` may have no value"
		}
		pits, ok := growth(one.System, p.Gives)
		if !ok {
			return "the claim is about more than that seeds of some pits do not become fewer, or those of all pits stay as many"
		}
		to, n := f.Images(one.Settings[f.Size].N)
		switch image := image(growing, to, n); {
		case growing == nil:
			growing = pits
		case !slices.Equal(image, pits):
			return "the claim is about other pits on larger boards"
		}
	}
	return everysize.Growing(f.Base, f.Seams, growing)
}

// image returns the images of marked pits among those of a larger board.
func image(marked []bool, to []int, pits int) []bool {
	out := make([]bool, pits)
	for p, is := range marked {
		out[to[p]] = is
	}
	return out
}

// growth returns the pits that must lose no seeds for a condition to be true after each step: it
// says that the sums of seeds in some pits do not become less, or that of all pits stays the same.
func growth(sys *rules.System, gives rules.Expr) (pits []bool, ok bool) {
	pits = make([]bool, len(sys.Pits))
	for _, x := range rules.Conjuncts(gives) {
		b, is := x.(rules.Binary)
		if !is {
			return nil, false
		}
		if b.Op == rules.Le {
			b.L, b.R, b.Op = b.R, b.L, rules.Ge
		}
		if old, is := b.L.(rules.Old); is && b.Op == rules.Eq {
			b.L, b.R = b.R, old
		}
		old, is := b.R.(rules.Old)
		if !is {
			return nil, false
		}
		sum, same := pitsOf(sys, b.L), pitsOf(sys, old.X)
		switch {
		case sum == nil || !slices.Equal(sum, same):
			return nil, false
		case !slices.Contains(sum, false) && (b.Op == rules.Eq || b.Op == rules.Ge):
		case b.Op != rules.Ge:
			return nil, false
		default:
			for p, is := range sum {
				pits[p] = pits[p] || is
			}
		}
	}
	return pits, true
}

// pitsOf returns the pits whose seeds an expression counts, each once; nil if it is something else.
func pitsOf(sys *rules.System, x rules.Expr) []bool {
	var sum rules.Linear
	if !sum.Add(x, 1) || sum.Constant != 0 {
		return nil
	}
	in := make([]bool, len(sys.Pits))
	for _, t := range sum.Terms {
		p, single := rules.SeedsOf(t.X)
		if !single || t.Factor != 1 || in[p] {
			return nil
		}
		in[p] = true
	}
	return in
}

// plain reports whether a condition has a value in every state, on a board of any size: it compares
// numbers of seeds, variables and fixed values.
func plain(x rules.Expr) bool {
	return !rules.Mentions(x, func(x rules.Expr) bool {
		if c, is := x.(rules.Cell); is {
			register := c.Sort == rules.RegisterCell && c.Slot != rules.MoverReg && c.Slot != rules.OutcomeReg
			return c.Index != nil || c.Sort == rules.LocalCell || register
		}
		b, computes := x.(rules.Binary)
		_, adds := x.(rules.Sum)
		_, fixed := x.(rules.Const)
		_, denies := x.(rules.Not)
		return !(computes && b.Op < rules.Add || adds || fixed || denies)
	})
}

// totalKept reports why the claim does not follow from the number of seeds that the setup deals.
func totalKept(f *family.Family, sizes []*build.Instance) (why string) {
	if why := everysize.Kept(f.Base); why != "" {
		return why
	}
	total, why := everysize.TotalOf(f.Base, f.Seams)
	if why != "" {
		return why
	}
	for _, one := range sizes {
		size := one.Settings[f.Size].N
		seeds, ok := total.At(size - f.At)
		claimed, is := claimedTotal(one)
		switch {
		case !is:
			return "the claim is about more than the number of all seeds"
		case !ok || !claimed.Equal(seeds):
			return fmt.Sprintf("for %s = %d the setup deals another number of seeds", f.Size, size)
		}
	}
	return ""
}

// claimedTotal returns the number of all seeds that an invariant claims.
func claimedTotal(one *build.Instance) (n everysize.Amount, ok bool) {
	reach, is := one.Property.(*build.Reach)
	if !is || reach.Reachable || reach.Within >= 0 {
		return n, false
	}
	x, wanted := reach.Target, rules.Ne
	if not, is := x.(rules.Not); is {
		x, wanted = not.X, rules.Eq
	}
	b, is := x.(rules.Binary)
	if !is || b.Op != wanted {
		return n, false
	}
	for _, side := range [][2]rules.Expr{{b.L, b.R}, {b.R, b.L}} {
		if sum := pitsOf(one.System, side[0]); sum != nil && !slices.Contains(sum, false) {
			return everysize.AmountOf(one.System, side[1])
		}
	}
	return n, false
}

// checkSizesLaw checks the evidence that a law shows a claim about every size: each size before
// e.At has evidence of its own, and from there on the law does.
func (st *statement) checkSizesLaw(ctx context.Context, e *Evidence, r *Report, check checker) error {
	if err := st.checkBelow(ctx, e, r, check); err != nil {
		return err
	}
	on, f, err := st.family(ctx, e)
	if err != nil {
		return err
	}
	if of := kindOfLaw(on.Property); e.Kind != of {
		return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind)
	}
	rank, err := e.rank(on.System)
	if err != nil {
		return err
	}
	if err := lawful(st.sizes, f, e.Kind, rank); err != nil {
		return unfit(ctx, err)
	}
	for i := range 1 + moreSizes {
		if err := st.checkLawAt(ctx, f, e.Kind, rank, f.At+i, r, i == 0); err != nil {
			return fmt.Errorf("%s = %d: %w", st.sizes.Size, f.At+i, err)
		}
	}
	r.checked("stretches of pits that grow with the board", len(f.Seams))
	return nil
}

// kindOfLaw returns the kind of evidence by which a law shows a property for every size.
func kindOfLaw(p build.Property) string {
	switch p.(type) {
	case *build.Terminates:
		return SizesRank
	case *build.EveryStep:
		return SizesMoves
	case *build.Reach:
		return SizesSeeds
	}
	return ""
}

// rank reads the sinks and heights of the evidence.
func (e *Evidence) rank(sys *rules.System) (everysize.Falling, error) {
	rank := everysize.Falling{Sinks: make([]bool, len(sys.Pits)), Heights: e.Heights}
	if e.Kind != SizesRank {
		if len(e.Sinks) > 0 || len(e.Heights) > 0 {
			return rank, reject("evidence of the kind `%s` has no sinks and heights", e.Kind)
		}
		return rank, nil
	}
	for _, name := range e.Sinks {
		p := sys.PitNamed(name)
		if p == rules.None || rank.Sinks[p] {
			return rank, reject("the sinks have a pit `%s`", name)
		}
		rank.Sinks[p] = true
	}
	if len(e.Heights) != len(sys.Pits) || slices.ContainsFunc(e.Heights, func(h int) bool { return h < 0 || h > mostWeight }) {
		return rank, reject("there is no height for each pit")
	}
	return rank, nil
}

// checkLawAt is a belt: it checks for one size what the law says of all. Only the first report is
// kept.
func (st *statement) checkLawAt(ctx context.Context, f *family.Family, kind string, rank everysize.Falling, size int, r *Report, first bool) error {
	of, err := st.atSize(size)
	if err != nil {
		return err
	}
	if !first {
		r = new(Report)
	}
	switch kind {
	case SizesMoves:
		return of.checkMoved(r)
	case SizesSeeds:
		if len(of.sys.OpenParams()) > 0 {
			return nil // the ordinary law is about one value of each parameter
		}
		e := NewConserved()
		return of.checkConserved(ctx, &e, r)
	}
	larger, err := f.From(size)
	if err != nil {
		return reject("%v", err)
	}
	rank = rank.Grown(f, size)
	if why := rank.Check(of.sys, larger.Seams); why != "" {
		return reject("%s", why)
	}
	e := NewRanked(rank.Levels())
	return of.checkRank(&e, r)
}
