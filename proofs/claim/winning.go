package claim

import (
	"slices"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/space"
)

// winningStarts claims that the listed starts are those from which some play wins.
type winningStarts struct {
	usual
	*build.WinningStarts
}

func (winningStarts) about() verdict.Claim { return verdict.Claim{Kind: verdict.WinningStarts} }

// Listed returns the starts that the claim lists.
func (k winningStarts) Listed() []build.Listed { return k.List }

// Again plays all plays from each start.
func (k winningStarts) Again(q confirm.Question) (*enumerate.Opinion, error) {
	return q.Plays().WinningStarts(k.WinningStarts)
}

func (k winningStarts) decide(run *engines.Run) (*result.Result, error) {
	found, err := winning(run)
	if err != nil {
		return nil, err
	}
	r, err := compareSets(run, found.states, k.List, found.Engine, rules.Kept{})
	if err == nil {
		found.tell(run, r)
	}
	return r, err
}

// winners are the starts from which some play wins, with how they were found.
type winners struct {
	*result.Result // its engine, figures and notes
	states         []rules.State
	back           *backward.Result // the search that closed the wins under predecessors; nil if none did
	most           *int             // the seeds of the states that it kept; nil: any number
}

// winning finds the starts from which some play wins. Backward and forward search run in rounds. A
// search backward from the wins does not visit the starts that lose, of which there may be very
// many. Forward is better if there are few starts with few plays, and where predecessors cannot be
// constructed.
func winning(run *engines.Run) (*winners, error) {
	found := map[verdict.Engine]*winners{}
	try := func(find func(*engines.Run) (*winners, error)) engines.Attempt {
		return func(run *engines.Run) (*result.Result, error) {
			w, err := find(run)
			if err != nil {
				return nil, err
			}
			found[w.Engine] = w
			return w.Result, nil
		}
	}
	back, forth := try(winningBackward), try(winningForward)
	r, err := run.ByEngine(verdict.WinningStarts, map[verdict.Engine][]engines.Attempt{
		verdict.Auto: {engines.InRounds(unlessFault(run, back, forth), forth, nil, nil)}, verdict.Forward: {forth}, verdict.Backward: {back},
	})
	if err == nil && r.Status == verdict.Unknown {
		err = &engines.Open{Result: r}
	}
	if err != nil {
		return nil, err
	}
	return found[r.Engine], nil
}

// tell copies to a verdict how the starts were found, and the evidence that these win.
func (w *winners) tell(run *engines.Run, r *result.Result) {
	r.Stats, r.Notes = w.Stats, w.Notes
	if w.back != nil {
		r.Evidence = w.evidence(run)
	}
}

// winningForward explores the plays of each start. It keeps no evidence.
func winningForward(run *engines.Run) (*winners, error) {
	w, err := forward.WinningStarts(run.Ctx, run.Sys, run.Starts(), run.Sys.SomebodyHasWon(), run.ForwardOptions())
	if err != nil {
		return nil, run.Startless(err)
	}
	if w.Stop != limit.Complete {
		return nil, run.Ended(w.End, w.Stats)
	}
	out := &winners{Result: run.Result(verdict.Proved, verdict.Forward, nil)}
	out.Stats = engines.ForwardStats(w.Stats)
	out.states = lists.Map(w.Starts, func(s forward.WinningStart) rules.State { return s.State })
	return out, nil
}

// winningBackward closes the wins under predecessors. It skips states with more seeds than any
// start has, because no play reaches them.
func winningBackward(run *engines.Run) (*winners, error) {
	opt := backward.Options{All: true}
	if n, bounded := space.MostSeeds(run.Sys); bounded {
		opt.MaxSeeds = &n
	}
	res, err := run.SearchBack(run.Sys.SomebodyHasWon(), opt)
	if err != nil {
		return nil, err
	}
	out := &winners{Result: run.Result(verdict.Proved, verdict.Backward, nil), back: res, most: opt.MaxSeeds}
	engines.TellBackward(out.Result, res)
	out.states = lists.Map(res.Starts, func(s backward.Start) rules.State { return s.State })
	return out, nil
}

// evidence returns the states from which a win can be reached, each with the least number of moves
// to it; nil if they are too many. Level n of the search has the states that are n moves from a
// win.
func (w *winners) evidence(run *engines.Run) cert.Evidence {
	if run.Opt.MaxEvidence > 0 && int64(w.back.Len()) > run.Opt.MaxEvidence {
		return nil
	}
	var states []rules.State
	var moves []int
	for n, size := range w.back.Levels {
		for range size {
			states, moves = append(states, w.back.State(len(states))), append(moves, n)
		}
	}
	return cert.NewWinning(run.Sys, w.back.Kept.Kept, shape.Of(run.Ctx, run.In).Lemmas, w.most, states, moves)
}

// play returns the actions of a shortest play that wins from one of the starts.
func (w *winners) play(start rules.State) ([]int, error) {
	i := slices.IndexFunc(w.back.Starts, func(s backward.Start) bool { return s.State.Equal(start) })
	return w.back.Play(w.back.Starts[i].Index)
}

// Certified compares the starts with those that the certificate shows to win.
func (k winningStarts) Certified(q confirm.Question, report *cert.Report) error {
	return sameStarts(q, report)
}

// sameStarts refuses a certificate that shows other starts than the verdict.
func sameStarts(q confirm.Question, report *cert.Report) error {
	if q.Result.Sets == nil || !result.SameStates(report.Found, q.Result.Sets.Found) {
		return confirm.Refuse("by the certificate other starts can be won")
	}
	return nil
}
