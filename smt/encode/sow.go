package encode

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// sowing is a sowing that is to be carried out.
type sowing struct {
	lap      *rules.Lap
	source   int
	hand     *term.Term
	first    int // the pit to be tried for the first seed, or None
	skip     []bool
	onlyLast []bool
}

// sow carries out a sowing in closed form, unless there is something to do after each seed.
func (r *run) sow(s rules.Sow) (flow, error) {
	w, err := r.prepare(s)
	if err != nil {
		return onward, err
	}
	b := r.e.b
	enough := b.And(b.Le(b.Int(1), w.hand), b.Le(w.hand, r.s.Seeds[w.source]))
	if ok, err := r.decide(enough); err != nil || !ok {
		return illegal, err
	}
	r.s.Seeds[w.source] = b.Sub(r.s.Seeds[w.source], w.hand)
	if len(s.Drop) > 0 {
		return r.dropEach(w, s.Drop)
	}
	route, closed := w.route()
	if closed && len(route) > 0 {
		return r.sowRounds(w, route)
	}
	return r.once(w, route)
}

// prepare evaluates what a sowing depends on, before any seed is moved.
func (r *run) prepare(s rules.Sow) (*sowing, error) {
	source, err := r.pit(s.Source)
	if err != nil {
		return nil, err
	}
	r.origin = source
	w := &sowing{lap: &r.e.sys.Laps[s.Lap], source: source, hand: r.s.Seeds[source], onlyLast: s.OnlyLast}
	if s.Count != nil {
		if err := r.numberTo(&w.hand, s.Count); err != nil {
			return nil, err
		}
	}
	if w.first, err = r.firstPit(s, w); err != nil {
		return nil, err
	}
	w.skip, err = r.skips(s)
	return w, err
}

func (r *run) firstPit(s rules.Sow, w *sowing) (int, error) {
	switch {
	case s.StartAt != nil:
		return r.pit(s.StartAt)
	case s.OriginFirst:
		return w.source, nil
	}
	return w.lap.Next[w.source], nil
}

// skips finds out which pits get no seed.
func (r *run) skips(s rules.Sow) ([]bool, error) {
	if s.SkipIf == nil {
		return nil, nil
	}
	skip := make([]bool, len(s.SkipIf))
	for p, x := range s.SkipIf {
		if x == nil {
			continue
		}
		var err error
		if skip[p], err = r.holds(x); err != nil {
			return nil, err
		}
	}
	return skip, nil
}

// takes says whether a pit takes a seed.
func (w *sowing) takes(pit int, last bool) bool {
	if w.skip != nil && w.skip[pit] {
		return false
	}
	return last || w.onlyLast == nil || !w.onlyLast[pit]
}

// place finds the pit for a seed, from the pit that is tried first; None if there is none.
func (w *sowing) place(from int, last bool) int {
	for range len(w.lap.Pits) + 1 {
		if from == rules.None || w.takes(from, last) {
			return from
		}
		from = w.lap.Next[from]
	}
	return rules.None
}

// route lists the pits that take a seed which is not the last one, in the order in which they are come to, and says whether the way
// comes back to where it began.
func (w *sowing) route() (pits []int, closed bool) {
	for p := w.first; p != rules.None; {
		if w.takes(p, false) {
			pits = append(pits, p)
		}
		if p = w.lap.Next[p]; p == w.first {
			return pits, true
		}
	}
	return pits, false
}

// sowRounds sows along a way that closes. All seeds but the last go q times round the route and then into its first k pits.
func (r *run) sowRounds(w *sowing, route []int) (flow, error) {
	rest := r.e.b.Sub(w.hand, r.e.b.Int(1))
	k, err := r.remainder(rest, len(route))
	if err != nil {
		return onward, err
	}
	last, err := r.lastOfRounds(w, route, rest, k)
	if err != nil {
		return onward, err
	}
	q := r.e.quot(rest, len(route))
	for i, p := range route {
		r.add(p, r.e.b.Add(q, r.e.b.Int(truth(i < k))))
	}
	return r.lastSeed(last), nil
}

// remainder finds out what t leaves when divided by k.
func (r *run) remainder(t *term.Term, k int) (int, error) {
	if v, ok := t.IsConst(); ok {
		return num.Mod(v, k), nil
	}
	if k == 1 {
		return 0, nil
	}
	conds := make([]*term.Term, k)
	for i := range conds {
		conds[i] = r.e.leaves(t, k, i)
	}
	return r.choose(conds)
}

// lastOfRounds finds the pit of the last seed. Where no seed is left over from full rounds it matters whether there was a round at
// all: the last seed then sets out from the end of the route, else from its beginning.
func (r *run) lastOfRounds(w *sowing, route []int, rest *term.Term, k int) (int, error) {
	if k > 0 {
		return w.place(w.lap.Next[route[k-1]], true), nil
	}
	alone, after := w.place(w.first, true), w.place(w.lap.Next[route[len(route)-1]], true)
	if alone == after {
		return alone, nil
	}
	isAlone, err := r.decide(r.e.b.Eq(rest, r.e.b.Int(0)))
	if isAlone {
		return alone, err
	}
	return after, err
}

// once sows along a way that ends, or that has a place for a last seed only.
func (r *run) once(w *sowing, route []int) (flow, error) {
	b := r.e.b
	rest := b.Sub(w.hand, b.Int(1))
	var conds []*term.Term
	for i := range len(route) + 1 {
		conds = append(conds, b.Eq(rest, b.Int(i)))
	}
	k, err := r.choose(append(conds, b.Lt(b.Int(len(route)), rest)))
	if err != nil || k > len(route) {
		return illegal, err
	}
	for _, p := range route[:k] {
		r.add(p, b.Int(1))
	}
	if k == 0 {
		return r.lastSeed(w.place(w.first, true)), nil
	}
	return r.lastSeed(w.place(w.lap.Next[route[k-1]], true)), nil
}

// lastSeed drops the last seed.
func (r *run) lastSeed(pit int) flow {
	if pit == rules.None {
		return illegal
	}
	r.drop(pit)
	return onward
}

func (r *run) drop(pit int) {
	r.last, r.lastWas = pit, r.s.Seeds[pit]
	r.add(pit, r.e.b.Int(1))
}

// dropEach sows seed by seed, as a loop. If the game ends with seeds in hand they go back into the pit sown from.
func (r *run) dropEach(w *sowing, body []rules.Stmt) (flow, error) {
	b := r.e.b
	next := w.first
	for round := 0; ; round++ {
		if more, err := r.decide(b.Lt(b.Int(0), w.hand)); err != nil || !more {
			return onward, err
		}
		if round == r.rounds+len(w.lap.Pits) {
			return onward, errOverrun
		}
		isLast, err := r.isLast(w)
		if err != nil {
			return onward, err
		}
		pit := w.place(next, isLast)
		if pit == rules.None {
			return illegal, nil
		}
		r.drop(pit)
		w.hand, next = b.Sub(w.hand, b.Int(1)), w.lap.Next[pit]
		if how, err := r.block(body); err != nil || how != onward {
			r.add(w.source, w.hand)
			return how, err
		}
	}
}

// isLast finds out whether one seed is left, if that matters.
func (r *run) isLast(w *sowing) (bool, error) {
	if w.onlyLast == nil {
		return false, nil
	}
	return r.decide(r.e.b.Eq(w.hand, r.e.b.Int(1)))
}
