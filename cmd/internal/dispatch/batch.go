package dispatch

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
)

// Queue is a system that runs batches. A batch is an object of the depot with lists of tasks. The
// queue runs a process for each list, which gets the name of the batch and the number of the list,
// and calls Element and Tasks.
type Queue interface {
	// Submit submits the lists of a batch.
	Submit(ctx context.Context, batch string, lists int) error

	// Pending returns, by batch, the numbers of the lists that wait or run.
	Pending(ctx context.Context) (map[string][]int, error)
}

// Batches is an Engine that uses a Queue.
type Batches struct {
	Job   *phase.Job
	Queue Queue
	Each  int           // minimum number of tasks in a list
	Most  int           // maximum number of lists in a batch
	Poll  time.Duration // maximum interval between polls of the queue

	known map[string][][]phase.ID
	wait  time.Duration // the next interval
}

// soon is the factor by which the first interval after a submission is shorter than Poll.
const soon = 16

func batchName(name string) string { return "batch/" + name }

// Submit implements Engine.
func (b *Batches) Submit(ctx context.Context, tasks []phase.ID) error {
	b.wait = b.Poll / soon
	// Two drivers that submit the same tasks must use different names.
	name := strings.ToLower(rand.Text()[:13])
	mine, err := handed(ctx, b.Job, tasks, name)
	if err != nil || len(mine) == 0 {
		return err
	}
	err = b.submit(ctx, name, mine)
	if err != nil { // if it was submitted after all, Pending will return it
		giveBack(ctx, b.Job, mine)
	}
	return err
}

func (b *Batches) submit(ctx context.Context, name string, tasks []phase.ID) error {
	each := max(1, b.Each, (len(tasks)+b.Most-1)/b.Most)
	lists := slices.Collect(slices.Chunk(tasks, each))
	text, err := json.Marshal(lists)
	if err != nil {
		return err
	}
	if err := b.Job.Depot.Put(ctx, batchName(name), text); err != nil {
		return err
	}
	return b.Queue.Submit(ctx, name, len(lists))
}

// Pending implements Engine.
func (b *Batches) Pending(ctx context.Context) (map[phase.ID]bool, error) {
	all, err := b.Queue.Pending(ctx)
	if err != nil {
		return nil, err
	}
	pending := map[phase.ID]bool{}
	known := map[string][][]phase.ID{} // without batches that have ended
	for name, numbers := range all {
		lists := b.known[name]
		if lists == nil {
			if lists, err = readBatch(ctx, b.Job.Depot, name); err != nil {
				continue // if the batch was lost, its processes fail, and its tasks are submitted again
			}
		}
		known[name] = lists
		for _, n := range numbers {
			if n >= 0 && n < len(lists) {
				for _, id := range lists[n] {
					pending[id] = true
				}
			}
		}
	}
	b.known = known
	return pending, nil
}

// Wait implements Engine. The interval grows: short tasks end soon, and long ones need fewer polls.
func (b *Batches) Wait(ctx context.Context) error {
	b.wait = min(b.Poll, max(b.wait*2, b.Poll/soon))
	return pause(ctx, b.wait)
}

func readBatch(ctx context.Context, d depot.Depot, name string) (lists [][]phase.ID, err error) {
	text, err := d.Get(ctx, batchName(name))
	if err != nil {
		return nil, err
	}
	return lists, json.Unmarshal(text, &lists)
}

// Element returns a list of a batch.
func Element(ctx context.Context, d depot.Depot, batch string, list int) ([]phase.ID, error) {
	lists, err := readBatch(ctx, d, batch)
	if err != nil {
		return nil, err
	}
	if list < 0 || list >= len(lists) {
		return nil, fmt.Errorf("batch %s has no list %d", batch, list)
	}
	return lists[list], nil
}
