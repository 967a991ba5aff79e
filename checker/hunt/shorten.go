package hunt

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
)

// The numbers of states that are looked at for shorter ways: from one state of a play, and from all
// of them together beside what the hunt has looked at. A state may take a millisecond where turns
// go on for long.
const (
	leastLooks   = 8
	mostLooks    = 400
	shorterLooks = 20_000
)

// shorten makes the play shorter. Between equal states nothing is lost, and from each state a
// search by levels looks for a later one of the play. What the play shows stays: its last state,
// its last step or its cycle. No state comes back before that, as a rule of repetition would end
// the play there.
func (h *hunter) shorten() {
	if h.aim.Beyond >= 0 && h.Cycle == 0 {
		return // it is to be long
	}
	later := h.later()
	left := shorterLooks + int(h.Looked)
	for at := 0; at < len(h.best.actions) && h.ctx.Err() == nil; at++ {
		looks := min(max(left/(len(h.best.actions)-at), leastLooks), mostLooks)
		left -= looks
		if h.shorterFrom(at, looks, later) {
			later = h.later()
		}
	}
	for at := 0; at < len(h.best.actions); at++ {
		if same := later[pack.Text(h.best.at(at, h.words))]; same > at {
			h.replace(at, same, nil)
			later = h.later()
		}
	}
}

// later returns the last place of each state up to what the play shows.
func (h *hunter) later() map[string]int {
	p := &h.best
	last := len(p.actions) - h.Cycle
	if h.aim.bad != nil {
		last-- // the last step is the bad one
	}
	later := map[string]int{}
	for i := range last + 1 {
		later[pack.Text(p.at(i, h.words))] = i
	}
	return later
}

// shorterFrom replaces a stretch of the play that begins after so many moves, and reports whether
// it has found a shorter one by looking at so many states.
func (h *hunter) shorterFrom(at, looks int, later map[string]int) bool {
	p := &h.best
	nodes := []*node{{key: p.at(at, h.words)}}
	seen := map[string]bool{}
	var best *node
	saved, to := 0, 0
	for i := 0; i < len(nodes) && i < looks; i++ {
		n := nodes[i]
		h.steps.Reset()
		if h.stepper.Expand(n.key, &h.steps) != nil {
			continue
		}
		for k, a := range h.steps.Actions {
			text := pack.Text(h.step(k))
			if seen[text] {
				continue
			}
			seen[text] = true
			m := &node{key: slices.Clone(h.step(k)), before: n, action: a, moves: n.moves + 1}
			if j, is := later[text]; is && j-at-m.moves > saved {
				best, saved, to = m, j-at-m.moves, j
			}
			nodes = append(nodes, m)
		}
	}
	if best != nil {
		stretch := h.lineTo(p.start, best)
		h.replace(at, to, &stretch)
	}
	return best != nil
}

// replace puts another stretch, which may be empty, in place of that between two moves.
func (h *hunter) replace(from, to int, stretch *line) {
	p := &h.best
	var actions []int32
	var keys []uint64
	if stretch != nil {
		actions, keys = stretch.actions, stretch.keys[h.words:]
	}
	p.actions = slices.Concat(p.actions[:from], actions, p.actions[to:])
	p.keys = slices.Concat(p.keys[:(from+1)*h.words], keys, p.keys[(to+1)*h.words:])
}
