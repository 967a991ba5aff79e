package shards

import (
	"cmp"
	"io"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// pass is a task of a pass that is running.
type pass struct {
	*task
	blocks.Pass
	links  int64 // bytes of links that are kept
	linker blocks.Linker
	buffer []byte // for a line
	out    tally
}

// newPass reads the parts of the task.
func (t *task) newPass() (*pass, error) {
	n := t.state.Now
	p := &pass{task: t}
	p.Matrices = &blocks.Matrices{Division: t.division, Layout: &t.layout.Layout}
	p.Link, p.Unlink, p.Each = p.link, p.keep, p.each
	for _, k := range n.Parts {
		p.Sources = append(p.Sources, t.source(k.Values, constant(blocks.Initial[n.Purpose].Known)))
	}
	for i := t.first; i < t.end; i++ {
		h, err := t.hold(i)
		if err != nil {
			return nil, err
		}
		p.Pass.Parts = append(p.Pass.Parts, h)
		p.Sources[i] = h
	}
	p.Start(n.Purpose, n.Round == 0)
	return p, p.note()
}

// each calls f one after another.
func (p *pass) each(n int, f func(buffer *[]byte, i int) error) error {
	for i := range n {
		if err := f(&p.buffer, i); err != nil {
			return err
		}
	}
	return p.ctx.Err()
}

// note records what other tasks have changed in the last pass.
func (p *pass) note() error {
	for i := range p.state.Now.Parts {
		k := &p.state.Now.Parts[i]
		if !k.Fresh || i >= p.first && i < p.end {
			continue
		}
		part := &p.layout.Parts[i]
		changes, err := p.pages.file(k.Values).Span(part.Cells(), make([]byte, part.ChangeBytes()))
		if err != nil {
			return err
		}
		p.Note(part, changes)
	}
	return nil
}

// run repeats passes over the parts of the task until nothing changes.
func (p *pass) run() (r phase.Result, err error) {
	for n := uint64(1); n > 0; p.out.Rounds++ {
		if n, err = p.Once(); err != nil {
			return r, err
		}
		p.out.Evaluated += n
	}
	return p.result()
}

// result writes the parts that have changed.
func (p *pass) result() (r phase.Result, err error) {
	var ranks *blocks.Ranks
	for i, h := range p.Pass.Parts {
		d := done{Part: p.first + i}
		if p.Purpose == blocks.Endless {
			d.Marked = h.Marked()
		}
		if d.Marked > 0 && !p.Positions().EndlessWinsNothing() {
			if ranks == nil {
				ranks = p.division.Ranks(p.layout.Seeds)
			}
			d.First = ranks.Least(&h.Part, h.Values)
		}
		changes, some := p.Changes(&h.Part)
		if d.Same = !some; some {
			b, err := phase.Keep(p.ctx, p.env.Depot, func(to io.Writer) error {
				_, err := to.Write(h.Values)
				_, failed := to.Write(changes)
				return cmp.Or(err, failed)
			})
			if err != nil {
				return r, err
			}
			r.Outputs = append(r.Outputs, b)
		}
		p.out.Parts = append(p.out.Parts, d)
	}
	r.Tally = phase.Encode(p.out)
	return r, nil
}
