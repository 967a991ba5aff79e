package partial

import (
	"encoding/binary"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/script"
	"github.com/mancheck/mancheck/rules/exec"
)

// Way is one way in which an action may go, from its guard to the last ending.
type Way struct {
	Before   []Value // by variable: its value before the action, if the way depends on it; otherwise unknown
	Assigned []bool  // by variable: it is set on the way
	After    []Value // by variable: its possible values afterwards
	Mover    int     // the player to move afterwards
	Outcome  int
	Plan     *exec.Plan // the sowing; nil: no seed moves
	Hard     string     // why the way cannot be undone; "" if it can
}

// Intricate says that the ways of an action, or what it does to seeds, cannot be listed.
type Intricate struct{ Reason string }

func (e *Intricate) Error() string { return e.Reason }

const (
	maxChoices = 256     // on one way
	maxWays    = 1 << 17 // of one action
	mostBroad  = 1 << 12 // choices on one way of open play
)

// Ways lists all ways of an action. From any state, unless it meets a fault of the rules, the
// action goes one of them: everything that play depends on is guessed, and all guesses are tried.
// It fails with an *Intricate error.
func (m *Machine) Ways(action int) ([]Way, error) {
	var ways []Way
	seen := map[string]bool{}
	todo := &script.Script{Most: maxChoices}
	for count := 0; ; count++ {
		if count == maxWays {
			return nil, &Intricate{"can go too many ways"}
		}
		w, ok, err := m.way(action, todo)
		if err != nil {
			return nil, err
		}
		if key := w.key(); ok && !seen[key] {
			seen[key] = true
			ways = append(ways, w)
		}
		if !todo.Next() {
			return ways, nil
		}
	}
}

// way follows the script, and extends it where it ends.
func (m *Machine) way(action int, todo *script.Script) (w Way, ok bool, err error) {
	a := m.program.Action(action)
	s := m.Blank(a.Mover)
	g := &guess{Script: todo, Way: Way{Before: append([]Value(nil), s.Vars...), Assigned: make([]bool, len(s.Vars))}}
	r := m.newRun(s, len(a.Locals))
	r.guess = g
	r.action = action
	legal, err := r.run.Perform(a)
	if err == nil && legal {
		s, err = r.conclude()
	}
	g.After, g.Mover, g.Outcome = s.Vars, s.Mover, s.Outcome
	if _, broken := err.(*Fault); broken || err == script.ErrNoWay {
		return g.Way, false, nil
	}
	return g.Way, legal, err
}

// key distinguishes ways.
func (w Way) key() string {
	key := appendPlan(make([]byte, 0, 128), w.Plan)
	for i, v := range w.Before {
		key = appendInts(key, v.Lo, v.Hi, w.After[i].Lo, w.After[i].Hi)
	}
	key = appendInts(appendBools(key, w.Assigned), w.Mover, w.Outcome)
	return string(append(key, w.Hard...))
}

func appendBools(key []byte, list []bool) []byte {
	key = appendInts(key, len(list))
	for _, b := range list {
		key = append(key, byte(num.Truth(b)))
	}
	return key
}

func appendInts(key []byte, list ...int) []byte {
	for _, n := range list {
		key = binary.AppendVarint(key, int64(n))
	}
	return key
}

// MayLeave reports whether variable i may be n after the way.
func (w Way) MayLeave(i, n int) bool { return w.After[i].Has(n) }

// guess is the current way.
type guess struct {
	*script.Script
	Way
	*open // nil: the way is from a state of which nothing is known, and is to be undone
}

// undoing reports whether the way is to be undone.
func (g *guess) undoing() bool { return g != nil && g.open == nil }

// opening reports whether the way is one of open play.
func (g *guess) opening() bool { return g != nil && g.open != nil }

// err ends a way that makes too many choices.
func (g *guess) err() error {
	if err := g.Err(); err != nil {
		return &Intricate{err.Error()}
	}
	return nil
}

func (g *guess) hard(reason string) {
	if g.Hard == "" {
		g.Hard = reason
	}
}

// sowing records a sowing. Only one can be undone.
func (g *guess) sowing(p *exec.Plan) {
	if g.Plan != nil {
		g.hard("sows more than once")
	}
	g.Plan = p
}
