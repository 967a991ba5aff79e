package verified

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/board"
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

// Do implements phase.Work.
func (w *Work) Do(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (phase.Result, error) {
	if !own(p) {
		return w.build.Do(ctx, e, p, task)
	}
	s := read(p)
	if p.Name == assemblePhase {
		return w.assemble(ctx, e, s)
	}
	t, err := w.table(ctx, e.Depot, s.Table)
	if err != nil {
		return phase.Result{}, err
	}
	if t.Seeds() != len(s.Layers)-1 { // another one is not what was asked for, even if it is right
		return phase.Result{}, fmt.Errorf("the table has up to %d seeds in play, not %d", t.Seeds(), len(s.Layers)-1)
	}
	at := phase.Decode[place](p.Tasks[task].Args)
	c := &check{Work: w, ctx: ctx, env: e, table: t, layer: &s.Layers[at.Layer], at: at}
	var r phase.Result
	if p.Name == derivePhase {
		r, err = c.derive()
	} else {
		r, err = c.settle(p.Tasks[task].Inputs)
	}
	return r, errors.Join(err, t.Err())
}

// assemble writes the table.
func (w *Work) assemble(ctx context.Context, e *phase.Env, s *state) (phase.Result, error) {
	path := filepath.Join(e.Scratch, "table")
	if err := w.build.Table(ctx, e.Depot, &phase.Phase{State: s.Build}, path); err != nil {
		return phase.Result{}, err
	}
	from, err := file.Open(path)
	if err != nil {
		return phase.Result{}, err
	}
	defer func() { _ = from.Close() }() // it was only read
	b, err := keep(ctx, e.Depot, from)
	if err != nil {
		return phase.Result{}, err
	}
	t, err := w.table(ctx, e.Depot, b)
	if err != nil {
		return phase.Result{}, err
	}
	cyclic := lists.Map(t.Layers(), func(l endgame.Layer) bool { return l.Cyclic > 0 })
	return phase.Result{Outputs: []phase.Block{b}, Tally: phase.Encode(written{cyclic})}, nil
}

// keep writes the content of a reader as a block.
func keep(ctx context.Context, d depot.Depot, from io.Reader) (phase.Block, error) {
	return phase.Keep(ctx, d, func(to io.Writer) error {
		_, err := io.Copy(to, from)
		return err
	})
}

// check is a task that checks some units of a layer.
type check struct {
	*Work
	ctx   context.Context
	env   *phase.Env
	table *endgame.Table
	layer *layer
	at    place
}

// derive derives futures again.
func (c *check) derive() (phase.Result, error) {
	from, to := c.layer.bounds(c.at.Part)
	a, err := c.table.Derive(c.ctx, c.at.Layer, from, to, c.layer.Follow)
	if err != nil {
		return phase.Result{}, err
	}
	return c.write(a)
}

// settle accepts claims.
func (c *check) settle(inputs []phase.Block) (phase.Result, error) {
	var texts [][]byte
	for _, b := range inputs {
		text, err := b.Read(c.ctx, c.env.Depot)
		if err != nil {
			return phase.Result{}, err
		}
		texts = append(texts, text)
	}
	ends := lists.Map(c.layer.Parts, func(p part) int { return p.Unit })
	from, to := c.layer.bounds(c.at.Part)
	a, err := c.table.Settle(c.ctx, c.at.Layer, from, to, texts[0], texts[1:], ends)
	if err != nil {
		return phase.Result{}, err
	}
	return c.write(a)
}

// write writes what was found; if claims were collected, with these and the bits of sound futures.
func (c *check) write(a *endgame.Audit) (phase.Result, error) {
	t := checked{Counts: a.Counts}
	if a.Wrong != nil {
		t.Wrong = fmt.Sprintf("on the board %s: %v", board.Flat(c.sys, a.Wrong.State), a.Wrong)
	}
	r := phase.Result{Tally: phase.Encode(t)}
	if a.Sound == nil {
		return r, nil
	}
	for _, text := range [][]byte{a.Claims, a.Sound} {
		b, err := keep(c.ctx, c.env.Depot, bytes.NewReader(text))
		if err != nil {
			return phase.Result{}, err
		}
		r.Outputs = append(r.Outputs, b)
	}
	return r, nil
}
