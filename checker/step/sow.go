package step

import (
	"fmt"

	"github.com/mancheck/mancheck/rules"
)

// sow compiles a sowing. If the pits that it skips are known for every pit sown from, and nothing is done between the drops, the seeds run along
// tables of next pits; otherwise pit by pit.
func (c *compiler) sow(s rules.Sow) statement {
	c.at = s.At
	if len(s.Drop) == 0 {
		if tracks, ok := c.tracks(s); ok {
			return c.sowTracks(s, tracks)
		}
	}
	return c.sowSlowly(s)
}

// track says for one pattern of skipped pits where seeds go. All tables are by pit; None is the end of the line, or
// no pit that takes the seed.
type track struct {
	first     []int // the pit that takes a seed which is not the last, if this pit is tried first
	firstLast []int // the same for the last seed
	next      []int // the pit after this one that takes a seed which is not the last
	nextLast  []int // the same for the last seed
	round     []int // by pit: the number of seeds after which next comes back to the same pit; 0 if it does not
}

// tracks makes the track for each pit that may be sown from. It fails if what is skipped depends on the state.
func (c *compiler) tracks(s rules.Sow) ([]*track, bool) {
	pits := len(c.prog.sys.Pits)
	list := make([]*track, pits)
	from, to := 0, pits
	if p, ok := s.Source.(rules.Const); ok && p.Value != rules.None {
		from, to = p.Value, p.Value+1
	}
	for origin := from; origin < to; origin++ {
		skip, key, ok := staticSkips(s, pits, origin)
		if !ok {
			return nil, false
		}
		list[origin] = c.track(s, skip, key)
	}
	return list, true
}

// track makes a track once for all sowings along it.
func (c *compiler) track(s rules.Sow, skip []bool, skipped string) *track {
	key := trackKey{s.Lap, skipped, fmt.Sprint(s.OnlyLast)}
	if s.OnlyLast == nil {
		key.onlyLast = ""
	}
	t := c.known[key]
	if t == nil {
		if c.known == nil {
			c.known = map[trackKey]*track{}
		}
		t = newTrack(&c.prog.sys.Laps[s.Lap], skip, s.OnlyLast, len(skip))
		c.known[key] = t
	}
	return t
}

type trackKey struct {
	lap               int
	skipped, onlyLast string
}

// staticSkips evaluates the conditions of the skipped pits for one pit sown from. Equal patterns have equal keys.
func staticSkips(s rules.Sow, pits, origin int) (skip []bool, key string, ok bool) {
	skip = make([]bool, pits)
	bits := make([]byte, pits)
	for p, x := range s.SkipIf {
		if x == nil {
			continue
		}
		v, ok := constant(x, origin)
		if !ok {
			return nil, "", false
		}
		skip[p] = v != 0
		bits[p] = byte(truth(skip[p]))
	}
	return skip, string(bits), true
}

func newTrack(lap *rules.Lap, skip, onlyLast []bool, pits int) *track {
	t := &track{}
	t.first = chase(lap, pits, func(p int) bool { return !skip[p] && (onlyLast == nil || !onlyLast[p]) })
	t.firstLast = chase(lap, pits, func(p int) bool { return !skip[p] })
	t.next = after(lap, t.first)
	t.nextLast = after(lap, t.firstLast)
	t.round = rounds(t.next)
	return t
}

// chase finds for every pit the first one on the lap from there on that takes a seed.
func chase(lap *rules.Lap, pits int, takes func(int) bool) []int {
	table := make([]int, pits)
	for start := range pits {
		p := start
		for tries := 0; p != rules.None && !takes(p); tries++ {
			if p = lap.Next[p]; tries >= len(lap.Pits) {
				p = rules.None
			}
		}
		table[start] = p
	}
	return table
}

// after is the table for the pit behind each pit.
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

