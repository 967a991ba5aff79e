package verified

import (
	"bytes"
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
