package plan

import (
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/residual"
)

// Table is what a script does to the contents of a territory with some total. For each content it
// has a result and the number of the content that it leads to. They are found when they are needed.
type Table struct {
	To       []uint32                 // see At; it may be read itself once there are parts
	parts    []Part                   // of all contents
	complete atomic.Bool              // there are the parts, and all results
	all      []Result                 // found so far
	results  atomic.Pointer[[]Result] // the same, to be read meanwhile
	used     atomic.Int64             // contents that were looked up
	finding  sync.Mutex               // held by who adds what was found
	left     int                      // contents for which nothing was found yet
	script   residual.Script
	side     int
	total    int
}

// ResultAt is above the numbers of contents.
const ResultAt = 24

// Results that are in no list.
const (
	Unknown = 255 << ResultAt // not found yet
	None    = 254 << ResultAt // the action is not legal, or the condition does not hold
	Alone   = 253 << ResultAt // the script does not say: the action is played alone, in one state
	Most    = 253             // results of a table
)

// Result is what becomes of what is known: it is as at an end of the script, and out is added. The
// territory has total seeds then.
type Result struct {
	End   int
	Out   Key
	Total int
	into  bool // seeds come to the territory whose content is known
}

// Part is the contents of a table that have one result. They are moved together.
type Part struct {
	Result uint32   // or that of Alone
	Mask   []uint64 // the contents; nil: all
	Same   bool     // they stay as they are
}

// WordsFor returns how many words a set of so many contents takes.
func WordsFor(n int) int { return (n + 63) / 64 }

// At returns what the table has for a content: its result, in the bits from ResultAt on, and the
// number of the content that it leads to. It may be Unknown.
func (t *Table) At(x uint32) uint32 { return atomic.LoadUint32(&t.To[x]) }

// Parts returns the parts of a table; nil if something was not found yet.
func (t *Table) Parts() []Part {
	if t.complete.Load() {
		return t.parts
	}
	return nil
}

// Results returns what there is so far.
func (t *Table) Results() []Result {
	if t.complete.Load() {
		return t.all
	}
	if list := t.results.Load(); list != nil {
		return *list
	}
	return nil
}

// Used counts contents that are looked up, and reports whether these were so many that the table is
// worth completing.
func (t *Table) Used(n int) bool { return t.used.Add(int64(n)) > oftenUsed*int64(len(t.To)) }

// oftenUsed is how often the contents of a table are moved before all that is not known of it is
// found out.
const oftenUsed = 2

// set notes what was found for a content: where it leads to, with a result if there is one. It
// returns how much memory that took.
func (t *Table) set(x, to uint32, r *Result) (bytes int64) {
	t.finding.Lock()
	defer t.finding.Unlock()
	if t.To[x] != Unknown {
		return 0
	}
	if r != nil {
		if n := t.result(r); n == Alone {
			to = Alone
		} else {
			to |= n
		}
	}
	atomic.StoreUint32(&t.To[x], to)
	if t.left--; t.left > 0 {
		return 0
	}
	t.parts = t.divide()
	t.complete.Store(true)
	return int64(len(t.parts) * (8*WordsFor(len(t.To)) + 64))
}

// result returns the number of a result, at its place in an entry, or Alone if there are too many.
// Those of neighbors are often the same.
func (t *Table) result(r *Result) uint32 {
	for i := len(t.all) - 1; i >= 0; i-- {
		if t.all[i] == *r {
			return uint32(i) << ResultAt
		}
	}
	if len(t.all) == Most {
		return Alone
	}
	t.all = append(t.all, *r)
	list := t.all
	t.results.Store(&list)
	return uint32(len(list)-1) << ResultAt
}

// divide finds the parts of a table of which nothing is left.
func (t *Table) divide() []Part {
	var at [Unknown >> ResultAt]*Part
	n := 0
	for x, to := range t.To {
		if to == None {
			continue
		}
		r := to >> ResultAt
		if at[r] == nil {
			same := r < Alone>>ResultAt && t.all[r].Total == t.total
			at[r] = &Part{Result: r, Mask: make([]uint64, WordsFor(len(t.To))), Same: same}
		}
		at[r].Mask[x>>6] |= 1 << (x & 63)
		at[r].Same = at[r].Same && to&(1<<ResultAt-1) == uint32(x)
		n++
	}
	parts := []Part{}
	for _, q := range at {
		if q != nil {
			parts = append(parts, *q)
		}
	}
	if len(parts) == 1 && n == len(t.To) {
		parts[0].Mask = nil
	}
	return parts
}
