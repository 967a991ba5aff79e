package partial

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/script"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// open is what open play of one action needs besides the current way. Before each statement what is
// not kept is forgotten, and a way ends that comes to a place with the same values as an earlier
// one. So there are few ways.
type open struct {
	kept  rules.Kept
	reads [rules.OriginReg + 1]bool // registers of the last sowing that some body reads
	met   map[meeting]bool
	key   []byte // memory of meet
	oneWay
}

// meeting is a place that a way has come to, with the values there.
type meeting struct {
	kind   byte
	at     *exec.Stmt
	values string
}

// oneWay is what belongs to the current way.
type oneWay struct {
	blame  map[string]bool // the parts that decided
	falls  []*fall         // the sowings under way whose seeds have consequences as they fall
	passed []int           // the pits for which it is open whether the sowing to come passes them over
	next   int             // the player to move after the body; None while that is under way
}

// fall is a sowing under way.
type fall struct {
	*exec.Plan
	at   int // the pit of the latest seed
	hand int // seeds left
}

// openPlay is what a run does otherwise in open play.
type openPlay struct{ k *knowledge }

// Places where ways meet.
const (
	atStmt = iota // before a statement
	atHead        // at the head of a loop
	atEnd         // after the body of an action
)

// Open play lists so many ways of one action in one state, and tries so many values of one number.
const mostWays, mostValues = 1 << 13, 1 << 10

// Leads lists where the moves of s lead: as Steps does if the kept parts decide and no rule is at
// fault, and as Open does otherwise, which says whether the fault is certain.
func (p *Player) Leads(s State, kept rules.Kept) (steps []Step, doubted bool, err error) {
	steps, err = p.Steps(s)
	for i := 0; i < len(steps) && err == nil; i++ {
		p.key, err = p.m.AppendKey(p.key[:0], steps[i].To, kept)
	}
	if errors.As(err, new(*Unknown)) || errors.As(err, new(*Fault)) {
		return p.Open(s, kept)
	}
	return steps, false, err
}

// Open lists where the moves of s may lead, for any values of the parts that are not kept. At each
// decision that depends on something unknown, play goes both ways, and `prefer` excludes nothing. A
// way on which a fault is met is no step; doubted says whether there is one. It fails with an
// *Intricate, or with a *Fault that is certain.
func (p *Player) Open(s State, kept rules.Kept) (steps []Step, doubted bool, err error) {
	if !s.Live() {
		return nil, false, nil
	}
	if p.reads == nil {
		p.reads = p.m.registersRead()
	}
	for i := range p.m.sys.Actions {
		if p.m.sys.Actions[i].Mover != s.Mover {
			continue
		}
		list, doubt, err := p.open(i, kept, p.reads[i], func(k *knowledge, g *guess) (State, bool, error) { return p.m.openWay(k, s, i, g) })
		if err != nil {
			return nil, false, err
		}
		steps, doubted = append(steps, list...), doubted || doubt
	}
	return steps, doubted, nil
}

// registersRead says for each action which registers of the last sowing it reads, or a reaction.
func (m *Machine) registersRead() [][rules.OriginReg + 1]bool {
	var bodies [][]rules.Stmt
	for _, by := range m.sys.EachReaction() {
		bodies = append(bodies, by.Body)
	}
	return lists.Map(m.sys.Actions, func(a rules.Action) [rules.OriginReg + 1]bool {
		return rules.RegistersRead(append(bodies, a.Body)...)
	})
}

// open lists the states to which the ways of play lead, as steps by an action.
func (p *Player) open(action int, kept rules.Kept, reads [rules.OriginReg + 1]bool, way func(*knowledge, *guess) (State, bool, error)) (steps []Step, doubted bool, err error) {
	seen := map[string]bool{}
	k, m := p.run(0), p.m
	g := &guess{Script: &script.Script{Broad: true, Most: mostBroad}, open: &open{kept: kept, met: map[meeting]bool{}}}
	g.reads = reads
	for count := 0; ; count++ {
		p.Ways++
		if count == mostWays {
			return nil, false, &Intricate{"can go too many ways"}
		}
		if count%often == 0 && m.ctx.Err() != nil {
			return nil, false, m.ctx.Err()
		}
		g.oneWay = oneWay{blame: map[string]bool{}, next: rules.None}
		to, legal, err := way(k, g)
		if err == nil && legal {
			to = to.Clone()
			err = g.chooseKept(m, &to)
		}
		doubted = doubted || k.doubted != nil
		switch {
		case errors.As(err, new(*Fault)) && (g.Chosen() || m.prefers): // another move may be preferred
			doubted = true
		case err != nil && err != script.ErrNoWay:
			return nil, false, err
		case err == nil && legal:
			key, err := m.Key(to, kept)
			if err != nil {
				return nil, false, err
			}
			if !seen[key] {
				seen[key] = true
				steps = append(steps, Step{action, to, slices.Sorted(maps.Keys(g.blame))})
			}
		}
		if !g.Next() {
			return steps, doubted, nil
		}
	}
}

