package pack

import (
	"math/bits"
	"sort"

	"github.com/mancheck/mancheck/internal/lists"
)

// Ranker numbers the keys of a Codec: each key that a state can have has its own number, its rank,
// below Size. What the codec leaves unused, because no board has that many seeds, takes no numbers.
//
// The board is a composition of the total of seeds into the pits. Such a composition is given by
// its prefix sums, and the number of compositions that come before it is a sum of binomials, one
// for each prefix sum (the combinatorial number system). All prefix sums of a word are found at
// once, by a multiplication with a number that has a one at the place of each pit: the pits are
// wide enough for the total, so nothing is carried from one to the next. The binomials come from
// tables, for several prefix sums at a time while the tables stay small.
//
// The control, which is the status and the variables, has a number in mixed radix, and the rank is
// that number times the number of boards, plus the number of the board. So the boards of each
// control are next to each other.
type Ranker struct {
	words  int
	places []Field // of pits
	total  uint64
	pits   []pitWord
	digits []digit
	sums   [][]uint64 // by prefix sum and its value: what it adds to the rank
	pitAt  [64]uint8  // by bit of the word of the pits, if there is one: the pit
	boards uint64
	size   uint64
	live   uint64
}

// pitWord is a word of a key that has pits.
type pitWord struct {
	word   int
	mask   uint64 // of the pits
	ones   uint64 // a one at each pit
	last   uint   // the place of the last pit
	field  uint64 // the mask of one pit
	sixes  []six
	sums   int        // that are in sixes
	single [][]uint64 // instead of sixes, if pits are wide: by prefix sum and its value
	tables []addends  // all of them, for one key
}

// addends is what some neighboring prefix sums add to a rank: a group, or a single one.
type addends struct {
	shift uint // of the first prefix sum
	mask  uint64
	add   []uint64
}

// six is six tables, each for as many neighboring prefix sums as have groupBits bits together. The
// last ones may be zero.
type six struct {
	shift uint // of the first prefix sum
	step  uint // from table to table
	add   [6]*group
}

// group is what some prefix sums add to a rank, by their bits.
type group [1 << groupBits]uint64

// digit is a field of the control.
type digit struct {
	Field
	weight uint64
}

const (
	groupBits  = 12      // of a table of sums, unless one sum has more
	mostSums   = 1 << 20 // values of all sums together
	mostRanked = 1 << 62 // keys
)

// NewRanker returns a Ranker for the keys of c whose pits hold total seeds, or at most total seeds
// unless fixed. There is none if the ranks would not fit, or the tables would be too large.
func NewRanker(c *Codec, total int, fixed bool) (*Ranker, bool) {
	places := lists.Map(c.fields[:c.pits], func(f field) Field { return f.Field })
	r := &Ranker{words: c.words, total: uint64(total), places: places}
	n := c.pits
	if fixed {
		n = max(n-1, 0)
	}
	if total > mostSums/max(n, 1)-2 || !r.tabulate(n) || !r.addDigits(c) {
		return nil, false
	}
	r.group(n)
	for i, f := range r.places {
		for b := f.Shift; f.Mask>>(b-f.Shift) > 0; b++ {
			r.pitAt[b&63] = uint8(i)
		}
	}
	return r, true
}

// tabulate computes what each of the first n prefix sums adds to a rank. Prefix sum i (from 0) of
// value s adds the number of ways to choose smaller ones, C(s+i, i+1).
func (r *Ranker) tabulate(n int) bool {
	r.boards = 1
	before := make([]uint64, r.total+2)
	for s := range before {
		before[s] = 1
	}
	for range n {
		sums := make([]uint64, len(before))
		for s := 1; s < len(sums); s++ {
			if sums[s] = sums[s-1] + before[s]; sums[s] >= mostRanked {
				return false
			}
		}
		r.sums = append(r.sums, sums)
		r.boards, before = sums[r.total+1], sums
	}
	return true
}

// addDigits gives each field of the control its weight.
func (r *Ranker) addDigits(c *Codec) bool {
	r.size = r.boards
	add := func(f Field) bool {
		r.digits = append(r.digits, digit{f, r.size})
		hi, lo := bits.Mul64(r.size, f.Most+1)
		r.size = lo
		return hi == 0 && lo < mostRanked
	}
	for _, f := range c.fields[c.pits:] {
		if !add(f.Field) {
			return false
		}
	}
	for _, f := range c.sparse {
		if !add(f.Field) {
			return false
		}
	}
	r.live = r.size * uint64(c.players)
	return add(c.status)
}

