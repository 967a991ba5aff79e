package cert

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// numbering has the conditions on the numbers of a set closed under steps. States are given by
// their index in the set.
type numbering interface {
	// start is called for each start.
	start(i int) error
	// state is called for each state, with the states that its steps lead to, one for each step.
	state(i int, at partial.State, next []int) error
	// concludes is called at the end. It compares the claim with what the numbers show.
	concludes() error
}

// NewNumbered returns all reachable states with a number for each.
func NewNumbered(sys *rules.System, states []rules.State, numbers []int) Packed {
	c := whole(sys)
	return c.pack(c.ordered(states, numbers))
}

// Falling is the evidence of all reachable states with, for each, the number of moves of the
// longest play from it.
type Falling struct{ Packed }

// Depths is the evidence of all reachable states with, for each, the number of moves of the
// shortest play to it.
type Depths struct{ Packed }

func (e *Falling) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(ends)
	if !is || claim.ByRepetition {
		return st.unfit(e)
	}
	f := &forwardSet{report: r}
	return f.numbered(ctx, st, &e.Packed, &falling{forwardSet: f, claim: claim})
}

func (e *Depths) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(counts)
	if !is {
		return st.unfit(e)
	}
	f := &forwardSet{report: r}
	return f.numbered(ctx, st, &e.Packed, &depths{forwardSet: f, claim: claim, where: exec.ReadExpr(claim.Where), proves: st.proves, reached: make([]bool, max(0, e.Count))})
}

// numbered checks a set of whole states with numbers.
func (f *forwardSet) numbered(ctx context.Context, st *statement, p *Packed, rule numbering) error {
	f.rule = rule
	if err := f.all(ctx, st, whole(st.sys), p, true); err != nil {
		return err
	}
	f.report.Subject = subject(f.starts > 0)
	return rule.concludes()
}

// falling requires that the number of a state is the number of moves of the longest play from it: 0
// if it has no step, and otherwise one more than the greatest number that a step leads to. So no
// play has more moves than the number of its start, and some play has as many.
type falling struct {
	*forwardSet
	claim   ends
	longest int
}

func (r *falling) start(i int) error {
	r.longest = max(r.longest, r.numbers[i])
	return nil
}

func (r *falling) state(i int, at partial.State, next []int) error {
	n := 0
	for _, j := range next {
		n = max(n, r.numbers[j]+1)
	}
	if r.numbers[i] != n {
		return reject("the number of the state %s is %d, and by the states that it leads to %d",
			r.m.Text(at), r.numbers[i], n)
	}
	return nil
}

func (r *falling) concludes() error {
	if most := r.claim.Within; most >= 0 && r.longest > most {
		return reject("some play has %d moves", r.longest)
	}
	r.report.checked("states whose number is greater than those that they lead to", len(r.states))
	r.report.Longest = r.longest
	return nil
}

// depths requires that the number of a state is the number of moves of the shortest play to it. The
// states with number 0 are the starts. Every other state is reached by a step from a state whose
// number is one less, and no step leads to a state whose number is greater by more than one. So
// each state of the set is reached after exactly that many moves, and not after fewer.
type depths struct {
	*forwardSet
	claim   counts
	where   *exec.Expr // of the claim
	proves  bool
	reached []bool // by state: it is a start, or a step leads to it from a state whose number is one less
	number  int    // of states that the claim counts
}

func (r *depths) start(i int) error {
	if r.reached[i] = true; r.numbers[i] != 0 {
		return reject("the number of the start %s is %d", r.text(i), r.numbers[i])
	}
	return nil
}

func (r *depths) state(i int, at partial.State, next []int) error {
	for _, j := range next {
		switch n := r.numbers[i] + 1; {
		case r.numbers[j] > n:
			return reject("the number of the state %s is %d, and it is reached from %s in %d", r.text(j), r.numbers[j], r.m.Text(at), n)
		case r.numbers[j] == n:
			r.reached[j] = true
		}
	}
	is, err := r.claim.has(r.closedSet, r.where, at)
	if is {
		r.number++
	}
	return err
}

// has reports whether the claim counts a state. where is its condition.
func (claim counts) has(set *closedSet, where *exec.Expr, at partial.State) (bool, error) {
	if claim.Set == build.CountFinished && at.Live() {
		return false, nil
	}
	return set.decided(where, at, nil)
}

func (r *depths) concludes() error {
	if i := slices.Index(r.reached, false); i >= 0 {
		return reject("the state %s with the number %d is reached from no state before it", r.text(i), r.numbers[i])
	}
	is, err := rules.Apply(r.claim.Op, r.number, r.claim.Value)
	switch {
	case err != nil:
		return err
	case (is != 0) != r.proves:
		return reject("there are %d such states, and the verdict does not follow", r.number)
	}
	r.report.checked("states, each a start, or reached from one whose number is one less", len(r.states))
	r.report.Number = r.number
	return nil
}

// text describes the state with index i.
func (f *forwardSet) text(i int) string { return f.m.Text(f.m.Exactly(f.states[i])) }
