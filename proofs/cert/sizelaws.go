package cert

import (
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/everysize"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/family"
)

// SizesRank is the evidence of a rank that each move lowers on every board from a size on.
type SizesRank struct {
	Growing
	Sinks   []string `json:"sinks" len:"0.."`               // the pits outside which seeds become fewer
	Heights []int    `json:"heights" is:"0..1099511627776"` // by pit, in order of declaration
}

// SizesMoves is the evidence of which way seeds go in a step on every board from a size on.
type SizesMoves struct{ Growing }

// SizesSeeds is the evidence of the number of seeds on every board from a size on.
type SizesSeeds struct{ Growing }

// SizesLaw is evidence by which a law shows a claim about every size.
type SizesLaw interface {
	Evidence
	// After adds the evidence for the sizes before those that the law is about.
	After(below []Evidence)
	// holds reports why the law does not show the claim for all sizes of a family, of which some
	// decide that.
	holds(f *family.Family, some []*build.Instance) (why string)
	// at returns the evidence of the law for one size of a family, or nil if there is none.
	at(f *family.Family, of *statement, size int) (Evidence, error)
}

// NewSizesLaw returns the evidence that a law shows a claim about every size from at on, without
// that for the sizes before; xs are the first pits of the seams. For a claim that plays end the law
// is that each move lowers the rank of sinks and heights, which have an entry for each pit. The
// error is an *Unfit or a *build.SizeError if the law does not show it.
func NewSizesLaw(inst *build.Instance, at int, xs []int, sinks []bool, heights []int) (SizesLaw, error) {
	on, err := inst.AtSize(at)
	if err != nil {
		return nil, err
	}
	f, err := inst.Likely(at, xs)
	if err != nil {
		return nil, err
	}
	e := lawOf(on.Property, growing(f, xs))
	if rank, is := e.(*SizesRank); is {
		rank.Sinks, rank.Heights = []string{}, heights
		for p := range lists.Marked(sinks) {
			rank.Sinks = append(rank.Sinks, on.System.Pits[p].Name)
		}
	}
	if err := lawful(inst, f, e); err != nil {
		return nil, err
	}
	_, err = inst.Family(at, xs)
	return e, err
}

// lawOf returns evidence of the law that may show a property for every size.
func lawOf(p build.Property, g Growing) SizesLaw {
	switch any(p).(type) { // the others are about states
	case *build.Terminates:
		return &SizesRank{Growing: g}
	case *build.EveryStep:
		return &SizesMoves{g}
	}
	return &SizesSeeds{g}
}

// lawful checks the conditions under which a law shows the claim for all sizes of a family.
func lawful(inst *build.Instance, f *family.Family, e SizesLaw) error {
	if f.Base.Repetition != nil {
		return &Unfit{Reason: "the rules say what follows when a position comes back"}
	}
	some, err := inst.Telling(f.At)
	if err != nil {
		return err
	}
	if why := e.holds(f, some); why != "" {
		return &Unfit{Reason: why, Larger: true}
	}
	return nil
}

// holds reports why the claim about steps does not follow from which pits never lose seeds.
func (*SizesMoves) holds(f *family.Family, some []*build.Instance) (why string) {
	if why := everysize.Kept(f.Base); why != "" {
		return why
	}
	var growing []bool
	for _, one := range some {
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

// holds reports why the claim does not follow from the number of seeds that the setup deals.
func (*SizesSeeds) holds(f *family.Family, some []*build.Instance) (why string) {
	if why := everysize.Kept(f.Base); why != "" {
		return why
	}
	total, why := everysize.TotalOf(f.Base, f.Seams)
	if why != "" {
		return why
	}
	for _, one := range some {
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

func (e *SizesRank) check(ctx context.Context, st *statement, r *Report) error {
	return e.checkLaw(ctx, e, st, r)
}

func (e *SizesMoves) check(ctx context.Context, st *statement, r *Report) error {
	return e.checkLaw(ctx, e, st, r)
}

func (e *SizesSeeds) check(ctx context.Context, st *statement, r *Report) error {
	return e.checkLaw(ctx, e, st, r)
}

// checkLaw checks the evidence that a law shows a claim about every size: each size before e.At has
// evidence of its own, and from there on the law does.
func (g *Growing) checkLaw(ctx context.Context, e SizesLaw, st *statement, r *Report) error {
	claim, is := st.says.(sizes)
	if !is {
		return st.unfit(e)
	}
	first, f, err := g.family(ctx, st, claim, r)
	if err != nil {
		return err
	}
	if Kind(lawOf(first.plain, *g)) != Kind(e) {
		return st.unfit(e)
	}
	if err := lawful(claim.Instance, f, e); err != nil {
		return unfit(ctx, err)
	}
	// What the law says of all sizes is checked for some, as a belt. Only the first report is kept.
	of := r
	for size := f.At; size <= f.At+moreSizes; size++ {
		if err := st.checkLawAt(ctx, claim, f, e, size, of); err != nil {
			return fmt.Errorf("%s = %d: %w", claim.Size, size, err)
		}
		of = new(Report)
	}
	r.checked("stretches of pits that grow with the board", len(f.Seams))
	return nil
}

// checkLawAt checks for one size what a law says of all.
func (st *statement) checkLawAt(ctx context.Context, claim sizes, f *family.Family, law SizesLaw, size int, r *Report) error {
	of, err := st.atSize(claim, size)
	if err != nil {
		return err
	}
	e, err := law.at(f, of, size)
	if e == nil || err != nil {
		return err
	}
	return e.check(ctx, of, r)
}

func (*SizesMoves) at(*family.Family, *statement, int) (Evidence, error) { return &Moved{}, nil }

// at is about one value of each parameter, as the ordinary law is.
func (*SizesSeeds) at(_ *family.Family, of *statement, _ int) (Evidence, error) {
	if len(of.sys.OpenParams()) > 0 {
		return nil, nil
	}
	return &Conserved{}, nil
}

func (e *SizesRank) at(f *family.Family, of *statement, size int) (Evidence, error) {
	rank, why := e.rank(f.Base)
	if why != "" {
		return nil, reject("%s", why)
	}
	larger, err := f.From(size)
	if err != nil {
		return nil, reject("%v", err)
	}
	rank = rank.Grown(f, size)
	if why := rank.Check(of.sys, larger.Seams); why != "" {
		return nil, reject("%s", why)
	}
	return &Ranked{rank.Levels()}, nil
}

// holds reports why the rank does not fall with each move.
func (e *SizesRank) holds(f *family.Family, _ []*build.Instance) (why string) {
	rank, why := e.rank(f.Base)
	if why != "" {
		return why
	}
	return rank.Check(f.Base, f.Seams)
}

// Levels returns the weights of the rank on the board of the size that it is about.
func (e *SizesRank) Levels(sys *rules.System) [][]int {
	rank, _ := e.rank(sys)
	return rank.Levels()
}

// rank reads the sinks and heights of the evidence, or says why they are none.
func (e *SizesRank) rank(sys *rules.System) (rank everysize.Falling, why string) {
	rank = everysize.Falling{Sinks: make([]bool, len(sys.Pits)), Heights: e.Heights}
	for _, name := range e.Sinks {
		p := sys.PitNamed(name)
		if p == rules.None || rank.Sinks[p] {
			return rank, fmt.Sprintf("the sinks have a pit `%s`", name)
		}
		rank.Sinks[p] = true
	}
	if len(e.Heights) != len(sys.Pits) || slices.ContainsFunc(e.Heights, func(h int) bool { return h < 0 || h > mostWeight }) {
		return rank, "there is no height for each pit"
	}
	return rank, ""
}
