package rows

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/residual"
)

// table is what a script does to the contents of a territory with some total. For each content it
// has a result and the number of the content that it leads to. They are found when they are needed.
type table struct {
	script  residual.Script
	side    int
	total   int
	to      []uint32 // by content: its result, in the bits from resultAt on, and the number
	results []result
	left    int    // contents for which nothing was found yet
	used    int    // states in which it was
	parts   []part // of all contents; nil while some are left
}

// resultAt is above the numbers of contents.
const resultAt = 24

// Results that are not in table.results.
const (
	unknown = 255 << resultAt // not found yet
	none    = 254 << resultAt // the action is not legal, or the condition does not hold
	alone   = 253 << resultAt // the script does not say: the action is played alone, in one state
	most    = 253             // results of a table
)

// result is what becomes of what is known: it is as at an end of the script, and out is added. The
// territory has total seeds then.
type result struct {
	end   int
	out   key
	total int
	to    *block // the latest block that states went to
}

// part is the contents of a table that have one result. They are moved together.
type part struct {
	result uint32   // or alone
	mask   []uint64 // the contents; nil: all
	same   bool     // they stay as they are
}

// parted finds the parts of a table of which nothing is left.
func (t *table) parted() {
	var at [unknown >> resultAt]*part
	n := 0
	for x, to := range t.to {
		if to == none {
			continue
		}
		r := to >> resultAt
		if at[r] == nil {
			same := r < alone>>resultAt && t.results[r].total == t.total
			at[r] = &part{result: r, mask: make([]uint64, wordsFor(len(t.to))), same: same}
		}
		at[r].mask[x>>6] |= 1 << (x & 63)
		at[r].same = at[r].same && to&(1<<resultAt-1) == uint32(x)
		n++
	}
	t.parts = []part{}
	for _, q := range at {
		if q != nil {
			t.parts = append(t.parts, *q)
		}
	}
	if len(t.parts) == 1 && n == len(t.to) {
		t.parts[0].mask = nil
	}
}

// plan is what an action does in the states of a row.
type plan struct {
	*table
	ends [][maxWords]uint64 // what is known becomes at each end of the script
}

// planner makes plans, and has the tables made so far.
type planner struct {
	ctx         context.Context
	words       int
	territories [2]*territory
	specialists [2]*residual.Specialist // by the territory that varies
	conditions  []*residual.Predicate
	tables      map[uint64][]*table // by a hash of the script, the territory and the total
	bytes       int64
	work        int64        // operations of scripts executed for tables
	filled      int64        // contents
	fits        func() error // whether there is memory for another table
}

var errLarge = &Unfit{"a territory has too many contents"}

func newPlanner(ctx context.Context, q *Query, t [2]*territory, fits func() error) *planner {
	p := &planner{ctx: ctx, words: q.Codec.Words(), territories: t, tables: map[uint64][]*table{}, fits: fits}
	for side := range p.specialists {
		p.specialists[side] = q.Stepper.Specialist(t[side].places, q.Seeds)
	}
	return p
}

// action returns the plan of the action at a place in the menu of the states of a row. It is valid
// until the next plan is made.
func (p *planner) action(place int, held *key, side, total int) (plan, error) {
	s := p.specialists[side]
	s.Specialize(held[:p.words], total, place)
	return p.plan(s, side, total)
}

// condition is action for a condition. The ends are where it holds.
func (p *planner) condition(i int, held *key, side, total int) (plan, error) {
	s := p.specialists[side]
	s.Condition(p.conditions[i], held[:p.words], total)
	return p.plan(s, side, total)
}

// plan returns the plan for a script, with the table that it shares with all equal ones.
func (p *planner) plan(s *residual.Specialist, side, total int) (plan, error) {
	h := uint64(side)<<32 | uint64(total)
	for _, x := range s.Script {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for _, t := range p.tables[h] {
		if t.side == side && t.total == total && slices.Equal(t.script, s.Script) {
			return plan{t, s.Ends}, nil
		}
	}
	n := p.territories[side].size(total)
	if n > mostContents || p.territories[side].with(total) == nil {
		return plan{}, errLarge
	}
	t := &table{script: slices.Clone(s.Script), side: side, total: total, to: slices.Repeat([]uint32{unknown}, n), left: n}
	p.tables[h] = append(p.tables[h], t)
	p.bytes += int64(4*n+8*len(t.script)) + 256
	return plan{t, s.Ends}, p.fits()
}

// fill finds what a table has for a content.
func (p *planner) fill(t *table, x uint32) error {
	varying := p.territories[t.side]
	content, out := varying.with(t.total).keys[x], key{}
	end, how, work := t.script.Run(content[:p.words], out[:p.words])
	p.work += work
	p.filled++
	t.left--
	switch how {
	case residual.Legal:
		if t.to[x] = t.result(end, &out, varying.total(&content)); t.to[x] != alone {
			t.to[x] |= varying.number(&content)
		}
	case residual.Illegal:
		t.to[x] = none
	default:
		t.to[x] = alone
	}
	if t.left == 0 {
		t.parted()
		p.bytes += int64(len(t.parts) * (8*wordsFor(len(t.to)) + 64))
	}
	if p.filled%1024 == 0 {
		return p.ctx.Err()
	}
	return nil
}

// find returns what a table has for a content.
func (p *planner) find(t *table, x uint32) (uint32, error) {
	if t.to[x] == unknown {
		if err := p.fill(t, x); err != nil {
			return 0, err
		}
	}
	return t.to[x], nil
}

// complete finds what a table has for all contents.
func (p *planner) complete(t *table) error {
	for x, to := range t.to {
		if to == unknown {
			if err := p.fill(t, uint32(x)); err != nil {
				return err
			}
		}
	}
	return nil
}

// result returns the number of a result, at its place in an entry. Those of neighbors are often the
// same.
func (t *table) result(end int, out *key, total int) uint32 {
	for i := len(t.results) - 1; i >= 0; i-- {
		if r := &t.results[i]; r.end == end && r.total == total && r.out == *out {
			return uint32(i) << resultAt
		}
	}
	if len(t.results) == most {
		return alone
	}
	t.results = append(t.results, result{end: end, out: *out, total: total})
	return uint32(len(t.results)-1) << resultAt
}
