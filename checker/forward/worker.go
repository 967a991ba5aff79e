package forward

import (
	"errors"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
)

// batchSteps is how many steps are looked up together, to hide the latency of memory.
const batchSteps = 256

// worker expands blocks of states, with its own stepper.
type worker struct {
	*search
	number int
	game   game.Game
	query  *watcher
	words  int

	classes game.Classes // nil if every state is stored
	weights []int32      // with classes: by step, the weight of the state that it comes from

	steps  pack.Batch // of the states expanded since the batch was last stored
	enough int        // words of steps at which the batch is stored
	before int        // words of steps from earlier states of the batch
	buffer []uint64

	Figures
	fresh     int64 // number of states added
	reported  reported
	stuckKeys []uint64
	live      pack.List // names of the live states that steps of this level lead to
	wasLive   pack.List // names of those that steps of the previous level lead to
	which     []int32
	_         [64]byte // keeps workers on different cache lines
}

// reported is the part of a worker's counts that the search has.
type reported struct{ examined, transitions, fresh int64 }

func newWorker(s *search, number int, p *pack.Codec) (w *worker, err error) {
	w = &worker{
		search: s, number: number, words: p.Words(),
		enough: min(batchSteps*p.Words(), 1<<14), Figures: newFigures(s.sys, p.Status(), len(s.asked.Count)),
	}
	w.steps.Check = w.check
	if w.game, err = s.played().On(p); err != nil {
		return nil, err
	}
	w.classes, _ = w.game.(game.Classes)
	w.query = newWatcher(s.asked, w.game, s.sys, p, func() *pack.Set { return s.firsts }, &w.Figures)
	return w, nil
}

// check fails if the steps of one state take too much memory, or if the search was cancelled.
func (w *worker) check() error {
	if int64(len(w.steps.Keys)-w.before)*8 > w.opts.MaxMemory/4 || w.ctx.Err() != nil {
		return pack.ErrWide
	}
	return nil
}

// expand examines states and adds their successors to the next level. At the limit on moves it adds
// none.
func (w *worker) expand(keys []uint64, last bool) {
	looks := w.asked.looks()
	status, players := w.codec.Status(), uint64(len(w.sys.Players))
	for i := 0; i < len(keys); i += w.words {
		key := keys[i : i+w.words : i+w.words]
		first, ends, weight := len(w.steps.Actions), w.steps.Ends, w.weight(key)
		w.before = len(w.steps.Keys)
		can, err := false, error(nil)
		if s := key[status.Word] >> (status.Shift & 63) & status.Mask; s >= players {
			w.Finished[s-players] += weight
		} else {
			if last {
				can, err = w.game.CanMove(key)
			} else {
				err = w.game.Expand(key, &w.steps)
				can = len(w.steps.Actions) > first || w.steps.Ends > ends
			}
			switch {
			case err != nil:
				w.steps.Ends = ends
				w.failed(key, err, first)
				continue
			case can:
				w.Live += weight
			default:
				w.Stuck += weight
				if w.stuckSteps.wanted && w.keeper == nil {
					w.stuckKeys = append(w.stuckKeys, key...)
				}
			}
		}
		w.Seen++
		if w.classes != nil {
			w.weigh(weight)
		}
		if looks {
			w.look(examined{key: key, can: can, weight: weight, actions: w.steps.Actions[first:], to: w.steps.Keys[w.before:]})
		}
		if len(w.steps.Keys) >= w.enough {
			w.store()
		}
	}
	w.store()
	w.tell()
}

// failed handles an error of an expansion: first is the length of the batch's Actions before it.
func (w *worker) failed(key []uint64, err error, first int) {
	w.steps.Actions, w.steps.Keys = w.steps.Actions[:first], w.steps.Keys[:w.before]
	refused := (*game.Refusal)(nil)
	switch {
	case w.ctx.Err() != nil:
		w.quit.Store(true)
	case errors.As(err, &refused):
		w.note(Find{Key: key, action: refused.Action, refusal: refused.Why})
	case !errors.Is(err, pack.ErrWide):
		w.note(Find{Key: key, fault: err})
	default:
		w.wideState.Store(true)
		w.full.reach(limit.Memory)
	}
}

// store counts the steps of the batch, adds the states that they lead to, and clears the batch.
func (w *worker) store() {
	if len(w.steps.Actions)+w.steps.Ends == 0 {
		return
	}
	if w.classes != nil {
		w.countWeights()
	} else {
		w.Transitions += int64(len(w.steps.Actions) + w.steps.Ends)
	}
	for _, a := range w.steps.Actions {
		w.Fired[a] = true
	}
	status := w.codec.Status()
	word, shift := status.Word, status.Shift&63
	into := w.Into[:status.Mask+1]
	if w.classes == nil {
		for keys := w.steps.Keys; len(keys) > 0; keys = keys[w.words:] {
			into[keys[word]>>shift&status.Mask]++
		}
	}
	if w.full.reached() == limit.None {
		names, fresh := w.states.Add(w.number, w.steps.Keys, w.shared)
		w.fresh += int64(fresh)
		if w.stuckSteps.recording {
			w.record(names)
		}
	}
	w.steps.Reset()
	w.weights = w.weights[:0]
	if (w.fresh-w.reported.fresh)*int64(w.words) > 1<<13 {
		w.tell()
	}
}

// tell adds the worker's new counts to those of the search, and checks the limits.
func (w *worker) tell() {
	examined := w.Seen
	w.sofar.examined.Add(examined - w.reported.examined)
	w.sofar.transitions.Add(w.Transitions - w.reported.transitions)
	total := w.total.Add(w.fresh - w.reported.fresh)
	w.reported = reported{examined, w.Transitions, w.fresh}
	if w.opts.MaxStates > 0 && total > w.opts.MaxStates {
		w.full.reach(limit.States)
	} else if w.bytes() > w.opts.MaxMemory {
		w.full.reach(limit.Memory)
	}
}

// look evaluates the query in a state.
func (w *worker) look(s examined) {
	s.start = w.depth == 0
	if err := w.query.watch(s, w.note); err != nil {
		w.note(Find{Key: s.key, fault: err})
	}
}

// checkGoal evaluates a goal that does not depend on the steps of states.
func (w *worker) checkGoal(keys []uint64) {
	for i := 0; i < len(keys); i += w.words {
		key := keys[i : i+w.words]
		if yes, err := w.query.goalIn(key, w.depth == 0); yes || err != nil {
			w.note(Find{Key: key, action: noAction, fault: err})
		}
	}
}