// group lays out the tables of the first n prefix sums.
func (r *Ranker) group(n int) {
	for i, f := range r.places {
		if k := len(r.pits); k == 0 || r.pits[k-1].word != f.Word {
			r.pits = append(r.pits, pitWord{word: f.Word, field: f.Mask})
		}
		w := &r.pits[len(r.pits)-1]
		w.mask |= f.Mask << f.Shift
		w.ones |= 1 << f.Shift
		w.last = f.Shift
		if i < n {
			w.addSum(r.sums[i][:r.total+1], f)
		}
	}
}

// noSums pads sixes.
var noSums group

// addSum adds the next prefix sum to the last group, if there is room, or makes another.
func (w *pitWord) addSum(sum []uint64, f Field) {
	width := bits.Len64(f.Mask)
	if width > groupBits {
		w.single, w.tables = append(w.single, sum), append(w.tables, addends{f.Shift, f.Mask, sum})
		return
	}
	together := groupBits / width // prefix sums of a group
	number, place := w.sums/together, w.sums%together
	if number%6 == 0 && place == 0 {
		z := &noSums
		w.sixes = append(w.sixes, six{shift: f.Shift, step: uint(together * width), add: [6]*group{z, z, z, z, z, z}})
	}
	g := &w.sixes[len(w.sixes)-1].add[number%6]
	if place == 0 {
		*g = new(group)
		w.tables = append(w.tables, addends{f.Shift, 1<<(together*width) - 1, (*g)[:]})
	}
	for i := range *g {
		(*g)[i] += addend(sum, uint64(i)>>(place*width)&f.Mask)
	}
	w.sums++
}

// addend returns what a sum adds; sums above the total do not occur.
func addend(sum []uint64, s uint64) uint64 {
	if s < uint64(len(sum)) {
		return sum[s]
	}
	return 0
}

// Size returns the number of ranks. Those of live states are below Live.
func (r *Ranker) Size() uint64 { return r.size }

// Live returns the number of ranks of live states.
func (r *Ranker) Live() uint64 { return r.live }

// Ranks writes the ranks of consecutive keys to ranks.
func (r *Ranker) Ranks(keys, ranks []uint64) {
	for len(keys) > 0 {
		n := min(len(keys), AtOnce*r.words)
		r.batch(keys[:n], ranks[:n/r.words])
		keys, ranks = keys[n:], ranks[n/r.words:]
	}
}

// Rank returns the rank of a key, of which the words after those of the Codec do not matter. For
// one key that is faster than Ranks.
func (r *Ranker) Rank(key []uint64) uint64 {
	rank, before := uint64(0), uint64(0) // the last prefix sum of the word before
	for i := range r.digits {
		d := &r.digits[i]
		rank += key[d.Word] >> (d.Shift & 63) & d.Mask * d.weight
	}
	for i := range r.pits {
		w := &r.pits[i]
		sums := (key[w.word]&w.mask + before) * w.ones
		before = sums >> (w.last & 63) & w.field
		for k := range w.tables {
			t := &w.tables[k]
			rank += t.add[sums>>(t.shift&63)&t.mask]
		}
	}
	return rank
}

// batch ranks at most AtOnce keys. Each table is looked up for all keys in turn.
func (r *Ranker) batch(keys, ranks []uint64) {
	var sums [AtOnce]uint64 // of a word, but until they are computed the last one of the word before
	if r.words == 1 && len(r.pits) == 1 {
		r.single(keys, ranks, &sums)
		return
	}
	clear(ranks)
	for k := range r.digits {
		r.digits[k].rank(keys, ranks, r.words)
	}
	for k := range r.pits {
		w := &r.pits[k]
		j := w.word
		for i := range ranks {
			sums[i&(AtOnce-1)] = (keys[j]&w.mask + sums[i&(AtOnce-1)]) * w.ones
			j += r.words
		}
		w.rank(&sums, ranks)
		for i := range ranks {
			sums[i&(AtOnce-1)] = sums[i&(AtOnce-1)] >> (w.last & 63) & w.field
		}
	}
}

// single is some for keys of one word.
func (r *Ranker) single(keys, ranks []uint64, sums *[AtOnce]uint64) {
	d := &r.digits[0]
	shift, low, weight := d.Shift&63, d.Mask, d.weight
	mask, ones := r.pits[0].mask, r.pits[0].ones
	ranks = ranks[:len(keys)]
	for i, key := range keys {
		ranks[i] = key >> shift & low * weight
		sums[i&(AtOnce-1)] = key & mask * ones
	}
	for k := 1; k < len(r.digits); k++ {
		r.digits[k].rank(keys, ranks, 1)
	}
	r.pits[0].rank(sums, ranks)
}

// rank adds what the field of the control says to the ranks.
func (d *digit) rank(keys, ranks []uint64, words int) {
	j, shift, mask, weight := d.Word, d.Shift&63, d.Mask, d.weight
	for i := range ranks {
		ranks[i] += keys[j] >> shift & mask * weight
		j += words
	}
}