// rounds gives for each pit the number of steps after which next comes back to it, or 0.
func rounds(next []int) []int {
	round := make([]int, len(next))
	met := make([]int, len(next)) // by pit: one more than where the walk that met it began; 0: not met
	for start := range next {
		p := start
		for p != rules.None && met[p] == 0 {
			met[p] = start + 1
			p = next[p]
		}
		if p == rules.None || met[p] != start+1 {
			continue
		}
		n := 1 // p lies on a round that this walk closed
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

// hand compiles how many seeds a sowing takes, given its source: all, or a count. Zero means that it cannot be carried out.
func (c *compiler) hand(s rules.Sow) func(*Machine, int) int {
	if s.Count == nil {
		return func(m *Machine, source int) int { return m.cells[source] }
	}
	count := c.num(s.Count)
	return func(m *Machine, source int) int {
		if n := count(m); n > 0 && n <= m.cells[source] {
			return n
		}
		return 0
	}
}

// sowTracks compiles a sowing along tables.
func (c *compiler) sowTracks(s rules.Sow, tracks []*track) statement {
	source := c.pit(s.Source, s.At)
	if s.StartAt != nil || s.OriginFirst {
		return c.sowFrom(s, source, tracks)
	}
	hand := c.hand(s)
	if p, ok := s.Source.(rules.Const); ok && p.Value != rules.None && s.Count == nil {
		from, t := p.Value, tracks[p.Value]
		return func(m *Machine) flow { return t.sow(m, from, m.cells[from]) }
	}
	return func(m *Machine) flow {
		from := source(m)
		m.origin = from
		return tracks[from].sow(m, from, hand(m, from))
	}
}

// sow drops seeds into the pits after from.
func (t *track) sow(m *Machine, from int, seeds int) flow {
	if seeds <= 0 {
		return illegal
	}
	m.origin = from
	m.cells[from] -= seeds
	return t.run(m, from, seeds)
}

// sowFrom compiles a sowing whose first seed has a place of its own.
func (c *compiler) sowFrom(s rules.Sow, source number, tracks []*track) statement {
	hand, start := c.hand(s), source
	if s.StartAt != nil {
		start = c.pit(s.StartAt, s.At)
	}
	return func(m *Machine) flow {
		from := source(m)
		m.origin = from
		seeds := hand(m, from)
		at := start(m)
		if seeds == 0 {
			return illegal
		}
		m.cells[from] -= seeds
		return tracks[from].runFrom(m, at, seeds)
	}
}

// runFrom drops seeds along the track, trying the pit at for the first.
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

// run drops seeds into the pits after p along the track.
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

// rounds drops one seed and then all whole rounds at once. It returns where that ends, and the seeds that are left.
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

// dropLast drops the last seed of a sowing.
func (m *Machine) dropLast(p int) flow {
	if p < 0 {
		return illegal
	}
	m.last, m.lastWas = p, m.cells[p]
	m.cells[p]++
	return onward
}

// sowSlowly compiles a sowing whose skipped pits depend on the state, or that does something after each drop.
func (c *compiler) sowSlowly(s rules.Sow) statement {
	source, hand := c.pit(s.Source, s.At), c.hand(s)
	next := c.prog.sys.Laps[s.Lap].Next
	start := func(m *Machine) int { return next[m.origin] }
	if s.StartAt != nil {
		start = c.pit(s.StartAt, s.At)
	} else if s.OriginFirst {
		start = func(m *Machine) int { return m.origin }
	}
	skips := c.skips(s)
	w := &slowSow{next: next, lap: len(c.prog.sys.Laps[s.Lap].Pits), onlyLast: s.OnlyLast}
	w.drop = c.block(s.Drop)
	return func(m *Machine) flow {
		from := source(m)
		m.origin = from
		seeds := hand(m, from)
		at := start(m)
		skip := skips(m)
		if seeds == 0 {
			return illegal
		}
		return w.sow(m, from, at, seeds, skip)
	}
}

// skips compiles the conditions of the skipped pits into one mask, which belongs to this sowing.
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

// slowSow is a sowing pit by pit.
type slowSow struct {
	next     []int
	lap      int // pits on the lap
	onlyLast []bool
	drop     statement
}

// sow drops the seeds. If the game ends meanwhile, those in hand go back into the pit sown from.
func (w *slowSow) sow(m *Machine, from, at, seeds int, skip []bool) flow {
	m.cells[from] -= seeds
	for seeds > 0 {
		p := w.place(at, seeds, skip)
		if p == rules.None {
			return illegal
		}
		seeds--
		m.dropLast(p)
		at = w.next[p]
		if how := w.drop(m); how != onward {
			m.cells[from] += seeds
			return how
		}
	}
	return onward
}

// place finds the pit for the next seed, or None.
func (w *slowSow) place(p, seeds int, skip []bool) int {
	for range w.lap + 1 {
		if p == rules.None {
			break
		}
		if (skip == nil || !skip[p]) && (w.onlyLast == nil || !w.onlyLast[p] || seeds == 1) {
			return p
		}
		p = w.next[p]
	}
	return rules.None
}