// beginWay begins a way from a state.
func (m *Machine) beginWay(k *knowledge, s State, g *guess) {
	k.begin(m, s, 0)
	k.guess = g
	k.run.Watch = openPlay{k}
	g.Way = Way{Before: slices.Clone(s.Vars), Assigned: make([]bool, len(s.Vars))}
}

// openWay plays an action as the script says, and extends that where it ends.
func (m *Machine) openWay(k *knowledge, s State, action int, g *guess) (to State, legal bool, err error) {
	m.beginWay(k, s, g)
	if legal, err = k.act(action); err != nil || !legal {
		return State{}, false, err
	}
	if g.next = k.run.Next; !k.run.Over {
		if err := (openPlay{k}).meet(atEnd, nil); err != nil {
			return State{}, false, err
		}
	}
	to, err = k.conclude()
	return to, true, err
}

// chooseKept chooses the numbers of the kept parts of s that are unknown.
func (g *guess) chooseKept(m *Machine, s *State) (err error) {
	for v := range lists.Marked(g.kept.VarsOf(s.Outcome)) {
		fits := lists.Filter(m.sys.Vars[v].Domain, s.Vars[v].Has)
		if len(fits) == 0 {
			return script.ErrNoWay
		}
		if len(fits) > 1 {
			g.accuse(s.Vars[v])
		}
		s.Vars[v] = Known(fits[g.Choose(len(fits))])
	}
	for p := range lists.Marked(g.kept.Pits) {
		if s.Seeds[p], err = g.number(s.Seeds[p]); err != nil {
			return err
		}
	}
	sum := Known(0)
	for _, v := range s.Seeds {
		sum = sum.plus(v)
	}
	if sum.Lo > m.seeds {
		return script.ErrNoWay
	}
	return nil
}

// accuse notes that something depends on an unknown value.
func (g *guess) accuse(v Value) {
	if g.open != nil {
		g.blame[v.Of] = true
	}
}

// number chooses a number of an interval.
func (g *guess) number(v Value) (Value, error) {
	if _, known := v.Is(); known {
		return v, nil
	}
	if !v.Bounded() || v.Hi-v.Lo >= mostValues {
		return v, &Intricate{fmt.Sprintf("depends on %s, which has no bound", v.Of)}
	}
	g.accuse(v)
	return Known(v.Lo + g.Choose(v.Hi-v.Lo+1)), g.err()
}

// hand chooses the number of seeds to sow: 0 if none can be sown. Where nothing on the way is
// kept, only the pit of the last seed matters, and the seeds of whole rounds may fall or not.
func (o openPlay) hand(s *exec.Sow, p *exec.Plan, all Value) (seeds int, err error) {
	k := o.k
	least, most := max(all.Lo, 1), all.Hi
	route, closed := p.Route()
	rounds := closed && len(s.Drop) == 0 && len(route) > 0 && !slices.ContainsFunc(route, k.guess.kept.HasPit) && most-least > len(route)
	if rounds {
		most = least + len(route) // the first seed may fall where no whole round ends
	}
	if least > most || all.Lo <= 0 && k.guess.Choose(2) == 1 {
		return 0, nil
	}
	n, err := k.guess.number(Between(least, most, all.Of))
	if err != nil {
		return 0, err
	}
	if !p.Counted {
		k.put(p.Source, n)
	}
	if rounds {
		for _, pit := range route {
			v := k.run.S.Seeds[pit]
			k.put(pit, Between(v.Lo, k.m.seeds, cmp.Or(v.Of, all.Of)))
		}
	}
	return n.Lo, nil
}

