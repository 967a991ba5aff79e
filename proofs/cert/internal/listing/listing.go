// Package listing lists all states that may satisfy conditions, on the given parts. It belongs to
// the certificate checker: it shares no code with rules/space.
//
// Variables are assigned first, with all their values, then pits, with all numbers of seeds, one
// after another; whatever is not assigned yet is an interval. A branch in which a condition is
// certainly false is cut. The intervals of pits are narrowed by conditions of the form a + b + … <=
// E (box.go). A pit that remains without an upper bound makes the listing fail.
package listing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Condition is a condition that the listed states satisfy when Mover is to move and the outcome is
// Outcome. These may differ from those of the states: an ending's condition is evaluated before the
// game is over.
type Condition struct {
	X       rules.Expr
	Mover   int
	Outcome int
}

// Listing is a question: which states satisfy all Conditions?
type Listing struct {
	Machine    *partial.Machine
	Base       partial.State // the pits and variables named below are assigned in it
	Pits       []bool
	Vars       []bool
	Conditions []Condition
	Limit      int // of numbers tried; 0: none
}

// Unbounded says that the states do not seem to be finitely many.
type Unbounded struct{ Pits []string }

func (e *Unbounded) Error() string {
	return "nothing bounds the seeds of " + strings.Join(e.Pits, ", ")
}

// TooMany says that the limit of numbers to try is reached.
type TooMany struct{ Limit int }

func (e *TooMany) Error() string { return fmt.Sprintf("there are more than %d possibilities", e.Limit) }

// Each calls yield for every state for which no condition is certainly false. Parts that are not
// assigned are as in Base.
func (l Listing) Each(ctx context.Context, yield func(partial.State) error) error {
	s := &search{Listing: l, ctx: ctx, reader: l.Machine.Reader(), state: l.Base.Clone(), yield: yield}
	s.conditions = lists.Map(l.Conditions, func(c Condition) condition { return condition{c, exec.ReadExpr(c.X)} })
	return s.vars(0)
}

type search struct {
	Listing
	ctx    context.Context
	reader *partial.Reader
	state  partial.State
	yield  func(partial.State) error
	tried  int

	conditions []condition
}

// condition is a Condition that was read.
type condition struct {
	Condition
	x *exec.Expr
}

// tick counts the numbers tried.
func (s *search) tick() error {
	s.tried++
	if s.Limit > 0 && s.tried > s.Limit {
		return &TooMany{s.Limit}
	}
	if s.tried%256 == 0 {
		return s.ctx.Err()
	}
	return nil
}

// possible reports whether no condition is certainly false.
func (s *search) possible() bool {
	return !slices.ContainsFunc(s.conditions, s.excludes)
}

func (s *search) excludes(c condition) bool {
	v, err := s.eval(c, c.x)
	holds, decided := v.Holds()
	return err == nil && decided && !holds
}

func (s *search) eval(c condition, x *exec.Expr) (partial.Value, error) {
	view := s.state
	view.Mover, view.Outcome = c.Mover, c.Outcome
	return s.reader.Eval(x, view, nil)
}

// vars assigns the variables from v on.
func (s *search) vars(v int) error {
	if !s.possible() {
		return nil
	}
	for v < len(s.Vars) && !s.Vars[v] {
		v++
	}
	if v == len(s.Vars) {
		return s.bounded()
	}
	before := s.state.Vars[v]
	defer func() { s.state.Vars[v] = before }()
	for _, value := range s.Machine.System().Vars[v].Domain {
		if err := s.tick(); err != nil {
			return err
		}
		s.state.Vars[v] = partial.Known(value)
		if err := s.vars(v + 1); err != nil {
			return err
		}
	}
	return nil
}

// bounded narrows the pits and continues if all of them are bounded.
func (s *search) bounded() error {
	before := append([]partial.Value(nil), s.state.Seeds...)
	defer func() { copy(s.state.Seeds, before) }()
	if !s.narrow() {
		return nil
	}
	open := lists.Filter(lists.Set(s.Pits), func(p int) bool { return !s.state.Seeds[p].Bounded() })
	if open != nil {
		return &Unbounded{lists.Map(open, func(p int) string { return s.Machine.System().Pits[p].Name })}
	}
	return s.pits(0)
}

// pits assigns the pits from p on.
func (s *search) pits(p int) error {
	for p < len(s.Pits) && !s.Pits[p] {
		p++
	}
	if p == len(s.Pits) {
		return s.yield(s.state.Clone())
	}
	before := append([]partial.Value(nil), s.state.Seeds...)
	defer func() { copy(s.state.Seeds, before) }()
	for n := before[p].Lo; n <= before[p].Hi; n++ {
		if err := s.tick(); err != nil {
			return err
		}
		copy(s.state.Seeds, before)
		s.state.Seeds[p] = partial.Known(n)
		if !s.narrow() || !s.possible() {
			continue
		}
		if err := s.pits(p + 1); err != nil {
			return err
		}
	}
	return nil
}

// Targets returns listings that together have all states in which the target may hold: first those
// of live states, and then those of states with each outcome.
func Targets(m *partial.Machine, kept rules.Kept, target rules.Expr, tries int) []Listing {
	sys := m.System()
	var list []Listing
	add := func(mover, outcome int, conditions ...Condition) {
		base := m.Blank(mover)
		base.Outcome = outcome
		goal := Condition{X: target, Mover: mover, Outcome: outcome}
		list = append(list, Listing{
			Machine: m, Base: base, Pits: kept.Pits, Vars: kept.VarsOf(outcome),
			Conditions: append([]Condition{goal}, conditions...), Limit: tries,
		})
	}
	for mover := range sys.Players {
		add(mover, rules.Live)
	}
	for outcome := range sys.Outcomes {
		for _, produced := range produced(sys, outcome) {
			add(rules.None, outcome, produced...)
		}
	}
	return list
}

// produced says in which states a game may end with an outcome: one of the lists of conditions
// holds there. An empty list means that nothing is known, because an action may end the game this
// way, or an ending may change the board first.
func produced(sys *rules.System, outcome int) [][]Condition {
	var ways [][]Condition
	for _, a := range sys.Actions {
		if rules.EffectsOf(a.Body).MayEnd(sys, outcome) {
			return [][]Condition{nil}
		}
	}
	for mover, by := range sys.EachReaction() {
		o, plain := by.Plain()
		switch {
		case !rules.EffectsOf(by.Body).MayEnd(sys, outcome):
		case !plain || o != outcome || rules.AsksFor(by.When, rules.NoMove):
			return [][]Condition{nil}
		default:
			ways = append(ways, []Condition{{X: by.When, Mover: mover, Outcome: rules.Live}})
		}
	}
	return ways
}
