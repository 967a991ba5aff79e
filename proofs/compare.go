package proofs

import (
	"errors"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// comparing is how two plays show together that a claim is refuted; nil if the verdict does not rest on two plays.
func comparing(r *Result, p resolve.Property) func() error {
	if r.Status != Refuted || r.Trace == nil || r.Other == nil {
		return nil
	}
	switch p := p.(type) {
	case *resolve.StrategyWins:
		return func() error { return failsToWin(r, p) }
	case *resolve.Relation:
		if p.Kind != resolve.Reverses {
			return func() error { return differ(r, p) }
		}
	}
	return nil
}

var (
	errElsewhere = errors.New("the plays are not of the variants, or not from the start, that the claim speaks of")
	errNoFailure = errors.New("the play by the strategy does not fail")
	errAlike     = errors.New("the plays do not differ where they should")
)

// failsToWin fails unless the trace is a play by the strategy that wins nothing, and the other play wins from the same start.
func failsToWin(r *Result, p *resolve.StrategyWins) error {
	if !sameSystem(r.Trace.System, r.System) || !sameSystem(r.Other.System, r.System) || !r.Trace.Start.Equal(r.Other.Start) {
		return errElsewhere
	}
	goal := won(r.System)
	if err := replayOf(r.Other).reaches(goal, -1); err != nil {
		return err
	}
	if _, _, err := replayOf(r.Trace).states(true); err != nil {
		return err
	}
	by := &replayed{in: interp.New(p.Followed), sys: p.Followed, trace: r.Trace}
	states, _, err := by.states(false)
	if err != nil {
		return err
	}
	last := states[len(states)-1]
	over := rules.Conjunction(rules.Not{X: rules.HasOutcome(rules.Live)}, rules.Not{X: goal})
	if by.holds(rules.Binary{Op: rules.Or, L: rules.IsStuck, R: over}, last, nil) == nil {
		return nil
	}
	if !slices.ContainsFunc(states[:len(states)-1], last.Equal) {
		return errNoFailure
	}
	return nil
}

// differ fails unless the two plays are alike up to a last move, which only one side allows, or after which they look different.
func differ(r *Result, p *resolve.Relation) error {
	if !sameSystem(r.Trace.System, r.System) || !sameSystem(r.Other.System, p.Other) {
		return errElsewhere
	}
	left, right := replayOf(r.Trace), replayOf(r.Other)
	l, _, err := left.states(true)
	if err != nil {
		return err
	}
	m, _, err := right.states(true)
	if err != nil {
		return err
	}
	common := min(len(l), len(m)) - 1
	if len(l) == len(m) {
		common--
	}
	if common < 0 || max(len(l), len(m)) != common+2 {
		return errAlike
	}
	for i := range common + 1 {
		if !looksAlike(left, right, p.Pairs, l[i], m[i]) || i > 0 && written(r.Trace, i-1) != written(r.Other, i-1) {
			return errAlike
		}
	}
	switch {
	case len(l) > len(m):
		return onlyMove(right, m[common], written(r.Trace, common))
	case len(l) < len(m) && p.Kind == resolve.Equivalent:
		return onlyMove(left, l[common], written(r.Other, common))
	case len(l) != len(m), written(r.Trace, common) != written(r.Other, common), looksAlike(left, right, p.Pairs, l[common+1], m[common+1]):
		return errAlike
	}
	return nil
}

// written is the notation of a move; any white space in it is one blank.
func written(t *rules.Trace, i int) string { return strings.Join(strings.Fields(t.Steps[i].Move), " ") }

// onlyMove fails if the side allows the move.
func onlyMove(side *replayed, at rules.State, move string) error {
	steps, _, err := side.in.Legal(at)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if strings.Join(strings.Fields(side.in.Notation(s.Action, at)), " ") == move {
			return errAlike
		}
	}
	return nil
}

// looksAlike compares what is seen on the table: the pits, who is to move, and how the game ended.
func looksAlike(left, right *replayed, pairs [][2]int, l, r rules.State) bool {
	if l.Live() != r.Live() || l.Mover != r.Mover {
		return false
	}
	for _, p := range pairs {
		if l.Seeds[p[0]] != r.Seeds[p[1]] {
			return false
		}
	}
	return l.Live() || slices.Equal(left.ending(l), right.ending(r))
}

// ending is the kind of a finished state's outcome, and the scores.
func (t *replayed) ending(s rules.State) []int {
	out := []int{int(t.sys.Outcomes[s.Outcome].Kind)}
	for _, x := range t.sys.Scores {
		v, err := t.in.Eval(x, s, nil)
		if err != nil {
			v = 0 // a score that cannot be told decides nothing
		}
		out = append(out, v)
	}
	return out
}