// passing settles which pits the sowing passes over of those for which that was left open. Where
// nothing on the lap is kept it need not be known: anywhere is true.
func (g *guess) passing(s *exec.Sow, p *exec.Plan) (anywhere bool, err error) {
	open := g.passed
	if g.passed = nil; len(open) == 0 {
		return false, nil
	}
	kept := func(pit int) bool { return pit != rules.None && g.kept.HasPit(pit) }
	if len(s.Drop) == 0 && !slices.ContainsFunc(p.Lap.Pits, kept) && !kept(p.Source) && !kept(p.First) {
		return true, nil
	}
	for _, pit := range open {
		p.Skip[pit] = g.Choose(2) == 1
	}
	return false, g.err()
}

// sowAnywhere sows into pits of which nothing is known before or after, but for the last one.
func (o openPlay) sowAnywhere(p *exec.Plan) (exec.Flow, error) {
	k := o.k
	ends := ends(p, len(k.m.sys.Pits))
	if len(ends) == 0 || k.guess.Choose(2) == 1 {
		return exec.Illegal, nil
	}
	last := ends[k.guess.Choose(len(ends))]
	for _, pit := range append(slices.Clone(p.Lap.Pits), p.Source, p.First) {
		if pit != rules.None {
			k.put(pit, k.m.blank.Seeds[pit])
		}
	}
	k.run.Dropped(Known(last), AtLeast(0, PartName("last was")))
	return exec.Onward, k.guess.err()
}

// head is the head of a loop that may have no end.
func (o openPlay) head(s *exec.Stmt) (exec.Flow, error) {
	k := o.k
	if len(s.Body) > 0 { // an empty one has no place of its own
		if err := o.meet(atHead, &s.Body[0]); err != nil {
			return exec.Onward, err
		}
	}
	if k.guess.Choose(2) == 1 {
		k.run.End(k.m.sys.Endless())
		return exec.Finished, nil
	}
	return exec.Onward, k.guess.err()
}

// Before implements exec.Run's Watch.
func (o openPlay) Before(s *exec.Stmt) error { return o.meet(atStmt, s) }

// meet forgets what is not kept, and ends a way that has come to this place with the same values as
// an earlier one.
func (o openPlay) meet(kind byte, at *exec.Stmt) error {
	o.forget()
	k, g := o.k, o.k.guess
	if !g.Chosen() || g.Follows() {
		return nil // there is no other way yet; or it is one that came here and is followed again
	}
	key := appendInts(g.open.key[:0], g.next, k.run.Next, k.run.S.Mover.Lo)
	add := func(list []Value) {
		for _, v := range list {
			key = appendInts(key, v.Lo, v.Hi)
		}
	}
	add(k.run.S.Vars)
	for p := range lists.Marked(g.kept.Pits) {
		key = appendInts(key, k.run.S.Seeds[p].Lo, k.run.S.Seeds[p].Hi)
	}
	if kind != atEnd { // values of the body matter only within it
		add(k.run.Locals)
		for reg, v := range k.run.Sown.Values {
			if g.reads[reg] {
				key = appendInts(appendBools(key, k.run.Sown.Set[reg:reg+1]), v.Lo, v.Hi)
			}
		}
	}
	for _, f := range g.falls {
		key = appendInts(appendBools(key, f.Skip), f.Source, f.at, f.hand)
	}
	if g.open.key = key; g.met[meeting{kind, at, string(key)}] {
		return script.ErrNoWay
	}
	g.met[meeting{kind, at, string(key)}] = true
	return nil
}

// forget makes what is not kept as unknown as it is at first, and what is known in part unknown.
// Variables keep what they were set to.
func (o openPlay) forget() {
	k := o.k
	for p, v := range k.run.S.Seeds {
		if blank := k.m.blank.Seeds[p]; !k.guess.kept.HasPit(p) {
			k.run.S.Seeds[p] = Value{blank.Interval, cmp.Or(v.Of, blank.Of)}
		}
	}
	for i, v := range k.run.S.Vars {
		if _, known := v.Is(); !known || !k.guess.Assigned[i] && !k.guess.kept.HasVar(i) {
			k.run.S.Vars[i] = k.m.blank.Vars[i]
		}
	}
	for _, list := range [][]Value{k.run.Locals, k.run.Sown.Values[:]} {
		for i, v := range list {
			if v.Lo < -mostValues || v.Hi > mostValues {
				list[i] = anything(v.Of)
			}
		}
	}
}
