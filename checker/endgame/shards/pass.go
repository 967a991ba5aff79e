package shards

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame"
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

// base finds the best of the moves to lower layers.
func (t *task) base() (r phase.Result, err error) {
	lower := t.lowerLayers()
	out := tally{}
	for i := t.first; i < t.end; i++ {
		b, d, err := t.basePart(i, lower)
		if err != nil {
			return r, err
		}
		r.Outputs, out.Parts = append(r.Outputs, b), append(out.Parts, d)
	}
	r.Tally = phase.Encode(out)
	return r, nil
}

func (t *task) basePart(i int, lower blocks.Lower) (b phase.Block, d done, err error) {
	d.Part = i
	p := &t.layout.Parts[i]
	leads := map[int]bool{}
	b, err = phase.Keep(t.ctx, t.env.Depot, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		k := &blocks.Linker{}
		k.Ended = func(row []int8) error {
			for i := range k.Links {
				leads[int(k.Links[i].To)] = true
			}
			k.Links = k.Links[:0]
			_, err := buffered.Write(blocks.Bytes(row))
			return err
		}
		for at := 0; at < p.Rows(); {
			if err := t.rows(p, at, lower, k, func() { t.worker.renew(t.ctx) }); err != nil {
				return err
			}
			at += len(k.Ends)
		}
		d.Unknown = k.Unknown
		return buffered.Flush()
	})
	d.Leads = slices.Sorted(maps.Keys(leads))
	return b, d, err
}

// link finds the links of the rows of a part, beginning with row from, as far as memory suffices,
// and returns the end of these rows.
func (p *pass) link(h *blocks.Working, from int) (end int, err error) {
	k := &p.linker
	k.Ended = func([]int8) error {
		if int64(len(k.Links))*blocks.LinkBytes > p.share(linkShare)/2 {
			return errFull
		}
		return nil
	}
	err = p.rows(&h.Part, from, nil, k, p.forget)
	if err != nil {
		return 0, err
	}
	h.Ends, h.From = slices.Clone(k.Ends), from
	h.Links = slices.Clone(k.Links[:h.Ends[len(h.Ends)-1]])
	return from + len(h.Ends), nil
}

// keep keeps the current links if they are those of all rows, and not too many.
func (p *pass) keep(h *blocks.Working) {
	n := p.links + int64(len(h.Links))*blocks.LinkBytes
	if h.Kept = len(h.Ends) == h.Rows() && n <= p.share(linkShare)/2; h.Kept {
		p.links = n
	} else {
		h.Links, h.Ends = nil, nil
	}
}

// forget drops all plans, and the links that refer to them.
func (p *pass) forget() {
	for _, h := range p.Pass.Parts {
		h.Links, h.Ends, h.Kept = nil, nil, false
	}
	p.links = 0
	p.worker.renew(p.ctx)
}

// worker evaluates rows, with its own plans.
type worker struct {
	*blocks.Worker
	work *Work
}

// errFull says that there is no memory for more plans or links.
var errFull = errors.New("the memory is full")

// use returns a worker for a task.
func (w *Work) use(ctx context.Context) *worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.idle) - 1; last >= 0 {
		k := w.idle[last]
		w.idle = w.idle[:last]
		return k
	}
	k := &worker{work: w}
	k.renew(ctx)
	return k
}

// leave returns a worker for other tasks.
func (w *Work) leave(k *worker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = append(w.idle, k)
}

// renew drops all plans.
func (k *worker) renew(ctx context.Context) {
	plans := k.work.division.Fresh()
	// Long operations end with the context of the task; see Within.
	k.Worker = plans.Worker(context.WithoutCancel(ctx), nil, func() error {
		if k.bytes() > k.work.share(planShare) {
			return errFull
		}
		return nil
	})
}

// rows evaluates rows of a part from one on, as far as memory suffices: those that k has the ends
// of. If it does not suffice for one, drop makes room. Without lower, only moves within the layer
// are evaluated.
func (t *task) rows(p *blocks.Part, from int, lower blocks.Lower, k *blocks.Linker, drop func()) error {
	t.row = slices.Grow(t.row[:0], p.Columns)[:p.Columns]
	for again := false; ; again = true {
		k.Links, k.Ends = k.Links[:0], k.Ends[:0]
		t.worker.Within(t.ctx, lower)
		err := t.worker.Rows(p, from, t.row, k)
		switch {
		case err != nil && !errors.Is(err, errFull):
			return err
		case len(k.Ends) > 0:
			return nil
		case again:
			return t.worker.tooLarge()
		}
		drop()
	}
}

// bytes returns the memory of plans.
func (k *worker) bytes() int64 {
	n := k.OwnBytes() + k.PlanBytes()
	for _, t := range k.Territories { // these are not dropped
		n -= t.Bytes()
	}
	return n
}

// tooLarge returns the error for a row whose plans do not fit in memory.
func (k *worker) tooLarge() error {
	return &endgame.MemoryError{Seeds: k.work.Positions().Seeds(), Need: uint64(float64(k.bytes()) / planShare), Have: k.work.opts.Memory}
}
