// Package plan says what an action does in many states at once, those that agree in half of the
// board.
//
// The pits from which seeds are sown are in two territories, as a rule those of the two players.
// With the content of one known, little is left of an action: a script of what it does to the other
// one (see residual.Specialist). Equal scripts share a Table, which has for each content of that
// territory the one that it leads to, by their numbers.
//
//	territory.go  territories and their contents
//	plan.go       plans, who makes them, and actions that need none
//	cache.go      those that were made
//	table.go      where contents lead to
package plan

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
)

// Plan is what an action does in the states of a row. It has no Table if the action is legal in
// none of them.
type Plan struct {
	*Table
	ends  []uint64        // what is known becomes at each end of the script; see Cache.ends
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
	r := &p.Results()[result]
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

// Planner makes plans. A goroutine needs its own.
type Planner struct {
	*Cache
	ctx         context.Context
	specialists [2]*residual.Specialist // by the territory that varies
	Conditions  []*residual.Predicate
	scripts     []*scripted          // of the Cache, as far as they were looked up
	chunks      []*[endsChunk]uint64 // and its ends
	work        int64                // operations of scripts executed for tables
	filled      int64                // contents
	fits        func() error         // whether there is memory for another table
}

// ErrLarge says that there are no tables for a territory.
var ErrLarge = errors.New("a territory has too many contents")

// Planner returns a Planner for actions that a Stepper plays. fits is called for each new table.
func (c *Cache) Planner(ctx context.Context, s *residual.Stepper, fits func() error) *Planner {
	p := &Planner{Cache: c, ctx: ctx, fits: fits}
	for side := range p.specialists {
		p.specialists[side] = s.Specialist(c.Territories[side].Places, c.seeds)
		p.specialists[side].Range(c.ranged)
	}
	return p
}

// OwnBytes is the memory of what is not in the Cache.
func (p *Planner) OwnBytes() int64 { return p.specialists[0].Bytes + p.specialists[1].Bytes }

// Work is how many operations were executed to make plans and tables.
func (p *Planner) Work() int64 { return p.work + p.specialists[0].Work + p.specialists[1].Work }

// Action makes q the plan of the action at a place in the menu of the states of a row, which is
// that with a number.
func (p *Planner) Action(q *Plan, r *Rows, row uint32, place int, held *Key, total int) error {
	m := &r.made[int(row)*r.places+place]
	q.base = held.Masked(&p.sinks)
	if len(p.ranged) == 0 {
		if atomic.LoadUint32(&m.script) == 0 {
			p.publish(r, m, p.specialize(r, place, held, total))
		}
		return p.plan(q, m, r.side, total)
	}
	found, is := p.find(r, m, held)
	if !is {
		found = p.specialize(r, place, held, total)
		p.publish(r, m, found)
	}
	return p.plan(q, &found, r.side, total)
}

// specialize makes the script of an action in the states of a row.
func (p *Planner) specialize(r *Rows, place int, held *Key, total int) made {
	known, compared := held.Without(&p.sinks), held.Masked(&p.compared)
	known.Or(compared)
	s := p.specialists[r.side]
	s.Specialize(known[:p.words], total, place)
	return p.add(s, r.side, compared)
}

// find looks among what was made for an action for what is in the ranged fields.
func (p *Planner) find(r *Rows, m *made, held *Key) (found made, is bool) {
	r.adding.Lock()
	defer r.adding.Unlock()
	for m.script != 0 {
		if p.within(m, held) {
			return *m, true
		}
		if m.next == 0 {
			break
		}
		m = &r.others[m.next-1]
	}
	return made{}, false
}

// publish adds what was made for an action.
func (p *Planner) publish(r *Rows, m *made, is made) {
	r.adding.Lock()
	defer r.adding.Unlock()
	if m.script != 0 {
		if len(p.ranged) == 0 {
			return // another worker was faster
		}
		is.next = m.next
		r.others = append(r.others, is)
		p.bytes.Add(madeBytes)
		m.next = uint32(len(r.others))
		return
	}
	m.ends, m.within, m.many, m.why = is.ends, is.within, is.many, is.why
	atomic.StoreUint32(&m.script, is.script)
}

// scripted returns the script with a number.
func (p *Planner) scripted(number uint32) *scripted {
	if int(number) > len(p.scripts) {
		p.scripts = *p.all.Load()
	}
	return p.scripts[number-1]
}

// endsOf returns the ends of a script.
func (p *Planner) endsOf(m *made) []uint64 {
	if m.many == 0 {
		return nil
	}
	chunk := int(m.ends / endsChunk)
	if chunk >= len(p.chunks) {
		p.chunks = *p.ends.Load()
	}
	return p.chunks[chunk][m.ends%endsChunk:][:int(m.many)*(p.words+1)]
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
	m := p.add(s, side, Key{})
	return p.plan(q, &m, side, total)
}

// plan makes q the plan for the contents with a total.
func (p *Planner) plan(q *Plan, m *made, side, total int) (err error) {
	q.Table, q.Why = nil, m.why
	if m.script == illegal {
		return nil
	}
	q.words, q.own, q.ends = p.words+1, p.Territories[1-side], p.endsOf(m)
	isNew := false
	if q.Table, isNew, err = p.table(p.scripted(m.script), total); isNew {
		err = p.fits()
	}
	return err
}

// fill finds what a table has for a content.
func (p *Planner) fill(t *Table, x uint32) error {
	varying := p.Territories[t.side]
	content, out := varying.With(t.total)[x], Key{}
	end, how, work := t.script.Run(content[:p.words], out[:p.words])
	p.work += work
	p.filled++
	switch how {
	case residual.Legal:
		into := out.Masked(&p.Territories[1-t.side].Mask) != Key{}
		r := Result{End: end, Out: out, Total: varying.Total(&content), into: into}
		p.bytes.Add(t.set(x, varying.Number(&content), &r))
	case residual.Illegal:
		p.bytes.Add(t.set(x, None, nil))
	default:
		p.bytes.Add(t.set(x, Alone, nil))
	}
	if p.filled%1024 == 0 {
		return p.ctx.Err()
	}
	return nil
}

// Find returns what a table has for a content.
func (p *Planner) Find(t *Table, x uint32) (uint32, error) {
	if t.At(x) == Unknown {
		if err := p.fill(t, x); err != nil {
			return 0, err
		}
	}
	return t.At(x), nil
}

// Complete finds what a table has for all contents.
func (p *Planner) Complete(t *Table) error {
	if t.Parts() != nil {
		return nil
	}
	for x := range uint32(len(t.To)) {
		if _, err := p.Find(t, x); err != nil {
			return err
		}
	}
	t.finding.Lock() // another worker may be about to find the parts
	defer t.finding.Unlock()
	return nil
}

// LastResorts says which of the actions of a menu are legal only where none is that is no fallback.
// These need no plan: where another one is legal they are not, and elsewhere there are few states.
// There are none if some other fallback, which does not count, may be legal with them.
func LastResorts(sys *rules.System, actions []int32) []bool {
	list := make([]bool, len(actions))
	for i, a := range actions {
		if list[i] = sys.Actions[a].LastResort(); sys.Actions[a].Fallback && !list[i] {
			return make([]bool, len(actions))
		}
	}
	return list
}
