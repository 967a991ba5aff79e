package backward

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// codec packs the kept parts of states, with the same number of bits for the seeds of each pit.
// Unlike those of a pack.Codec its keys are ordered as the states are (rules.State.Compare): the
// fields go from the highest bits of the first word to the lowest of the last one. Status and
// variables come first. No field crosses a word.
type codec struct {
	sys      *rules.System
	keep     space.Kept
	seedBits int // for the seeds of one pit
	words    int
	status   field
	vars     []varField
	pits     []field
	last     int  // the word in which status and variables end
	shift    uint // of their last bits there
	empty    []int
}

// field is the place of a cell in a key.
type field struct {
	cell  int
	word  int
	shift uint
	mask  uint64
}

// varField is the place of a variable, which is packed by the index of its value in the sorted
// domain.
type varField struct {
	field
	live, over bool           // whether it matters in live and in finished states
	low        int            // the least value
	domain     []int          // nil: there are no gaps
	index      map[int]uint64 // of values in the domain
	init       int
}

// leastBits is the size of the first fields for seeds. They grow at once if that takes no other
// word.
const leastBits = 4

// errWide says that a pit has too many seeds for its field.
var errWide = errors.New("more seeds than a key has room for")

// newCodec lays out keys with at least the given bits for the seeds of each pit, and more if the
// number of words remains the same.
func newCodec(sys *rules.System, keep space.Kept, seedBits int) *codec {
	c := layOut(sys, keep, seedBits)
	for c.seedBits < 63 {
		wider := layOut(sys, keep, c.seedBits+1)
		if wider.words > c.words {
			break
		}
		c = wider
	}
	return c
}

func layOut(sys *rules.System, keep space.Kept, seedBits int) *codec {
	c := &codec{sys: sys, keep: keep, seedBits: seedBits}
	var end cursor
	c.status = end.place(0, max(1, bits.Len(uint(len(sys.Players)+len(sys.Outcomes)-1))))
	c.empty = make([]int, len(sys.Pits), len(sys.Pits)+len(sys.Vars))
	over := space.Kept{Parts: rules.Parts{Vars: keep.Vars}}
	if keep.Over != nil {
		over.Vars = keep.Over
	}
	for v, x := range sys.Vars {
		c.empty = append(c.empty, x.Init)
		if keep.HasVar(v) || over.HasVar(v) {
			c.vars = append(c.vars, newVarField(&end, len(sys.Pits)+v, x, keep.HasVar(v), over.HasVar(v)))
		}
	}
	c.last, c.shift = end.word, 64-end.used
	for p := range sys.Pits {
		if keep.HasPit(p) {
			c.pits = append(c.pits, end.place(p, seedBits))
		}
	}
	c.words = end.word + 1
	return c
}

func newVarField(end *cursor, cell int, x rules.Var, live, over bool) varField {
	domain := slices.Clone(x.Domain)
	slices.Sort(domain)
	n := len(domain)
	f := varField{field: end.place(cell, bits.Len(uint(n-1))), live: live, over: over, low: domain[0], init: x.Init}
	if domain[n-1]-domain[0] == n-1 {
		return f
	}
	f.domain, f.index = domain, map[int]uint64{}
	for i, d := range domain {
		f.index[d] = uint64(i)
	}
	return f
}

// cursor is where the next field goes.
type cursor struct {
	word int
	used uint
}

func (c *cursor) place(cell, bits int) field {
	if n := uint(bits); c.used+n > 64 {
		c.word, c.used = c.word+1, n
	} else {
		c.used += n
	}
	return field{cell: cell, word: c.word, shift: 64 - c.used, mask: 1<<bits - 1}
}

// pack writes the key of f, which has the codec's number of words. It fails with errWide if a pit
// has too many seeds.
func (c *codec) pack(f *pack.Flat, key []uint64) error {
	clear(key)
	status := uint64(f.Mover)
	if f.Outcome != rules.Live {
		status = uint64(len(c.sys.Players) + f.Outcome)
	}
	key[0] = status << (c.status.shift & 63)
	for i := range c.vars {
		if err := c.vars[i].pack(f, key); err != nil {
			return err
		}
	}
	over := uint64(0)
	for i := range c.pits {
		p := &c.pits[i]
		n := uint64(f.Cells[p.cell])
		over |= n &^ p.mask
		key[p.word] |= n << (p.shift & 63)
	}
	if over != 0 {
		return errWide
	}
	return nil
}

func (x *varField) pack(f *pack.Flat, key []uint64) error {
	value, matters := f.Cells[x.cell], x.live
	if f.Outcome != rules.Live {
		matters = x.over
	}
	if !matters {
		value = x.init
	}
	v := uint64(value - x.low)
	if x.domain != nil {
		v = x.index[value]
	}
	if v > x.mask || x.domain != nil && x.domain[v] != value {
		return fmt.Errorf("backward: variable cell %d has the value %d, which is not in its domain", x.cell, value)
	}
	key[x.word] |= v << (x.shift & 63)
	return nil
}

// unpack writes the state with this key into f, with the other parts empty or at their initial
// values.
func (c *codec) unpack(key []uint64, f *pack.Flat) {
	copy(f.Cells, c.empty)
	f.Mover, f.Outcome = int(key[0]>>(c.status.shift&63)), rules.Live
	if f.Mover >= len(c.sys.Players) {
		f.Mover, f.Outcome = rules.None, f.Mover-len(c.sys.Players)
	}
	for i := range c.vars {
		x := &c.vars[i]
		v := int(key[x.word] >> (x.shift & 63) & x.mask)
		if x.domain != nil {
			f.Cells[x.cell] = x.domain[v]
		} else {
			f.Cells[x.cell] = x.low + v
		}
	}
	for i := range c.pits {
		p := &c.pits[i]
		f.Cells[p.cell] = int(key[p.word] >> (p.shift & 63) & p.mask)
	}
}

// control appends to buf what a key says of status and variables. Keys for more seeds say it alike.
func (c *codec) control(buf []byte, key []uint64) []byte {
	for _, word := range key[:c.last] {
		buf = binary.LittleEndian.AppendUint64(buf, word)
	}
	return binary.LittleEndian.AppendUint64(buf, key[c.last]>>c.shift)
}

// bitsFor returns the bits that the seeds of the fullest kept pit need.
func (c *codec) bitsFor(f *pack.Flat) int {
	n := 0
	for _, p := range c.pits {
		n = max(n, bits.Len(uint(f.Cells[p.cell])))
	}
	return n
}
