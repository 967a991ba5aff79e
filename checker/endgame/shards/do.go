package shards

import (
	"context"
	"runtime/debug"

	"github.com/mancheck/mancheck/checker/phase"
)

// task is a task that is running.
type task struct {
	*Work
	ctx    context.Context
	env    *phase.Env
	worker *worker
	state  *state
	layout *layout
	pages  *pages
	row    []int8 // in hand
	first  int    // its parts are those from first up to end
	end    int
}

// Do implements phase.Work.
func (w *Work) Do(ctx context.Context, e *phase.Env, p *phase.Phase, number int) (phase.Result, error) {
	s := read(p)
	k := w.use(ctx)
	defer w.leave(k)
	t := &task{Work: w, ctx: ctx, env: e, worker: k, state: s, layout: w.layout(len(s.Layers))}
	t.pages = newPages(ctx, e.Depot, &w.sums, w.share(pagesShare))
	defer t.pages.close()
	t.first, t.end = t.layout.own(s.Now.Tasks[number])
	if t.layout.cells(t.first, t.end) > mostSmall {
		defer debug.FreeOSMemory() // the next task needs as much memory
	}
	if s.Now.Base {
		r, err := t.base()
		return r, divisible(err)
	}
	pass, err := t.newPass()
	if err != nil {
		return phase.Result{}, err
	}
	r, err := pass.run()
	return r, divisible(err)
}
