package rows

import (
	"context"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/residual"
)

// plan is what an action does in all states that look the same to it in what is held: the control
// and the territory of the rows. For each content of the other territory with some total it has a
// result and, if the action is legal there, the number of the content that it leads to. They are
// found when they are needed.
type plan struct {
	of      planned
	sights  []residual.Sight // what is held looks the same to all of these
	to      []uint32         // by content: its result, in the bits from resultAt on, and the number
	results []result
	left    int    // contents for which nothing was found yet
	used    int    // states in which it was
	parts   []part // of all contents; nil while some are left
}

// part is the contents of a plan that have one result. They are moved together.
type part struct {
	result uint32   // or alone
	mask   []uint64 // the contents; nil: all
	same   bool     // they stay as they are
}

// parted finds the parts of a plan of which nothing is left.
func (p *plan) parted() {
	var at [unknown >> resultAt]*part
	n := 0
	for x, to := range p.to {
		if to == none {
			continue
		}
		r := to >> resultAt
		if at[r] == nil {
			same := r < alone>>resultAt && p.results[r].total == p.of.total
			at[r] = &part{result: r, mask: make([]uint64, wordsFor(len(p.to))), same: same}
		}
		at[r].mask[x>>6] |= 1 << (x & 63)
		at[r].same = at[r].same && to&(1<<resultAt-1) == uint32(x)
		n++
	}
	p.parts = []part{}
	for _, q := range at {
		if q != nil {
			p.parts = append(p.parts, *q)
		}
	}
	if len(p.parts) == 1 && n == len(p.to) {
		p.parts[0].mask = nil
	}
}

// resultAt is above the numbers of contents.
const resultAt = 24

// Results that are not in plan.results.
const (
	unknown = 255 << resultAt // not found yet
	none    = 254 << resultAt // the action is not legal, or the condition does not hold
	alone   = 253 << resultAt // looks at more than the plan says: it is played alone, in one state
	holds   = 0               // of a condition
	most    = 253             // results of a plan
)

// result is what becomes of what is held: what some fields have is carried to others, then delta is
// added, and the other territory has total seeds then.
type result struct {
	delta   key
	total   int
	carried []residual.Carry
	from    *block // the latest block whose states went to the block to
	to      *block
}

// carry makes the carries of a result.
func carry(carried []residual.Carry, k *key) {
	for i := range carried {
		from, into := &carried[i].From, &carried[i].Into
		n := k[from.Word] >> (from.Shift & 63) & from.Mask
		k[from.Word] -= n << (from.Shift & 63)
		k[into.Word] += n << (into.Shift & 63)
	}
}

// branch is a node of a tree that finds plans by what actions see in what is held.
type branch struct {
	sight residual.Sight
	edges []edge
	plan  *plan // at a leaf
}

// tree finds the plans of an action, or of a condition, for the contents of a territory with one
// total.
type tree struct {
	of   planned
	root *branch
}

type edge struct {
	seen uint64
	to   *branch
}

func (b *branch) follow(k *key) *branch {
	for b != nil && b.plan == nil {
		seen := b.sight.Of(k[:])
		to := (*branch)(nil)
		for i := range b.edges {
			if b.edges[i].seen == seen {
				to = b.edges[i].to
				break
			}
		}
		b = to
	}
	return b
}

// planned is what a plan is about: the place of an action in a menu, or, with a negative menu, a
// condition; the territory of the contents, and their total.
type planned struct{ menu, place, side, total int }

// planner makes plans, and has those made so far.
type planner struct {
	stepper     *residual.Stepper
	words       int
	territories [2]*territory
	tracers     [2]*residual.Tracer // by the territory that varies
	conditions  []*residual.Predicate
	sampling    sampling
	trees       map[planned]*tree
	bytes       int64
	made        int64 // plans
	played      int64 // actions, for all plans
	to          key
	looked      []uint64
	check       func() error
}

var (
	errMany  = &Unfit{"an action does too many things"}
	errLarge = &Unfit{"a territory has too many contents"}
)

func newPlanner(ctx context.Context, q *Query, t [2]*territory) *planner {
	p := &planner{stepper: q.Stepper, words: q.Codec.Words(), territories: t, trees: map[planned]*tree{}, sampling: usual}
	if q.Sparse {
		p.sampling = sparse
	}
	for side := range p.tracers {
		p.tracers[side] = q.Stepper.Tracer(t[side].mask[:p.words])
	}
	p.check = func() error {
		if p.played%1024 == 0 {
			return ctx.Err()
		}
		return nil
	}
	return p
}

// tree returns the tree of plans for something.
func (p *planner) tree(of planned) *tree {
	t := p.trees[of]
	if t == nil {
		t = &tree{of: of}
		p.trees[of] = t
	}
	return t
}

// find returns the plan for the states of a row, of which some are listed.
func (p *planner) find(t *tree, held *key, list func() []uint32) (*plan, error) {
	if at := t.root.follow(held); at != nil {
		return at.plan, nil
	}
	made, err := p.make(t.of, held, list())
	if err == nil {
		t.insert(made, held)
	}
	return made, err
}

