package shards

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// link finds the links of the rows of a part, beginning with row from, as far as memory suffices,
// and returns the end of these rows.
func (p *pass) link(w *blocks.Working, from int) (end int, err error) {
	h := p.held[w]
	if h.kept {
		return h.Rows(), nil
	}
	k := &p.linker
	k.Ended = func(*blocks.Row) error {
		h.Ends = append(h.Ends, len(k.Links))
		if int64(len(k.Links))*blocks.LinkBytes > p.share(linkShare)/2 {
			return errFull
		}
		return nil
	}
	p.row = slices.Grow(p.row[:0], h.Columns)[:h.Columns]
	for again := false; ; again = true {
		k.Links = k.Links[:0]
		h.Links, h.Ends, h.From = nil, make([]int, 0, h.Rows()-from), from
		p.worker.Only = true
		p.worker.Within(p.ctx, nil)
		err := p.worker.Rows(h.Control, h.Seeds, h.First+from, h.End, p.row, k)
		if err != nil && !errors.Is(err, errFull) {
			return 0, err
		}
		if len(h.Ends) > 0 {
			h.Links = slices.Clone(k.Links[:h.Ends[len(h.Ends)-1]])
			break
		}
		if again {
			return 0, p.worker.tooLarge()
		}
		p.forget()
	}
	return from + len(h.Ends), nil
}

// keep keeps the current links if they are those of all rows, and not too many.
func (p *pass) keep(w *blocks.Working) {
	h := p.held[w]
	if h.kept {
		return
	}
	n := p.links + int64(len(h.Links))*blocks.LinkBytes
	if len(h.Ends) < h.Rows() || n > p.share(linkShare)/2 {
		h.drop()
		return
	}
	h.kept, p.links = true, n
}

// drop drops the links.
func (h *held) drop() { h.Links, h.Ends, h.kept = nil, nil, false }

// forget drops all plans, and the links that refer to them.
func (p *pass) forget() {
	for _, h := range p.held {
		h.drop()
	}
	p.links = 0
	p.worker.renew(p.ctx)
}
