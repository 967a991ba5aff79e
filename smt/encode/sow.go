package encode

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
	"github.com/mancheck/mancheck/smt/term"
)

// Sow executes a sowing in closed form, unless something has to be done after each seed.
func (d *terms) Sow(s *exec.Sow, p *exec.Plan, count *term.Term) (exec.Flow, error) {
	b, hand := d.e.b, d.e.asInt(count)
	enough := b.And(b.Le(b.Int(1), hand), b.Le(hand, d.run.S.Seeds[p.Source]))
	if ok, err := d.decide(enough); err != nil || !ok {
		return exec.Illegal, err
	}
	d.run.S.Seeds[p.Source] = b.Sub(d.run.S.Seeds[p.Source], hand)
	if len(s.Drop) > 0 {
		return d.dropEach(s, p, hand)
	}
	rest := b.Sub(hand, b.Int(1))
	route, closed := p.Route()
	if closed && len(route) > 0 {
		return d.sowRounds(p, route, rest)
	}
	return d.once(p, route, rest)
}

// sowRounds sows along a closed route. All seeds but the last go q times round the route and then
// into its first k pits.
func (d *terms) sowRounds(p *exec.Plan, route []int, rest *term.Term) (exec.Flow, error) {
	k, err := d.remainder(rest, len(route))
	if err != nil {
		return exec.Onward, err
	}
	last, err := d.lastOfRounds(p, route, rest, k)
	if err != nil {
		return exec.Onward, err
	}
	q := d.e.quot(rest, len(route))
	for i, pit := range route {
		d.add(pit, d.e.b.Add(q, d.e.b.Int(num.Truth(i < k))))
	}
	return d.lastSeed(last), nil
}

// remainder determines the remainder of t divided by k.
func (d *terms) remainder(t *term.Term, k int) (int, error) {
	if v, ok := t.IsConst(); ok {
		return num.Mod(v, k), nil
	}
	if k == 1 {
		return 0, nil
	}
	return d.choose(lists.Map(num.Run(0, k), func(i int) *term.Term { return d.e.leaves(t, k, i) }))
}

// lastOfRounds finds the pit of the last seed. If full rounds leave no remainder, it matters
// whether there was a round at all: the last seed then starts from the end of the route, otherwise
// from its beginning.
func (d *terms) lastOfRounds(p *exec.Plan, route []int, rest *term.Term, k int) (int, error) {
	if k > 0 {
		return p.Place(p.Lap.Next[route[k-1]], true), nil
	}
	alone, after := p.Place(p.First, true), p.Place(p.Lap.Next[route[len(route)-1]], true)
	if alone == after {
		return alone, nil
	}
	isAlone, err := d.decide(d.e.b.Eq(rest, d.e.b.Int(0)))
	if isAlone {
		return alone, err
	}
	return after, err
}

// once sows along a route that ends, or that has pits for a last seed only.
func (d *terms) once(p *exec.Plan, route []int, rest *term.Term) (exec.Flow, error) {
	b := d.e.b
	conds := lists.Map(num.Run(0, len(route)+1), func(i int) *term.Term { return b.Eq(rest, b.Int(i)) })
	k, err := d.choose(append(conds, b.Lt(b.Int(len(route)), rest)))
	if err != nil || k > len(route) {
		return exec.Illegal, err
	}
	for _, pit := range route[:k] {
		d.add(pit, b.Int(1))
	}
	if k == 0 {
		return d.lastSeed(p.Place(p.First, true)), nil
	}
	return d.lastSeed(p.Place(p.Lap.Next[route[k-1]], true)), nil
}

// lastSeed drops the last seed.
func (d *terms) lastSeed(pit int) exec.Flow {
	if pit == rules.None {
		return exec.Illegal
	}
	d.drop(pit)
	return exec.Onward
}

func (d *terms) drop(pit int) {
	d.run.Dropped(d.Const(pit), d.run.S.Seeds[pit])
	d.add(pit, d.e.b.Int(1))
}

// dropEach sows seed by seed, as a loop. If the game ends with seeds in hand, they return to the
// pit sown from.
func (d *terms) dropEach(s *exec.Sow, p *exec.Plan, hand *term.Term) (exec.Flow, error) {
	b, next := d.e.b, p.First
	for round := 0; ; round++ {
		if more, err := d.decide(b.Lt(b.Int(0), hand)); err != nil || !more {
			return exec.Onward, err
		}
		if round == d.rounds+len(p.Lap.Pits) {
			return exec.Onward, errOverrun
		}
		isLast, err := d.isLast(p, hand)
		if err != nil {
			return exec.Onward, err
		}
		pit := p.Place(next, isLast)
		if pit == rules.None {
			return exec.Illegal, nil
		}
		d.drop(pit)
		hand, next = b.Sub(hand, b.Int(1)), p.Lap.Next[pit]
		if how, err := d.run.Block(s.Drop); err != nil || how != exec.Onward {
			d.add(p.Source, hand)
			return how, err
		}
	}
}

// isLast determines whether one seed is left, if that matters.
func (d *terms) isLast(p *exec.Plan, hand *term.Term) (bool, error) {
	if p.OnlyLast == nil {
		return false, nil
	}
	return d.decide(d.e.b.Eq(hand, d.e.b.Int(1)))
}
