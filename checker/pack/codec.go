// Package pack stores states in few bits, and exact sets of them.
//
// A Codec gives every pit just enough bits for the total of seeds, every control variable bits for
// the index of its value in its domain, and one field to the player to move or the outcome. The
// fields are laid out in as few 64-bit words as they need; no field crosses a word, so that packing
// is a shift and an or for each field. Pits and variables that are not kept (because neither a
// guard nor a claim reads them) take no bits.
//
// The sets of states here are exact: two states are equal only if all their bits are.
//
// A Ranker numbers packed states without gaps, so that a set of states is one of Numbers: Bits,
// with a bit for each number there is, or Compact, a hash table of which a slot has only those bits
// of a number that its place does not tell. A Set is for keys too wide for that, and for those that
// need consecutive numbers: it stores them one after another in the order of insertion, and a hash
// table of their positions. Wide is several Sets, for concurrent use.
package pack

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Flat is a state in the form that fast engines work on: the seeds of all pits, then the values of
// all variables, in one slice. Mover and Outcome are as in rules.State.
type Flat struct {
	Cells   []int
	Mover   int
	Outcome int
}

// NewFlat returns a zero state of the right shape for sys.
func NewFlat(sys *rules.System) *Flat {
	return &Flat{Cells: make([]int, len(sys.Pits)+len(sys.Vars)), Outcome: rules.Live}
}

// Copy makes f equal to g, which has the same shape.
func (f *Flat) Copy(g *Flat) {
	copy(f.Cells, g.Cells)
	f.Mover, f.Outcome = g.Mover, g.Outcome
}

// Set makes f the flat form of s.
func (f *Flat) Set(s rules.State) {
	copy(f.Cells, s.Seeds)
	copy(f.Cells[len(s.Seeds):], s.Vars)
	f.Mover, f.Outcome = s.Mover, s.Outcome
}

// State returns f as a state of sys that shares nothing with f.
func (f *Flat) State(sys *rules.System) rules.State { return f.View(sys).Clone() }

// View returns f as State does, but shares the cells.
func (f *Flat) View(sys *rules.System) rules.State {
	n := len(sys.Pits)
	return rules.State{Seeds: f.Cells[:n:n], Vars: f.Cells[n:], Mover: f.Mover, Outcome: f.Outcome}
}

// ErrRange is returned for a state that the Codec cannot hold: more seeds than its bound, or a
// value outside a variable's domain.
var ErrRange = errors.New("state does not fit its packed form")

// Field is the place of a part of a state in its key: value - Low, shifted to the left by Shift in
// word Word.
type Field struct {
	Word  int
	Shift uint
	Mask  uint64 // of the value before it is shifted
	Most  uint64 // the greatest value before it is shifted
	Low   int
}

// field is the place of a cell.
type field struct {
	Field
	cell int
}

// sparse is the place of a variable whose domain has gaps; it is packed by the index in its domain.
type sparse struct {
	field
	domain []int
	index  map[int]uint64
}

// Codec packs the states of one System with at most a given total of seeds.
type Codec struct {
	words   int
	seeds   int     // the most that a pit has room for
	pits    int     // that are kept
	fields  []field // of the pits, then of variables
	sparse  []sparse
	status  Field // mover p as p, outcome o as players + o
	players int
	rest    []int // the unpacked values of the cells that are not kept

	// Of an ordered Codec:
	control Field                               // the last one of status and variables
	ignored struct{ live, finished []constant } // variables that do not matter there
}

// NewCodec returns a Codec for the kept parts of states of sys with at most seeds seeds on the
// board. Other pits unpack as empty, other variables with their initial values. The error is a
// *rules.LimitError.
func NewCodec(sys *rules.System, seeds int, kept rules.Parts) (*Codec, error) {
	return NewCodecIn(sys, seeds, kept, nil, nil)
}

