package proofs

import (
	"errors"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// searchBack runs a backward search with the limits of the decision. One that ends early leaves the
// question open.
func (d *decision) searchBack(goal rules.Expr, maxStates int64, opt backward.Options) (*backward.Result, error) {
	opt.MaxStates, opt.MaxMemory = maxStates, d.opt.MaxMemory
	if d.opt.Observer != nil {
		opt.Observer = func(q backward.Progress) {
			d.observe(Progress{Engine: Backward, Depth: q.Depth, States: q.States, Frontier: q.Frontier})
		}
	}
	res, err := backward.Search(d.ctx, d.in, goal, opt)
	if err != nil {
		return nil, d.beyond(Backward, err)
	}
	d.met(res.Fault)
	switch res.Stop {
	case backward.Closed, backward.StartFound, backward.DepthLimit:
		return res, nil
	}
	r := d.unknown(Backward, d.backwardEnded(res, opt))
	r.more = res.Stop == backward.StateLimit
	d.tellBackward(r.Result, res)
	return nil, r
}

// tellBackward adds to a verdict what a backward search examined, and what it ignored.
func (d *decision) tellBackward(r *Result, res *backward.Result) {
	r.Stats = statsBackward(res)
	r.Notes = append(r.Notes, leftOut(res.Kept.Dropped)...)
}

func statsBackward(res *backward.Result) verdict.Stats {
	return verdict.Stats{
		States: int64(res.Len()), Transitions: res.Steps, Depth: len(res.Levels) - 1,
		Closed: res.Others(), Bytes: res.Bytes,
	}
}

// backwardEnded says why a backward search has no answer.
func (d *decision) backwardEnded(res *backward.Result, opt backward.Options) verdict.Reason {
	switch n := int64(res.Len()); res.Stop {
	case backward.StateLimit:
		return verdict.BackwardEnded{Limit: limit.Hit{Kind: limit.States, Most: opt.MaxStates, Found: n}}
	case backward.MemoryLimit:
		return verdict.BackwardEnded{Limit: limit.Hit{Kind: limit.Memory, Most: opt.MaxMemory, Found: n + 1}}
	case backward.Interrupted:
		return verdict.BackwardEnded{Limit: limit.Ending(d.ctx).With(n)}
	}
	return verdict.Obstacle{Is: verdict.Unfit, Words: verdict.Words(res.Reason)}
}

func leftOut(dropped []string) []verdict.Note {
	var notes []verdict.Note
	for _, why := range dropped {
		notes = append(notes, verdict.LeftOut{Why: verdict.Words(why)})
	}
	return notes
}

// closedSet keeps the set closed by a backward search as evidence, unless it is too large.
func (d *decision) closedSet(r *Result, res *backward.Result) {
	if d.opt.MaxEvidence > 0 && int64(res.Len()) > d.opt.MaxEvidence {
		return
	}
	states := make([]rules.State, res.Len())
	for i := range states {
		states[i] = res.State(i)
	}
	r.Evidence = d.closedUnderPredecessors(res.Kept.Kept, states)
}

// closedUnderPredecessors returns the evidence of a set of states closed under predecessors.
func (d *decision) closedUnderPredecessors(keep space.Kept, states []rules.State) *cert.Evidence {
	e := cert.NewBackward(d.sys, partsOf(keep), lemmas(shape.Of(d.ctx, d.in)), states)
	return &e
}

// partsOf and lemmas convert the kept parts of states and the lemmas for the certificate checker.
func partsOf(k space.Kept) cert.Parts { return cert.Parts{Pits: k.Pits, Vars: k.Vars, Over: k.Over} }

func lemmas(sh *shape.Shape) []cert.Lemma {
	var list []cert.Lemma
	for _, l := range sh.Lemmas {
		list = append(list, cert.Lemma{Var: l.Var, Value: l.Value})
	}
	return list
}

// beyond says why an enumeration or a pre-image leaves the question open; other errors are
// failures.
func (d *decision) beyond(engine Engine, err error) error {
	var fault *interp.RuleError
	switch {
	case errors.As(err, &fault) && engine != Forward: // perhaps in a state that no play reaches
		return d.unknown(engine, verdict.Obstacle{Is: verdict.RulesFault, Words: verdict.Words(fault.Diag.Message)})
	case errors.As(err, new(*space.InfiniteError)), errors.As(err, new(*backward.HardError)), errors.As(err, new(*interp.HiddenError)),
		errors.As(err, new(*shape.VagueError)), errors.As(err, new(*interp.UndefinedError)):
		return d.unknown(engine, verdict.Obstacle{Is: verdict.Unfit, Words: verdict.Words(err.Error())})
	case errors.Is(err, errManyShapes):
		return d.unknown(engine, manyShapes)
	case limit.Ended(err):
		return d.unknown(engine, verdict.Ended{Limit: limit.Ending(d.ctx)})
	}
	return err
}
