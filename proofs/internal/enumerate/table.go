package enumerate

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// table numbers states in the order in which they are added. They lie in large lists, and are found
// by their contents: a map would have a text for each.
type table struct {
	pits, width int     // the pits and all parts of a state
	chunks      [][]int // of chunk states each: outcome, mover, seeds, variables
	number      int
	slots       []int32 // numbers plus 1 by hash, or 0; never full
	parts       []int   // those of the last state that was asked for
}

// chunk is how many states lie in one list, but for the first, which grows.
const chunk = 256

func newTable(sys *rules.System) *table {
	return &table{pits: len(sys.Pits), width: 2 + len(sys.Pits) + len(sys.Vars), slots: make([]int32, 16)}
}

// state is the state with a number.
func (t *table) state(n int) rules.State {
	parts := t.at(n)
	return rules.State{Outcome: parts[0], Mover: parts[1], Seeds: parts[2 : 2+t.pits : 2+t.pits], Vars: parts[2+t.pits:]}
}

func (t *table) at(n int) []int {
	begin := n % chunk * t.width
	return t.chunks[n/chunk][begin : begin+t.width : begin+t.width]
}

// add returns the number of a state, which it is given if it has none.
func (t *table) add(s rules.State) (n int, isNew bool) {
	t.parts = append(append(append(t.parts[:0], s.Outcome, s.Mover), s.Seeds...), s.Vars...)
	slot := t.slot(t.parts)
	if n := t.slots[slot]; n > 0 {
		return int(n) - 1, false
	}
	n = t.number
	if n%chunk == 0 {
		t.chunks = append(t.chunks, make([]int, 0, t.width*min(chunk, n+4)))
	}
	last := &t.chunks[n/chunk]
	*last = append(*last, t.parts...)
	t.number++
	t.slots[slot] = int32(t.number)
	if 2*t.number > len(t.slots) {
		t.grow()
	}
	return n, true
}

func (t *table) grow() {
	t.slots = make([]int32, 4*len(t.slots))
	for n := range t.number {
		t.slots[t.slot(t.at(n))] = int32(n + 1)
	}
}

// slot is where a state is, or would be.
func (t *table) slot(parts []int) int {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(0)
	for _, n := range parts {
		h = (h ^ uint64(n)) * prime
		h ^= h >> 32
	}
	mask := len(t.slots) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		if n := t.slots[i]; n == 0 || slices.Equal(parts, t.at(int(n)-1)) {
			return i
		}
	}
}