// NewCodecIn is NewCodec with the pits in an order, that of their declaration if it is nil, and
// some of the kept ones behind all else. The other parts have the same places as in a Codec that
// does not keep these pits.
func NewCodecIn(sys *rules.System, seeds int, kept rules.Parts, order []int, last []bool) (*Codec, error) {
	if seeds < 0 || seeds > num.Most {
		return nil, sys.ManySeeds()
	}
	c := &Codec{seeds: seeds, players: len(sys.Players), rest: make([]int, len(sys.Pits)+len(sys.Vars))}
	var lay layout
	isLast := func(pit int) bool { return last != nil && last[pit] }
	if order == nil {
		order = num.Run(0, len(sys.Pits))
	}
	pits := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return !kept.HasPit(i) || seeds == 0 || isLast(i) })
	for at, i := range pits {
		c.fields = append(c.fields, field{lay.spread(at, len(pits), seeds), i})
	}
	c.pits = len(c.fields)
	c.status = lay.place(0, len(sys.Players)+len(sys.Outcomes)-1)
	for i := range sys.Vars {
		cell := len(sys.Pits) + i
		c.rest[cell] = sys.Vars[i].Init
		if kept.HasVar(i) {
			c.addVar(&lay, cell, &sys.Vars[i])
		}
	}
	for i := range sys.Pits {
		if kept.HasPit(i) && seeds > 0 && isLast(i) {
			c.fields = append(c.fields, field{lay.place(0, seeds), i})
		}
	}
	c.words = len(lay.used)
	return c, nil
}

// With returns a Codec for the states of a System that has further variables. They have words of
// their own behind those of c.
func (c *Codec) With(sys *rules.System) *Codec {
	out := *c
	out.fields, out.rest = slices.Clip(c.fields), slices.Clone(c.rest)
	lay := layout{slices.Repeat([]int{64}, c.words)}
	for cell := len(c.rest); cell < len(sys.Pits)+len(sys.Vars); cell++ {
		v := &sys.Vars[cell-len(sys.Pits)]
		out.rest = append(out.rest, v.Init)
		out.addVar(&lay, cell, v)
	}
	out.words = len(lay.used)
	return &out
}

// addVar lays out one variable. A domain without gaps needs no table.
func (c *Codec) addVar(lay placer, cell int, v *rules.Var) {
	n := len(v.Domain)
	if n <= 1 {
		return
	}
	low := v.Domain[0]
	if v.Domain[n-1]-low == n-1 {
		c.fields = append(c.fields, field{lay.place(low, n-1), cell})
		return
	}
	s := sparse{field: field{lay.place(0, n-1), cell}, index: map[int]uint64{}}
	for i, d := range v.Domain {
		s.domain = append(s.domain, d)
		s.index[d] = uint64(i)
	}
	c.sparse = append(c.sparse, s)
}

// placer allocates bits to fields with values from low on, most of them besides.
type placer interface{ place(low, most int) Field }

// layout allocates bits: each field goes into the first word with room for it.
type layout struct{ used []int }

func (l *layout) place(low, most int) Field {
	n, w := bits.Len(uint(most)), 0
	for w < len(l.used) && l.used[w]+n > 64 {
		w++
	}
	return l.placeIn(w, low, most)
}

func (l *layout) placeIn(w, low, most int) Field {
	if w == len(l.used) {
		l.used = append(l.used, 0)
	}
	n := bits.Len(uint(most))
	f := Field{Word: w, Shift: uint(l.used[w]), Mask: 1<<n - 1, Most: uint64(most), Low: low}
	l.used[w] += n
	return f
}

// spread allocates bits to one of some fields of seeds. They take as few words as they need, and as
// many of them are in each: a sowing from a pit of one half is more often within one word then.
func (l *layout) spread(number, fields, seeds int) Field {
	words := (fields-1)/(64/bits.Len(uint(seeds))) + 1
	return l.placeIn(number*words/fields, 0, seeds)
}

// Seeds returns the bound on the seeds of a state.
func (c *Codec) Seeds() int { return c.seeds }

