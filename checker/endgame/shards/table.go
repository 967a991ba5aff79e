package shards

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Keep implements phase.Keeper.
func (w *Work) Keep(_ context.Context, p *phase.Phase) (map[string]bool, error) {
	return phase.Hashes(w.Blocks(p)), nil
}

// Blocks returns the blocks that the table is made from. In a phase before the last, these are the
// blocks made so far.
func (w *Work) Blocks(p *phase.Phase) []phase.Block {
	s := read(p)
	list := lists.Flat(s.Layers, func(l layer) []phase.Block { return l.Parts })
	if s.Now != nil {
		for _, k := range s.Now.Parts {
			list = append(list, k.Base, k.Marks, k.Values)
		}
	}
	return there(list)
}

// Table writes the table to a file, which it replaces. last is the last phase. If the error is a
// *depot.DamagedError, the block has to be made again.
func (w *Work) Table(ctx context.Context, d depot.Depot, last *phase.Phase, path string) error {
	var s state
	if err := json.Unmarshal(last.State, &s); err != nil {
		return err
	}
	if !last.Last() || len(s.Layers) != w.Positions().Seeds()+1 {
		return errors.New("the table is not finished")
	}
	layer := func(n int, put func(rank uint64, futures []byte) error) (cyclic uint64, err error) {
		return s.Layers[n].Cyclic, w.layer(ctx, d, &s.Layers[n], w.layout(n), put)
	}
	return endgame.Assemble(path, w.sys, w.Positions(), w.payoff, layer)
}

// layer writes the futures of a layer.
func (w *Work) layer(ctx context.Context, d depot.Depot, l *layer, to *layout, put func(uint64, []byte) error) error {
	ranks := w.division.Ranks(to.Seeds)
	for i, b := range l.Parts {
		p := &to.Parts[i]
		values := make([]byte, p.Cells())
		if b.Hash != "" {
			var err error
			if values, err = b.Read(ctx, d); err != nil {
				return err
			}
		}
		if err := ranks.Put(p, values[:p.Cells()], put); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// about is the field Work of a plan.
type about struct {
	Hash    string // of the rules without the setup
	Endless value.Endless
	Seeds   int
}

// tries is the number of attempts at a task.
const tries = 3

// Create builds a table in a file, as endgame.Create does, with a folder for what does not fit in
// memory. tasks is the number of tasks at a time. Work that was begun in the folder is continued,
// with its original division into parts. observe, if it is not nil, is called with each phase and
// the number of its tasks that are done. The error is phase.ErrOther if the folder has other work.
func Create(ctx context.Context, path, folder, tool string, sys *rules.System, seeds int, p value.Payoff,
	opts Options, tasks int, observe func(p *phase.Phase, done int) error,
) error {
	d, err := depot.NewFolder(folder)
	if err != nil {
		return err
	}
	lock, err := endgame.Lock(filepath.Join(folder, "lock"), folder)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // nothing was written
	j, err := begin(ctx, d, phase.Plan{
		Tool: tool, Kind: "table", Shards: opts.Shards, Memory: opts.Memory, Tries: tries,
		Work: phase.Encode(about{Hash: sys.PlayHash(), Endless: p.Endless, Seeds: seeds}),
	})
	if err != nil {
		return err
	}
	w, err := New(ctx, sys, seeds, p, Options{Shards: j.Plan.Shards, Memory: j.Plan.Memory})
	if err != nil {
		return err
	}
	return w.write(ctx, j, path, tasks, observe)
}

// write does the rest of a job and writes the table. Damaged blocks are made again.
func (w *Work) write(ctx context.Context, j *phase.Job, path string, tasks int, observe func(p *phase.Phase, done int) error) error {
	for n := 1; ; n++ {
		last, err := j.Alone(ctx, w, tasks, observe)
		if err == nil {
			err = w.Table(ctx, j.Depot, last, path)
		}
		damaged := (*depot.DamagedError)(nil)
		if !errors.As(err, &damaged) || n == tries {
			return err
		}
		if err := j.Depot.Remove(ctx, damaged.Name); err != nil {
			return err
		}
	}
}

// begin returns the job of a plan, which may have been begun with other options.
func begin(ctx context.Context, d depot.Depot, p phase.Plan) (*phase.Job, error) {
	j, err := phase.Open(ctx, d)
	if errors.Is(err, fs.ErrNotExist) {
		return phase.Begin(ctx, d, p)
	}
	if err == nil && (j.Plan.Tool != p.Tool || j.Plan.Kind != p.Kind || !bytes.Equal(j.Plan.Work, p.Work)) {
		err = fmt.Errorf("%s: %w, for another table or of another build of mancheck", d, phase.ErrOther)
	}
	return j, err
}
