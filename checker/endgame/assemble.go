package endgame

import (
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

// Assemble writes a table with the given futures to a file, which it replaces. The futures are
// never all in memory. layer calls put with the futures of all entries of a layer, in pieces of
// consecutive ranks, and returns the number of entries for positions from which play may go on for
// ever. Until the file is complete, it has the name of an unfinished table.
func Assemble(path string, sys *rules.System, positions *value.Positions, p value.Payoff,
	layer func(seeds int, put func(rank uint64, futures []byte) error) (cyclic uint64, err error),
) error {
	t := &Table{sys: sys, payoff: p, positions: positions}
	return drafted(path, t, func(d *draft) error {
		if err := d.mine(); err != nil {
			return err
		}
		if err := d.file.Truncate(d.header + t.Bytes()); err != nil {
			return err
		}
		for s := range t.Seeds() + 1 {
			if err := d.take(s, layer); err != nil {
				return err
			}
		}
		return nil
	})
}

// take writes a layer.
func (d *draft) take(seeds int, layer func(int, func(uint64, []byte) error) (uint64, error)) error {
	cyclic, err := layer(seeds, func(rank uint64, futures []byte) error {
		_, err := d.file.WriteAt(futures, d.header+int64(rank))
		return err
	})
	if err != nil {
		return err
	}
	l, h := d.layer(seeds), xxh3.New()
	l.eachRange(func(first, end uint64) {
		_, failed := io.Copy(h, io.NewSectionReader(d.file, d.header+int64(first), int64(end-first)))
		err = errors.Join(err, failed)
	})
	out := l.describe()
	out.Cyclic, out.Checksum = cyclic*l.images, fmt.Sprintf("%016x", h.Sum64())
	d.layers = append(d.layers, out)
	return err
}
