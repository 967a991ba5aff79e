package suite

import (
	"cmp"
	"context"
	"runtime"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
)

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
		ctx, stop = context.WithTimeoutCause(ctx, r.opt.Each, &limit.TimeError{After: r.opt.Each})
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