// rank adds what the prefix sums of a word say to the ranks.
func (w *pitWord) rank(sums *[AtOnce]uint64, ranks []uint64) {
	for f := range w.sixes {
		w.sixes[f].rank(sums, ranks)
	}
	shift := uint(0)
	for _, add := range w.single {
		for i := range ranks {
			ranks[i] += add[sums[i&(AtOnce-1)]>>(shift&63)&w.field]
		}
		shift += uint(bits.Len64(w.field))
	}
}

// rank adds what six tables say of some prefix sums to the ranks.
func (f *six) rank(sums *[AtOnce]uint64, ranks []uint64) {
	const most = 1<<groupBits - 1
	first, step := f.shift&63, f.step&63
	mask := uint64(1)<<step - 1 // of a narrow group only a part is read, which stays in the cache
	add0, add1, add2, add3, add4, add5 := f.add[0], f.add[1], f.add[2], f.add[3], f.add[4], f.add[5]
	for i := range ranks {
		p := sums[i&(AtOnce-1)] >> first
		n := add0[p&mask&most]
		p >>= step
		n += add1[p&mask&most]
		p >>= step
		n += add2[p&mask&most]
		p >>= step
		n += add3[p&mask&most]
		p >>= step
		n += add4[p&mask&most]
		p >>= step
		ranks[i] += n + add5[p&mask&most]
	}
}

// Unrank writes the key with this rank to key.
func (r *Ranker) Unrank(rank uint64, key []uint64) {
	clear(key)
	for i := len(r.digits) - 1; i >= 0; i-- {
		d := &r.digits[i]
		key[d.Word] |= rank / d.weight << d.Shift
		rank %= d.weight
	}
	through := r.total // the prefix sum up to this pit
	for i := len(r.places) - 1; i >= 0; i-- {
		if i < len(r.sums) {
			through, rank = largest(r.sums[i][:r.total+1], rank)
		}
		r.add(i, through, key)
		r.add(i+1, -through, key)
	}
}

// add adds seeds to a pit, if there is such a pit. Fields are wide enough, so a negative number is
// as good.
func (r *Ranker) add(i int, seeds uint64, key []uint64) {
	if i < len(r.places) {
		key[r.places[i].Word] += seeds << r.places[i].Shift
	}
}

// NextBoard replaces the board of a key by the next one, in the order of ranks, with as many seeds;
// false says that there is none.
//
// Of two boards with as many seeds that one has the greater rank that has the greater sum up to the
// last pit at which their prefix sums differ. So the next board has a seed more up to the first pit
// where that is possible, and none before it.
func (r *Ranker) NextBoard(key []uint64) bool {
	if len(r.pits) == 1 {
		return r.nextInWord(&key[r.pits[0].word])
	}
	return r.next(key)
}

// next is NextBoard if the pits are in several words.
func (r *Ranker) next(key []uint64) bool {
	seeds := uint64(0) // of the pits before, which the first nonempty one has
	for i := range r.places {
		f := &r.places[i]
		n := key[f.Word] >> (f.Shift & 63) & f.Mask
		if i > 0 && n > 0 {
			key[f.Word] -= 1 << (f.Shift & 63)
			first, before := &r.places[0], &r.places[i-1]
			key[first.Word] -= seeds << (first.Shift & 63)
			key[before.Word] += (seeds + 1) << (before.Shift & 63)
			return true
		}
		if i == 0 {
			seeds = n
		}
	}
	return false
}

// nextInWord is NextBoard if all pits are in one word.
func (r *Ranker) nextInWord(w *uint64) bool {
	first := &r.places[0]
	seeds := *w >> (first.Shift & 63) & first.Mask
	others := *w & r.pits[0].mask &^ (first.Mask << (first.Shift & 63))
	if others == 0 {
		return false
	}
	i := int(r.pitAt[bits.TrailingZeros64(others)])
	*w += (seeds+1)<<(r.places[i-1].Shift&63) - seeds<<(first.Shift&63) - 1<<(r.places[i].Shift&63)
	return true
}

// Boards returns the number of boards: those of each control have consecutive ranks.
func (r *Ranker) Boards() uint64 { return r.boards }

// BoardsBelow returns the number of boards with fewer seeds, of a Ranker whose total is not fixed.
// They come before all others: the last prefix sum of a board, which is the number of its seeds,
// adds most to its rank.
func (r *Ranker) BoardsBelow(seeds int) uint64 {
	if len(r.sums) == 0 {
		return uint64(min(seeds, 1))
	}
	return r.sums[len(r.sums)-1][seeds]
}

// largest returns the largest index whose entry is at most n, and what is left of n.
func largest(sum []uint64, n uint64) (uint64, uint64) {
	s := sort.Search(len(sum), func(i int) bool { return sum[i] > n }) - 1
	return uint64(s), n - sum[s]
}
