package shards

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// Next implements phase.Work. The error is an *endgame.CycleError if there is no table.
func (w *Work) Next(_ context.Context, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	if last == nil {
		return w.base(new(state)), nil
	}
	s := read(last)
	l := w.layout(len(s.Layers))
	s.Now.add(l, results)
	if s.Now.Base {
		s.Now.Base = false
		return w.begin(s, l, blocks.Unknowns)
	}
	s.Now.Round++
	if s.Now.Tasks = s.Now.due(l); len(s.Now.Tasks) > 0 {
		return w.pass(s, l), nil
	}
	return w.finish(s, l)
}

// base returns the phase that begins the next layer, or the last one.
func (w *Work) base(s *state) *phase.Phase {
	p := &phase.Phase{Name: "done"}
	for _, l := range s.Layers {
		p.Inputs = append(p.Inputs, there(l.Parts)...)
	}
	s.Now = nil
	if seeds := len(s.Layers); seeds <= w.Positions().Seeds() {
		p.Name, p.Tasks = fmt.Sprintf("%d seeds, base", seeds), make([]phase.Task, len(w.layout(seeds).tasks))
		s.Now = &current{Base: true, Tasks: num.Run(0, len(p.Tasks))}
	}
	p.State = phase.Encode(s)
	return p
}

// there returns the blocks of a list that exist.
func there(list []phase.Block) []phase.Block {
	return slices.DeleteFunc(slices.Clone(list), func(b phase.Block) bool { return b.Hash == "" })
}

var purposes = [...]string{blocks.Unknowns: "unknown", blocks.Endless: "endless", blocks.Futures: "futures"}

// begin returns the first pass for a purpose, or for the next purpose that is needed.
func (w *Work) begin(s *state, l *layout, what blocks.Purpose) (*phase.Phase, error) {
	n := s.Now
	if what == blocks.Unknowns && !slices.ContainsFunc(n.Parts, func(k known) bool { return k.Unknown }) {
		what++
	}
	if what == blocks.Endless && w.Positions().Descends() {
		what++
	}
	n.Purpose, n.Round, n.Tasks = what, 0, num.Run(0, len(l.tasks))
	for i := range n.Parts {
		n.Parts[i].Values, n.Parts[i].Fresh = phase.Block{}, false
	}
	return w.pass(s, l), nil
}

// pass returns the next pass.
func (w *Work) pass(s *state, l *layout) *phase.Phase {
	p := &phase.Phase{Name: fmt.Sprintf("%d seeds, %s, pass %d", l.Seeds, purposes[s.Now.Purpose], s.Now.Round+1), State: phase.Encode(s)}
	values := lists.Map(s.Now.Parts, func(k known) phase.Block { return k.Values })
	p.Inputs = there(values)
	for _, task := range s.Now.Tasks {
		var own []phase.Block
		first, end := l.own(task)
		for _, k := range s.Now.Parts[first:end] {
			own = append(own, k.Base, k.Marks)
		}
		p.Tasks = append(p.Tasks, phase.Task{Inputs: there(own)})
	}
	return p
}

// finish returns the phase after the last pass for a purpose.
func (w *Work) finish(s *state, l *layout) (*phase.Phase, error) {
	n := s.Now
	switch n.Purpose {
	case blocks.Unknowns:
		for i := range n.Parts {
			k := &n.Parts[i]
			k.Marks, k.Unknown = k.Values, k.Unknown || k.Values.Hash != ""
		}
	case blocks.Endless:
		first := ^uint64(0)
		for i := range n.Parts {
			if k := &n.Parts[i]; k.Marked > 0 {
				n.Cyclic += k.Marked
				first = min(first, k.First)
			}
		}
		if n.Cyclic > 0 && !w.Positions().EndlessWinsNothing() {
			return nil, endgame.Refusal(w.Positions(), w.payoff, l.Seeds, first)
		}
	case blocks.Futures:
		done := layer{Cyclic: n.Cyclic}
		for _, k := range n.Parts {
			done.Parts, done.Unknown = append(done.Parts, k.Values), append(done.Unknown, k.Unknown)
		}
		s.Layers = append(s.Layers, done)
		return w.base(s), nil
	}
	return w.begin(s, l, n.Purpose+1)
}

