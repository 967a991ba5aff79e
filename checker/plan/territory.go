package plan

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// MaxWords bounds the words of a Key.
const MaxWords = residual.MostWords

// Key is a state, or a part of one: the words of a key of the codec. Fields of other parts are 0.
type Key [MaxWords]uint64

// Or adds the fields of another part.
func (k *Key) Or(l Key) {
	for i, w := range l {
		k[i] |= w
	}
}

// Masked returns the fields of a part.
func (k Key) Masked(mask *Key) Key {
	for i, m := range mask {
		k[i] &= m
	}
	return k
}

// Without returns the fields of all other parts.
func (k Key) Without(mask *Key) Key {
	for i, m := range mask {
		k[i] &^= m
	}
	return k
}

// Territory is some of the pits. A content has seeds for each of them. Contents with the same total
// are numbered without gaps, as compositions (see pack.Ranker). Goroutines may share it.
type Territory struct {
	Places  []pack.Field
	Mask    Key
	before  [][]uint32 // by pit but the last, and prefix sum: how many contents come before
	byTotal []atomic.Pointer[Contents]
	listing sync.Mutex
	bytes   atomic.Int64
}

// Contents are those with one total, by number.
type Contents []Key

// MostContents bounds the contents with one total.
const MostContents = 1 << 20

// NewTerritory returns the territory of some pits, in this order, with at most the given number of
// seeds. There is none if it would have no pits, or too many contents.
func NewTerritory(codec *pack.Codec, pits []int, seeds int) (*Territory, bool) {
	t := &Territory{byTotal: make([]atomic.Pointer[Contents], seeds+1)}
	for _, p := range pits {
		if f, has := codec.Cell(p); has {
			t.Places = append(t.Places, f)
			t.Mask[f.Word] |= f.Mask << f.Shift
		}
	}
	if len(t.Places) == 0 {
		return nil, false
	}
	// Prefix sum i of value s comes after C(s+i, i+1) smaller ones.
	smaller := slices.Repeat([]uint32{1}, seeds+2)
	for range len(t.Places) - 1 {
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

// Total returns the seeds of a content.
func (t *Territory) Total(k *Key) (n int) {
	for i := range t.Places {
		f := &t.Places[i]
		n += int(k[f.Word] >> (f.Shift & 63) & f.Mask)
	}
	return n
}

// Number returns the number of a content among those with its total.
func (t *Territory) Number(k *Key) uint32 {
	n, sum := uint32(0), uint64(0)
	for i, before := range t.before {
		f := &t.Places[i]
		sum += k[f.Word] >> (f.Shift & 63) & f.Mask
		n += before[sum]
	}
	return n
}

// place returns the total and the number of a content in one word. The ends of branches that no
// state takes may have contents with more seeds than there are; their number is 0.
func (t *Territory) place(k *Key) uint64 {
	total, n := t.Total(k), uint32(0)
	if total < len(t.byTotal) {
		n = t.Number(k)
	}
	return uint64(total)<<32 | uint64(n)
}

// Size returns how many contents there are with a total.
func (t *Territory) Size(total int) int {
	if len(t.before) == 0 {
		return 1
	}
	return int(t.before[len(t.before)-1][total+1])
}

// Bytes is the memory of all contents listed so far.
func (t *Territory) Bytes() int64 { return t.bytes.Load() }

// With returns the contents with a total. There are none if they are too many.
func (t *Territory) With(total int) Contents {
	if c := t.byTotal[total].Load(); c != nil {
		return *c
	}
	return t.list(total)
}

func (t *Territory) list(total int) Contents {
	n := t.Size(total)
	if n > MostContents {
		return nil
	}
	t.listing.Lock()
	defer t.listing.Unlock()
	if c := t.byTotal[total].Load(); c != nil {
		return *c
	}
	c := make(Contents, n)
	t.enumerate(c, Key{}, 0, total)
	t.bytes.Add(int64(n) * 8 * MaxWords)
	t.byTotal[total].Store(&c)
	return c
}

// enumerate adds the contents that begin like k, with the seeds that are left in the pits from one
// on.
func (t *Territory) enumerate(c Contents, k Key, pit, left int) {
	f := &t.Places[pit]
	if pit == len(t.Places)-1 {
		k[f.Word] |= uint64(left) << f.Shift
		c[t.Number(&k)] = k
		return
	}
	for n := range left + 1 {
		next := k
		next[f.Word] |= uint64(n) << f.Shift
		t.enumerate(c, next, pit+1, left-n)
	}
}

// Divide divides the pits from which actions sow. With two players who sow from different
// pits, each has one, and side has for each player which. Otherwise the pits are divided in the
// middle, and side is 0.
func Divide(sys *rules.System) (pits [2][]int, side []int) {
	sown := make([][]bool, len(sys.Players))
	for p := range sown {
		sown[p] = make([]bool, len(sys.Pits))
	}
	var all []int
	for i := range sys.Actions {
		a := &sys.Actions[i]
		if _, p := rules.FirstSow(a.Body); p != rules.None {
			sown[a.Mover][p] = true
		}
	}
	both := false
	for p := range sys.Pits {
		owners := lists.Count(sown, func(from []bool) bool { return from[p] })
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
	for player := range pits {
		pits[player] = lists.Filter(all, func(p int) bool { return sown[player][p] })
	}
	return pits, side
}
