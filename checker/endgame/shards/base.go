package shards

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

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
