package value

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// endless play is ruled out by a measure that every move makes smaller: first the seeds that are
// not in sinks, which never grow more, then the sum of the heights of the pits that they are in. A
// sowing that passes a sink drops a seed there. One that does not drops all its seeds before it. So
// it is enough that there are heights such that those pits are lower than the one sown from, and
// that other seeds are never moved to a higher pit.

// alwaysEnds reports whether it is proved that every play ends. The order is of the pits, from the
// highest to the lowest: every move that brings no seed to a sink brings seeds to later pits. If it
// descends, it brings none to earlier ones.
func alwaysEnds(ctx context.Context, sys *rules.System, sinks []bool) (order []int, ends, descends bool) {
	if ctx.Err() != nil || slices.ContainsFunc(sys.Actions, func(a rules.Action) bool { return !sows(a.Body) }) {
		return nil, false, false
	}
	edges, ok := laws.Ways(sys, sinks)
	h := &heights{pits: len(sys.Pits), below: make([][]uint32, len(sys.Pits)), edges: edges}
	for _, e := range edges {
		h.below[e.From] = append(h.below[e.From], uint32(e.Into))
	}
	if !ok || !h.exist() {
		return nil, false, false
	}
	return h.order(), true, h.differ()
}

// sows reports whether a body sows whatever happens, unless it ends the game or is illegal.
func sows(body []rules.Stmt) bool {
	return slices.ContainsFunc(body, func(s rules.Stmt) bool { _, is := s.(rules.Sow); return is })
}

// heights says which pits have to be lower than which.
type heights struct {
	pits  int
	below [][]uint32 // by pit: those that are not higher
	edges []laws.Edge
	group []int // by pit: its height; pits of one height need not be lower than each other
}

// exist reports whether there are such heights: no pit has to be lower than itself.
func (h *heights) exist() bool {
	h.group = make([]int, h.pits)
	number := 0
	_ = graph.Components(h.pits, func(i int) []uint32 { return h.below[i] }, func(list []uint32) error {
		number++
		for _, p := range list {
			h.group[p] = number
		}
		return nil
	})
	return !slices.ContainsFunc(h.edges, func(e laws.Edge) bool { return e.Strict && h.group[e.From] == h.group[e.Into] })
}

// differ reports whether seeds are never moved between pits of the same height.
func (h *heights) differ() bool {
	return !slices.ContainsFunc(h.edges, func(e laws.Edge) bool { return h.group[e.From] == h.group[e.Into] })
}

// order lists the pits from the highest to the lowest.
func (h *heights) order() []int {
	list := num.Run(0, h.pits)
	slices.SortStableFunc(list, func(p, q int) int { return h.group[q] - h.group[p] })
	return list
}
