package value

// effort counts how much work positions take, for a search to do less about small ones.
type effort struct {
	bySeeds []decisions // by seeds in play
	byDepth []subtrees
}

// decisions is how many positions were searched, and how many of them were decided by what is known
// of their moves, as from endgame tables.
type decisions struct{ all, decided int64 }

// subtrees is how many positions were searched at a depth, and how many below them.
type subtrees struct{ all, below int64 }

const (
	leastCounted = 1 << 8 // positions after which a count says something
	leastLarge   = 1 << 6
	mostSeeds    = 1 << 9 // seeds in play that are told apart
)

// note counts a position after a search that has looked at some positions below it.
func (e *effort) note(depth, inPlay int, below int64) {
	for depth >= len(e.byDepth) {
		e.byDepth = append(e.byDepth, subtrees{})
	}
	d := &e.byDepth[depth]
	d.all++
	d.below += below
	if inPlay >= mostSeeds {
		return
	}
	for inPlay >= len(e.bySeeds) {
		e.bySeeds = append(e.bySeeds, decisions{})
	}
	c := &e.bySeeds[inPlay]
	c.all++
	if below == 0 {
		c.decided++
	}
}

// isShallow reports whether most positions with so many seeds in play are decided at once. They
// are looked up in the table of positions only if they are not: to play their moves again takes no
// longer than to fetch an entry from memory, and others are kept instead.
func (e *effort) isShallow(inPlay int) bool {
	if inPlay >= len(e.bySeeds) {
		return false
	}
	c := &e.bySeeds[inPlay]
	return c.all >= leastCounted && 4*c.decided > 3*c.all
}

// isLarge reports whether the work below positions of a depth is worth being divided.
func (e *effort) isLarge(depth int) bool {
	if depth >= len(e.byDepth) {
		return true
	}
	d := &e.byDepth[depth]
	return d.below >= leastLarge*d.all
}
