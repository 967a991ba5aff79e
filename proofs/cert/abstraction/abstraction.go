// Package abstraction looks for a set of partly known states that is closed under steps and
// contains all starts, and in which nothing bad happens. At first only what a claim reads is known,
// and at a decision that depends on something else play goes both ways. If something bad happens on
// a play that cannot be played for real, the parts that decided there become known, too, and the
// search begins again: abstraction refined by counterexamples (Clarke, Grumberg, Jha, Lu and Veith,
// CAV 2000).
//
// It plays as the certificate checker does, which checks the set.
package abstraction

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// Result is a closed set, or a play to the target.
type Result struct {
	Kept      rules.Kept
	States    []rules.State // the set; nil: there is a play
	Start     rules.State
	Actions   []int
	Doubted   bool  // an action may meet a fault of the rules, which is no step here
	Concerned bool  // some step may be one that the aim is about
	Looked    int64 // at partly known states, of all sets tried
}

// OpenError says why the question is left open.
type OpenError struct{ Reason string }

func (e *OpenError) Error() string { return e.Reason }

// Aim is what no play is to come to: a state that satisfies Bad, or, if Step is not nil, a step by
// one of its Actions from a state that satisfies From to one that satisfies Bad.
type Aim struct {
	Bad  rules.Expr
	Step *build.EveryStep
}

// Search shows that no play from the starts comes to the aim, or finds one that does. It looks at
// most at the given number of partly known states. If parameters are open, it lists the starts for
// all their values by itself; then no pits become known, and no plays are found. The error is an
// *OpenError or the context's.
func Search(ctx context.Context, sys *rules.System, starts []rules.State, aim Aim, most int64) (*Result, error) {
	m := partial.New(ctx, sys)
	seeds := 0
	for _, at := range starts {
		seeds = max(seeds, at.Total())
	}
	all := len(sys.OpenParams()) > 0
	if !all {
		m.Bound(seeds)
	}
	s := &search{all: all, ctx: ctx, m: m, sys: sys, player: m.Player(), reader: m.Reader(), starts: starts, aim: aim, bad: exec.ReadExpr(aim.Bad), most: most}
	vars := rules.Reads(sys, aim.Bad).Vars
	if aim.Step != nil {
		s.from = exec.ReadExpr(aim.Step.From)
		for v := range lists.Marked(rules.Reads(sys, aim.Step.From).Vars) {
			vars[v] = true
		}
	}
	s.Kept = rules.Kept{Parts: rules.Parts{Pits: make([]bool, len(sys.Pits)), Vars: vars}, Over: slices.Clone(vars)}
	for {
		bad, err := s.explore()
		switch {
		case err != nil:
			return nil, err
		case bad < 0:
			s.States = lists.Map(s.found, func(n node) rules.State { return n.state })
			return &s.Result, nil
		}
		real, err := s.try(bad)
		if err != nil || real {
			return &s.Result, err
		}
	}
}

// waysEach is how many ways moves may go for each state that may be looked at.
const waysEach = 8

// search is a set that grows until it is closed, or has a target.
type search struct {
	Result
	ctx    context.Context
	m      *partial.Machine
	sys    *rules.System
	player *partial.Player
	reader *partial.Reader
	starts []rules.State
	all    bool // the starts are those for all values of the open parameters
	aim    Aim
	bad    *exec.Expr // of the aim
	from   *exec.Expr // of its step; nil without
	most   int64
	found  []node
	blame  []string // why the aim may be met, after the way
}

// node is a partly known state, with the step to it.
type node struct {
	state  rules.State
	from   int // -1: it is a start
	action int
	blame  []string // what decided on the step
}

// explore closes the starts under steps. It returns the number of a node at which the aim may be
// met, or -1.
func (s *search) explore() (int, error) {
	s.found, s.Doubted, s.Concerned = nil, false, false
	seen := map[string]bool{}
	var key []byte
	add := func(n node) {
		if key = partial.AppendState(key[:0], n.state, s.Kept); !seen[string(key)] {
			seen[string(key)] = true
			s.found = append(s.found, n)
		}
	}
	for _, at := range s.starts {
		add(node{state: s.Kept.Project(s.sys, at), from: -1})
	}
	if s.all {
		open, err := s.listed(s.player.OpenStarts(s.Kept))
		if err == nil && len(open) == 0 {
			err = &OpenError{"no game begins without a fault of the rules"}
		}
		if err != nil {
			return 0, err
		}
		for _, at := range open {
			add(node{state: s.Kept.Project(s.sys, at.To.Numbers()), from: -1, blame: at.Blame})
		}
	}
	asked, step := s.bad, s.aim.Step
	if step != nil {
		asked = s.from
	}
	var at partial.State
	for i := 0; i < len(s.found); i++ {
		if s.Looked++; s.Looked > s.most || int64(s.player.Ways) > waysEach*s.most {
			return 0, &OpenError{fmt.Sprintf("the limit of %d partly known states, or of %d ways in which moves go, is reached", s.most, waysEach*s.most)}
		}
		s.m.BlurInto(&at, s.found[i].state, s.Kept)
		s.blame = nil
		may, err := s.may(asked, at, nil)
		if err != nil || may && step == nil || s.reader.Doubted() {
			return i, err
		}
		steps, err := s.listed(s.player.Open(at, s.Kept))
		if err != nil {
			return 0, err
		}
		for _, to := range steps {
			n := node{s.Kept.Project(s.sys, to.To.Numbers()), i, to.Action, to.Blame}
			if may && step != nil && rules.Counts(step.Actions, to.Action) {
				s.Concerned = true
				if bad, err := s.may(s.bad, to.To, &at); err != nil || bad {
					s.found = append(s.found, n)
					return len(s.found) - 1, err
				}
			}
			add(n)
		}
	}
	return -1, s.ctx.Err()
}

