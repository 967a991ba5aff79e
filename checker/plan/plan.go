package plan

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
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
	Alone   = 253 << ResultAt // the script does not say: the action is played alone, in one state
	Most    = 253             // results of a table
)

// Result is what becomes of what is known: it is as at an end of the script, and out is added. The
// territory has total seeds then.
type Result struct {
	End   int
	Out   Key
	Total int
	into  bool // seeds come to the territory whose content is known
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

// Plan is what an action does in the states of a row. It has no Table if the action is legal in
// none of them.
type Plan struct {
	*Table
	ends  []uint64        // what is known becomes at each end of the script; see Planner.ends
	words int             // of an end
	own   *Territory      // whose content is known
	base  Key             // sinks before the action
	Why   residual.Causes // why the script does not say what happens to some contents
}

// Target is where states go: what is known then, and the seeds of the territory that varies.
type Target struct {
	Rest   Key    // what is in no territory
	Own    int    // seeds of the territory that is known
	Number uint32 // of its content
	Total  int    // seeds of the other one
}

// Target returns where a result leads to.
func (p *Plan) Target(result uint32) (t Target, err error) {
	r := &p.Results[result]
	end := p.ends[r.End*p.words:][:p.words]
	t.Own, t.Number, t.Total = int(end[0]>>32), uint32(end[0]), r.Total
	copy(t.Rest[:], end[1:])
	for w := range t.Rest {
		t.Rest[w] += r.Out[w] + p.base[w]
	}
	if r.into {
		err = p.gain(&t, r.Out)
	}
	return t, err
}

// gain adds to the content that is known what comes to it.
func (p *Plan) gain(t *Target, out Key) error {
	all := p.own.With(t.Own)
	if all == nil {
		return ErrLarge
	}
	out = out.Masked(&p.own.Mask)
	t.Rest = t.Rest.Without(&p.own.Mask)
	for w, n := range all[t.Number] {
		out[w] += n
	}
	t.Own, t.Number = p.own.Total(&out), p.own.Number(&out)
	return nil
}

// Planner makes plans, and has the tables made so far.
type Planner struct {
	ctx         context.Context
	words       int
	Territories [2]*Territory
	specialists [2]*residual.Specialist // by the territory that varies
	Conditions  []*residual.Predicate
	sinks       Key
	ranged      []pack.Field           // of these, those that are compared
	compared    Key                    // their bits
	scripts     map[uint64][]*scripted // by a hash
	all         []*scripted            // by number
	rows        map[rowsOf]*Rows
	ends        [][]uint64 // chunks; for each end the place of the known content, and the rest
	bytes       int64
	work        int64        // operations of scripts executed for tables
	tables      int          // made so far
	filled      int64        // contents
	fits        func() error // whether there is memory for another table
}

// scripted is a script for a territory, with its tables.
type scripted struct {
	script residual.Script
	side   int
	number uint32
	tables []*Table // by total; nil: not made yet
}

// Rows are the contents of a territory with one total, as they are held in states of one control,
// and what was made for the actions there. What is in sinks is no part of the control: it has no
// influence, and stays there.
type Rows struct {
	side   int // that varies
	places int // actions
	made   []made
	others []made
}

// rowsOf tells Rows apart.
type rowsOf struct {
	control Key
	side    int
	own     int
	filled  bool // the territory that varies has seeds
}

// made is a script and its ends.
type made struct {
	script uint32 // its number, from 1; 0: not made yet; illegal: there is none
	ends   uint32 // where they begin
	next   uint32 // another one, for other values of the ranged fields; its place in Rows.others from 1, or 0
	within [residual.MostRanged]residual.Span
	many   uint16 // ends
	why    residual.Causes
}

// illegal is the number of a script by which an action is never legal.
const illegal = 1<<32 - 1

// endsChunk is the words of a chunk of ends. Those of one script fit, since scripts are short.
const endsChunk = 1 << 14

// madeBytes is the memory of a made.
const madeBytes = 20

// ErrLarge says that there are no tables for a territory.
var ErrLarge = errors.New("a territory has too many contents")

// New returns a Planner for actions that a Stepper plays, in states of so many words with at most
// the given number of seeds. The course of play does not depend on what is in the fields of sinks,
// which lose no seeds. Those that are ranged lose none, too, but are compared. fits is called for
// each new table.
func New(ctx context.Context, s *residual.Stepper, words, seeds int, t [2]*Territory, sinks Key, ranged []pack.Field, fits func() error) *Planner {
	p := &Planner{ctx: ctx, words: words, Territories: t, sinks: sinks, ranged: ranged, scripts: map[uint64][]*scripted{}, rows: map[rowsOf]*Rows{}, fits: fits}
	for _, f := range ranged {
		p.compared[f.Word] |= f.Mask << f.Shift
	}
	p.sinks.Or(p.compared)
	for side := range p.specialists {
		p.specialists[side] = s.Specialist(t[side].Places, seeds)
		p.specialists[side].Range(ranged)
	}
	return p
}

// Bytes is the memory of plans and tables.
func (p *Planner) Bytes() int64 {
	return p.bytes + 8*endsChunk*int64(len(p.ends)) + p.specialists[0].Bytes + p.specialists[1].Bytes
}

// Work is how many operations were executed to make plans and tables.
func (p *Planner) Work() int64 { return p.work + p.specialists[0].Work + p.specialists[1].Work }

// Rows returns what the contents of a territory with own seeds have in common in states of a
// control, which has so many actions. The other territory varies, and has total seeds.
func (p *Planner) Rows(control *Key, side, own, total, actions int) *Rows {
	at := rowsOf{control: control.Without(&p.sinks), side: side, own: own, filled: total > 0}
	r := p.rows[at]
	if r == nil {
		r = &Rows{side: side, places: actions, made: make([]made, p.Territories[1-side].Size(own)*actions)}
		p.rows[at] = r
		p.bytes += madeBytes*int64(len(r.made)) + 128
	}
	return r
}

// Action makes q the plan of the action at a place in the menu of the states of a row, which is
// that with a number.
func (p *Planner) Action(q *Plan, r *Rows, row uint32, place int, held *Key, total int) error {
	m := &r.made[int(row)*r.places+place]
	for m.script != 0 && !p.within(m, held) && m.next > 0 {
		m = &r.others[m.next-1]
	}
	if m.script != 0 && !p.within(m, held) {
		r.others = append(r.others, made{})
		p.bytes += madeBytes
		m.next = uint32(len(r.others))
		m = &r.others[m.next-1]
	}
	if m.script == 0 {
		known := held.Without(&p.sinks)
		known.Or(held.Masked(&p.compared))
		s := p.specialists[r.side]
		s.Specialize(known[:p.words], total, place)
		*m = p.make(s, r.side, held.Masked(&p.compared))
	}
	q.base = held.Masked(&p.sinks)
	return p.plan(q, m, r.side, total)
}

// within reports whether what was made is for what is in the ranged fields.
func (p *Planner) within(m *made, held *Key) bool {
	for i := range p.ranged {
		f := &p.ranged[i]
		v := held[f.Word] >> f.Shift & f.Mask
		if v < uint64(m.within[i].Low) || v > uint64(m.within[i].High) {
			return false
		}
	}
	return true
}

// Condition is Action for a condition: it holds where an action would be legal. Nothing is known of
// where that would lead to.
func (p *Planner) Condition(q *Plan, i int, held *Key, side, total int) error {
	s := p.specialists[side]
	s.Condition(p.Conditions[i], held[:p.words], total)
	s.Ends = s.Ends[:0]
	m := p.make(s, side, Key{})
	return p.plan(q, &m, side, total)
}

// plan makes q the plan for the contents with a total.
func (p *Planner) plan(q *Plan, m *made, side, total int) (err error) {
	q.Table, q.Why = nil, m.why
	if m.script == illegal {
		return nil
	}
	q.words, q.own = p.words+1, p.Territories[1-side]
	if m.many > 0 {
		q.ends = p.ends[m.ends/endsChunk][m.ends%endsChunk:][:int(m.many)*q.words]
	}
	q.Table, err = p.table(p.all[m.script-1], total)
	return err
}

// make keeps what a Specialist has made. Equal scripts are kept once. What was in the ranged fields
// is left out.
func (p *Planner) make(s *residual.Specialist, side int, before Key) made {
	m := made{script: illegal, many: uint16(len(s.Ends)), why: s.Why, within: s.Within}
	if s.Script.Illegal() {
		return m
	}
	own, last := p.Territories[1-side], len(p.ends)-1
	if last < 0 || len(p.ends[last])+len(s.Ends)*(p.words+1) > endsChunk {
		p.ends, last = append(p.ends, make([]uint64, 0, endsChunk)), last+1
	}
	ends := p.ends[last]
	m.ends = uint32(last*endsChunk + len(ends))
	for i := range s.Ends {
		var end Key
		copy(end[:], s.Ends[i][:p.words])
		ends = append(ends, own.place(&end))
		end = end.Without(&own.Mask)
		for w, n := range before {
			end[w] -= n
		}
		ends = append(ends, end[:p.words]...)
	}
	p.ends[last] = ends
	h := uint64(side)
	for _, x := range s.Script {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for _, c := range p.scripts[h] {
		if c.side == side && slices.Equal(c.script, s.Script) {
			m.script = c.number
			return m
		}
	}
	c := &scripted{script: slices.Clone(s.Script), side: side, number: uint32(len(p.all) + 1)}
	p.scripts[h], p.all = append(p.scripts[h], c), append(p.all, c)
	p.bytes += int64(8*len(s.Script)) + 256
	m.script = c.number
	return m
}

// table returns the table of a script for the contents with a total.
func (p *Planner) table(s *scripted, total int) (*Table, error) {
	if total < len(s.tables) && s.tables[total] != nil {
		return s.tables[total], nil
	}
	n := p.Territories[s.side].Size(total)
	if n > MostContents || p.Territories[s.side].With(total) == nil {
		return nil, ErrLarge
	}
	t := &Table{ID: p.tables, script: s.script, side: s.side, total: total, To: slices.Repeat([]uint32{Unknown}, n), left: n}
	for len(s.tables) <= total {
		s.tables = append(s.tables, nil)
	}
	s.tables[total] = t
	p.tables++
	p.bytes += int64(4*n) + 256
	return t, p.fits()
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
		if t.To[x] = t.result(end, &out, varying.Total(&content), &p.Territories[1-t.side].Mask); t.To[x] != Alone {
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
func (t *Table) result(end int, out *Key, total int, own *Key) uint32 {
	for i := len(t.Results) - 1; i >= 0; i-- {
		if r := &t.Results[i]; r.End == end && r.Total == total && r.Out == *out {
			return uint32(i) << ResultAt
		}
	}
	if len(t.Results) == Most {
		return Alone
	}
	into := out.Masked(own) != Key{}
	t.Results = append(t.Results, Result{End: end, Out: *out, Total: total, into: into})
	return uint32(len(t.Results)-1) << ResultAt
}
