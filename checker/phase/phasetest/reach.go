// Package phasetest has work for tests of code that runs phases. It counts the numbers that can be
// reached in a random graph, level by level. The numbers are divided into shards, and each task is
// about one shard.
//
// In an expand phase, a task reads the frontier of its shard, and writes the successors by shard.
// In a merge phase, a task reads the successors that all tasks of the phase before wrote for its
// shard, and the numbers found so far. It writes all numbers found and the next frontier.
package phasetest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
)

// Reach is a phase.Work that counts the numbers that can be reached from 0. Edges lead from each
// number to Degree others, which are at most Stride further on, modulo the number of nodes.
type Reach struct {
	Numbers, Degree, Stride int
	Seed                    uint64
	Shards                  int
	Pause                   time.Duration // minimum time of each task
	Fails                   []string      `json:",omitempty"` // tasks that fail, in the format of phase.ID
}

// Kind is the kind of a plan for a Reach.
const Kind = "reach"

// Plan returns a plan.
func (w Reach) Plan(tries int) phase.Plan {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // cannot happen for numbers
	}
	return phase.Plan{Tool: "test", Kind: Kind, Shards: w.Shards, Memory: 1 << 20, Tries: tries, Work: text}
}

// Open returns the work of a plan.
func Open(_ context.Context, p phase.Plan) (phase.Work, error) {
	var w Reach
	if p.Kind != Kind {
		return nil, fmt.Errorf("there is no work of kind %q", p.Kind)
	}
	return w, json.Unmarshal(p.Work, &w)
}

// Count is the result of the work. It is the State of each phase.
type Count struct {
	Levels, Reached int
	Found           []phase.Block `json:",omitempty"` // by shard
}

// Count counts without phases.
func (w Reach) Count() Count {
	found, front, c := map[int]bool{0: true}, []int{0}, Count{}
	for len(front) > 0 {
		var next []int
		for _, n := range front {
			for _, m := range w.successors(n) {
				if !found[m] {
					found[m] = true
					next = append(next, m)
				}
			}
		}
		front = next
		c.Levels++
	}
	c.Reached = len(found)
	return c
}

// Result returns the result in a last phase, without the blocks.
func Result(p *phase.Phase) (c Count, err error) {
	err = json.Unmarshal(p.State, &c)
	c.Found = nil
	return c, err
}

func (w Reach) successors(n int) (list []int) {
	r := rand.New(rand.NewPCG(w.Seed, uint64(n)))
	for range w.Degree {
		list = append(list, (n+1+r.IntN(w.Stride))%w.Numbers)
	}
	return list
}

// The names of the phases.
const (
	expand = "expand"
	merge  = "merge"
)

// Next implements phase.Work.
func (w Reach) Next(_ context.Context, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	var c Count
	next := &phase.Phase{Name: expand}
	switch {
	case last == nil:
		next.Tasks = make([]phase.Task, 1) // it expands the initial frontier, 0
	case last.Name == expand:
		if err := json.Unmarshal(last.State, &c); err != nil {
			return nil, err
		}
		next.Name = merge
		next.Tasks = make([]phase.Task, w.Shards)
		for i := range next.Tasks {
			for _, r := range results {
				next.Tasks[i].Inputs = append(next.Tasks[i].Inputs, r.Outputs[i])
			}
			if len(c.Found) > 0 {
				next.Tasks[i].Inputs = append(next.Tasks[i].Inputs, c.Found[i])
			}
		}
	default:
		if err := json.Unmarshal(last.State, &c); err != nil {
			return nil, err
		}
		c = Count{Levels: c.Levels + 1}
		open := 0
		for _, r := range results {
			var size [2]int
			if err := json.Unmarshal(r.Tally, &size); err != nil {
				return nil, err
			}
			c.Found, c.Reached, open = append(c.Found, r.Outputs[0]), c.Reached+size[0], open+size[1]
			if size[1] > 0 {
				next.Tasks = append(next.Tasks, phase.Task{Inputs: r.Outputs[1:]})
			}
		}
		if open == 0 {
			next.Name, next.Inputs = "count", c.Found
		}
	}
	var err error
	next.State, err = json.Marshal(c)
	return next, err
}

// Keep implements phase.Keeper.
func (w Reach) Keep(_ context.Context, p *phase.Phase) (map[string]bool, error) {
	var c Count
	if err := json.Unmarshal(p.State, &c); err != nil {
		return nil, err
	}
	keep := map[string]bool{}
	for _, b := range c.Found {
		keep[b.Hash] = true
	}
	return keep, nil
}

// Do implements phase.Work.
func (w Reach) Do(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (phase.Result, error) {
	select {
	case <-time.After(w.Pause):
	case <-ctx.Done():
		return phase.Result{}, ctx.Err()
	}
	if slices.Contains(w.Fails, phase.ID{Phase: p.Number, Task: task}.String()) {
		return phase.Result{}, fmt.Errorf("this task is made to fail")
	}
	if p.Name == expand {
		return w.expand(ctx, e, p, task)
	}
	return w.merge(ctx, e, p, task)
}

func (w Reach) expand(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (r phase.Result, err error) {
	front := []int{0}
	for _, b := range p.Tasks[task].Inputs {
		if front, err = read(ctx, e.Depot, b); err != nil {
			return r, err
		}
	}
	by := make([][]int, w.Shards)
	if p.Number == 0 {
		by[0] = []int{0}
	}
	for _, n := range front {
		for _, m := range w.successors(n) {
			by[m%w.Shards] = append(by[m%w.Shards], m)
		}
	}
	return w.outputs(ctx, e.Depot, by...)
}

func (w Reach) merge(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (r phase.Result, err error) {
	inputs := p.Tasks[task].Inputs
	var found, front []int
	var c Count
	if err := json.Unmarshal(p.State, &c); err != nil {
		return r, err
	}
	if len(c.Found) > 0 {
		if found, err = read(ctx, e.Depot, inputs[len(inputs)-1]); err != nil {
			return r, err
		}
		inputs = inputs[:len(inputs)-1]
	}
	for _, b := range inputs {
		list, err := read(ctx, e.Depot, b)
		if err != nil {
			return r, err
		}
		front = append(front, list...)
	}
	slices.Sort(front)
	front = slices.DeleteFunc(slices.Compact(front), func(n int) bool {
		_, is := slices.BinarySearch(found, n)
		return is
	})
	found = append(found, front...)
	slices.Sort(found)
	if r, err = w.outputs(ctx, e.Depot, found, front); err != nil {
		return r, err
	}
	r.Tally, err = json.Marshal([2]int{len(found), len(front)})
	return r, err
}

// outputs writes a block for each list.
func (w Reach) outputs(ctx context.Context, d depot.Depot, lists ...[]int) (r phase.Result, err error) {
	for _, list := range lists {
		b, err := write(ctx, d, list)
		if err != nil {
			return r, err
		}
		r.Outputs = append(r.Outputs, b)
	}
	return r, nil
}

func write(ctx context.Context, d depot.Depot, list []int) (b phase.Block, err error) {
	return phase.Keep(ctx, d, func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
}

func read(ctx context.Context, d depot.Depot, b phase.Block) (list []int, err error) {
	text, err := b.Read(ctx, d)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, &fs.PathError{Op: "read", Path: depot.Block(b.Hash), Err: err}
	}
	return list, nil
}
