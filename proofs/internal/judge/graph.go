package judge

// graph is a set of states with the steps between them: all reachable states, or all of a shape
// with their successors. Claims about plays are fixpoints on it.
type graph []*node

// node is a state. out is nil until its steps were looked at.
type node struct {
	s     *state
	depth int
	out   []edge
	done  bool
}

type edge struct {
	*step
	to int
}

// some and every are who chooses steps: a friend of what is wanted, or a foe.
func some(*node) bool  { return true }
func every(*node) bool { return false }

// byPlayer lets one player choose for what is wanted, and all others against it.
func byPlayer(player int) func(*node) bool {
	return func(n *node) bool { return n.s.mover == player }
}

// leads reports whether a step, or each of some steps, leads to a node of the kind.
func (n *node) leads(friend bool, kind func(to int) bool) bool {
	for _, t := range n.out {
		if kind(t.to) == friend {
			return friend
		}
	}
	return !friend && len(n.out) > 0
}

// rounds tells how many moves it takes at most to come to a goal, where a friend takes the shortest
// way and a foe the longest one; none where he need never come there.
func (g graph) rounds(friend func(*node) bool, goal func(i int) bool) []int {
	back := make([][]int, len(g))
	open := make([]int, len(g)) // how many steps are still to lead to the goal
	rounds := make([]int, len(g))
	var level []int
	for i, n := range g {
		for _, t := range n.out {
			back[t.to] = append(back[t.to], i)
		}
		if open[i] = len(n.out); friend(n) {
			open[i] = 1
		}
		if rounds[i] = none; goal(i) {
			rounds[i] = 0
			level = append(level, i)
		}
	}
	for k := 1; len(level) > 0; k++ {
		var next []int
		for _, to := range level {
			for _, i := range back[to] {
				if open[i]--; open[i] == 0 && rounds[i] == none {
					rounds[i] = k
					next = append(next, i)
				}
			}
		}
		level = next
	}
	return rounds
}

// longest is how many moves the longest play has; it says no if some play never ends.
func (g graph) longest() (most int, ends bool) {
	for _, k := range g.rounds(every, func(i int) bool { return len(g[i].out) == 0 }) {
		if k == none {
			return 0, false
		}
		most = max(most, k)
	}
	return most, true
}

// again marks the nodes from which a friend can bring play to a good end, or to good nodes again
// and again.
func (g graph) again(friend func(*node) bool, good func(i int) bool) []bool {
	is := make([]bool, len(g))
	for i := range is {
		is[i] = true
	}
	for changed := true; changed; {
		rounds := g.rounds(friend, func(i int) bool { return is[i] && good(i) })
		changed = false
		for i, n := range g {
			now := len(n.out) == 0 && good(i) || n.leads(friend(n), func(to int) bool { return rounds[to] != none })
			if is[i] && !now {
				is[i], changed = false, true
			}
		}
	}
	return is
}

// from is the part of a graph that play from some nodes comes to, with the places of these.
func (g graph) from(nodes []int) (part graph, at []int) {
	place := map[int]int{}
	var list []int
	add := func(i int) int {
		if _, seen := place[i]; !seen {
			place[i] = len(list)
			list = append(list, i)
		}
		return place[i]
	}
	for _, i := range nodes {
		at = append(at, add(i))
	}
	for k := 0; k < len(list); k++ {
		n := *g[list[k]]
		n.out = nil
		for _, t := range g[list[k]].out {
			n.out = append(n.out, edge{t.step, add(t.to)})
		}
		part = append(part, &n)
	}
	return part, at
}

// witness looks for a state, or a step from one, that settles a claim.
type witness struct {
	*oneCase
	tries    int
	hit      string              // what was found first
	doubtful func(s *state) bool // of a state that may not count, nil if all do
	doubts   []*state            // those that would be hits
	faults   bool
}

func (c *oneCase) seek() *witness { return &witness{oneCase: c} }

// try looks at a state, or at a step from one. A hit outweighs faults elsewhere, of which a note is
// made.
func (h *witness) try(s *state, test func() bool) {
	is := h.holds(test)
	h.tries++
	switch {
	case !is || h.hit != "":
	case h.doubtful != nil && h.doubtful(s):
		h.doubts = append(h.doubts, s)
	default:
		h.hit = h.show(s)
	}
}

// holds is the value of a condition; false where it has none.
func (h *witness) holds(test func() bool) (holds bool) {
	if !h.guarded(func() { holds = test() }) {
		h.faults = true
		return false
	}
	return holds
}

// verdict says whether there is such a state or step; all reports whether all were tried.
func (h *witness) verdict(all bool) verdict {
	for _, s := range h.doubts {
		if h.hit == "" && !h.doubtful(s) { // it counts by what was seen meanwhile
			h.hit = h.show(s)
		}
	}
	switch {
	case h.hit != "":
		return found(True, "%s", h.hit)
	case h.faults:
		return found(Fault, "the claim has no value in some state")
	case len(h.doubts) > 0 || !all:
		return found(Open, "%d states or steps are not all", h.tries)
	}
	return found(False, "none of %d", h.tries)
}
