package suite

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// Options are those of a run. The functions may be nil; they are called one at a time.
type Options struct {
	Decide  proofs.Options // of each decision
	Jobs    int            // decisions at the same time; 0: one for each processor
	Each    time.Duration  // longest time for each decision, of which the store also has that it is open; 0: no limit
	Build   cache.Build
	Store   *cache.Store // nil: no verdict is kept or believed
	Changed bool         // leave out what the store has a verdict on that is as expected
	Brief   bool         // of a verdict that is as expected, keep only what a table shows
	Same    func(i *Item, k cache.Key) bool
	Done    func(*Item)         // called for each item, in order
	Decided func(int, *Item)    // called for each item as soon as it is decided, with its place
	Watch   func(Progress)      // called with how far the run is
	Warn    func(warning error) // called with what is wrong with the store; nothing depends on it
}

// Progress is a run under way: how many items are done, and what is being decided.
type Progress struct {
	Done, Total int
	Running     []proofs.Progress
}

// Run decides items, and gives copies of them with what came of each; those that have an error keep
// it. This does not depend on how many are decided at the same time. The end of the context leaves
// undecided items unknown.
func Run(ctx context.Context, items []*Item, opt Options) *Report {
	r := &run{ctx: ctx, opt: opt, report: &Report{}}
	r.report.Items = lists.Map(items, func(i *Item) *Item { copied := *i; return &copied })
	total := len(r.report.Items)
	r.done, r.running = make([]bool, total), make([]*proofs.Progress, total)
	if r.opt.Decide.Common == nil {
		r.opt.Decide.Common = new(proofs.Common)
	}
	jobs := r.share()
	var wg sync.WaitGroup
	var taken atomic.Int64
	for range jobs {
		wg.Go(func() {
			for i := int(taken.Add(1)) - 1; i < total; i = int(taken.Add(1)) - 1 {
				r.item(i)
			}
		})
	}
	wg.Wait()
	return r.report
}

// run is a Run under way.
type run struct {
	ctx       context.Context
	opt       Options
	report    *Report
	mu        sync.Mutex
	done      []bool             // by item
	announced int                // items for which Done was called
	running   []*proofs.Progress // by item; nil if it is not being decided
	warned    sync.Once          // of a store that cannot be written
	alone     sync.RWMutex       // held for writing by a decision that takes all the memory
}

// share gives each of the decisions that go on at the same time its part of the machine.
func (r *run) share() (jobs int) {
	cpus := runtime.GOMAXPROCS(0)
	if jobs = r.opt.Jobs; jobs == 0 {
		jobs = cpus
	}
	jobs = max(1, min(jobs, cpus, len(r.report.Items)))
	if r.opt.Decide.Threads == 0 {
		r.opt.Decide.Threads = max(1, cpus/jobs)
	}
	return jobs
}

func (r *run) item(i int) {
	item := r.report.Items[i]
	if item.Err == nil && !item.Skipped {
		r.watch(i, &proofs.Progress{Claim: item.Name()})
		opt := r.opt.Decide
		if r.opt.Watch != nil {
			opt.Observer = func(p proofs.Progress) {
				p.Claim = item.Name()
				r.watch(i, &p)
			}
		}
		item.settle(r.ctx, opt.Engine, func() { r.decide(item, opt) })
		r.shed(item)
	}
	r.finish(i)
}

// Decide decides an item by itself, as Run does without a cache.
func (i *Item) Decide(ctx context.Context, opt proofs.Options) {
	i.settle(ctx, opt.Engine, func() { i.Result, i.Err = within(ctx, i.Instance, opt) })
}

// settle has an item decided once its System is there. A fault of the tool that one claim brings
// out is the fault of that claim alone.
func (i *Item) settle(ctx context.Context, engine proofs.Engine, decide func()) {
	defer func() {
		if fault := recover(); fault != nil {
			i.Result, i.Skipped = nil, false
			i.Err = fmt.Errorf("internal error, please report it: %v\n%s", fault, debug.Stack())
		}
	}()
	if i.Result != nil {
		return // Recall had it
	}
	begun := ctx.Err() == nil
	if begun {
		i.Err = i.Instance.Restore()
	}
	switch {
	case begun && i.Err == nil:
		decide()
	case ctx.Err() != nil:
		i.Err, i.Result = nil, i.undecided(engine, verdict.Ended{Work: verdict.Waiting, Limit: limit.Ending(ctx)})
	}
}

