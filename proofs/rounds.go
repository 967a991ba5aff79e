package proofs

import (
	"errors"
	"slices"
)

// Two searches may decide a question, and nobody knows which of them does so soon. They go on in
// rounds with growing limits, each from its beginning. What all the rounds cost is a small multiple
// of what the better search takes by itself, however long the other would take.
const (
	firstRound = 400 // states of a backward search
	// growth is the factor between the limits of two rounds: greater ones waste more on the worse
	// search, smaller ones more on beginnings.
	growth = 8
	// swifter is how many states a forward search examines in about the time in which a backward
	// search examines one.
	swifter = 8
	// askAfter is the limit of the last round before a solver is asked: by then the searches have
	// taken about as long as it takes to put the rules into formulas.
	askAfter = firstRound * growth * growth
)

// search looks for an answer among at most so many states; 0 is no limit. If that is what prevents
// one, its error is an *open with more set.
type search func(maxStates int64) (*Result, error)

// inRounds runs a search backward and one forward in rounds until one of them decides, none with a
// greater limit than most. Between the short rounds and the long ones the solver is asked, if solve
// is not nil; after all of them, for as long as it takes. If nothing decides, the result is the
// forward search's, whose limits mean most to people, and the reasons of all are notes.
func (d *decision) inRounds(back, forth search, most int64, solve func(*decision) (*Result, error)) (*Result, error) {
	r := &rounds{decision: d, most: most}
	running := []*runner{{name: Backward, search: back, share: 1}, {name: Forward, search: forth, share: swifter}}
	for n := int64(firstRound); len(running) > 0; n *= growth {
		for _, s := range running {
			alone := len(running) == 1 && (solve == nil || n > askAfter)
			if done, err := r.round(s, n*s.share, alone); done != nil || err != nil {
				return done, err
			}
		}
		running = slices.DeleteFunc(running, func(s *runner) bool { return s.over })
		if solve != nil && (n == askAfter || n < askAfter && len(running) == 0) {
			if done, err := r.attempt(func() (*Result, error) { return solve(d.shortly()) }); done != nil || err != nil {
				return done, err
			}
		}
	}
	if solve != nil && d.shortly() != d {
		if done, err := r.attempt(func() (*Result, error) { return solve(d) }); done != nil || err != nil {
			return done, err
		}
	}
	return r.undecided(), nil
}

// runner is a search with what became of it.
type runner struct {
	name   Engine
	search search
	share  int64
	over   bool // a greater limit does not help
}

// rounds are searches and questions to a solver, with the last word of each engine.
type rounds struct {
	*decision
	most  int64 // states of a search; 0: no limit
	words []*Result
}

// round runs a search once, without a limit of its own if it is the only one left. The result is
// nil if it does not decide.
func (r *rounds) round(s *runner, limit int64, alone bool) (*Result, error) {
	if alone || r.most > 0 && limit > r.most {
		limit = r.most
	}
	more := false
	done, err := r.attempt(func() (*Result, error) {
		res, err := s.search(limit)
		var left *open
		more = errors.As(err, &left) && left.more
		return res, err
	})
	s.over = !more || limit == r.most || r.ctx.Err() != nil
	return done, err
}

// attempt tries to decide. The result is nil if that leaves the question open.
func (r *rounds) attempt(part attempt) (*Result, error) {
	if len(r.words) > 0 && r.ctx.Err() != nil {
		return nil, nil
	}
	res, err := r.try(Forward, part)
	if err != nil || res.Status != Unknown {
		return res, err
	}
	r.words = slices.DeleteFunc(r.words, func(w *Result) bool { return w.Engine == res.Engine })
	r.words = append(r.words, res)
	return nil, nil
}

// undecided is the result of attempts that all leave the question open.
func (r *rounds) undecided() *Result { return lastWord(r.words) }
