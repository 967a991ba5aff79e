package rows

import "sync"

// queue has the blocks of a layer that may have new states, in the order in which they got them.
type queue struct {
	sync.Mutex
	wake   sync.Cond // there is a block, or there will be none
	now    []*block  // from next on
	next   int
	later  []*block // after these
	busy   int      // workers that have a block
	failed error    // the first one
}

// stage is where a block is.
type stage uint8

const (
	waiting stage = iota // for its layer, or for states
	queued
	played // by a worker
	gaining
)

// fill begins with some blocks.
func (q *queue) fill(list []*block) {
	for _, b := range list {
		b.stage = queued
	}
	q.now, q.next, q.later = append(q.now[:0], list...), 0, q.later[:0]
}

// push adds a block that has got states.
func (q *queue) push(b *block) {
	q.Lock()
	q.later = append(q.later, b)
	q.Unlock()
	q.wake.Signal()
}

// pop returns the next block; nil if there will be none. It waits while others may still add some.
func (q *queue) pop() *block {
	q.Lock()
	defer q.Unlock()
	for q.failed == nil {
		if q.next == len(q.now) {
			q.now, q.next, q.later = q.later, 0, q.now[:0]
		}
		switch {
		case len(q.now) > 0:
			q.next++
			q.busy++
			return q.now[q.next-1]
		case q.busy == 0:
			return nil
		}
		q.wake.Wait()
	}
	return nil
}

// done is called after a block that was popped.
func (q *queue) done(err error) {
	q.Lock()
	if q.busy--; q.failed == nil {
		q.failed = err
	}
	over := q.busy == 0 || q.failed != nil
	q.Unlock()
	if over {
		q.wake.Broadcast()
	}
}
