package value

import (
	"context"
	"slices"

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
	group, left := laws.Groups(len(sys.Pits), edges)
	if !ok || left > 0 {
		return nil, false, false
	}
	order = num.Run(0, len(sys.Pits))
	slices.SortStableFunc(order, func(p, q int) int { return group[q] - group[p] })
	stays := func(e laws.Edge) bool { return group[e.From] == group[e.Into] }
	return order, true, !slices.ContainsFunc(edges, stays)
}

// sows reports whether a body sows whatever happens, unless it ends the game or is illegal.
func sows(body []rules.Stmt) bool {
	return slices.ContainsFunc(body, func(s rules.Stmt) bool { _, is := s.(rules.Sow); return is })
}
