package proofs

import (
	"slices"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// winningStarts claims which starts can be won.
type winningStarts struct {
	usual
	*resolve.WinningStarts
}

func (winningStarts) about() verdict.Claim { return verdict.Claim{Kind: verdict.WinningStarts} }

// Listed returns the starts that the claim lists.
func (k winningStarts) Listed() []resolve.Listed { return k.List }

func (k winningStarts) again(q question) (*enumerate.Opinion, error) {
	return q.plays().WinningStarts(k.WinningStarts)
}

func (k winningStarts) decide(d *decision) (*Result, error) {
	found, err := d.winning()
	if err != nil {
		return nil, err
	}
	r, err := d.compareSets(found.states, k.List, found.engine, space.Kept{})
	if err == nil {
		r.Stats, r.Notes, r.Evidence = found.stats, found.notes, found.evidence()
	}
	return r, err
}

// winners are the starts from which some play wins, and how they were found.
type winners struct {
	states []rules.State
	engine Engine
	stats  verdict.Stats
	notes  []verdict.Note
	shows  func() *cert.Evidence                  // its evidence, or nil if that is too large; nil if there is none
	plan   func(by *interp.Interp) *cert.Evidence // that a strategy wins from them; likewise
	play   func(rules.State) ([]int, error)       // a shortest play that wins from one of them; nil if it was not kept
}

// winning finds the starts from which some play wins. A search backward from the wins does not
// visit the starts that lose, of which there may be very many. Forward is better if few starts have
// few plays, and if predecessors cannot be constructed.
func (d *decision) winning() (*winners, error) {
	var found *winners
	try := func(find func(int64) (*winners, error)) search {
		return func(most int64) (r *Result, err error) {
			if found, err = find(most); err != nil {
				return nil, err
			}
			return d.result(Proved, found.engine, nil), nil
		}
	}
	back, forth, most := try(d.winningBackward), try(d.winningForward), d.opt.MaxStates
	r, err := d.byEngine(verdict.AboutWinningStarts, map[Engine][]attempt{
		Auto:     {func() (*Result, error) { return d.inRounds(back, forth, most, nil) }},
		Forward:  {func() (*Result, error) { return forth(most) }},
		Backward: {func() (*Result, error) { return back(most) }},
	})
	if err == nil && r.Status == Unknown {
		err = &open{Result: r}
	}
	return found, err
}

// evidence returns what shows that these are the starts that can be won, or nil.
func (w *winners) evidence() *cert.Evidence {
	if w.shows == nil {
		return nil
	}
	return w.shows()
}

func (d *decision) winningForward(maxStates int64) (*winners, error) {
	w, err := forward.WinningStarts(d.ctx, d.sys, d.starts(), d.sys.SomebodyHasWon(), d.forwardOptions(maxStates))
	if err != nil {
		return nil, d.startless(err)
	}
	if w.Stop != forward.Exhausted {
		return nil, d.limit(w.Stop, w.Hit, w.Stats)
	}
	out := &winners{engine: Forward, stats: forwardStats(w.Stats)}
	for _, s := range w.Starts {
		out.states = append(out.states, s.State)
	}
	return out, nil
}

// winningBackward closes the wins under predecessors. States with more seeds than the setup allows
// are skipped.
func (d *decision) winningBackward(maxStates int64) (*winners, error) {
	opt := backward.Options{All: true}
	if n, bounded := space.MostSeeds(d.sys); bounded {
		opt.MaxSeeds = &n
	}
	res, err := d.searchBack(d.sys.SomebodyHasWon(), maxStates, opt)
	if err != nil {
		return nil, err
	}
	out := &winners{engine: Backward, stats: statsBackward(res), notes: leftOut(res.Kept.Dropped)}
	for _, s := range res.Starts {
		out.states = append(out.states, s.State)
	}
	out.shows = func() *cert.Evidence { return d.winningStates(res, opt.MaxSeeds) }
	out.plan = func(by *interp.Interp) *cert.Evidence { return d.winningPlan(by, res, opt.MaxSeeds) }
	out.play = func(start rules.State) ([]int, error) {
		i := slices.IndexFunc(res.Starts, func(s backward.Start) bool { return s.State.Equal(start) })
		return res.Play(res.Starts[i].Index)
	}
	return out, nil
}

// winningStates returns the states from which a win can be reached, each with the moves to it, as
// evidence, unless they are too many.
func (d *decision) winningStates(res *backward.Result, most *int) *cert.Evidence {
	if d.opt.MaxEvidence > 0 && int64(res.Len()) > d.opt.MaxEvidence {
		return nil
	}
	var states []rules.State
	var moves []int
	for n, size := range res.Levels {
		for range size {
			states, moves = append(states, res.State(len(states))), append(moves, n)
		}
	}
	e := cert.NewWinning(d.sys, partsOf(res.Kept.Kept), lemmas(shape.Of(d.ctx, d.in)), most, states, moves)
	return &e
}

// certified compares the starts with those that the certificate has shown.
func (k winningStarts) certified(q question, report *cert.Report) error { return q.sameStarts(report) }

func (q question) sameStarts(report *cert.Report) error {
	if q.r.Sets == nil || !sameStates(report.Found, q.r.Sets.Found) {
		return refuse("by the certificate other starts can be won")
	}
	return nil
}
