package value

// guesses keeps what searches of limited depth have found of positions. It is a table of a fixed
// size that forgets what it has no room for. It may take one position for another, so nothing in it
// is proved.
type guesses struct{ slots []guess }

// guess is what a search of some depth has found.
type guess struct {
	hash  uint64
	value int32 // in units, for the player to move and besides the account
	depth int16 // moves
	step  int16 // the best one, or -1
	kind  kindOf
}

// kindOf says how a value is meant.
type kindOf uint8

const (
	none kindOf = iota // the slot is free
	about
	atLeast
	atMost
)

const guessBits = 19

func (g *guesses) slot(name []uint64) (*guess, uint64) {
	h := hash(name)
	return &g.slots[h>>(64-guessBits)], h
}

func (g *guesses) find(name []uint64) (guess, bool) {
	s, h := g.slot(name)
	return *s, s.hash == h && s.kind != none
}

func (g *guesses) store(name []uint64, x guess) {
	s, h := g.slot(name)
	if s.hash == h && s.depth > x.depth && s.kind == about {
		return
	}
	x.hash = h
	*s = x
}
