package step

import "github.com/mancheck/mancheck/rules"

// sow compiles a sowing. The seeds go pit by pit, but many of them by whole rounds.
func (c *compiler) sow(s rules.Sow) statement {
	c.current = s.At
	lap, begin, skips, drop := &c.prog.sys.Laps[s.Lap], c.begin(s), c.skips(s), c.block(s.Drop)
	drops := len(s.Drop) > 0
	return func(m *Machine) flow {
		from, at, seeds := begin(m)
		skip := skips(m)
		if seeds == 0 {
			return illegal
		}
		m.cells[from] -= seeds
		for ; seeds > 0; seeds-- {
			p := at
			if skip != nil || s.OnlyLast != nil {
				p = Place(lap, skip, s.OnlyLast, at, seeds == 1)
			}
			if m.drop(p) == illegal {
				return illegal
			}
			at = lap.Next[p]
			if !drops {
				if seeds > 2*len(lap.Pits) {
					seeds -= m.rounds(lap, skip, s.OnlyLast, p, seeds-1)
				}
				continue
			}
			m.tick(1)
			if how := drop(m); how != onward {
				m.cells[from] += seeds - 1 // seeds in hand return if the game ends
				return how
			}
		}
		return onward
	}
}

// rounds sows whole rounds at once after a seed that fell into p, and returns of how many seeds. At
// least one is left.
func (m *Machine) rounds(lap *rules.Lap, skip, onlyLast []bool, p, seeds int) int {
	next := func(q int) int { return Place(lap, skip, onlyLast, lap.Next[q], false) }
	round := 1
	for q := next(p); q != p; q = next(q) {
		if round++; q == rules.None || round > len(lap.Pits) {
			return 0
		}
	}
	whole := (seeds - 1) / round
	for range round {
		p = next(p)
		m.cells[p] += whole
	}
	return whole * round
}

// begin compiles what comes before the first seed: the pit sown from, the pit to try first, and the
// number of seeds, which is 0 if the sowing cannot be executed.
func (c *compiler) begin(s rules.Sow) func(*Machine) (from, at, seeds int) {
	source := c.pit(s.Source, s.At)
	hand := func(m *Machine) int { return m.cells[m.origin] }
	if s.Count != nil {
		count := c.num(s.Count)
		hand = func(m *Machine) int {
			if n := count(m); n > 0 && n <= m.cells[m.origin] {
				return n
			}
			return 0
		}
	}
	next := c.prog.sys.Laps[s.Lap].Next
	start := func(m *Machine) int { return next[m.origin] }
	if s.StartAt != nil {
		start = c.pit(s.StartAt, s.At)
	} else if s.OriginFirst {
		start = func(m *Machine) int { return m.origin }
	}
	return func(m *Machine) (int, int, int) {
		m.origin = source(m)
		seeds := hand(m)
		return m.origin, start(m), seeds
	}
}

// Place returns the pit for a seed that is to fall into at, or into the next pit on the lap that
// takes it. last says whether it is the last seed. The result is rules.None at the end of a lap
// that is no ring, and if no pit takes the seed. skip and onlyLast may be nil.
func Place(lap *rules.Lap, skip, onlyLast []bool, at int, last bool) int {
	for range len(lap.Pits) + 1 {
		if at == rules.None || (skip == nil || !skip[at]) && (last || onlyLast == nil || !onlyLast[at]) {
			return at
		}
		at = lap.Next[at]
	}
	return rules.None
}

// drop sows a seed and sets the registers for it.
func (m *Machine) drop(p int) flow {
	if p < 0 {
		return illegal
	}
	m.last, m.lastWas = p, m.cells[p]
	m.cells[p]++
	return onward
}

// skips compiles the conditions for skipping pits to one mask, which belongs to this sowing.
func (c *compiler) skips(s rules.Sow) func(*Machine) []bool {
	if s.SkipIf == nil {
		return func(*Machine) []bool { return nil }
	}
	conds := make([]condition, len(s.SkipIf))
	for p, x := range s.SkipIf {
		if x != nil {
			conds[p] = c.cond(x)
		}
	}
	site := c.prog.masks
	c.prog.masks++
	return func(m *Machine) []bool {
		mask := m.masks[site]
		for p, f := range conds {
			mask[p] = f != nil && f(m)
		}
		return mask
	}
}
