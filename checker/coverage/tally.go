package coverage

import "github.com/mancheck/mancheck/rules"

// Counts are numbers of steps. That of a mark of a guard is 1 if it was set in some state.
type Counts struct {
	Moves []int64 // by move of the System
	Marks []int64 // by mark
}

func newCounts(m *rules.Marked) Counts {
	return Counts{make([]int64, len(m.Sys.Moves)), make([]int64, m.Marks())}
}

// Add adds other counts of the same System.
func (c *Counts) Add(d Counts) {
	for i, n := range d.Moves {
		c.Moves[i] += n
	}
	for i, n := range d.Marks {
		c.Marks[i] += n
	}
}

// planes is how many bits of a counter are kept apart from the others.
const planes = 16

// tally counts for each bit of some words how often it was set. It adds all bits of a word at once:
// plane k has the k-th binary digit of each bit's number.
type tally struct {
	digits [][planes]uint64 // by word
	added  int              // since the digits were 0
	sums   []int64          // by bit, of what was added before
}

func newTally(words int) tally {
	return tally{digits: make([][planes]uint64, words), sums: make([]int64, 64*words)}
}

// add counts the bits of words.
func (t *tally) add(words []uint64) {
	for i, carry := range words {
		digits := &t.digits[i]
		for k := 0; carry != 0; k++ {
			digits[k], carry = digits[k]^carry, digits[k]&carry
		}
	}
	if t.added++; t.added == 1<<planes-1 {
		t.settle()
	}
}

// settle moves what the digits say to the sums.
func (t *tally) settle() {
	for i := range t.digits {
		for k, word := range t.digits[i] {
			for bit := range 64 {
				t.sums[64*i+bit] += int64(word>>bit&1) << k
			}
		}
		t.digits[i] = [planes]uint64{}
	}
	t.added = 0
}

// flush adds the numbers of the first bits to sums.
func (t *tally) flush(sums []int64) {
	t.settle()
	for i := range sums {
		sums[i] += t.sums[i]
	}
}