// add adds the results of the tasks of a phase.
func (n *current) add(l *layout, results []phase.Result) {
	if n.Base {
		n.Parts = make([]known, len(l.Parts))
	}
	for i := range n.Parts {
		n.Parts[i].Fresh = false
	}
	for _, r := range results {
		outputs := r.Outputs
		for _, d := range phase.Decode[tally](r.Tally).Parts {
			k := &n.Parts[d.Part]
			if n.Base {
				k.Base, k.found = outputs[0], d.found
				outputs = outputs[1:]
				continue
			}
			k.Marked, k.First = d.Marked, d.First
			if !d.Same {
				k.Values, k.Fresh = outputs[0], true
				outputs = outputs[1:]
			}
		}
	}
}

// due returns the tasks whose moves lead to parts of other tasks that have changed.
func (n *current) due(l *layout) (list []int) {
	for task := range l.tasks {
		first, end := l.own(task)
		if slices.ContainsFunc(n.Parts[first:end], func(k known) bool { return n.leads(l, k.Leads, first, end) }) {
			list = append(list, task)
		}
	}
	return list
}

// leads reports whether some blocks have a changed part outside the range from first to end.
func (n *current) leads(l *layout, list []int, first, end int) bool {
	for _, at := range list {
		for i := l.ByBlock[at][0]; i < l.ByBlock[at][1]; i++ {
			if n.Parts[i].Fresh && (i < first || i >= end) {
				return true
			}
		}
	}
	return false
}

// task is a task that is running.
type task struct {
	*Work
	ctx    context.Context
	env    *phase.Env
	worker *worker
	state  *state
	layout *layout
	pages  *pages
	row    []int8 // in hand
	first  int    // its parts are those from first up to end
	end    int
}

// Do implements phase.Work.
func (w *Work) Do(ctx context.Context, e *phase.Env, p *phase.Phase, number int) (phase.Result, error) {
	s := read(p)
	k := w.use(ctx)
	defer w.leave(k)
	t := &task{Work: w, ctx: ctx, env: e, worker: k, state: s, layout: w.layout(len(s.Layers))}
	t.pages = newPages(ctx, e.Depot, &w.sums, w.share(pagesShare))
	defer t.pages.close()
	t.first, t.end = t.layout.own(s.Now.Tasks[number])
	if t.layout.cells(t.first, t.end) > mostSmall {
		defer debug.FreeOSMemory() // the next task needs as much memory
	}
	if s.Now.Base {
		r, err := t.base()
		return r, divisible(err)
	}
	pass, err := t.newPass()
	if err != nil {
		return phase.Result{}, err
	}
	r, err := pass.run()
	return r, divisible(err)
}

// state is the State of a phase.
type state struct {
	Layers []layer  // the layers that are done, by seeds
	Now    *current `json:",omitempty"` // nil: all layers are done
}

// layer is a layer that is done.
type layer struct {
	Parts   []phase.Block // futures, by part; without a hash: all are 0
	Unknown []bool        // by part: some positions may have no future
	Cyclic  uint64        // entries of positions from which play may go on for ever
}

// current is the layer that is being built.
type current struct {
	Base    bool           // this is the base phase, and not a pass
	Purpose blocks.Purpose // of the passes
	Round   int            // number of passes before
	Tasks   []int          // the tasks of the layout that run in this phase
	Parts   []known        // empty in the base phase
	Cyclic  uint64
}

// known is the state of a part.
type known struct {
	Base  phase.Block // the best of the moves to lower layers, by row and column
	Marks phase.Block // 1 for positions that lead to one without a future; without a hash: none
	// Values has the values for the purpose, by column and row, followed by what has changed in the
	// last pass (blocks.Pass.Changes). Without a hash, all values are initial.
	Values phase.Block
	Fresh  bool // values changed in the last pass
	found
}

// found is what a task has found out about a part.
type found struct {
	Leads   []int  `json:",omitempty"` // blocks of the layer that moves lead to
	Unknown bool   `json:",omitempty"` // some positions have no future
	Marked  uint64 `json:",omitempty"` // for blocks.Endless: number of marked positions
	First   uint64 `json:",omitempty"` // for blocks.Endless: the least rank of a marked position
}

// done is what the tally of a task says about a part.
type done struct {
	Part int
	Same bool `json:",omitempty"` // nothing changed, so there is no block
	found
}

// tally is the tally of a task.
type tally struct {
	Parts []done
	// Evaluated is the number of positions that were evaluated, and Rounds the number of passes
	// over the parts of the task.
	Evaluated uint64
	Rounds    int
}

// read reads the state of a phase.
func read(p *phase.Phase) *state {
	s := phase.Decode[state](p.State)
	return &s
}
