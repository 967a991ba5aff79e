package shards

import (
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

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
