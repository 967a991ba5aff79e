package forward

import (
	"slices"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/internal/limit"
)

// stuckSteps counts the steps into stuck states. Whether a state is stuck is known only when it is
// examined, which is after steps into it were found. A step leads at most to the next level, so it
// is enough to remember, for one level, the states that its steps lead to: when the next level has
// been examined, all of them have been.
//
// Nothing is remembered before the first stuck state is found. Then two levels are expanded again:
// its own and the one before.
type stuckSteps struct {
	search    *search
	wanted    bool
	recording bool
	names     store.Named
	set       *pack.Compact // names of the stuck states
	steps     int64         // number of steps into them
}

// count counts the steps into stuck states that come from the previous level. The level at depth
// has just been examined; expanded says whether its steps were computed.
func (k *stuckSteps) count(depth int, expanded bool) {
	s := k.search
	if !k.wanted || s.keeper != nil || s.full.reached() != limit.None || s.quit.Load() {
		return
	}
	if !k.recording {
		if !slices.ContainsFunc(k.search.workers, func(w *worker) bool { return len(w.stuckKeys) > 0 }) {
			return
		}
		k.begin()
		if depth > 0 {
			k.recordAgain(depth - 1)
		}
		k.swapLive()
		if expanded {
			k.recordAgain(depth)
		}
	}
	s.run(len(s.workers), s.sizes[depth], func(_ *worker, i int) { s.workers[i].enterStuck() })
	k.resolve()
	k.swapLive()
}

// begin begins to record steps.
func (k *stuckSteps) begin() {
	k.recording, k.names = true, k.search.states.(store.Named)
	bits := k.names.NameBits()
	k.set = pack.NewCompact(bits)
	for _, w := range k.search.workers {
		w.live, w.wasLive = pack.NewList(bits), pack.NewList(bits)
	}
}

// recordAgain records the states that the steps of a level lead to.
func (k *stuckSteps) recordAgain(depth int) {
	k.search.again(depth, func(w *worker, key []uint64) error {
		if err := w.game.Expand(key, &w.steps); err != nil {
			return err
		}
		w.weights = w.weights[:0]
		if w.classes != nil {
			w.weigh(w.weight(key))
		}
		w.record(k.names.Names(w.number, w.steps.Keys))
		return nil
	})
}

// again calls do for the live states of a level that was examined before, each time with an empty
// batch. What fails ends the search.
func (s *search) again(depth int, do func(w *worker, key []uint64) error) {
	status, players := s.codec.Status(), uint64(len(s.sys.Players))
	pieces := s.states.Pieces(depth)
	s.run(len(pieces), s.sizes[depth], func(w *worker, i int) {
		w.buffer = s.states.Read(w.number, pieces[i], w.buffer)
		for keys := w.buffer; len(keys) > 0; keys = keys[w.words:] {
			key := keys[:w.words]
			if key[status.Word]>>(status.Shift&63)&status.Mask >= players {
				continue
			}
			w.steps.Reset()
			w.before = 0
			if err := do(w, key); err != nil {
				w.failed(key, err, 0)
			}
		}
		w.steps.Reset()
		w.weights = w.weights[:0]
	})
}

// record appends the live states of the batch to the worker's list, each once for every step to it.
func (w *worker) record(names []uint64) {
	status, players := w.codec.Status(), uint64(len(w.sys.Players))
	w.which = w.which[:0]
	for i := range names {
		if w.steps.Keys[i*w.words+status.Word]>>status.Shift&status.Mask < players {
			w.which = append(w.which, int32(i))
			for range w.weightOf(i) - 1 {
				w.which = append(w.which, int32(i))
			}
		}
	}
	w.live.Append(names, w.which)
}

// swapLive makes the current lists those of the previous level.
func (k *stuckSteps) swapLive() {
	for _, w := range k.search.workers {
		w.live, w.wasLive = w.wasLive, w.live
		w.live.Clear()
	}
}

// enterStuck adds the worker's stuck states to the set.
func (w *worker) enterStuck() {
	n := len(w.stuckKeys) / w.words
	fresh := make([]int32, n)
	w.stuckSteps.set.AddShared(w.stuckSteps.names.Names(w.number, w.stuckKeys), fresh)
	w.stuckKeys = w.stuckKeys[:0]
}

// resolve counts the steps of the previous level that lead to stuck states.
func (k *stuckSteps) resolve() {
	s := k.search
	if k.set == nil {
		return
	}
	var steps atomic.Int64
	s.run(len(s.workers), s.total.Load(), func(_ *worker, i int) {
		steps.Add(s.workers[i].intoStuck())
	})
	k.steps += steps.Load()
}

func (w *worker) intoStuck() (n int64) {
	var names [pack.AtOnce]uint64
	for lo := 0; lo < w.wasLive.Len(); lo += len(names) {
		some := names[:min(len(names), w.wasLive.Len()-lo)]
		w.wasLive.Read(lo, some)
		for _, x := range some {
			if w.stuckSteps.set.Has(x) {
				n++
			}
		}
	}
	return n
}