// insert adds a plan where a state sees all that it depends on.
func (t *tree) insert(made *plan, held *key) {
	sights := slices.Clone(made.sights)
	at := &t.root
	for *at != nil && (*at).plan == nil {
		b := *at
		seen := b.sight.Of(held[:])
		at = nil
		for i := range b.edges {
			if b.edges[i].seen == seen {
				at = &b.edges[i].to
			}
		}
		if at == nil {
			b.edges = append(b.edges, edge{seen: seen})
			at = &b.edges[len(b.edges)-1].to
		}
		sights = slices.DeleteFunc(sights, func(s residual.Sight) bool { return s == b.sight })
	}
	for _, s := range sights {
		b := &branch{sight: s, edges: []edge{{seen: s.Of(held[:])}}}
		*at, at = b, &b.edges[0].to
	}
	*at = &branch{plan: made}
}

// sampling says in how many states of a row an action is played to see what it looks at. What so
// few of them look at that it is as few as one in rare together does not make another plan.
type sampling struct{ states, rare int }

var (
	usual  = sampling{64, 24}
	sparse = sampling{3, 2} // for tests: most contents are like none of the samples
)

// make makes a plan for the states of a row.
func (p *planner) make(of planned, held *key, list []uint32) (*plan, error) {
	all := p.territories[of.side].with(of.total)
	if all == nil {
		return nil, errLarge
	}
	t := p.tracers[of.side]
	t.Forget()
	looked := p.looked[:0]
	sample := func(x uint32) {
		p.play(of, held, &all.keys[x])
		looked = append(looked, t.Looked)
	}
	for i := 0; i < len(list); i += 1 + len(list)/p.sampling.states {
		sample(list[i])
	}
	for x := 0; x < all.n; x += 1 + all.n/p.sampling.states {
		sample(uint32(x))
	}
	p.looked = looked
	made := &plan{of: of, to: slices.Repeat([]uint32{unknown}, all.n), left: all.n}
	left := seldom(looked, len(t.Seen), p.sampling.rare)
	for i, s := range t.Seen {
		if left>>i&1 == 0 && i < moreSights {
			made.sights = append(made.sights, s)
		}
	}
	p.made++
	p.bytes += int64(4*all.n) + 256
	return made, p.check()
}

// moreSights is the place of all sights from there on.
const moreSights = 63

// seldom returns the sights that are left out of a plan, of so many. Those that the fewest states
// have come first.
func seldom(looked []uint64, sights, rare int) (out uint64) {
	var count [moreSights]int
	for _, l := range looked {
		for ; l != 0; l &= l - 1 {
			if i := bits.TrailingZeros64(l); i < moreSights {
				count[i]++
			}
		}
	}
	order := make([]int, min(sights, moreSights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return count[i] - count[j] })
	for _, i := range order {
		without, alone := out|1<<i, 0
		for _, l := range looked {
			if l&without != 0 {
				alone++
			}
		}
		if alone*rare > len(looked) {
			break
		}
		out = without
	}
	return out
}

// play plays an action or evaluates a condition in a state, and leaves in p.to what that leads to.
func (p *planner) play(of planned, held, content *key) residual.Legality {
	p.played++
	from := *content
	from.or(*held)
	t := p.tracers[of.side]
	if of.menu < 0 {
		return t.Holds(p.conditions[of.place], from[:p.words])
	}
	return t.Play(from[:p.words], of.place, p.to[:p.words])
}

// fill finds what a plan has for a content, in a state of a row.
func (p *planner) fill(made *plan, held *key, x uint32) error {
	varying, t := p.territories[made.of.side], p.tracers[made.of.side]
	t.Forget()
	how := p.play(made.of, held, &varying.with(made.of.total).keys[x])
	made.left--
	to := uint32(alone)
	switch {
	case how == residual.Unplayed || !p.covered(made, t.Seen):
	case how == residual.Illegal:
		to = none
	case made.of.menu < 0:
		to = holds
	default:
		content := p.to.masked(&varying.mask)
		n, err := p.result(made, &content, varying, held)
		if err != nil {
			return err
		}
		to = n<<resultAt | varying.number(&content)
	}
	if made.to[x] = to; made.left == 0 && made.of.menu >= 0 {
		made.parted()
		for _, q := range made.parts {
			p.bytes += 8*int64(len(q.mask)) + 64
		}
	}
	return p.check()
}

// complete finds what a plan has for all contents.
func (p *planner) complete(made *plan, held *key) error {
	for x, to := range made.to {
		if to == unknown {
			if err := p.fill(made, held, uint32(x)); err != nil {
				return err
			}
		}
	}
	return nil
}

// covered reports whether a plan depends on all that was seen.
func (p *planner) covered(made *plan, seen []residual.Sight) bool {
	for i := range seen {
		if !slices.Contains(made.sights, seen[i]) {
			return false
		}
	}
	return true
}

// result returns the number of what becomes of what is held, among the results of a plan. Those of
// neighbors are often the same.
func (p *planner) result(made *plan, content *key, varying *territory, held *key) (uint32, error) {
	carried := p.tracers[made.of.side].Carried
	r := result{total: varying.total(content)}
	before := *held
	carry(carried, &before)
	for w := range p.words {
		r.delta[w] = p.to[w]&^varying.mask[w] - before[w]
	}
	for i := len(made.results) - 1; i >= 0; i-- {
		if have := &made.results[i]; have.total == r.total && have.delta == r.delta && slices.Equal(have.carried, carried) {
			return uint32(i), nil
		}
	}
	if len(made.results) == most {
		return 0, errMany
	}
	r.carried = slices.Clone(carried)
	made.results = append(made.results, r)
	return uint32(len(made.results) - 1), nil
}
