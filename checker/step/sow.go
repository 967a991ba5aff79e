package step

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// sow compiles a sowing. If it is known for every pit sown from which pits are skipped, and nothing
// is done between the drops, the seeds follow tables of next pits. Otherwise they go pit by pit.
func (c *compiler) sow(s rules.Sow) statement {
	c.current = s.At
	tracks, known := c.tracks(s)
	begin := c.begin(s)
	if !known {
		return c.sowSlowly(s, begin)
	}
	if p, ok := s.Source.(rules.Const); ok && p.Value != rules.None && s.Count == nil && s.StartAt == nil && !s.OriginFirst {
		from, t := p.Value, tracks[p.Value]
		return func(m *Machine) flow {
			seeds := m.cells[from]
			if seeds == 0 {
				return illegal
			}
			m.origin = from
			m.cells[from] = 0
			return t.run(m, from, seeds)
		}
	}
	return func(m *Machine) flow {
		from, at, seeds := begin(m)
		if seeds == 0 || at == rules.None {
			return illegal
		}
		m.cells[from] -= seeds
		return tracks[from].runFrom(m, at, seeds)
	}
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

// track says where seeds go, for one set of skipped pits. All tables are by pit. The value
// rules.None is the end of a lap that is no ring, or means that no pit takes the seed.
type track struct {
	first     []int // the pit for a seed that is not the last, if this pit is tried first
	firstLast []int // the pit for the last seed, if this pit is tried first
	next      []int // the pit after this one for a seed that is not the last
	nextLast  []int // the pit after this one for the last seed
	round     []int // the number of seeds after which next returns to the same pit; 0: never
}

// tracks returns the track for each pit that may be sown from. ok is false if the skipped pits
// depend on the state, or if something is done after a drop.
func (c *compiler) tracks(s rules.Sow) ([]*track, bool) {
	if len(s.Drop) > 0 {
		return nil, false
	}
	pits := len(c.prog.sys.Pits)
	list := make([]*track, pits)
	from, to := 0, pits
	if p, ok := s.Source.(rules.Const); ok && p.Value != rules.None {
		from, to = p.Value, p.Value+1
	}
	var before []bool
	for origin := from; origin < to; origin++ {
		skip, ok := staticSkips(s, pits, origin)
		if !ok {
			return nil, false
		}
		if before != nil && slices.Equal(skip, before) {
			list[origin] = list[origin-1]
			continue
		}
		before = skip
		key := fmt.Sprint(s.Lap, skip, s.OnlyLast) // sowings with the same key share a track
		if c.known[key] == nil {
			c.known[key] = newTrack(&c.prog.sys.Laps[s.Lap], skip, s.OnlyLast, pits)
		}
		list[origin] = c.known[key]
	}
	return list, true
}

// staticSkips evaluates the conditions for skipping pits, for one pit sown from.
func staticSkips(s rules.Sow, pits, origin int) (skip []bool, ok bool) {
	skip = make([]bool, pits)
	for p, x := range s.SkipIf {
		if x == nil {
			continue
		}
		v, ok := constant(x, origin)
		if !ok {
			return nil, false
		}
		skip[p] = v != 0
	}
	return skip, true
}

func newTrack(lap *rules.Lap, skip, onlyLast []bool, pits int) *track {
	t := &track{first: make([]int, pits), firstLast: make([]int, pits)}
	for p := range pits {
		t.first[p], t.firstLast[p] = Place(lap, skip, onlyLast, p, false), Place(lap, skip, onlyLast, p, true)
	}
	t.next = after(lap, t.first)
	t.nextLast = after(lap, t.firstLast)
	t.round = rounds(t.next)
	return t
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

// after returns, for each pit, the entry of table for the pit after it on the lap.
func after(lap *rules.Lap, table []int) []int {
	next := make([]int, len(table))
	for p := range next {
		next[p] = rules.None
		if q := lap.Next[p]; q != rules.None {
			next[p] = table[q]
		}
	}
	return next
}

// rounds returns, for each pit, the number of steps after which next returns to it, or 0.
func rounds(next []int) []int {
	round := make([]int, len(next))
	visited := make([]int, len(next)) // by pit: the start of the walk that visited it first, plus 1; 0: not visited
	for start := range next {
		p := start
		for p != rules.None && visited[p] == 0 {
			visited[p] = start + 1
			p = next[p]
		}
		if p == rules.None || visited[p] != start+1 {
			continue
		}
		n := 1 // this walk has closed a round, and p is on it
		for q := next[p]; q != p; q = next[q] {
			n++
		}
		round[p] = n
		for q := next[p]; q != p; q = next[q] {
			round[q] = n
		}
	}
	return round
}

// runFrom sows seeds along the track. The first seed tries pit at.
func (t *track) runFrom(m *Machine, at int, seeds int) flow {
	if seeds == 1 {
		return m.dropLast(t.firstLast[at])
	}
	p := t.first[at]
	if p == rules.None {
		return illegal
	}
	m.cells[p]++
	return t.run(m, p, seeds-1)
}

// run sows seeds into the pits after p along the track.
func (t *track) run(m *Machine, p int, seeds int) flow {
	cells, next := m.cells, t.next
	if seeds > len(next) {
		p, seeds = t.rounds(cells, p, seeds)
	}
	for ; seeds > 1 && p >= 0; seeds-- {
		if p = next[p]; p >= 0 {
			cells[p]++
		}
	}
	if p < 0 {
		return illegal
	}
	return m.dropLast(t.nextLast[p])
}

// rounds sows one seed, and then all whole rounds at once. It returns the pit where that ends, and
// the number of seeds left.
func (t *track) rounds(cells []int, p, seeds int) (int, int) {
	if p = t.next[p]; p < 0 {
		return p, seeds
	}
	cells[p]++
	seeds--
	n := t.round[p]
	if n == 0 {
		return p, seeds
	}
	whole := (seeds - 1) / n
	for range n {
		cells[p] += whole
		p = t.next[p]
	}
	return p, seeds - whole*n
}

// dropLast sows a seed and sets the registers for it.
func (m *Machine) dropLast(p int) flow {
	if p < 0 {
		return illegal
	}
	m.last, m.lastWas = p, m.cells[p]
	m.cells[p]++
	return onward
}

// sowSlowly compiles a sowing whose skipped pits depend on the state, or with statements after each
// drop.
func (c *compiler) sowSlowly(s rules.Sow, begin func(*Machine) (from, at, seeds int)) statement {
	lap, skips, drop := &c.prog.sys.Laps[s.Lap], c.skips(s), c.block(s.Drop)
	return func(m *Machine) flow {
		from, at, seeds := begin(m)
		skip := skips(m)
		if seeds == 0 {
			return illegal
		}
		m.cells[from] -= seeds
		for ; seeds > 0; seeds-- {
			m.tick(1)
			p := Place(lap, skip, s.OnlyLast, at, seeds == 1)
			if m.dropLast(p) == illegal {
				return illegal
			}
			at = lap.Next[p]
			if how := drop(m); how != onward {
				m.cells[from] += seeds - 1 // seeds in hand return if the game ends
				return how
			}
		}
		return onward
	}
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
