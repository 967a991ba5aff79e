package hunt

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// node is a state of a beam.
type node struct {
	key    []uint64
	before *node // nil: a start
	action int32
	moves  int
	far    int
	chance uint64 // orders those that are equally far
}

// beam searches by levels, and keeps so many states of each, those that are nearest to the goal.
func (h *hunter) beam(width int) error {
	var p line
	start := h.starts[h.random.IntN(len(h.starts))]
	if err := h.begin(&p, start); err != nil {
		return err
	}
	level := []*node{{key: slices.Clone(p.keys)}}
	seen := map[string]bool{pack.Text(p.keys): true}
	most := 64 * width // states
	for len(level) > 0 && len(seen) < most {
		var next []*node
		for _, n := range level {
			p := h.lineTo(start, n)
			over, err := h.expand(&p)
			if err != nil {
				return err
			}
			if over {
				continue
			}
			for i, a := range h.steps.Actions {
				text := pack.Text(h.step(i))
				if seen[text] {
					continue
				}
				seen[text] = true
				h.codec.Unpack(h.step(i), h.flat)
				next = append(next, &node{slices.Clone(h.step(i)), n, a, n.moves + 1, h.near(h.flat), h.random.Uint64()})
			}
		}
		slices.SortFunc(next, func(a, b *node) int { return cmp.Or(a.far-b.far, cmp.Compare(a.chance, b.chance)) })
		level = next[:min(width, len(next))]
	}
	return nil
}

// lineTo is the play to a state of a beam.
func (h *hunter) lineTo(start rules.State, n *node) line {
	p := line{start: start, actions: make([]int32, n.moves), keys: make([]uint64, (n.moves+1)*h.words)}
	for ; ; n = n.before {
		copy(p.at(n.moves, h.words), n.key)
		if n.before == nil {
			return p
		}
		p.actions[n.moves-1] = n.action
	}
}
