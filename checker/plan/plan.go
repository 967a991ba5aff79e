package plan

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/residual"
)

// Table is what a script does to the contents of a territory with some total. For each content it
// has a result and the number of the content that it leads to. They are found when they are needed.
type Table struct {
	ID      int // of the planner
	script  residual.Script
	side    int
	total   int
	To      []uint32 // by content: its result, in the bits from ResultAt on, and the number
	Results []Result
	left    int    // contents for which nothing was found yet
	Used    int    // states in which it was
	Parts   []Part // of all contents; nil while some are left
}

// ResultAt is above the numbers of contents.
const ResultAt = 24

// Results that are not in Table.Results.
const (
	Unknown = 255 << ResultAt // not found yet
	None    = 254 << ResultAt // the action is not legal, or the condition does not hold
	Alone   = 253 << ResultAt // the script does not say: the action is played Alone, in one state
	Most    = 253             // results of a table
)

// Result is what becomes of what is known: it is as at an end of the script, and out is added. The
// territory has total seeds then.
type Result struct {
	End   int
	Out   Key
	Total int
}

// WordsFor returns how many words a set of so many contents takes.
func WordsFor(n int) int { return (n + 63) / 64 }

// Part is the contents of a table that have one result. They are moved together.
type Part struct {
	Result uint32   // or that of Alone
	Mask   []uint64 // the contents; nil: all
	Same   bool     // they stay as they are
}

// parted finds the parts of a table of which nothing is left.
func (t *Table) parted() {
	var at [Unknown >> ResultAt]*Part
	n := 0
	for x, to := range t.To {
		if to == None {
			continue
		}
		r := to >> ResultAt
		if at[r] == nil {
			same := r < Alone>>ResultAt && t.Results[r].Total == t.total
			at[r] = &Part{Result: r, Mask: make([]uint64, WordsFor(len(t.To))), Same: same}
		}
		at[r].Mask[x>>6] |= 1 << (x & 63)
		at[r].Same = at[r].Same && to&(1<<ResultAt-1) == uint32(x)
		n++
	}
	t.Parts = []Part{}
	for _, q := range at {
		if q != nil {
			t.Parts = append(t.Parts, *q)
		}
	}
	if len(t.Parts) == 1 && n == len(t.To) {
		t.Parts[0].Mask = nil
	}
}

// Plan is what an action does in the states of a row.
type Plan struct {
	*Table
	Ends [][MaxWords]uint64 // what is known becomes at each end of the script
}

// Known returns what is known after a result, and the seeds of the territory that varies.
func (p *Plan) Known(result uint32) (k Key, total int) {
	r := &p.Results[result]
	k = p.Ends[r.End]
	for w, n := range r.Out {
		k[w] += n
	}
	return k, r.Total
}

// Planner makes plans, and has the tables made so far.
type Planner struct {
	ctx         context.Context
	words       int
	Territories [2]*Territory
	specialists [2]*residual.Specialist // by the territory that varies
	Conditions  []*residual.Predicate
	tables      map[uint64][]*Table // by a hash of the script, the territory and the total
	bytes       int64
	work        int64        // operations of scripts executed for tables
	made        int          // tables
	filled      int64        // contents
	fits        func() error // whether there is memory for another table
}

// ErrLarge says that there are no tables for a territory.
var ErrLarge = errors.New("a territory has too many contents")

// New returns a Planner for actions that a Stepper plays, in states of so many words with at most
// the given number of seeds. fits is called for each new table.
func New(ctx context.Context, s *residual.Stepper, words, seeds int, t [2]*Territory, fits func() error) *Planner {
	p := &Planner{ctx: ctx, words: words, Territories: t, tables: map[uint64][]*Table{}, fits: fits}
	for side := range p.specialists {
		p.specialists[side] = s.Specialist(t[side].Places, seeds)
	}
	return p
}

// Bytes is the memory of tables and contents.
func (p *Planner) Bytes() int64 { return p.bytes + p.Territories[0].Bytes + p.Territories[1].Bytes }

// Work is how many operations were executed to make plans and tables.
func (p *Planner) Work() int64 { return p.work + p.specialists[0].Work + p.specialists[1].Work }

// Action returns the plan of the action at a place in the menu of the states of a row. It is valid
// until the next plan is made.
func (p *Planner) Action(place int, held *Key, side, total int) (Plan, error) {
	s := p.specialists[side]
	s.Specialize(held[:p.words], total, place)
	return p.plan(s, side, total)
}

// Condition is Action for a condition. The ends are where it holds.
func (p *Planner) Condition(i int, held *Key, side, total int) (Plan, error) {
	s := p.specialists[side]
	s.Condition(p.Conditions[i], held[:p.words], total)
	return p.plan(s, side, total)
}

// plan returns the plan for a script, with the table that it shares with all equal ones.
func (p *Planner) plan(s *residual.Specialist, side, total int) (Plan, error) {
	h := uint64(side)<<32 | uint64(total)
	for _, x := range s.Script {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for _, t := range p.tables[h] {
		if t.side == side && t.total == total && slices.Equal(t.script, s.Script) {
			return Plan{t, s.Ends}, nil
		}
	}
	n := p.Territories[side].Size(total)
	if n > MostContents || p.Territories[side].With(total) == nil {
		return Plan{}, ErrLarge
	}
	p.made++
	t := &Table{ID: p.made - 1, script: slices.Clone(s.Script), side: side, total: total, To: slices.Repeat([]uint32{Unknown}, n), left: n}
	p.tables[h] = append(p.tables[h], t)
	p.bytes += int64(4*n+8*len(t.script)) + 256
	return Plan{t, s.Ends}, p.fits()
}

// fill finds what a table has for a content.
func (p *Planner) fill(t *Table, x uint32) error {
	varying := p.Territories[t.side]
	content, out := varying.With(t.total)[x], Key{}
	end, how, work := t.script.Run(content[:p.words], out[:p.words])
	p.work += work
	p.filled++
	t.left--
	switch how {
	case residual.Legal:
		if t.To[x] = t.result(end, &out, varying.Total(&content)); t.To[x] != Alone {
			t.To[x] |= varying.Number(&content)
		}
	case residual.Illegal:
		t.To[x] = None
	default:
		t.To[x] = Alone
	}
	if t.left == 0 {
		t.parted()
		p.bytes += int64(len(t.Parts) * (8*WordsFor(len(t.To)) + 64))
	}
	if p.filled%1024 == 0 {
		return p.ctx.Err()
	}
	return nil
}

// Find returns what a table has for a content.
func (p *Planner) Find(t *Table, x uint32) (uint32, error) {
	if t.To[x] == Unknown {
		if err := p.fill(t, x); err != nil {
			return 0, err
		}
	}
	return t.To[x], nil
}

// Complete finds what a table has for all contents.
func (p *Planner) Complete(t *Table) error {
	if t.left == 0 {
		return nil
	}
	for x, to := range t.To {
		if to == Unknown {
			if err := p.fill(t, uint32(x)); err != nil {
				return err
			}
		}
	}
	return nil
}

// result returns the number of a result, at its place in an entry. Those of neighbors are often the
// same.
func (t *Table) result(end int, out *Key, total int) uint32 {
	for i := len(t.Results) - 1; i >= 0; i-- {
		if r := &t.Results[i]; r.End == end && r.Total == total && r.Out == *out {
			return uint32(i) << ResultAt
		}
	}
	if len(t.Results) == Most {
		return Alone
	}
	t.Results = append(t.Results, Result{End: end, Out: *out, Total: total})
	return uint32(len(t.Results)-1) << ResultAt
}
