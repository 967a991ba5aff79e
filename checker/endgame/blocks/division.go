// Package blocks evaluates many positions at once, for two-player games in which each player sows
// from one half of the pits.
//
// The positions with the same number of seeds in each half, and the same control (player to move
// and variables), are a block: a matrix with a row for each content of the half that the player to
// move sows from, and a column for each content of the other half. With a plan (package plan), an
// action takes a whole row to parts of lines, which are rows or columns of blocks. No state is
// packed, ranked or looked up.
//
// The caller keeps the futures that moves lead to: package endgame in memory, and package shards in
// blocks of a depot. Both make the same passes over a layer. If there is a swap, a block with the
// second player to move is the image of a block with the first player to move, and only the latter
// is kept.
//
//	division.go the division of positions into blocks
//	rows.go     the moves of a row: what those to other layers are worth, those within the layer
//	purpose.go  what a row is worth by both, and what moves of part of it are worth
//	matrix.go   the values of a layer, and where they are in a table
//	ordered.go  layers that are evaluated in order
//	pass.go     passes over a layer, until its values do not change
package blocks

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// ErrNotByRows is the error for positions that have to be evaluated in another way.
var ErrNotByRows = errors.New("not evaluated by rows")

// Control is what the positions of a block have in common, apart from the seeds.
type Control struct {
	Half       int // that the player to move sows from
	Maximizing bool
	key        plan.Key
	actions    []int32
	lasts      []bool // by action: it is legal only if no other action is
}

// Division divides positions into blocks. Goroutines may share it.
type Division struct {
	Positions   *value.Positions
	Controls    []Control // if Swapped, that of the image is the second one
	Swapped     bool
	Territories [2]*plan.Territory // the halves
	mask        plan.Key           // of controls
	even        [2]bool            // by half: in the end all of its seeds are worth the same
	plans       *plan.Cache
}

// Divide divides positions into blocks. The error is ErrNotByRows if that is not possible.
func Divide(ctx context.Context, sys *rules.System, p *value.Positions) (*Division, error) {
	pits := p.Pits()
	half := len(pits) / 2
	d := &Division{Positions: p, Swapped: p.Swap() != nil}
	both := [2][]int{pits[:half], slices.Clone(pits[half:])}
	boards := p.Ranker.Boards()
	all := p.Ranker.Live() / boards
	sown, side := plan.Divide(sys)
	if len(side) != 2 || side[0] == side[1] || d.Swapped && (p.Entries() > boards || !exchangesHalves(p, both)) {
		return nil, ErrNotByRows
	}
	first := 0
	switch {
	case sameSet(sown[0], both[0]) && sameSet(sown[1], both[1]):
	case sameSet(sown[0], both[1]) && sameSet(sown[1], both[0]):
		first = 1
	default:
		return nil, ErrNotByRows
	}
	copy(d.mask[:], p.ControlMask())
	for c := range all {
		var k plan.Key
		if p.Words() > len(k) {
			return nil, ErrNotByRows
		}
		key := k[:p.Words()]
		p.Unrank(c*boards, key)
		mover := p.Mover(key)
		d.Controls = append(d.Controls, Control{key: k, Half: side[mover] ^ first, Maximizing: p.Maximizes(key)})
	}
	for i, list := range both {
		d.even[i] = true
		for _, pit := range list {
			d.even[i] = d.even[i] && p.Weight(pit) == p.Weight(list[0])
		}
	}
	for i := range d.Territories {
		var ok bool
		if d.Territories[i], ok = plan.NewTerritory(p.Codec(), both[i], p.Seeds()); !ok || d.Territories[i].With(p.Seeds()) == nil {
			return nil, ErrNotByRows
		}
	}
	d = d.Fresh()
	return d, d.menus(sys, p.Clone().Stepper(ctx))
}

// menus finds the actions of each control.
func (d *Division) menus(sys *rules.System, s *residual.Stepper) error {
	for i := range d.Controls {
		c := &d.Controls[i]
		list, ok := s.Menu(c.key[:d.Positions.Words()])
		if !ok {
			return ErrNotByRows
		}
		c.actions, c.lasts = list, plan.LastResorts(sys, list)
	}
	return nil
}

func sameSet(a, b []int) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// exchangesHalves reports whether the swap exchanges the halves of the pits. The second one gets
// the order of the first: the numbers of contents are the same then.
func exchangesHalves(p *value.Positions, both [2][]int) bool {
	if len(both[0]) != len(both[1]) {
		return false
	}
	images := lists.Map(both[0], func(pit int) int { return p.Swap().Pits[pit] })
	if !sameSet(images, both[1]) {
		return false
	}
	copy(both[1], images)
	return true
}

// Fresh returns the same division without plans.
func (d *Division) Fresh() *Division {
	c := *d
	c.plans = plan.NewCache(d.Positions.Words(), d.Positions.Seeds(), d.Territories, plan.Key{}, nil)
	return &c
}

// PlanBytes returns the memory of the plans made so far, which all workers share.
func (d *Division) PlanBytes() int64 { return d.plans.Bytes() }

// Stored returns the number of controls whose blocks are kept.
func (d *Division) Stored() int {
	if d.Swapped {
		return 1
	}
	return len(d.Controls)
}

// Blocks returns the number of blocks of a layer that are kept.
func (d *Division) Blocks(layer int) int { return d.Stored() * (layer + 1) }

// At returns the number of a kept block in its layer.
func (d *Division) At(c int, s Seeds) int { return c*(s.Total()+1) + s[0] }

// Block is the inverse of At.
func (d *Division) Block(layer, at int) (c int, s Seeds) {
	first := at % (layer + 1)
	return at / (layer + 1), Seeds{first, layer - first}
}

// Shape returns the number of contents of each half of a block.
func (d *Division) Shape(s Seeds) (first, second int) {
	return d.Territories[0].Size(s[0]), d.Territories[1].Size(s[1])
}

// Kept returns the block that is kept for a block, and the half that corresponds to a half. negated
// says that the futures have to be negated.
func (d *Division) Kept(c int, s Seeds, half int) (_ int, _ Seeds, _ int, negated bool) {
	if d.Swapped && c == 1 {
		return 0, s.Swap(), 1 - half, true
	}
	return c, s, half, false
}

// Seeds are the numbers of seeds in the halves.
type Seeds [2]int

// Total returns the number of the layer.
func (s Seeds) Total() int { return s[0] + s[1] }

// Swap exchanges the halves.
func (s Seeds) Swap() Seeds { return Seeds{s[1], s[0]} }
