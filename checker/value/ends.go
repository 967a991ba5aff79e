package value

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
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
	h := &heights{sys: sys, sinks: sinks, below: make([][]uint32, len(sys.Pits)), strict: map[[2]int]bool{}}
	for i := range sys.Actions {
		a := &sys.Actions[i]
		if ctx.Err() != nil || !sows(a.Body) {
			return nil, false, false
		}
		abstract.Before(sys, a).Run(a.Body, h.stmt)
	}
	for _, r := range sys.GoingOn() {
		abstract.Everywhere(sys, len(r.Locals)).Assume(r.When, true).Run(r.Body, h.stmt)
	}
	if h.failed || !h.exist() {
		return nil, false, false
	}
	return h.order(), true, h.differ()
}

// sows reports whether a body sows whatever happens, unless it ends the game or is illegal.
func sows(body []rules.Stmt) bool {
	return slices.ContainsFunc(body, func(s rules.Stmt) bool { _, is := s.(rules.Sow); return is })
}

// heights collects which pits have to be lower than which.
type heights struct {
	sys    *rules.System
	sinks  []bool
	below  [][]uint32      // by pit: those that are not higher
	strict map[[2]int]bool // the second is lower than the first
	group  []int           // by pit: its height; pits of one height need not be lower than each other
	failed bool
}

func (h *heights) stmt(s rules.Stmt, e *abstract.Env) {
	if sow, is := s.(rules.Sow); is {
		h.sow(sow, e)
		return
	}
	pits, into := e.Moves(s)
	for _, from := range pits {
		for _, to := range into {
			h.add(from, to, false)
		}
	}
}

// add notes that seeds may be moved from a pit to another, which are of the same height at most.
func (h *heights) add(from, into int, lower bool) {
	if h.sinks[into] || from == into && !lower {
		return
	}
	if !h.strict[[2]int{from, into}] {
		h.below[from] = append(h.below[from], uint32(into))
		h.strict[[2]int{from, into}] = lower
	}
}

// sow follows the lap from each pit that may be sown from to the first sink that takes a seed.
func (h *heights) sow(s rules.Sow, e *abstract.Env) {
	if s.StartAt != nil || s.OriginFirst {
		h.failed = true
		return
	}
	lap := &h.sys.Laps[s.Lap]
	for _, from := range e.Pits(s.Source) {
		at := from
		for range len(lap.Pits) {
			if at = lap.Next[at]; at == rules.None || h.sinks[at] && takes(s, at) {
				break
			}
			if !h.sinks[at] {
				h.add(from, at, true)
			}
		}
	}
}

// takes reports whether a pit takes a seed of every sowing that comes by.
func takes(s rules.Sow, pit int) bool {
	return (s.SkipIf == nil || s.SkipIf[pit] == nil) && (s.OnlyLast == nil || !s.OnlyLast[pit])
}

// exist reports whether there are such heights: no pit has to be lower than itself.
func (h *heights) exist() bool {
	h.group = make([]int, len(h.sys.Pits))
	number := 0
	_ = graph.Components(len(h.sys.Pits), func(i int) []uint32 { return h.below[i] }, func(list []uint32) error {
		number++
		for _, p := range list {
			h.group[p] = number
		}
		return nil
	})
	for pits, lower := range h.strict {
		if lower && h.group[pits[0]] == h.group[pits[1]] {
			return false
		}
	}
	return true
}

// differ reports whether seeds are never moved between pits of the same height.
func (h *heights) differ() bool {
	for p, below := range h.below {
		for _, q := range below {
			if h.group[p] == h.group[q] {
				return false
			}
		}
	}
	return true
}

// order lists the pits from the highest to the lowest.
func (h *heights) order() []int {
	list := num.Run(0, len(h.sys.Pits))
	slices.SortStableFunc(list, func(p, q int) int { return h.group[q] - h.group[p] })
	return list
}
