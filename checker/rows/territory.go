package rows

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
)

// maxWords bounds the words of a key.
const maxWords = residual.MostWords

// key is a state, or a part of one: the words of a key of the codec. Fields of other parts are 0.
type key [maxWords]uint64

func (k *key) or(l key) {
	for i, w := range l {
		k[i] |= w
	}
}

// masked returns the fields of a part.
func (k key) masked(mask *key) key {
	for i, m := range mask {
		k[i] &= m
	}
	return k
}

// territory is some of the pits. A content has seeds for each of them. Contents with the same total
// are numbered without gaps, as compositions (see pack.Ranker).
type territory struct {
	places  []pack.Field
	mask    key
	before  [][]uint32 // by pit but the last, and prefix sum: how many contents come before
	byTotal []*contents
	bytes   int64 // of all contents listed so far
}

// contents are those with one total.
type contents struct {
	n    int
	keys []key // by number
}

// mostContents bounds the contents with one total.
const mostContents = 1 << 21

func newTerritory(codec *pack.Codec, pits []int, seeds int) (*territory, bool) {
	t := &territory{byTotal: make([]*contents, seeds+1)}
	for _, p := range pits {
		if f, has := codec.Cell(p); has {
			t.places = append(t.places, f)
			t.mask[f.Word] |= f.Mask << f.Shift
		}
	}
	if len(t.places) == 0 {
		return nil, false
	}
	// Prefix sum i of value s comes after C(s+i, i+1) smaller ones.
	smaller := slices.Repeat([]uint32{1}, seeds+2)
	for range len(t.places) - 1 {
		sums := make([]uint32, seeds+2)
		for s := 1; s < len(sums); s++ {
			if sums[s] = sums[s-1] + smaller[s]; sums[s] < sums[s-1] {
				return nil, false // it does not fit
			}
		}
		t.before, smaller = append(t.before, sums), sums
	}
	return t, true
}

// total returns the seeds of a content.
func (t *territory) total(k *key) (n int) {
	for i := range t.places {
		f := &t.places[i]
		n += int(k[f.Word] >> (f.Shift & 63) & f.Mask)
	}
	return n
}

// number returns the number of a content among those with its total.
func (t *territory) number(k *key) uint32 {
	n, sum := uint32(0), uint64(0)
	for i, before := range t.before {
		f := &t.places[i]
		sum += k[f.Word] >> (f.Shift & 63) & f.Mask
		n += before[sum]
	}
	return n
}

// size returns how many contents there are with a total.
func (t *territory) size(total int) int {
	if len(t.before) == 0 {
		return 1
	}
	return int(t.before[len(t.before)-1][total+1])
}

// with returns the contents with a total. There are none if they are too many.
func (t *territory) with(total int) *contents {
	if c := t.byTotal[total]; c != nil {
		return c
	}
	n := t.size(total)
	if n > mostContents {
		return nil
	}
	c := &contents{n: n, keys: make([]key, n)}
	t.bytes += int64(n) * 8 * maxWords
	t.enumerate(c, key{}, 0, total)
	t.byTotal[total] = c
	return c
}

// enumerate adds the contents that begin like k, with the seeds that are left in the pits from one
// on.
func (t *territory) enumerate(c *contents, k key, pit, left int) {
	f := &t.places[pit]
	if pit == len(t.places)-1 {
		k[f.Word] |= uint64(left) << f.Shift
		c.keys[t.number(&k)] = k
		return
	}
	for n := range left + 1 {
		next := k
		next[f.Word] |= uint64(n) << f.Shift
		t.enumerate(c, next, pit+1, left-n)
	}
}

// territories divides the pits from which actions sow. With two players who sow from different
// pits, each has one, and side has for each player which. Otherwise the pits are divided in the
// middle, and side is 0.
func territories(sys *rules.System) (pits [2][]int, side []int) {
	sown := make([][]bool, len(sys.Players))
	for p := range sown {
		sown[p] = make([]bool, len(sys.Pits))
	}
	var all []int
	for i := range sys.Actions {
		a := &sys.Actions[i]
		if p := sownFirst(a.Body); p >= 0 {
			sown[a.Mover][p] = true
		}
	}
	both := false
	for p := range sys.Pits {
		owners := 0
		for mover := range sown {
			if sown[mover][p] {
				owners++
			}
		}
		if owners > 0 {
			all = append(all, p)
		}
		both = both || owners > 1
	}
	side = make([]int, len(sys.Players))
	if len(sys.Players) != 2 || both {
		return [2][]int{all[:len(all)/2], all[len(all)/2:]}, side
	}
	side[1] = 1
	for _, p := range all {
		if sown[0][p] {
			pits[0] = append(pits[0], p)
		} else {
			pits[1] = append(pits[1], p)
		}
	}
	return pits, side
}

// sownFirst returns the pit of the first sowing from a fixed pit, or rules.None.
func sownFirst(body []rules.Stmt) int {
	for _, s := range body {
		if sow, is := s.(rules.Sow); is {
			if c, is := sow.Source.(rules.Const); is {
				return c.Value
			}
		}
		for _, b := range rules.Blocks(s) {
			if p := sownFirst(b); p >= 0 {
				return p
			}
		}
	}
	return rules.None
}
