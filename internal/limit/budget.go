package limit

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// Searches count what they store, and stop by that count, so that they stop at the same place each
// time. The watch of a Budget is for what nobody counts: the text and the rules read from it,
// tables of wide boards, solvers, what the collector has not given back.

// Budget is the time and the memory that one command may take for all that it does: reading,
// resolving, playing, searching. It travels in the context that it ends, whose cause says which of
// the two was used up.
type Budget struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	memory  int64 // bytes; 0: no limit
	timer   *time.Timer
	after   time.Duration // that the timer was set to
	until   time.Time     // when it ends; zero: never
	stopped chan struct{} // ends the watch
	parts   map[*part]bool
	burst   chan struct{}
}

// part is work that may come to an end before the command does.
type part struct{ cancel context.CancelCauseFunc }

type key struct{}

// New makes a Budget without limits, and the context of the command that has it. Stop must be
// called when the command is over.
func New(parent context.Context) (context.Context, *Budget) {
	b := &Budget{parts: map[*part]bool{}, burst: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(parent)
	b.ctx, b.cancel = context.WithValue(ctx, key{}, b), cancel
	return b.ctx, b
}

// Of is the Budget that a context belongs to, or nil.
func Of(ctx context.Context) *Budget {
	b, _ := ctx.Value(key{}).(*Budget)
	return b
}

// Time ends the command when so much time has gone by, with a Hit of Time as the cause.
func (b *Budget) Time(after time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil {
		b.timer.Stop()
	}
	if after < shortest { // a short command may end before the timer is looked at
		b.cancel(Hit{Kind: Time, After: after})
		return
	}
	b.after, b.until = after, time.Now().Add(after)
	b.timer = time.AfterFunc(after, func() { b.cancel(Hit{Kind: Time, After: after}) })
}

// shortest is a time in which no command does anything.
const shortest = 10 * time.Microsecond

// Memory bounds what the process, with the programs that it has started, may have resident, in
// bytes. The garbage collector works to keep below that. Beyond it the parts under way end, or the
// command if it has none, with a Hit of Process as the cause.
func (b *Budget) Memory(bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unwatch()
	b.memory, b.stopped = bytes, make(chan struct{})
	targets.add(bytes)
	go b.watch(bytes, b.stopped)
}

// Stop frees what the Budget needs, and ends its context.
func (b *Budget) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unwatch()
	if b.timer != nil {
		b.timer.Stop()
	}
	b.cancel(context.Canceled)
}

func (b *Budget) unwatch() {
	if b.stopped != nil {
		close(b.stopped)
		targets.remove(b.memory)
		b.stopped = nil
	}
}

// Burst is closed when the process has so much memory that it should end at once: the work did not
// end when its context did, or grew faster than that.
func (b *Budget) Burst() <-chan struct{} { return b.burst }

// Part is a context for a part of the command's work, which ends with it. Beyond the limit on
// memory the parts under way end first, and what they hold can be given back. The function has to
// be called when the part is over. It is for contexts of any command, also of one without limits.
func Part(ctx context.Context) (context.Context, context.CancelFunc) {
	within, cancel := context.WithCancelCause(ctx)
	b := Of(ctx)
	if b == nil {
		return within, func() { cancel(context.Canceled) }
	}
	p := &part{cancel}
	b.mu.Lock()
	b.parts[p] = true
	b.mu.Unlock()
	return within, func() {
		if Ending(within).Kind == Process {
			debug.FreeOSMemory() // so that what follows does not begin with what this part has left
		}
		cancel(context.Canceled)
		b.mu.Lock()
		delete(b.parts, p)
		b.mu.Unlock()
	}
}

// Most is Part for the most of the command's work: it leaves a share of the time to say something
// after all where that was not enough. The cause is then the same as if the command had no time
// left.
func Most(ctx context.Context, share int) (context.Context, context.CancelFunc) {
	within, stop := Part(ctx)
	b := Of(ctx)
	if b == nil {
		return within, stop
	}
	b.mu.Lock()
	after, until := b.after, b.until
	b.mu.Unlock()
	if until.IsZero() {
		return within, stop
	}
	most, cancel := context.WithDeadlineCause(within, until.Add(-time.Until(until)/time.Duration(share)), Hit{Kind: Time, After: after})
	return most, func() {
		cancel()
		stop()
	}
}

// slack is how far above a limit the process may be before the watch ends work: a twentieth, and
// what the program takes anyway. Twice as far above it the process itself ends.
func slack(limit int64) int64 { return limit/20 + 32<<20 }

// wait returns how long the watch waits before it looks again, with left bytes left. To look takes
// a while, and memory is taken by some gigabytes a second.
func wait(left int64) time.Duration {
	return min(max(time.Duration(left>>20)*interval/100, interval/10), 10*interval)
}

const interval = 10 * time.Millisecond

// watch ends work while there is too much memory. It does not look at once, since a short command
// would take a tenth of its time for that.
func (b *Budget) watch(memory int64, stopped chan struct{}) {
	again := time.NewTimer(wait(memory))
	defer again.Stop()
	for {
		select {
		case <-stopped:
			return
		case <-again.C:
			left := memory + slack(memory) - Resident()
			if left < 0 {
				b.full(memory)
			}
			if left < -slack(memory) {
				b.cancel(Hit{Kind: Process, Most: memory})
				close(b.burst)
				return
			}
			again.Reset(wait(left))
		}
	}
}

// full ends the parts under way, or else the command.
func (b *Budget) full(memory int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.parts) == 0 {
		b.cancel(Hit{Kind: Process, Most: memory})
	}
	for p := range b.parts {
		p.cancel(Hit{Kind: Process, Most: memory})
	}
}

// targets are the limits in force. The greatest is set as the collector's memory limit.
var targets list

type list struct {
	mu     sync.Mutex
	limits []int64
	before int64 // the collector's memory limit, as it was set elsewhere
}

func (l *list) add(limit int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.limits) == 0 {
		l.before = debug.SetMemoryLimit(-1)
	}
	l.limits = append(l.limits, limit)
	debug.SetMemoryLimit(min(l.before, slices.Max(l.limits)))
}

func (l *list) remove(limit int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.limits, limit)
	l.limits = slices.Delete(l.limits, i, i+1)
	if len(l.limits) == 0 {
		debug.SetMemoryLimit(l.before)
		return
	}
	debug.SetMemoryLimit(min(l.before, slices.Max(l.limits)))
}

// Look is the error of a context that has ended. Before it asks, it has the memory in use looked
// at: work that takes memory fast cannot wait for the watch, whose turn comes late on a busy
// machine. It takes a few microseconds.
func Look(ctx context.Context) error {
	if b := Of(ctx); b != nil {
		b.mu.Lock()
		memory := b.memory
		b.mu.Unlock()
		if memory > 0 && inHeap() > memory+slack(memory)/2 {
			b.full(memory)
		}
	}
	return ctx.Err()
}

// inHeap is what objects take, also those that the collector has not freed yet.
func inHeap() int64 {
	now := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(now)
	return int64(now[0].Value.Uint64())
}
