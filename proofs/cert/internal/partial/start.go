package partial

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// SweptStart is what is unknown of a state that may be a start after a reaction that moves seeds:
// the Machine does not look for the layouts that come to it, whatever is known of the state.
const SweptStart = "whether it is a start after a reaction that moves seeds"

// IsStart decides whether s is a settled start: 0 if it certainly is not, 1 if it certainly is, for
// any values of the unknown parts. A fault on the way leaves it uncertain.
func (m *Machine) IsStart(s State) (Value, error) {
	doubt := maybe("whether it is a start")
	if m.sweeps(s.Outcome) {
		return maybe(SweptStart), nil
	}
	raw, agrees := m.laidOut(s)
	if !agrees {
		return Known(0), nil
	}
	cond, err := m.Reader().Eval(m.program.Setup(), raw, nil)
	if holds, decided := cond.Holds(); err == nil && decided && !holds {
		return Known(0), nil
	}
	settled, settleErr := m.Settle(raw)
	switch {
	case settleErr != nil:
		return doubt, nil
	case differ(settled, s):
		return Known(0), nil
	case err == nil && cond == Known(1) && same(settled, s) && known(s):
		return Known(1), nil
	}
	return doubt, nil
}

// laidOut returns the state that the setup lays out, before the reactions are evaluated, if s is a
// start; agrees is false if there is none.
func (m *Machine) laidOut(s State) (raw State, agrees bool) {
	raw = m.Empty()
	for p := range lists.Marked(m.sys.Start.Free) {
		raw.Seeds[p] = s.Seeds[p]
	}
	if s.Live() && len(m.sys.GoingOn()) == 0 {
		return raw, !differ(raw, s)
	}
	over := raw
	over.Mover, over.Outcome, over.Vars = s.Mover, s.Outcome, s.Vars
	return raw, !differ(over, s)
}

// Empty is the state before any seeds are laid out.
func (m *Machine) Empty() State { return m.Exactly(m.sys.EmptyStart()) }

// Settle evaluates the reactions in a start.
func (m *Machine) Settle(s State) (State, error) {
	k := m.newRun(s.Clone(), 0)
	err := k.run.Settle(s.Mover, false)
	return stateOf(&k.run.S), err
}

// OpenStarts lists what the starts may be, for any values of the open parameters and any seeds that
// are laid out, of which none are kept; it is as Open.
func (p *Player) OpenStarts(kept rules.Kept) (starts []Step, doubted bool, err error) {
	raw := p.m.Empty()
	for pit := range lists.Marked(p.m.sys.Start.Free) {
		raw.Seeds[pit] = p.m.blank.Seeds[pit]
	}
	all := [rules.OriginReg + 1]bool{true, true, true}
	return p.open(rules.None, kept, all, func(k *knowledge, g *guess) (State, bool, error) {
		p.m.beginWay(k, raw, g)
		k.own()
		err := k.run.Settle(raw.Mover, false)
		return stateOf(&k.run.S), err == nil, err
	})
}

// sweeps reports whether a reaction that moves seeds may lead to a state with the outcome, which
// may be Live.
func (m *Machine) sweeps(outcome int) bool {
	for _, by := range m.sys.EachReaction() {
		effects := rules.EffectsOf(by.Body)
		if effects.MovesSeeds && (by.GoesOn() || effects.MayEnd(m.sys, outcome)) {
			return true
		}
	}
	return false
}

// differ reports whether s and t are certainly different.
func differ(s, t State) bool {
	return s.Mover != t.Mover || s.Outcome != t.Outcome ||
		!slices.EqualFunc(s.Seeds, t.Seeds, meet) || !slices.EqualFunc(s.Vars, t.Vars, meet)
}

// same reports whether s and t agree where both are known.
func same(s, t State) bool {
	equal := func(v, w Value) bool { return v.Interval == w.Interval }
	return s.Mover == t.Mover && s.Outcome == t.Outcome &&
		slices.EqualFunc(s.Seeds, t.Seeds, equal) && slices.EqualFunc(s.Vars, t.Vars, equal)
}

func known(s State) bool {
	unknown := func(v Value) bool { _, known := v.Is(); return !known }
	return !slices.ContainsFunc(s.Seeds, unknown) && !slices.ContainsFunc(s.Vars, unknown)
}

func meet(v, w Value) bool { return v.Lo <= w.Hi && w.Lo <= v.Hi }
