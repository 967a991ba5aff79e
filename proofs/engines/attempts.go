package engines

import (
	"errors"

	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

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
