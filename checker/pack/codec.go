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

// Route carries cells from the keys of one Codec to those of another, in which they have other
// places.
type Route struct{ hops []hop }

// hop is some fields that are moved together: those of mask in word from, turned left by turn, are
// part of word to.
type hop struct {
	from, to int
	mask     uint64
	turn     int
}

// NewRoute returns the route of some cells: cell i of from is cell to(i) of to, if that is not
// negative. With status, the player to move is carried, too, if both have as many players and
// outcomes. Cells that are carried need fields of one width, and variables of one domain.
func NewRoute(from, to *Codec, dest func(cell int) int, status bool) Route {
	var r Route
	for _, f := range slices.Concat(from.fields, lists.Map(from.sparse, func(s sparse) field { return s.field })) {
		if d := dest(f.cell); d >= 0 {
			at, _, _ := to.Place(d) // one that has none has no bits
			r.add(f.Field, at)
		}
	}
	if status {
		r.add(from.status, to.status)
	}
	return r
}

// add carries a field. Neighbors that move equally far move together.
func (r *Route) add(from, to Field) {
	mask := min(from.Mask, to.Mask) << from.Shift
	turn := int(to.Shift) - int(from.Shift)
	for i := range r.hops {
		if h := &r.hops[i]; h.from == from.Word && h.to == to.Word && h.turn == turn {
			h.mask |= mask
			return
		}
	}
	if mask != 0 {
		r.hops = append(r.hops, hop{from.Word, to.Word, mask, turn})
	}
}

// Carry adds what is carried of a key to another key, which has zeros there.
func (r *Route) Carry(from, to []uint64) {
	for i := range r.hops {
		h := &r.hops[i]
		to[h.to] |= bits.RotateLeft64(from[h.from]&h.mask, h.turn)
	}
}

// Odd writes consecutive keys of one word to into, with what is carried in the place of each in
// which a field is odd. It fails if that takes more than two moves, since it has no loop over them.
func (r *Route) Odd(f Field, keys, into []uint64) bool {
	if len(r.hops) != 2 {
		return false
	}
	one, two, shift := r.hops[0], r.hops[1], f.Shift&63
	into = into[:len(keys)]
	for i, key := range keys {
		image := bits.RotateLeft64(key&one.mask, one.turn) | bits.RotateLeft64(key&two.mask, two.turn)
		into[i] = key ^ (key^image)&-(key>>shift&1)
	}
	return true
}

// Mask sets the bits of a key to which something is carried.
func (r *Route) Mask(to []uint64) {
	for _, h := range r.hops {
		to[h.to] |= bits.RotateLeft64(h.mask, h.turn)
	}
}

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
