package verified

import (
	"cmp"
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/phase"
)

// Next implements phase.Work.
func (w *Work) Next(ctx context.Context, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	if last == nil || !own(last) {
		p, err := w.build.Next(ctx, last, results)
		if err != nil || !p.Last() {
			return p, err
		}
		// The next phase writes the table.
		return &phase.Phase{Name: assemblePhase, State: phase.Encode(state{Build: p.State}), Inputs: w.build.Blocks(p), Tasks: []phase.Task{{}}}, nil
	}
	s := read(last)
	switch last.Name {
	case assemblePhase:
		return w.afterAssemble(s, results), nil
	case derivePhase:
		return w.afterDerive(s, unpack(last, results)), nil
	case settlePhase:
		return w.afterSettle(s, unpack(last, results)), nil
	}
	return nil, fmt.Errorf("no phase comes after %q", last.Name)
}

// unitsOfTask is the minimum number of units of a task, unless its layer has fewer.
var unitsOfTask = 16 // fewer in tests

// afterAssemble divides the layers among tasks.
func (w *Work) afterAssemble(s *state, results []phase.Result) *phase.Phase {
	s.Build, s.Table = nil, results[0].Outputs[0]
	cyclic := phase.Decode[written](results[0].Tally).Cyclic
	for n := range w.build.Positions().Seeds() + 1 {
		units := endgame.Units(w.build.Positions(), n)
		l := layer{Follow: cyclic[n]}
		parts := max(1, min(w.opts.Shards, units/unitsOfTask))
		for i := range parts {
			l.Parts = append(l.Parts, part{Unit: units * (i + 1) / parts})
		}
		s.Layers = append(s.Layers, l)
	}
	return derive(s, func(int) bool { return true })
}

// derive returns the phase that derives the futures of some layers.
func derive(s *state, which func(layer int) bool) *phase.Phase {
	p := &phase.Phase{Name: derivePhase, Inputs: []phase.Block{s.Table}}
	for n := range s.Layers {
		if !which(n) {
			continue
		}
		for i := range s.Layers[n].Parts {
			p.Tasks = append(p.Tasks, phase.Task{Args: phase.Encode(place{n, i})})
		}
	}
	p.State = phase.Encode(s)
	return p
}

// afterDerive adds up the results. If moves lead back in a layer that has no endless play according
// to the table, the layer is derived once more, with claims.
func (w *Work) afterDerive(s *state, list []unpacked) *phase.Phase {
	backward, again := map[int]bool{}, map[int]bool{}
	for i := range list {
		t := &list[i]
		if t.Wrong != "" {
			return wrong(s, t.Wrong)
		}
		backward[t.Layer] = backward[t.Layer] || t.Backward
	}
	for i := range list {
		t := &list[i]
		l := &s.Layers[t.Layer]
		if backward[t.Layer] && !l.Follow {
			again[t.Layer] = true
			continue
		}
		if l.Follow {
			l.Parts[t.Part].take(t)
		}
		s.Add(t.Counts, backward[t.Layer])
	}
	if len(again) == 0 {
		return settle(s)
	}
	for n := range again {
		s.Layers[n].Follow = true
	}
	return derive(s, func(layer int) bool { return again[layer] })
}

// unpacked is the result of a task of the check, and which part it had.
type unpacked struct {
	checked
	place
	outputs []phase.Block
}

// unpack reads the results of the tasks of a phase.
func unpack(last *phase.Phase, results []phase.Result) (list []unpacked) {
	for i, r := range results {
		list = append(list, unpacked{phase.Decode[checked](r.Tally), phase.Decode[place](last.Tasks[i].Args), r.Outputs})
	}
	return list
}

// take records the claims of a part, and which futures in it are sound.
func (p *part) take(t *unpacked) {
	p.Left, p.Claims, p.Sound = t.Left, t.outputs[0], t.outputs[1]
}

// settle returns the phase that accepts claims, or the last phase if no claims are left.
func settle(s *state) *phase.Phase {
	p := &phase.Phase{Name: settlePhase}
	for n := range s.Layers {
		l := &s.Layers[n]
		if l.left() == 0 {
			l.Parts = nil
			continue
		}
		for i, own := range l.Parts {
			if own.Left == 0 {
				continue
			}
			t := phase.Task{Inputs: []phase.Block{own.Claims}, Args: phase.Encode(place{n, i})}
			for _, other := range l.Parts {
				t.Inputs = append(t.Inputs, other.Sound)
			}
			p.Tasks = append(p.Tasks, t)
		}
	}
	if p.Last() {
		return done(s)
	}
	p.Inputs, p.State = []phase.Block{s.Table}, phase.Encode(s)
	return p
}

// afterSettle repeats the phase until nothing changes.
func (w *Work) afterSettle(s *state, list []unpacked) *phase.Phase {
	fresh := map[int]bool{}
	circles := map[int]string{}
	for i := range list {
		t := &list[i]
		s.Layers[t.Layer].Parts[t.Part].take(t)
		fresh[t.Layer] = fresh[t.Layer] || t.Fresh
		circles[t.Layer] = cmp.Or(circles[t.Layer], t.Wrong)
	}
	for n := range s.Layers {
		if l := &s.Layers[n]; l.Parts != nil && l.left() > 0 && !fresh[n] {
			return wrong(s, circles[n])
		}
	}
	return settle(s)
}

// done returns the last phase.
func done(s *state) *phase.Phase {
	s.Layers = nil
	return &phase.Phase{Name: donePhase, State: phase.Encode(s), Inputs: []phase.Block{s.Table}}
}

// wrong returns the last phase for a wrong table.
func wrong(s *state, what string) *phase.Phase {
	s.Wrong = what
	return done(s)
}
