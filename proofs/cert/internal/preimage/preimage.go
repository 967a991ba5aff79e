// Package preimage finds the states from which one step may lead to a given state.
//
// A step goes one of the ways of its action. A way has the variables that it depends on and those
// that it sets, the pit that is sown from, and the pits along which it is sown. The number of seeds
// is bounded by what is there afterwards. So the states in which the step may begin can be listed.
package preimage

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
)

// Steps are the steps of a System between states of which some parts are kept.
type Steps struct {
	Machine *partial.Machine
	Kept    rules.Kept
	Lemmas  []rules.StartOnly
	ways    [][]partial.Way // the ways that each action can go, by action
}

// FindWays computes all ways of all actions. It stores none unless those of every action can be
// listed.
func (s *Steps) FindWays(ctx context.Context) error {
	var all [][]partial.Way
	for i := range s.Machine.System().Actions {
		ways, err := s.Machine.Ways(i)
		if intricate, is := errors.AsType[*partial.Intricate](err); is {
			return s.intricate(i, intricate)
		}
		if err != nil {
			return err
		}
		all = append(all, ways)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.ways = all
	return nil
}

func (s *Steps) intricate(action int, why *partial.Intricate) error {
	return refuse.Open("the move `%s` %s", s.Machine.System().ActionName(action), why.Reason)
}

// CheckLemmas shows for each lemma that no way of any action ends in a live state in which the
// variable has the value.
func (s *Steps) CheckLemmas() error {
	sys := s.Machine.System()
	for _, l := range s.Lemmas {
		for i, ways := range s.ways {
			for _, w := range ways {
				if w.Outcome != rules.Live || !w.MayLeave(l.Var, l.Value) {
					continue
				}
				x := &sys.Vars[l.Var]
				if _, known := w.After[l.Var].Is(); !known {
					return refuse.Open("the move `%s` may leave `%s` at %s: its value after the move is not known", sys.ActionName(i), x.Name, sys.ValueName(x.Type, l.Value))
				}
				return refuse.Because("the lemma that only in starts `%s` is %s: after the move `%s` it may be, too",
					x.Name, sys.ValueName(x.Type, l.Value), sys.ActionName(i))
			}
		}
	}
	return nil
}

// Search lists the states from which one action may lead to one state, for one action and state
// after another.
type Search struct {
	*Steps
	Player *partial.Player
	Each   func(s partial.State, key []byte) error // called once for each action and state, which it may not keep
	To     rules.State
	Number int // of To in a set, for messages
	Action int
	Tried  int // the states for which Each was called

	// Of the state that is listed. What is not kept is never known.
	from partial.State
	key  []byte
	seen map[string]bool
	undo partial.Undoing
}

// Search returns what lists states for one goroutine.
func (s *Steps) Search() *Search {
	return &Search{Steps: s, from: s.Machine.Blank(rules.None), seen: map[string]bool{}, Player: s.Machine.Player()}
}

// Into goes back from one state, by all actions.
func (g *Search) Into(t rules.State) error {
	g.To = t
	for action, ways := range g.ways {
		g.begin(action)
		for _, w := range ways {
			if err := g.along(w); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin begins to list the states from which an action may lead to g.To.
func (g *Search) begin(action int) {
	g.Action, g.from.Mover = action, g.Machine.System().Actions[action].Mover
	if len(g.seen) > fewSeen { // a large map takes long to clear
		g.seen = map[string]bool{}
	}
	clear(g.seen)
}

const fewSeen = 64

// along goes back along one way, if it may end in the state.
func (g *Search) along(w partial.Way) error {
	if !g.mayEnd(w) {
		return nil
	}
	if w.Hard != "" {
		return refuse.Open("the move `%s` %s on a way to state %d of the set", g.Machine.System().ActionName(g.Action), w.Hard, g.Number)
	}
	if w.Plan == nil {
		return g.seeds(w, g.To.Seeds)
	}
	err := g.undo.Undo(w.Plan, g.To.Seeds, g.Kept.Pits, func(seeds []int) error { return g.seeds(w, seeds) })
	if why, is := err.(*partial.Intricate); is {
		return g.intricate(g.Action, why)
	}
	return err
}

// mayEnd reports whether a way may end in the state.
func (g *Search) mayEnd(w partial.Way) bool {
	if w.Mover != g.To.Mover || w.Outcome != g.To.Outcome {
		return false
	}
	for v, kept := range g.Kept.VarsOf(g.To.Outcome) {
		if kept && !w.MayLeave(v, g.To.Vars[v]) {
			return false
		}
	}
	return true
}

// seeds puts seeds into the kept pits, and goes on with the variables.
func (g *Search) seeds(w partial.Way, seeds []int) error {
	for p := range lists.Marked(g.Kept.Pits) {
		g.from.Seeds[p] = partial.Known(seeds[p])
	}
	return g.variables(w, 0)
}

// variables tries, for the kept variables from v on, all values that they may have had.
func (g *Search) variables(w partial.Way, v int) error {
	for v < len(g.from.Vars) && !g.Kept.Vars[v] {
		v++
	}
	if v == len(g.from.Vars) {
		return g.candidate()
	}
	for _, n := range g.values(w, v) {
		g.from.Vars[v] = partial.Known(n)
		if err := g.variables(w, v+1); err != nil {
			return err
		}
	}
	return nil
}

// values lists the values that variable v may have had before the way.
func (g *Search) values(w partial.Way, v int) []int {
	if n, known := w.Before[v].Is(); known {
		return []int{n}
	}
	if !w.Assigned[v] && g.Kept.VarsOf(g.To.Outcome)[v] {
		return []int{g.To.Vars[v]}
	}
	return g.Machine.System().Vars[v].Domain
}

// candidate passes on the state from which the step may begin, the first time that it is found.
func (g *Search) candidate() error {
	key, err := g.Machine.AppendKey(g.key[:0], g.from, g.Kept)
	if err != nil {
		return err
	}
	if g.key = key; g.seen[string(key)] {
		return nil
	}
	g.seen[string(key)] = true
	g.Tried++
	return g.Each(g.from, key)
}

// Leads plays the action from s, and reports whether it may lead to the state.
func (g *Search) Leads(s partial.State) (to partial.State, may bool, err error) {
	to, legal, err := g.Player.Do(s, g.Action)
	if err != nil {
		err = refuse.LeftOut(err, "the move `%s` from %s", g.Machine.System().ActionName(g.Action), g.Machine.Text(s))
	}
	return to, legal && !g.Elsewhere(to), err
}

// Elsewhere reports whether s certainly differs from the state that is looked for.
func (g *Search) Elsewhere(s partial.State) bool {
	if s.Mover != g.To.Mover || s.Outcome != g.To.Outcome {
		return true
	}
	for p, kept := range g.Kept.Pits {
		if kept && !s.Seeds[p].Has(g.To.Seeds[p]) {
			return true
		}
	}
	for v, kept := range g.Kept.VarsOf(s.Outcome) {
		if kept && !s.Vars[v].Has(g.To.Vars[v]) {
			return true
		}
	}
	return false
}
