// Package job turns a rules file and a question into work in phases, and the result of that work
// into an answer.
//
// A plan contains the text of the rules, so that a process that runs a task needs only the depot
// and the program.
//
//	job.go     plans, and the work that they describe
//	answer.go  the result of a job, as a count, a verdict or a table; the check of a finished one
package job

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/mancheck/mancheck/checker/endgame/shards"
	"github.com/mancheck/mancheck/checker/endgame/verified"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// The kinds of jobs.
const (
	Count = "count" // of the reachable states
	Check = "check" // of a claim
	Table = "table" // an endgame table
)

// Question is the question that a job answers.
type Question struct {
	Kind    string            `json:"-"`
	File    string            // the path of the rules file, as given
	Sources map[string]string // the texts of this file and its imports, by path
	Variant string            `json:",omitempty"`
	Param   []string          `json:",omitempty"` // NAME=VALUE
	Claim   string            `json:",omitempty"`
	Hash    string            // of the System
	Least   int64             `json:",omitempty"` // minimum number of states of a task, unless a phase has only one task
	Seeds   int               `json:",omitempty"` // of a table: most seeds in play
	Endless value.Endless     `json:",omitempty"` // of a table: value of a play that never ends
}

// Resources are the resources of the tasks of a job.
type Resources struct {
	Shards int
	Memory int64 // bytes of a task
	Tries  int
}

// Job is a job with its question and its work.
type Job struct {
	*phase.Job
	Question
	System *rules.System
	Item   *suite.Item // of a check
	Work   phase.Work
	search *sharded.Search
	table  *verified.Work
}

// New returns the plan for a question. The error is a diag.List if no job can answer the question.
func New(ctx context.Context, q Question, r Resources, tool string) (phase.Plan, error) {
	j := &Job{Question: q}
	if err := j.resolve(ctx); err != nil {
		return phase.Plan{}, err
	}
	if _, err := j.sought(); err != nil {
		return phase.Plan{}, err
	}
	if q.Kind == Table {
		if _, err := j.tableWork(ctx, r.Shards, r.Memory); err != nil {
			return phase.Plan{}, err
		}
	}
	q.Hash, q.Least = j.System.Hash(), cmp.Or(q.Least, sharded.DefaultLeast)
	text, err := json.Marshal(q)
	return phase.Plan{Tool: tool, Kind: q.Kind, Shards: r.Shards, Memory: r.Memory, Tries: r.Tries, Work: text}, err
}

// Open returns the job in a depot. tool must be the build that made the plan, since another build
// may divide the work differently.
func Open(ctx context.Context, d depot.Depot, tool string) (*Job, error) {
	p, err := phase.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	if p.Plan.Tool != tool {
		return nil, fmt.Errorf("%s: the plan was made by %s, but this is %s", d, p.Plan.Tool, tool)
	}
	j := &Job{Job: p, Question: Question{Kind: p.Plan.Kind}}
	if err := json.Unmarshal(p.Plan.Work, &j.Question); err != nil {
		return nil, err
	}
	if err := j.resolve(ctx); err != nil {
		return nil, err
	}
	if have := j.System.Hash(); have != j.Hash {
		return nil, fmt.Errorf("%s: the rules of the plan have the hash %s, but the plan says %s", d, have, j.Hash)
	}
	if j.Kind == Table {
		j.table, err = j.tableWork(ctx, p.Plan.Shards, p.Plan.Memory)
		j.Work = j.table
		return j, err
	}
	sought, err := j.sought()
	if err != nil {
		return nil, err
	}
	j.search = sharded.New(ctx, j.System, sharded.Options{
		Goal: sought.Never, Count: sought.Count, StuckSteps: j.Kind == Count, Shards: p.Plan.Shards, Least: j.Least,
	}, func(ctx context.Context, n int) (*phase.Phase, error) {
		p, _, err := p.Earlier(ctx, n)
		return p, err
	})
	j.Work = j.search
	return j, err
}

// tableWork returns the work on a table. Errors are those of verified.New.
func (j *Job) tableWork(ctx context.Context, parts int, memory int64) (*verified.Work, error) {
	p := value.Payoff{Kind: value.Margin, Endless: j.Endless}
	return verified.New(ctx, j.System, j.Seeds, p, shards.Options{Shards: parts, Memory: memory - program})
}

// program is the memory of a process apart from the part of a table that it works on.
const program = 72 << 20

// resolve reads the rules of the question.
func (j *Job) resolve(ctx context.Context) error {
	given, diags := input.Settings(j.Param)
	if err := diags.Err(); err != nil {
		return err
	}
	program, diags := dsl.Load(j.File, func(path string) ([]byte, error) {
		text, is := j.Sources[path]
		if !is {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return []byte(text), nil
	})
	if err := diags.Err(); err != nil {
		return err
	}
	f, diags := input.Parsed(ctx, j.File, program)
	if err := diags.Err(); err != nil {
		return err
	}
	if j.Kind != Check {
		j.System, diags = f.System(j.Variant, given)
		return diags.Err()
	}
	return j.claim(f, given)
}

// claim finds the instance of the claim of the question.
func (j *Job) claim(f *input.File, given build.Settings) error {
	items, diags := f.Items([]string{j.Claim}, given)
	if err := diags.Err(); err != nil {
		return err
	}
	switch {
	case len(items) == 0:
		diags.Errorf(diag.Unknown, diag.Range{File: j.File}, "no claim is called `%s`", j.Claim)
	case len(items) > 1:
		diags.Errorf(diag.Unfit, items[0].Instance.Claim.At, "the claim has %d instances, but a job decides only one", len(items)).
			WithHelp("choose one with -p NAME=VALUE")
	}
	if err := diags.Err(); err != nil {
		return err
	}
	j.Item = items[0]
	j.System = j.Item.Instance.System
	return nil
}

// sought returns what the search looks for and counts. It is empty for a count of all states.
func (j *Job) sought() (proofs.Search, error) {
	if j.Kind != Check {
		return proofs.Search{}, nil
	}
	inst := j.Item.Instance
	s, ok := proofs.Sought(inst)
	if !ok {
		return s, diag.Errorf(diag.Unfit, inst.Claim.At, "jobs decide only claims about single reachable states, or about their number, for one value of each parameter").
			WithHelp("mancheck check decides the others")
	}
	return s, nil
}
