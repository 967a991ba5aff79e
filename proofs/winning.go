package proofs

import (
	"slices"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// wins lists the outcomes that a solitaire player, or the mover, wins.
func wins(sys *rules.System) []int {
	var w []int
	for i, o := range sys.Outcomes {
		if o.Kind == rules.WinOutcome {
			w = append(w, i)
		}
	}
	return w
}

// won is the condition that a game is over and won.
func won(sys *rules.System) rules.Expr {
	any := rules.False
	for _, o := range wins(sys) {
		any = rules.Simplify(rules.Binary{Op: rules.Or, L: any, R: rules.HasOutcome(o)}, nil)
	}
	return any
}

// winners are the starts from which some play wins, and how they were found.
type winners struct {
	states []rules.State
	engine Engine
	stats  Stats
	notes  []string
	play   func(rules.State) []int // a shortest play that wins from one of them; nil: it was not kept
}

// winning finds the starts from which some play wins, or says in an Unknown verdict why it cannot. Going back from the wins
// costs nothing for the starts that lose, of which there may be more than can be counted; forward is the better way if few starts
// have few plays, and where predecessors cannot be constructed.
func (d *decision) winning() (*winners, *Result, error) {
	var found *winners
	try := func(find func(int64) (*winners, *Result, error), limit int64) func() (*Result, error) {
		return func() (*Result, error) {
			w, unknown, err := find(limit)
			if w == nil || err != nil {
				return unknown, err
			}
			found = w
			return d.result(Proved, w.engine, ""), nil
		}
	}
	engines := map[Engine][]func() (*Result, error){
		Auto: {
			try(d.winningBackward, d.few()), try(d.winningForward, d.upTo(tryStates)),
			try(d.winningBackward, d.upTo(tryStates)), try(d.winningForward, d.opt.MaxStates),
		},
		Forward:  {try(d.winningForward, d.opt.MaxStates)},
		Backward: {try(d.winningBackward, d.opt.MaxStates)},
	}[d.opt.Engine]
	if engines == nil {
		return nil, d.none("claims about winning starts"), nil
	}
	r, err := d.firstOf(engines...)
	if found == nil || err != nil {
		return nil, r, err
	}
	return found, nil, nil
}

// upTo is the limit on states, or a lower one.
func (d *decision) upTo(limit int64) int64 {
	if d.opt.MaxStates > 0 && d.opt.MaxStates < limit {
		return d.opt.MaxStates
	}
	return limit
}

func (d *decision) winningForward(maxStates int64) (*winners, *Result, error) {
	opt := d.forwardOptions()
	opt.MaxStates = maxStates
	w, err := forward.WinningStarts(d.ctx, d.sys, d.starts(), wins(d.sys), opt)
	if err != nil {
		r, err := d.startless(err)
		return nil, r, err
	}
	if w.Stop != forward.Exhausted {
		return nil, d.limit(w.Reason, w.Stats), nil
	}
	out := &winners{engine: Forward, stats: forwardStats(w.Stats)}
	for _, s := range w.Starts {
		out.states = append(out.states, s.State)
	}
	return out, nil, nil
}

// winningBackward closes the wins under predecessors. No start has more seeds than the setup allows, so nor need any of these.
func (d *decision) winningBackward(maxStates int64) (*winners, *Result, error) {
	opt := d.backwardOptions(maxStates)
	opt.All = true
	if n, bounded := space.MostSeeds(d.sys); bounded {
		opt.MaxSeeds = &n
	}
	res, err := backward.Search(d.ctx, d.in, won(d.sys), opt)
	if err != nil {
		r, err := d.beyond(Backward, err)
		return nil, r, err
	}
	d.met(res.Fault)
	if res.Stop != backward.Closed {
		return nil, d.limitBackward(res), nil
	}
	out := &winners{engine: Backward, stats: statsBackward(res), notes: d.leftOut(res.Kept.Dropped)}
	for _, s := range res.Starts {
		out.states = append(out.states, s.State)
	}
	out.play = func(start rules.State) []int {
		i := slices.IndexFunc(res.Starts, func(s backward.Start) bool { return s.State.Equal(start) })
		return res.Play(res.Starts[i].Node)
	}
	return out, nil, nil
}

func (d *decision) winningStarts(p *resolve.WinningStarts) (*Result, error) {
	found, unknown, err := d.winning()
	if err != nil || unknown != nil {
		return unknown, err
	}
	r, err := d.compareSets(found.states, p.List, found.engine, 1, space.Kept{})
	if err == nil {
		r.Stats, r.Notes = found.stats, found.notes
	}
	return r, err
}

func (d *decision) sizeOfWinning(p *resolve.Count) (size, *Result, error) {
	all, unknown, err := d.winning()
	if err != nil || unknown != nil {
		return size{}, unknown, err
	}
	out := size{found: []rules.State{}, engine: all.engine, stats: all.stats, notes: all.notes}
	for _, s := range all.states {
		ok, err := d.in.Holds(p.Where, s, nil)
		if err != nil {
			return size{}, nil, err
		}
		if ok {
			out.found = append(out.found, s)
		}
	}
	out.n = len(out.found)
	return out, nil, nil
}
