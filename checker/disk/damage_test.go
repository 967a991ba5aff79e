package disk

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"

	"github.com/mancheck/mancheck/checker/sorted"
)

// smallStore searches a small graph on a drive.
func smallStore(t *testing.T, w int) (*drive, *explorer, [][]uint64) {
	t.Helper()
	d := newDrive()
	c := setting{graph{w, 2, 100}, 2, 6, 30, 20, 3}
	s, restore, err := c.open(d)
	defer restore()
	if err != nil {
		t.Fatal(err)
	}
	e := &explorer{graph: c.graph, store: s}
	if err := e.explore(); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(s.Known, func(k known) bool { return k.Level < 0 }) {
		t.Fatal("no runs were merged")
	}
	return d, e, c.levels()
}

// readAll opens a store and reads everything in it.
func readAll(d *drive, e *explorer, levels [][]uint64) error {
	s, restore, err := d.open(Options{Words: e.words, Identity: "a graph"})
	defer restore()
	if err != nil {
		return err
	}
	e.store = s
	if err := e.equal(levels); err != nil {
		return err
	}
	for _, level := range levels {
		if err := s.Adder(0).Add(level); err != nil {
			return err
		}
	}
	_, err = s.Settle(0)
	if err == nil && s.Len(s.Levels()-1) > 0 {
		err = errors.New("a level has known keys")
	}
	return err
}

// TestDamage changes each byte of each file.
func TestDamage(t *testing.T) {
	for _, w := range widths {
		d, e, levels := smallStore(t, w)
		if err := readAll(d, e, levels); err != nil {
			t.Fatal(err)
		}
		step := tier.Every(21, 3)
		r := rand.New(rand.NewPCG(1, uint64(w)))
		for name, c := range d.now {
			for i := r.IntN(step); i < len(c.bytes); i += step {
				old := c.bytes[i]
				c.bytes[i] ^= byte(1 + r.IntN(255))
				if err := readAll(d, e, levels); !errors.As(err, new(*sorted.CorruptError)) {
					t.Errorf("byte %d of %s: error %v", i, name, err)
				}
				c.bytes[i] = old
			}
		}
	}
}

// TestCut truncates files, removes them, and replaces them by others.
func TestCut(t *testing.T) {
	d, e, levels := smallStore(t, 2)
	var tables []*content
	for name, c := range d.now {
		all := c.bytes
		for _, n := range []int{0, 1, len(all) / 2, len(all) - 1} {
			c.bytes = all[:n]
			if err := readAll(d, e, levels); !errors.As(err, new(*sorted.CorruptError)) {
				t.Errorf("%d bytes of %s: error %v", n, name, err)
			}
		}
		c.bytes = append(slices.Clone(all), 0)
		if err := readAll(d, e, levels); !errors.As(err, new(*sorted.CorruptError)) {
			t.Errorf("%s with another byte: error %v", name, err)
		}
		c.bytes = all
		delete(d.now, name)
		if err := readAll(d, e, levels); !errors.As(err, new(*sorted.CorruptError)) {
			t.Errorf("without %s: error %v", name, err)
		}
		d.now[name] = c
		if strings.HasSuffix(name, suffix) {
			tables = append(tables, c)
		}
	}
	for i, a := range tables {
		b := tables[(i+1)%len(tables)]
		a.bytes, b.bytes = b.bytes, a.bytes
		if err := readAll(d, e, levels); !errors.As(err, new(*sorted.CorruptError)) {
			t.Errorf("with two files exchanged: error %v", err)
		}
		a.bytes, b.bytes = b.bytes, a.bytes
	}
	if err := readAll(d, e, levels); err != nil {
		t.Error(err)
	}
}

// TestOthers opens folders that belong to something else.
func TestOthers(t *testing.T) {
	d, e, levels := smallStore(t, 1)
	for _, o := range []Options{{Words: 1, Identity: "another graph"}, {Words: 2, Identity: "a graph"}} {
		_, restore, err := d.open(o)
		restore()
		if !errors.As(err, new(*IdentityError)) {
			t.Errorf("error %v", err)
		}
	}
	if err := readAll(d, e, levels); err != nil {
		t.Error(err)
	}
}
