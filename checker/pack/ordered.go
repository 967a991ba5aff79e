package pack

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// NewOrdered returns a Codec whose keys are ordered as states are (rules.State.Compare). Status and
// variables come first, then the pits, from the highest bits of the first word to the lowest of the
// last one. Each pit has room for as many seeds as the given bits, and more if the number of words
// remains the same.
func NewOrdered(sys *rules.System, seedBits int, kept rules.Kept) *Codec {
	c := &Codec{players: len(sys.Players), rest: make([]int, len(sys.Pits)+len(sys.Vars))}
	finished := rules.Parts{Vars: kept.VarsOf(0)}
	var lay descending
	c.status = lay.place(0, max(1, len(sys.Players)+len(sys.Outcomes)-1))
	for i, v := range sys.Vars {
		cell := len(sys.Pits) + i
		c.rest[cell] = v.Init
		if !kept.HasVar(i) && !finished.HasVar(i) {
			continue
		}
		v.Domain = slices.Sorted(slices.Values(v.Domain))
		c.addVar(&lay, cell, &v)
		if !kept.HasVar(i) {
			c.ignored.live = append(c.ignored.live, c.initial(cell))
		}
		if !finished.HasVar(i) {
			c.ignored.finished = append(c.ignored.finished, c.initial(cell))
		}
	}
	c.control = lay.last
	pits := lists.Filter(num.Run(0, len(sys.Pits)), kept.HasPit)
	for words := lay.after(len(pits), seedBits); seedBits < 63 && lay.after(len(pits), seedBits+1) == words; {
		seedBits++
	}
	c.seeds = 1<<seedBits - 1
	fields := lists.Map(pits, func(p int) field { return field{lay.place(0, c.seeds), p} })
	c.fields, c.pits = append(fields, c.fields...), len(pits)
	c.words = lay.last.Word + 1
	return c
}

// descending is a layout in the order of the fields, from the highest bits down.
type descending struct{ last Field }

func (d *descending) place(low, most int) Field {
	n := uint(bits.Len(uint(most)))
	f := Field{Word: d.last.Word, Mask: 1<<n - 1, Most: uint64(most), Low: low}
	switch {
	case d.last.Mask == 0: // the first one
		f.Shift = 64 - n
	case d.last.Shift < n:
		f.Word, f.Shift = f.Word+1, 64-n
	default:
		f.Shift = d.last.Shift - n
	}
	d.last = f
	return f
}

// after returns the number of words after more fields of the same size.
func (d descending) after(fields, bits int) int {
	for range fields {
		d.place(0, 1<<bits-1)
	}
	return d.last.Word + 1
}

// initial returns the bits that a variable with its initial value has in a key.
func (c *Codec) initial(cell int) constant {
	at, domain, placed := c.Place(cell)
	value := uint64(0)
	switch {
	case domain != nil:
		value = uint64(slices.Index(domain, c.rest[cell]))
	case placed:
		value = uint64(c.rest[cell] - at.Low)
	}
	return constant{at.Word, at.Mask << (at.Shift & 63), value << (at.Shift & 63)}
}

// Control appends to buf what a key of an ordered Codec says of status and variables. Keys of
// ordered Codecs of the same parts, with room for other numbers of seeds, say it alike.
func (c *Codec) Control(buf []byte, key []uint64) []byte {
	for _, word := range key[:c.control.Word] {
		buf = binary.LittleEndian.AppendUint64(buf, word)
	}
	return binary.LittleEndian.AppendUint64(buf, key[c.control.Word]>>c.control.Shift)
}

// BitsFor returns the bits that the seeds of the fullest kept pit need.
func (c *Codec) BitsFor(f *Flat) int {
	n := 0
	for _, p := range c.fields[:c.pits] {
		n = max(n, bits.Len(uint(f.Cells[p.cell])))
	}
	return n
}
