package shards

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// linked is the links of some rows of a part.
type linked struct {
	links []blocks.Link // by row
	ends  []int         // by row: the end of its links
	from  int           // the first row
	kept  bool
}

// linksOf returns the links of a row.
func (l *linked) linksOf(x int) []blocks.Link {
	from := 0
	if x > l.from {
		from = l.ends[x-l.from-1]
	}
	return l.links[from:l.ends[x-l.from]]
}

// link finds the links of the rows of a part, beginning with row from, as far as memory suffices,
// and returns the end of these rows.
func (p *pass) link(h *held, from int) (end int, err error) {
	if h.kept {
		return h.rows(), nil
	}
	k := &p.linker
	k.Ended = func(*blocks.Row) error {
		h.ends = append(h.ends, len(k.Links))
		if int64(len(k.Links))*blocks.LinkBytes > p.share(linkShare)/2 {
			return errFull
		}
		return nil
	}
	p.row = slices.Grow(p.row[:0], h.columns)[:h.columns]
	for again := false; ; again = true {
		k.Links = k.Links[:0]
		h.linked = linked{ends: make([]int, 0, h.rows()-from), from: from}
		p.worker.Only = true
		p.worker.Within(p.ctx, nil)
		err := p.worker.Rows(h.control, h.seeds, h.first+from, h.end, p.row, k)
		if err != nil && !errors.Is(err, errFull) {
			return 0, err
		}
		if len(h.ends) > 0 {
			h.links = slices.Clone(k.Links[:h.ends[len(h.ends)-1]])
			break
		}
		if again {
			return 0, p.worker.tooLarge()
		}
		p.forget()
	}
	return from + len(h.ends), nil
}

// keep keeps the current links if they are those of all rows, and not too many.
func (p *pass) keep(h *held) {
	if h.kept {
		return
	}
	n := p.links + int64(len(h.links))*blocks.LinkBytes
	if len(h.ends) < h.rows() || n > p.share(linkShare)/2 {
		h.linked = linked{}
		return
	}
	h.kept, p.links = true, n
}

// forget drops all plans, and the links that refer to them.
func (p *pass) forget() {
	for _, h := range p.held {
		h.linked = linked{}
	}
	p.links = 0
	p.worker.renew(p.ctx)
}
