package exec

import (
	"cmp"

	"github.com/mancheck/mancheck/rules"
)

// Plan is a sowing of which everything is known but the number of seeds.
type Plan struct {
	Lap      *rules.Lap
	Track    int // the index of Lap
	Source   int
	First    int    // the pit tried for the first seed; None if there is none
	Skip     []bool // by pit; nil: nothing is skipped
	OnlyLast []bool // by pit; nil: no pit is passed over
	Counted  bool   // not all seeds of Source need be sown

	memory []bool // of Skip
}

// Place returns the pit that takes a seed: at, or the next pit along the lap that may take it. It
// is None at the end of a line, and if no pit can take the seed. The pit tried first may lie off
// the lap, so there is one try more than the lap has pits.
func (p *Plan) Place(at int, last bool) int {
	for range len(p.Lap.Pits) + 1 {
		if at == rules.None || p.Takes(at, last) {
			return at
		}
		at = p.Lap.Next[at]
	}
	return rules.None
}

// Takes reports whether a pit takes a seed; last says whether it is the last one of the sowing.
func (p *Plan) Takes(pit int, last bool) bool {
	if p.Skip != nil && p.Skip[pit] {
		return false
	}
	return last || p.OnlyLast == nil || !p.OnlyLast[pit]
}

// Route lists the pits that take a seed which is not the last one, in the order in which they are
// reached, and reports whether the way comes back to where it began. Domains that drop many seeds
// at once go round it.
func (p *Plan) Route() (pits []int, closed bool) {
	for at := p.First; at != rules.None; {
		if p.Takes(at, false) {
			pits = append(pits, at)
		}
		if at = p.Lap.Next[at]; at == p.First {
			return pits, true
		}
	}
	return pits, false
}

// sow evaluates what a sowing depends on, before any seed is moved, and leaves the rest to the
// domain. The order is that of docs/kernel.md: source, number, first pit, skipped pits. `origin` is
// set after the source, so that the other parts may read it.
func (r *Run[V]) sow(s *Sow) (Flow, error) {
	r.at = &s.At
	source, err := r.pit(s.source)
	if err != nil {
		return Onward, err
	}
	r.Sown.Values[rules.OriginReg], r.Sown.Set[rules.OriginReg] = r.D.Const(source), true
	p := r.spare
	if r.spare = nil; p == nil { // falling seeds may begin another sowing
		p = &Plan{}
	}
	p.Lap, p.Track, p.Source = s.lap, s.Lap, source
	p.Skip, p.OnlyLast, p.Counted = nil, s.OnlyLast, s.count != nil
	hand, first, err := r.begins(s, source)
	if err != nil {
		return Onward, err
	}
	p.First = first
	if err = skips(r, s, p); err != nil {
		return Onward, err
	}
	flow, err := r.D.Sow(s, p, hand)
	if err == nil {
		r.spare = p
	}
	return flow, err
}

// begins returns the number of seeds to sow, of which the domain checks whether the source holds
// that many, and the pit tried for the first one.
func (r *Run[V]) begins(s *Sow, source int) (hand V, first int, err error) {
	if hand = r.S.Seeds[source]; s.count != nil {
		hand, err = r.Eval(s.count)
	}
	switch {
	case err != nil || s.OriginFirst && s.startAt == nil:
		return hand, source, err
	case s.startAt == nil:
		return hand, s.lap.Next[source], nil
	}
	first, err = r.pit(s.startAt)
	return hand, first, err
}

// skips evaluates which pits get no seed. This is done once, so sown seeds do not change it.
func skips[V any](r *Run[V], s *Sow, p *Plan) error {
	if len(s.Skip) == 0 {
		p.Skip = s.skip
		return nil
	}
	p.memory = append(p.memory[:0], s.skip...)
	p.Skip = p.memory
	for _, skip := range s.Skip {
		n, err := r.eval(skip.If)
		if p.Skip[skip.Pit] = n != 0; err == errOpen {
			p.Skip[skip.Pit], err = r.D.Skips(skip.Pit, r.open)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Drop drops a known number of seeds one by one, beginning with the pit at. drop puts a seed into a
// pit. The body s.Drop runs after each seed; if it ends the game while seeds are in hand, back
// returns them to the source, since no seed may disappear. A seed that no pit takes makes the
// action illegal.
func (r *Run[V]) Drop(s *Sow, p *Plan, at, hand int, drop, back func(pit, seeds int) error) (Flow, error) {
	for ; hand > 0; hand-- {
		pit := p.Place(at, hand == 1)
		if pit == rules.None {
			return Illegal, nil
		}
		if hand == 1 || len(s.Drop) > 0 { // nobody asks for the others
			r.Dropped(r.D.Const(pit), r.S.Seeds[pit])
		}
		if err := drop(pit, 1); err != nil {
			return Onward, err
		}
		at = p.Lap.Next[pit]
		if len(s.Drop) == 0 {
			continue
		}
		if flow, err := r.Block(s.Drop); err != nil || flow != Onward {
			return flow, cmp.Or(err, back(p.Source, hand-1))
		}
	}
	return Onward, nil
}
