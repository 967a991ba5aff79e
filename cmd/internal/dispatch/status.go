package dispatch

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
)

// Status is the status of a job.
type Status struct {
	Plan   phase.Plan
	Phase  *phase.Phase  // the current phase; nil if there is none yet
	Done   int           // tasks of the current phase with a receipt
	Failed []phase.Fault // of tasks of the current phase without a receipt
	Blocks int
	Bytes  int64         // of all blocks
	Tasks  int           // done, in all phases
	Cost   phase.Cost    // of all these tasks
	Kinds  []Kind        // the same tasks by the names of phases, in the order of the first phase of each
	Left   time.Duration // estimated processor time of the rest of the phase; 0: not known
}

// Kind is the finished tasks of all phases with one name.
type Kind struct {
	Name  string // of the phases
	Tasks int
	Cost  phase.Cost
}

// Look returns the status of a job. If a phase is damaged, the current phase is the one before it.
func Look(ctx context.Context, j *phase.Job) (s *Status, err error) {
	err = j.Mending(ctx, func() (err error) {
		s, err = look(ctx, j)
		return err
	})
	return s, err
}

// look is one attempt of Look.
func look(ctx context.Context, j *phase.Job) (*Status, error) {
	s := &Status{Plan: j.Plan}
	var hash string
	var err error
	if s.Phase, hash, err = j.Current(ctx); err != nil {
		return nil, err
	}
	if err := s.addBlocks(ctx, j.Depot); err != nil || s.Phase == nil {
		return s, err
	}
	for n := range s.Phase.Number {
		p, digest, err := j.Earlier(ctx, n)
		if err != nil {
			return nil, err
		}
		if err := s.addReceipts(ctx, j, p, digest); err != nil {
			return nil, err
		}
	}
	return s, s.present(ctx, j, hash)
}

// present adds the status of the current phase.
func (s *Status) present(ctx context.Context, j *phase.Job, hash string) error {
	tasks, cpu := s.Tasks, s.Cost.CPU
	if err := s.addReceipts(ctx, j, s.Phase, hash); err != nil {
		return err
	}
	s.Done = s.Tasks - tasks
	if s.Done > 0 {
		s.Left = (s.Cost.CPU - cpu) / time.Duration(s.Done) * time.Duration(len(s.Phase.Tasks)-s.Done)
	}
	receipts, err := j.Receipts(ctx, s.Phase, hash)
	if err != nil {
		return err
	}
	faults, err := j.Faults(ctx, s.Phase.Number)
	for _, f := range faults {
		if f.Task < len(receipts) && receipts[f.Task] == nil {
			s.Failed = append(s.Failed, f)
		}
	}
	return err
}

func (s *Status) addBlocks(ctx context.Context, d depot.Depot) error {
	names, err := d.List(ctx, depot.Block(""))
	for _, name := range names {
		size, err := d.Size(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return err
		}
		s.Blocks++
		s.Bytes += size
	}
	return err
}

// addReceipts adds the cost of the finished tasks of a phase.
func (s *Status) addReceipts(ctx context.Context, j *phase.Job, p *phase.Phase, hash string) error {
	receipts, err := j.Receipts(ctx, p, hash)
	for _, r := range receipts {
		if r != nil {
			s.Tasks++
			s.Cost.Add(r.Cost)
			k := s.kind(p.Name)
			k.Tasks++
			k.Cost.Add(r.Cost)
		}
	}
	return err
}

// kind returns the Kind of a name, which is made if there is none.
func (s *Status) kind(name string) *Kind {
	i := slices.IndexFunc(s.Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		i, s.Kinds = len(s.Kinds), append(s.Kinds, Kind{Name: name})
	}
	return &s.Kinds[i]
}
