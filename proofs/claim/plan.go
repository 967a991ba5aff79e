package claim

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// plan returns the states from which a win can be reached, each with the number of moves after
// which the strategy has won at the latest, as evidence. It returns nil if there are too many
// states or if the strategy does not win from all of them.
func (f *following) plan() cert.Evidence {
	res := f.winners.back
	if f.Opt.MaxEvidence > 0 && int64(res.Len()) > f.Opt.MaxEvidence {
		return nil
	}
	p := &plan{in: f.follower.In, kept: res.Kept.Kept, place: map[string]int{}}
	for i := range res.Len() {
		p.add(res.State(i))
	}
	for i := range p.states {
		if !p.solve(i) {
			return nil
		}
	}
	return &cert.Plan{Winning: *cert.NewWinning(f.Sys, p.kept, shape.Of(f.Ctx, f.In).Lemmas, f.winners.most, p.states, p.moves)}
}

// plan computes, for each state, how long the strategy may take to win.
type plan struct {
	in     *interp.Interp // by the strategy
	kept   rules.Kept
	states []rules.State
	place  map[string]int // of each state, by its kept parts
	moves  []int          // by state: the longest play by the strategy; or unsolved or solving
}

// Marks of states without a number of moves. A state is solving while the states after it are
// solved, so meeting it again is a cycle.
const (
	unsolved = -1
	solving  = -2
)

// key identifies a state by its kept parts.
func (p *plan) key(s rules.State) string { return fmt.Sprint(p.kept.Project(p.in.System(), s)) }

// add appends an unsolved state.
func (p *plan) add(s rules.State) {
	p.place[p.key(s)] = len(p.states)
	p.states, p.moves = append(p.states, s), append(p.moves, unsolved)
}

// solve computes the number of moves from a state. It reports false if the strategy leaves the
// states of the plan, has no move, or comes back to an earlier state.
func (p *plan) solve(i int) bool {
	if p.moves[i] != unsolved {
		return p.moves[i] != solving
	}
	p.moves[i] = solving
	steps, err := p.in.Steps(p.states[i])
	if err != nil || p.states[i].Live() && len(steps) == 0 {
		return false
	}
	longest := 0
	for _, st := range steps {
		to, known := p.place[p.key(st.To)]
		if !known || !p.solve(to) {
			return false
		}
		longest = max(longest, 1+p.moves[to])
	}
	p.moves[i] = longest
	return true
}