// Text is a text that identifies a key among those of one Codec.
func Text(key []uint64) string {
	out := make([]byte, 0, 8*len(key))
	for _, w := range key {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return string(out)
}

// Words returns the length of a key.
func (c *Codec) Words() int { return c.words }

// Pits lists the pits that are kept, in the order of their places.
func (c *Codec) Pits() []int {
	return lists.Map(c.fields[:c.pits], func(f field) int { return f.cell })
}

// Cell returns the place of a pit, or of a variable by its index plus the number of pits. Cells
// that are not kept have none, nor have variables whose domain has gaps: see Place.
func (c *Codec) Cell(cell int) (Field, bool) {
	for i := range c.fields {
		if c.fields[i].cell == cell {
			return c.fields[i].Field, true
		}
	}
	return Field{}, false
}

// Place returns the place of any cell that is kept. A variable whose domain has gaps is packed by
// the index of its value in domain, which is nil for all others.
func (c *Codec) Place(cell int) (f Field, domain []int, has bool) {
	for i := range c.sparse {
		if c.sparse[i].cell == cell {
			return c.sparse[i].Field, c.sparse[i].domain, true
		}
	}
	f, has = c.Cell(cell)
	return f, nil, has
}

// Status returns the place of the player to move, as the player's index, or of the outcome o, as
// the number of players plus o.
func (c *Codec) Status() Field { return c.status }

// Rest returns the value of a cell that has no place.
func (c *Codec) Rest(cell int) int { return c.rest[cell] }

// Pack writes f into key, which has Words words. It fails with ErrRange if f does not fit; cells
// that are not kept are ignored.
func (c *Codec) Pack(f *Flat, key []uint64) error {
	key = key[:c.words]
	clear(key)
	status := uint64(f.Mover)
	if f.Outcome >= 0 {
		status = uint64(c.players + f.Outcome)
	}
	key[c.status.Word] = status << (c.status.Shift & 63)
	over := status &^ c.status.Mask
	for i := range c.fields {
		d := &c.fields[i]
		v := uint64(f.Cells[d.cell] - d.Low)
		over |= v &^ d.Mask
		key[d.Word] |= v << (d.Shift & 63)
	}
	if over != 0 {
		return ErrRange
	}
	if len(c.sparse) > 0 {
		if err := c.packSparse(f, key); err != nil {
			return err
		}
	}
	if c.ignored.live != nil || c.ignored.finished != nil {
		c.ignore(f, key)
	}
	return nil
}

func (c *Codec) packSparse(f *Flat, key []uint64) error {
	for i := range c.sparse {
		d := &c.sparse[i]
		v, ok := d.index[f.Cells[d.cell]]
		if !ok {
			return ErrRange
		}
		key[d.Word] |= v << d.Shift
	}
	return nil
}

// constant is the place of a variable with the bits of its initial value.
type constant struct {
	word  int
	clear uint64
	bits  uint64
}

// ignore gives variables that do not matter in a state their initial values.
func (c *Codec) ignore(f *Flat, key []uint64) {
	list := c.ignored.live
	if f.Outcome >= 0 {
		list = c.ignored.finished
	}
	for i := range list {
		x := &list[i]
		key[x.word] = key[x.word]&^x.clear | x.bits
	}
}

// Unpack writes the state with this key into f.
func (c *Codec) Unpack(key []uint64, f *Flat) {
	copy(f.Cells, c.rest)
	for i := range c.fields {
		d := &c.fields[i]
		f.Cells[d.cell] = int(key[d.Word]>>(d.Shift&63)&d.Mask) + d.Low
	}
	for i := range c.sparse {
		d := &c.sparse[i]
		f.Cells[d.cell] = d.domain[key[d.Word]>>d.Shift&d.Mask]
	}
	f.Mover, f.Outcome = int(key[c.status.Word]>>c.status.Shift&c.status.Mask), rules.Live
	if f.Mover >= c.players {
		f.Mover, f.Outcome = rules.None, f.Mover-c.players
	}
}
