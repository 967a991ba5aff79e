package shards

import (
	"bufio"
	"errors"
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
		k, rows := &blocks.Linker{}, 0
		k.Ended = func(r *blocks.Row) error {
			for i := range k.Links {
				leads[int(k.Links[i].To)] = true
			}
			k.Links = k.Links[:0]
			d.Unknown = d.Unknown || slices.Contains(r.Best, blocks.NoValue)
			rows++
			_, err := buffered.Write(blocks.Bytes(r.Best))
			return err
		}
		c, s := t.division.Block(t.layout.Seeds, p.Block)
		row := make([]int8, p.Columns)
		for at, before := p.First, -1; at < p.End; {
			t.worker.Only = false
			t.worker.Within(t.ctx, lower)
			err := t.worker.Rows(c, s, at, p.End, row, k)
			at = p.First + rows
			switch {
			case errors.Is(err, errFull) && at == before:
				return t.worker.tooLarge()
			case errors.Is(err, errFull):
				t.worker.renew(t.ctx)
			case err != nil:
				return err
			}
			before = at
		}
		return buffered.Flush()
	})
	d.Leads = slices.Sorted(maps.Keys(leads))
	return b, d, err
}
