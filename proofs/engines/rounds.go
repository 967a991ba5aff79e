package engines

import (
	"errors"
	"slices"
	"time"

	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
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
	// forSolver is the memory of a command in which a solver has room beside a search. With less it
	// would end the search.
	forSolver = 96 << 20
)

// InRounds runs a search backward and one forward in rounds until one of them decides, none with a
// greater limit on states than the decision has. If that limit is what prevents an answer, their
// error is an *Open with more set. Between the short rounds and the long ones the solver is asked,
// if solve is not nil and has room; after all of them, for as long as it takes. From the first long
// round on the searches take turns with a hunt, if that is not nil: it only finds plays, which need
// not be shortest ones. back may be nil. If nothing decides, the result is the forward search's,
// whose limits mean most to people, and the reasons of all are notes.
func InRounds(back, forth, solve, hunt Attempt) Attempt {
	return func(run *Run) (*result.Result, error) {
		r := &rounds{Run: run}
		if run.Opt.Shortest {
			hunt = nil
		}
		last := run.shortly() != run // asked after all rounds
		between := solve
		if run.Opt.Memory() < forSolver {
			between, last = nil, true
		}
		running := []*runner{{search: back, share: 1}, {search: forth, share: swifter}}
		first := int64(firstRound)
		if back == nil {
			running, first = running[1:], askAfter
		}
		for n := first; len(running) > 0; n *= growth {
			for _, s := range running {
				alone := len(running) == 1 && (n > askAfter || between == nil && hunt == nil)
				if alone {
					if done, err := r.hunt(hunt, 4*n); done != nil || err != nil {
						return done, err
					}
				}
				if done, err := r.round(s, n*s.share, alone); done != nil || err != nil {
					return done, err
				}
			}
			running = slices.DeleteFunc(running, func(s *runner) bool { return s.over })
			if done, err := r.hunt(hunt, n); done != nil || err != nil {
				return done, err
			}
			if between != nil && (n == askAfter || n < askAfter && len(running) == 0) {
				if done, err := r.attempt(run.shortly(), between); done != nil || err != nil {
					return done, err
				}
			}
		}
		if done, err := r.hunt(hunt, lastHunt); done != nil || err != nil {
			return done, err
		}
		if solve != nil && last {
			if done, err := r.attempt(run, solve); done != nil || err != nil {
				return done, err
			}
		}
		return lastWord(r.words), nil
	}
}

// lastHunt is how many positions a hunt looks at after the searches have failed, or alone.
const lastHunt = askAfter * growth * growth * growth

// hunt hunts in a long round, with at most n positions.
func (r *rounds) hunt(hunt Attempt, n int64) (*result.Result, error) {
	if hunt == nil || n < askAfter {
		return nil, nil
	}
	return r.attempt(r.Limited(r.UpTo(n)), hunt)
}

// runner is a search with its result.
type runner struct {
	search Attempt
	share  int64
	over   bool // a greater limit does not help
}

// rounds are searches and questions to a solver, with the last word of each engine.
type rounds struct {
	*Run
	words []*result.Result
}

// round runs a search once, without a limit of its own if it is the only one left. The result is
// nil if it does not decide.
func (r *rounds) round(s *runner, limit int64, alone bool) (*result.Result, error) {
	most := r.Opt.MaxStates
	if alone || most > 0 && limit > most {
		limit = most
	}
	more := false
	done, err := r.attempt(r.Limited(limit), func(run *Run) (*result.Result, error) {
		res, err := s.search(run)
		var left *Open
		more = errors.As(err, &left) && left.more
		return res, err
	})
	s.over = !more || limit == most || r.Ctx.Err() != nil
	return done, err
}

// attempt tries to decide. The result is nil if that leaves the question open.
func (r *rounds) attempt(run *Run, part Attempt) (*result.Result, error) {
	if len(r.words) > 0 && r.Ctx.Err() != nil {
		return nil, nil
	}
	res, err := run.Try(verdict.Forward, part)
	if err != nil || res.Status != verdict.Unknown {
		return res, err
	}
	r.words = slices.DeleteFunc(r.words, func(w *result.Result) bool { return w.Engine == res.Engine })
	r.words = append(r.words, res)
	return nil, nil
}

// shortTime is how long the solver may take for a question while there are searches to come that
// may be done in seconds.
const shortTime = 5 * time.Second

// shortly is the decision with little time for each question to the solver. Where its work is
// limited instead, verdicts must not depend on time.
func (run *Run) shortly() *Run {
	if run.Opt.SolverSteps > 0 || run.Opt.SolverTimeout > 0 && run.Opt.SolverTimeout <= shortTime {
		return run
	}
	short := *run
	short.Opt.SolverTimeout = shortTime
	return &short
}

// Open is the error of a question that is left open, with the Unknown verdict that says why.
type Open struct {
	*result.Result
	more bool // the limit on states ended a search: with a greater one it may decide
}

func (o *Open) Error() string { return o.Sentence() }

// More says whether the question may be decided with a greater limit on states.
func (o *Open) More(more bool) *Open {
	o.more = more
	return o
}

// Attempt is a way to try to decide a claim, within the limits of the decision.
type Attempt func(*Run) (*result.Result, error)

// Settled is the Unknown verdict where a question was left open.
func Settled(r *result.Result, err error) (*result.Result, error) {
	if left, is := errors.AsType[*Open](err); is {
		return left.Result, nil
	}
	return r, err
}

// Try executes a part of a decision. If that leaves the question open, or exceeds a limit of
// computation, the verdict is Unknown.
func (run *Run) Try(name verdict.Engine, part Attempt) (*result.Result, error) {
	r, err := Settled(part(run))
	if limit, is := errors.AsType[*rules.LimitError](err); is {
		return run.Unknown(name, verdict.Unfit.Says(limit.Diag.Message)).Result, nil
	}
	return r, err
}

// InTurn returns an attempt that tries engines in turn until one decides.
func InTurn(engines ...Attempt) Attempt {
	return func(run *Run) (*result.Result, error) {
		var words []*result.Result
		for _, part := range engines {
			r, err := run.Try(verdict.Forward, part)
			if err != nil || r.Status != verdict.Unknown {
				return r, err
			}
			words = append(words, r)
			if run.Ctx.Err() != nil {
				break
			}
		}
		return lastWord(words), nil
	}
}

// lastWord is the result where engines have left a question open: the forward search's, whose
// limits mean most to people, or else the last one. The reasons of all are notes.
func lastWord(words []*result.Result) *result.Result {
	var word *result.Result
	var notes []verdict.Note
	for _, r := range words {
		if word == nil || r.Engine == verdict.Forward || word.Engine != verdict.Forward {
			word = r
		}
		notes = append(notes, verdict.EngineOpen{Engine: r.Engine, Why: verdict.Because(r.Open)})
	}
	if len(notes) > 1 {
		word.Notes = append(word.Notes, notes...)
	}
	return word
}

// ByEngine runs the attempts of the requested engine, or with Auto those listed for Auto in turn.
func (run *Run) ByEngine(what verdict.Kind, engines map[verdict.Engine][]Attempt) (*result.Result, error) {
	list := engines[run.Opt.Engine]
	if list == nil {
		return nil, run.Refuses(what)
	}
	if len(list) == 1 {
		return list[0](run)
	}
	return InTurn(list...)(run)
}
