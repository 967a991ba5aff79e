package endgame

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/mancheck/mancheck/checker/value"
)

// A verification that is divided among processes does the work of Verify in two steps: Derive
// verifies units, and Settle processes the claims that are left (see reasons). Each call is one
// goroutine.

// Units returns the number of units of a layer. A unit has some thousand boards.
func Units(p *value.Positions, seeds int) int { return (&Table{positions: p}).layer(seeds).units() }

// Counts are what was found when some units of a layer were verified.
type Counts struct {
	Positions uint64 // whose futures were derived again
	NoFuture  uint64 // those of them without a future
	Backward  bool   // a move within the layer leads to a board whose number is not lower
	Left      uint64 // number of claims
	Fresh     bool   // some claims were accepted
}

// Audit is the result of verifying some units of a layer.
type Audit struct {
	Counts
	Wrong  *WrongError // the first future that is; of Settle, of the first claim if none was accepted
	Claims []byte      // claims that are not sound, by unit, each after its length
	Sound  []byte      // a bit for each position: its future is sound
}

// Derive derives the futures of the positions of some units of a layer again, and compares them
// with the table. If follow is set, it also collects claims, unless a future is wrong.
func (t *Table) Derive(ctx context.Context, seeds, from, to int, follow bool) (*Audit, error) {
	l, workers := t.whole(seeds), t.checkers(ctx, 1)
	r, n, err := l.derive(ctx, workers, from, to, follow)
	if wrong, is := errors.AsType[*WrongError](err); is {
		return &Audit{Wrong: wrong}, nil
	}
	out := &Audit{Counts: n}
	if err == nil && follow {
		if err = r.pass(ctx, workers, from, to); err == nil {
			out.take(r, from, to)
		}
	}
	return out, err
}

// Settle accepts claims of some units, given which futures of the whole layer are sound: sound has
// the Sound of all parts of the layer, and ends has the unit at which each part ends.
func (t *Table) Settle(ctx context.Context, seeds, from, to int, claims []byte, sound [][]byte, ends []int) (*Audit, error) {
	l, workers := t.whole(seeds), t.checkers(ctx, 1)
	r := newReasons(l)
	first := 0
	for i, end := range ends {
		l.eachNumber(first, end, func(at int, n uint64) {
			if sound[i][at/8]>>(at%8)&1 != 0 {
				r.accept(n)
			}
		})
		first = end
	}
	for unit := from; unit < to; unit++ {
		n, k := binary.Uvarint(claims)
		r.open[unit], claims = claims[k:k+int(n):k+int(n)], claims[k+int(n):]
	}
	fresh, err := r.settle(ctx, workers, from, to)
	if err != nil {
		return nil, err
	}
	out := &Audit{Counts: Counts{Fresh: fresh}}
	if out.take(r, from, to); !fresh {
		out.Wrong = r.circle(workers[0])
	}
	return out, nil
}

// eachNumber calls f with the numbers of the positions of some units, always in the same order. at
// counts the calls.
func (l *layer) eachNumber(from, to int, f func(at int, number uint64)) {
	first, end := uint64(from)<<unitBits, min(uint64(to)<<unitBits, l.size)
	at := 0
	for c := range l.controls {
		for board := first; board < end; board++ {
			f(at, c*l.size+board)
			at++
		}
	}
}

// take records the claims of some units, and which futures are sound.
func (a *Audit) take(r *reasons, from, to int) {
	for _, claims := range r.open[from:to] {
		a.Claims = append(binary.AppendUvarint(a.Claims, uint64(len(claims))), claims...)
	}
	r.eachNumber(from, to, func(at int, n uint64) {
		if at%8 == 0 {
			a.Sound = append(a.Sound, 0)
		}
		if r.isSound(n) {
			a.Sound[at/8] |= 1 << (at % 8)
		} else {
			a.Left++
		}
	})
}
