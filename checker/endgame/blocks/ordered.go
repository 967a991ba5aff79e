package blocks

import (
	"context"
	"math/bits"

	"github.com/mancheck/mancheck/checker/value"
)

// A layer is evaluated in order if its moves within the layer change nothing but the half that was
// sown from, and give it a lower number. So they lead to the same block, or to one with as many
// seeds in each half and another control. When all else is known they are followed, in the order of
// the numbers of both halves. No play comes back then.

// Ordered reports whether a layer can be evaluated in order. Its parts are whole blocks.
func (p *Pass) Ordered() bool {
	for _, w := range p.Parts {
		for x := range w.Rows() {
			for _, l := range w.linksOf(x) {
				if l.part == nil || !l.part.Same || int(l.Known) >= x {
					return false
				}
			}
		}
	}
	return true
}

// Follow finds the futures of the positions with so many seeds in each half, and of their images.
func (p *Pass) Follow(ctx context.Context, s Seeds) error {
	rows, columns := p.Division.Shape(s)
	list := p.followers(s)
	for x := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, f := range list {
			if f.half == 0 {
				f.followRow(x, columns)
			}
		}
		for y := range columns {
			for _, f := range list {
				if f.half == 1 {
					f.followOne(x, y, columns)
				}
			}
		}
	}
	for _, f := range list {
		f.finish(rows, columns, p.Division.Controls[f.Control].Maximizing)
	}
	return nil
}

// follower is a block whose moves are followed, or the image of one.
type follower struct {
	*Working
	half   int    // that is sown from
	values []int8 // by contents of the first half and of the second one, for the player to move
	moves  []move // as the links
}

// move is a link to a block in hand.
type move struct {
	to      []int8   // its values
	known   int      // content of the half that was sown from
	negated bool     // the other player is to move then
	mask    []uint64 // of the contents of the other half; nil: all
}

// followers returns the blocks with so many seeds in each half, by control. Those of control 1 may
// be images.
func (p *Pass) followers(s Seeds) []*follower {
	d := p.Division
	list := make([]*follower, len(d.Controls))
	for c := range list {
		kept, at, _, _ := d.Kept(c, s, 0)
		f := &follower{Working: p.Parts[d.At(kept, at)], half: d.Controls[c].Half}
		if f.values = f.Base; f.half == 1 {
			f.values = make([]int8, len(f.Base))
			n := f.Rows()
			Transpose(f.Base, n, f.Columns, func(x int) []int8 { return f.values[x*n:][:n] })
		}
		list[c] = f
	}
	for c, f := range list {
		for i := range f.Links {
			l := &f.Links[i]
			to, _ := d.Block(p.Seeds, int(l.To))
			if d.Swapped {
				to = c
				if int(l.Half) != f.Half {
					to = 1 - c
				}
			}
			negated := d.Controls[to].Maximizing != d.Controls[c].Maximizing
			f.moves = append(f.moves, move{list[to].values, int(l.Known), negated, l.part.Mask})
		}
	}
	return list
}

// followRow follows moves of a player who sows from the first half.
func (f *follower) followRow(x, columns int) {
	best := f.values[x*columns:][:columns]
	from, end := f.span(x)
	for _, m := range f.moves[from:end] {
		worth := m.to[m.known*columns:][:columns]
		if m.mask == nil {
			for y, v := range worth {
				best[y] = max(best[y], after(v, m.negated))
			}
			continue
		}
		for i, set := range m.mask {
			for ; set != 0; set &= set - 1 {
				y := i<<6 + bits.TrailingZeros64(set)
				best[y] = max(best[y], after(worth[y], m.negated))
			}
		}
	}
}

// followOne follows moves of a position of a player who sows from the second half.
func (f *follower) followOne(x, y, columns int) {
	best := f.values[x*columns+y]
	from, end := f.span(y)
	for i := from; i < end; i++ {
		m := &f.moves[i]
		if m.mask == nil || m.mask[x>>6]>>(x&63)&1 != 0 {
			best = max(best, after(m.to[x*columns+m.known], m.negated))
		}
	}
	f.values[x*columns+y] = best
}

// after is what a position is worth to the player who moved to it.
func after(v int8, negated bool) int8 {
	if negated && v != NoValue {
		return -v
	}
	return v
}

// finish makes the values the futures of the block. An image may be of the same block again.
func (f *follower) finish(rows, columns int, maximizing bool) {
	if f.Values != nil {
		return
	}
	for i, v := range f.values {
		switch {
		case v == NoValue:
			f.values[i] = value.NoFuture
		case !maximizing:
			f.values[i] = -v
		}
	}
	f.Base, f.Values = nil, Bytes(f.values)
	if f.half == 0 {
		f.Values = make([]byte, len(f.values))
		Transpose(Bytes(f.values), rows, columns, func(y int) []byte { return f.Values[y*rows:][:rows] })
	}
}