// listed takes what open play has listed.
func (s *search) listed(steps []partial.Step, doubted bool, err error) ([]partial.Step, error) {
	s.Doubted = s.Doubted || doubted
	if hard, is := errors.AsType[*partial.Intricate](err); is {
		return nil, &OpenError{"a move " + hard.Reason}
	}
	if broken, is := errors.AsType[*partial.Fault](err); is {
		return nil, &OpenError{broken.Error()}
	}
	return steps, err
}

// may reports whether a condition may hold, and notes what that depends on.
func (s *search) may(x *exec.Expr, at partial.State, before *partial.State) (bool, error) {
	holds, err := s.reader.Decide(x, at, before)
	if open, is := errors.AsType[*partial.Unknown](err); is {
		s.blame = append(s.blame, open.Part)
		return true, nil
	}
	if err != nil {
		return false, &OpenError{"the claim may have no value: " + err.Error()}
	}
	return holds, nil
}

// try plays the way to a node at which the aim may be met. If it cannot be played for real, more
// parts become known.
func (s *search) try(bad int) (real bool, err error) {
	var way []int // nodes
	for i := bad; i >= 0; i = s.found[i].from {
		way = append(way, i)
	}
	slices.Reverse(way)
	furthest := 0
	if s.all {
		furthest = len(way)
	}
	for _, start := range s.starts {
		if !s.Kept.Project(s.sys, start).Equal(s.found[way[0]].state) {
			continue
		}
		n, err := s.play(start, way)
		if err != nil {
			return false, err
		}
		if n > len(way) {
			return true, nil
		}
		furthest = max(furthest, n)
	}
	return false, s.refine(way, furthest)
}

// play plays from a start as far along the way as it goes. It returns the number of states on the
// way, and one more if the aim is met.
func (s *search) play(start rules.State, way []int) (int, error) {
	at, before, action := s.m.Exactly(start), (*partial.State)(nil), 0
	for n, i := range way[1:] {
		to, legal, err := s.player.Sure(at, s.found[i].action)
		if open := new(partial.Unknown); err != nil && !errors.As(err, &open) {
			return 0, err
		}
		if err != nil || !legal || !s.Kept.Project(s.sys, to.Numbers()).Equal(s.found[i].state) {
			return n + 1, nil
		}
		was := at
		at, before, action = to.Clone(), &was, s.found[i].action
	}
	if !s.meets(at, before, action) {
		return len(way), nil
	}
	s.Start, s.Actions = start, lists.Map(way[1:], func(i int) int { return s.found[i].action })
	return len(way) + 1, nil
}

// meets reports whether an aim is met in a state of which everything is known, after an action from
// the state before.
func (s *search) meets(at partial.State, before *partial.State, action int) bool {
	if step := s.aim.Step; step == nil {
		before = nil
	} else if before == nil || !rules.Counts(step.Actions, action) || !s.holds(s.from, *before, nil) {
		return false
	}
	return s.holds(s.bad, at, before)
}

// holds reports whether a condition certainly holds.
func (s *search) holds(x *exec.Expr, at partial.State, before *partial.State) bool {
	is, err := s.reader.Decide(x, at, before)
	return err == nil && is
}

// refine makes parts known that decided where the play left the way, or before.
func (s *search) refine(way []int, n int) error {
	if n == len(way) && s.learn(s.blame) {
		return nil
	}
	before := slices.Clone(way[:min(n+1, len(way))])
	slices.Reverse(before)
	for _, i := range append(before, way...) {
		if s.learn(s.found[i].blame) {
			return nil
		}
	}
	return &OpenError{"no part of the states that decides is left to become known"}
}

// learn makes parts known: the variables among those with these names, or else the pits. It reports
// whether any was not known before.
func (s *search) learn(names []string) bool {
	is := func(name string) bool { return slices.Contains(names, partial.PartName(name)) }
	more := false
	for v, x := range s.sys.Vars {
		if !s.Kept.Vars[v] && is(x.Name) {
			s.Kept.Vars[v], s.Kept.Over[v], more = true, true, true
		}
	}
	for p, pit := range s.sys.Pits {
		if !more && !s.all && !s.Kept.Pits[p] && is(pit.Name) {
			s.Kept.Pits[p] = true
			return true
		}
	}
	return more
}
