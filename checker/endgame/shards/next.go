package shards

import (
	"context"
	"fmt"
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
