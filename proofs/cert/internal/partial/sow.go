package partial

import "github.com/mancheck/mancheck/rules"

// sow carries out a sowing, seed by seed but for whole rounds of very many. If the game ends with seeds in hand they go back into the pit sown from.
func (r *run) sow(s rules.Sow) (flow, error) {
	p, err := r.plan(s)
	if err != nil {
		return onward, err
	}
	if r.guess != nil {
		return onward, r.guessSowing(s, p)
	}
	hand, legal, err := r.hand(s, p.Source)
	if err != nil || !legal {
		return illegal, err
	}
	r.add(p.Source, -hand)
	at := p.First
	if hand > manySeeds {
		if len(s.Drop) > 0 {
			return onward, &Unknown{"a sowing of very many seeds, each of which has consequences"}
		}
		at, hand = r.wholeRounds(p, at, hand)
	}
	for ; hand > 0; hand-- {
		pit := p.place(at, hand == 1)
		if pit == rules.None {
			return illegal, nil
		}
		r.dropped, r.last, r.lastWas = true, Known(pit), r.s.Seeds[pit]
		r.add(pit, 1)
		at = p.Lap.Next[pit]
		if how, err := r.block(s.Drop); err != nil || how != onward {
			r.add(p.Source, hand-1)
			return how, err
		}
	}
	return onward, nil
}

// manySeeds is from where on seeds are not dropped one by one.
const manySeeds = 1 << 20

// wholeRounds drops as many seeds as come round to the first pit that takes one, any number of times. It gives the pit to be tried next, and
// how many seeds are left: at least one.
func (r *run) wholeRounds(p *Plan, at, hand int) (next, left int) {
	var route []int
	first := p.place(at, false)
	for pit := first; len(route) == 0 || pit != first; pit = p.place(p.Lap.Next[pit], false) {
		if pit == rules.None || len(route) > len(p.Lap.Pits) {
			return at, hand // the way ends
		}
		route = append(route, pit)
	}
	rounds := (hand - 1) / len(route)
	for _, pit := range route {
		r.add(pit, rounds)
	}
	return p.Lap.Next[route[len(route)-1]], hand - rounds*len(route)
}

// hand is the number of seeds to sow, and whether the pit has as many.
func (r *run) hand(s rules.Sow, source int) (seeds int, legal bool, err error) {
	has := r.s.Seeds[source]
	v := has
	if s.Count != nil {
		if v, err = r.eval(s.Count); err != nil {
			return 0, false, err
		}
		if more, err := r.decide(compare(rules.Gt, v, has)); err != nil || more {
			return 0, false, err
		}
	}
	seeds, known := v.Is()
	if !known {
		return 0, false, &Unknown{v.Of}
	}
	return seeds, seeds > 0, nil
}

// plan evaluates all that a sowing depends on but the number of seeds.
func (r *run) plan(s rules.Sow) (*Plan, error) {
	source, err := r.pit(s.Source)
	if err != nil {
		return nil, err
	}
	r.begun, r.origin = true, Known(source)
	p := &Plan{Lap: &r.m.sys.Laps[s.Lap], lap: s.Lap, Source: source, OnlyLast: s.OnlyLast, Counted: s.Count != nil}
	if p.First, err = r.first(s, p); err != nil {
		return nil, err
	}
	p.Skip, err = r.skips(s)
	return p, err
}

// first is the pit tried for the first seed.
func (r *run) first(s rules.Sow, p *Plan) (int, error) {
	switch {
	case s.StartAt != nil:
		return r.pit(s.StartAt)
	case s.OriginFirst:
		return p.Source, nil
	}
	return p.Lap.Next[p.Source], nil
}

func (r *run) skips(s rules.Sow) ([]bool, error) {
	if s.SkipIf == nil {
		return nil, nil
	}
	skip := make([]bool, len(s.SkipIf))
	for pit, x := range s.SkipIf {
		if x == nil {
			continue
		}
		var err error
		if skip[pit], err = r.holds(x); err != nil {
			return nil, err
		}
	}
	return skip, nil
}

// guessSowing notes the sowing and makes up the pit of its last seed.
func (r *run) guessSowing(s rules.Sow, p *Plan) error {
	if len(s.Drop) > 0 {
		return &Intricate{"does something after each drop"}
	}
	r.guess.sowing(p)
	ends := p.ends(len(r.m.sys.Pits))
	if len(ends) == 0 {
		return errNoWay
	}
	last := ends[r.guess.choose(len(ends))]
	r.dropped, r.last, r.lastWas = true, Known(last), AtLeast(0, "`last was`")
	return r.guess.err()
}
