package verified

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mancheck/mancheck/checker/phase"
)

// Next implements phase.Work.
func (w *Work) Next(ctx context.Context, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	if last == nil || !own(last) {
		p, err := w.build.Next(ctx, last, results)
		if err != nil || !p.Last() {
			return p, err
		}
		return w.assembleNext(p)
	}
	s, err := read(last)
	if err != nil {
		return nil, err
	}
	switch last.Name {
	case assemblePhase:
		return w.afterAssemble(s, results)
	case derivePhase:
		return w.afterDerive(s, last, results)
	case settlePhase:
		return w.afterSettle(s, last, results)
	}
	return nil, fmt.Errorf("no phase comes after %q", last.Name)
}

// assembleNext returns the phase that writes the table, given the last phase of building it.
func (w *Work) assembleNext(built *phase.Phase) (*phase.Phase, error) {
	blocks, err := w.build.Blocks(built)
	return &phase.Phase{Name: assemblePhase, State: phase.Encode(state{Build: built.State}), Inputs: blocks, Tasks: []phase.Task{{}}}, err
}

// unitsOfTask is the minimum number of units of a task, unless its layer has fewer.
var unitsOfTask = 16 // fewer in tests

// afterAssemble divides the layers among tasks.
func (w *Work) afterAssemble(s *state, results []phase.Result) (*phase.Phase, error) {
	var t written
	if err := json.Unmarshal(results[0].Tally, &t); err != nil {
		return nil, err
	}
	s.Build, s.Table = nil, results[0].Outputs[0]
	for n, units := range t.Units {
		l := layer{Units: units, Size: t.Sizes[n], Follow: t.Cyclic[n]}
		parts := max(1, min(w.opts.Shards, units/unitsOfTask))
		for i := range parts {
			l.Parts = append(l.Parts, part{Unit: units * (i + 1) / parts})
		}
		s.Layers = append(s.Layers, l)
	}
	return derive(s, func(*layer) bool { return true }), nil
}

// derive returns the phase that derives the futures of some layers.
func derive(s *state, which func(l *layer) bool) *phase.Phase {
	p := &phase.Phase{Name: derivePhase, Inputs: []phase.Block{s.Table}}
	for n := range s.Layers {
		if !which(&s.Layers[n]) {
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
func (w *Work) afterDerive(s *state, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	again := map[int]bool{}
	for i, r := range results {
		var t checked
		var at place
		if err := unpack(last, i, r, &t, &at); err != nil {
			return nil, err
		}
		if t.Wrong != "" {
			return wrong(s, t.Wrong), nil
		}
		l := &s.Layers[at.Layer]
		if l.Follow {
			l.Parts[at.Part].take(&t, r)
		} else if t.Backward {
			again[at.Layer] = true
		}
		s.Positions += t.Positions
		s.NoFuture += t.NoFuture
	}
	if len(again) > 0 {
		for n := range again {
			s.Layers[n].Follow = true
		}
		// Their positions will be counted again.
		for i, r := range results {
			var t checked
			var at place
			if err := unpack(last, i, r, &t, &at); err != nil {
				return nil, err
			}
			if again[at.Layer] {
				s.Positions -= t.Positions
				s.NoFuture -= t.NoFuture
			}
		}
		layers := s.Layers
		return derive(s, func(l *layer) bool {
			for n := range again {
				if l == &layers[n] {
					return true
				}
			}
			return false
		}), nil
	}
	for _, l := range s.Layers {
		if l.Follow {
			s.Followed += l.Size
		}
	}
	return settle(s), nil
}

// unpack reads the tally of a task, and which part it had.
func unpack(last *phase.Phase, task int, r phase.Result, t *checked, at *place) error {
	if err := json.Unmarshal(r.Tally, t); err != nil {
		return err
	}
	return json.Unmarshal(last.Tasks[task].Args, at)
}

// take records the claims of a part, and which futures in it are sound.
func (p *part) take(t *checked, r phase.Result) {
	p.Left, p.Claims, p.Sound = t.Left, r.Outputs[0], r.Outputs[1]
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
func (w *Work) afterSettle(s *state, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	fresh := map[int]bool{}
	circles := map[int]string{}
	for i, r := range results {
		var t checked
		var at place
		if err := unpack(last, i, r, &t, &at); err != nil {
			return nil, err
		}
		s.Layers[at.Layer].Parts[at.Part].take(&t, r)
		fresh[at.Layer] = fresh[at.Layer] || t.Fresh
		if circles[at.Layer] == "" {
			circles[at.Layer] = t.Circle
		}
	}
	for n := range s.Layers {
		if l := &s.Layers[n]; l.Parts != nil && l.left() > 0 && !fresh[n] {
			return wrong(s, circles[n]), nil
		}
	}
	return settle(s), nil
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
