package forward

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/rows"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// unknownDepth is the depth in the figures of a search that does not go level by level.
const unknownDepth = -1

// swept is an error that tells SearchGame that all states were explored another way.
type swept struct{ result *Result }

func (*swept) Error() string { return "all states were explored by rows" }

// byRows tries to answer the query of a search by rows.
type byRows struct{ *search }

// suits reports whether rows can answer the query: it is about states, and not about how many
// moves lead to them.
func (s byRows) suits() bool {
	q := s.asked
	listed := q.States && (q.MostListed == 0 || s.total.Load() <= q.MostListed)
	if q.Depth || listed || q.BadStep != nil || s.opts.MaxDepth > 0 || s.opts.Disk != "" || s.opts.walks || s.opts.tiny || s.quotient != nil {
		return false
	}
	goal, _ := withoutStuck(q.Goal)
	return !slices.ContainsFunc(append([]rules.Expr{goal}, q.Count...), func(x rules.Expr) bool {
		return rules.Mentions(x, func(x rules.Expr) bool { _, asks := x.(rules.Question); return asks })
	})
}

// withoutStuck returns a condition without the alternative that the state is stuck, and reports
// whether it had that. It is nil if nothing else is left.
func withoutStuck(x rules.Expr) (rest rules.Expr, stuck bool) {
	if x == rules.Expr(rules.IsStuck) {
		return nil, true
	}
	or, is := x.(rules.Binary)
	if !is || or.Op != rules.Or {
		return x, false
	}
	left, inLeft := withoutStuck(or.L)
	right, inRight := withoutStuck(or.R)
	if left != nil && right != nil {
		return rules.Binary{Op: rules.Or, L: left, R: right}, inLeft || inRight
	}
	return cmp.Or(left, right), true
}

// A search is tried by rows once it has found someStates, and again each time it has found four
// times as many.
const (
	someStates = 1 << 17
	manyStates = someStates << 4
	mostStates = manyStates << 2
)

// advance is how many operations a trial may lose by making plans that are not used often enough:
// whatever comes of it, and at most. Finding a state by levels takes some twelve. So what is
// hopeless takes a twentieth of the search so far. Where states are many it may take as long as
// that: plans that take so long to make can halve the search (Oware with three seeds in each of
// eight houses).
func advance(found int64) (anyway, most int64) {
	if found < manyStates {
		return found / 2, 6 * found
	}
	return 14 * found, 14 * found
}

// never is a number of states that no search has found.
const never = math.MaxInt64

// try explores all states by rows, once the search has become long, if that can be done and is
// worth while. It then fails with a *swept.
func (s byRows) try() error {
	found := s.total.Load()
	if s.opts.rows {
		found = mostStates
	}
	if found < s.tryRows {
		return nil
	}
	s.tryRows = never
	if !s.suits() {
		return nil
	}
	var steppers []*residual.Stepper
	for range s.opts.Workers() {
		g, err := s.rules.On(s.codec)
		if err != nil {
			return err
		}
		stepper, is := g.(*residual.Stepper)
		if !is {
			return nil
		}
		steppers = append(steppers, stepper)
	}
	goal, stuck := withoutStuck(s.asked.Goal)
	q := rows.Query{
		System: s.sys, Codec: s.codec, Found: found, Seeds: s.maxSeeds, Steppers: steppers, Never: goal, NoStuck: stuck || s.asked.StuckTransitions, Count: s.asked.Count, Bounds: s.opts.Bounds,
		Observer: func(p limit.Progress) {
			if s.due() {
				s.base.report(p)
			}
		},
	}
	q.Advance, q.Most = advance(found)
	keys := s.sorted(0)
	for words := s.codec.Words(); len(keys) > 0; keys = keys[words:] {
		q.Starts = append(q.Starts, keys[:words])
	}
	r, err := rows.Explore(s.ctx, q)
	switch unfit := (*rows.Unfit)(nil); {
	case errors.As(err, &unfit) && unfit.Early && found < mostStates:
		s.tryRows = 4 * found
		return nil
	case unfit != nil:
		return nil
	case err != nil && s.ctx.Err() != nil:
		return s.cancelled(s.total.Load())
	case err != nil:
		return err
	}
	return &swept{s.result(r)}
}

// result returns what rows have found as the Result of the search.
func (s byRows) result(r *rows.Result) *Result {
	f := Figures{
		Live: r.Live, Stuck: r.Stuck, Finished: r.Finished, Transitions: r.Transitions,
		Into: append(make([]int64, len(s.sys.Players)), r.Into...),
	}
	st := f.stats(s.sys)
	st.Starts, st.States, st.Stored, st.Depth, st.Examined = s.listed, r.States, r.States, unknownDepth, unknownDepth
	st.Bytes, st.Seconds = r.Bytes, time.Since(s.began).Seconds()
	return &Result{End: allExamined, Stats: st, Counts: r.Counts, Fired: r.Fired, Ended: f.ended(s.sys)}
}