func (r *run) decide(item *Item, opt proofs.Options) {
	key := r.key(item, opt)
	if r.opt.Same != nil && r.opt.Same(item, key) {
		item.Skipped = true
		return
	}
	if r.recall(item, key, opt) {
		if r.opt.Changed && item.Err == nil && item.Result.AsExpected() {
			item.Result, item.Cached, item.Skipped = nil, false, true
		}
		return
	}
	if item.Result, item.Err = r.solve(item, opt); item.Err == nil {
		r.keep(item, key)
	}
}

// within decides as a part of the command. If the process has too much memory the verdict is
// unknown, as it is after an interrupt.
func within(ctx context.Context, inst *build.Instance, opt proofs.Options) (*proofs.Result, error) {
	ctx, stop := limit.Part(ctx)
	defer stop()
	r, err := proofs.Decide(ctx, inst, opt)
	if limit.Ended(err) {
		r, err = proofs.Undecided(inst, opt.Engine, verdict.Ended{Limit: limit.Ending(ctx)}), nil
	}
	if err == nil && r.Inconclusive() && limit.Ending(ctx).Kind == limit.Process {
		r.Limited = true
	}
	return r, err
}

// watch notes how far an item is; p is nil when it is done.
func (r *run) watch(i int, p *proofs.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running[i] = p
	if r.opt.Watch == nil {
		return
	}
	now := Progress{Total: len(r.done)}
	for i, p := range r.running {
		if p != nil {
			now.Running = append(now.Running, *p)
		}
		if r.done[i] {
			now.Done++
		}
	}
	r.opt.Watch(now)
}

// finish calls Done for all items whose turn has come.
func (r *run) finish(i int) {
	r.mu.Lock()
	r.done[i] = true
	if r.opt.Decided != nil {
		r.opt.Decided(i, r.report.Items[i])
	}
	for ; r.announced < len(r.done) && r.done[r.announced]; r.announced++ {
		if r.opt.Done != nil {
			r.opt.Done(r.report.Items[r.announced])
		}
		r.forget(r.announced)
	}
	r.mu.Unlock()
	r.watch(i, nil)
}

func (r *run) warn(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opt.Warn != nil {
		r.opt.Warn(err)
	}
}

// Verdicts must not depend on the number of jobs, though all jobs share the memory of the command.
// So each claim gets what would be its part with one job for each processor, however many there
// are. One that this may have been too little for is decided once more, alone, with all that there
// is.

// shared is each claim's part of the memory.
func shared(all int64) int64 {
	return cmp.Or(all, limit.DefaultMemory()) / int64(runtime.GOMAXPROCS(0))
}

// short reports whether more memory might change a verdict that was reached with a limit.
func short(r *proofs.Result, limit int64) bool {
	open := r.Status == proofs.Unknown || r.Status == proofs.Bounded
	return r.Limited || open && r.Stats.Bytes > limit/8
}

// solve decides an item, if need be a second time.
func (r *run) solve(item *Item, opt proofs.Options) (*proofs.Result, error) {
	ctx := r.ctx
	if r.opt.Each > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, r.opt.Each, limit.Hit{Kind: limit.Time, After: r.opt.Each})
		defer stop()
		opt.Common = new(proofs.Common) // what comes of an item does not depend on what is left of the others
	}
	res, err := r.solveShared(ctx, item, opt)
	if err != nil || ctx.Err() != nil || !short(res, shared(opt.MaxMemory)) {
		return res, err
	}
	r.alone.Lock()
	defer r.alone.Unlock()
	return within(ctx, item.Instance, opt)
}

func (r *run) solveShared(ctx context.Context, item *Item, opt proofs.Options) (*proofs.Result, error) {
	r.alone.RLock()
	defer r.alone.RUnlock()
	opt.MaxMemory = shared(opt.MaxMemory)
	return within(ctx, item.Instance, opt)
}
