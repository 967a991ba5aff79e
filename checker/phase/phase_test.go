package phase_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/tier"
)

func TestMain(m *testing.M) {
	file.Replace(phasetest.Files())
	os.Exit(m.Run())
}

var small = phasetest.Reach{Numbers: 120, Degree: 2, Stride: 40, Seed: 1, Shards: 3}

// begin begins a job in a new folder.
func begin(t *testing.T, w phasetest.Reach) (*phase.Driver, string) {
	t.Helper()
	dir := t.TempDir()
	d, err := depot.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	j, err := phase.Begin(t.Context(), d, w.Plan(5))
	if err != nil {
		t.Fatal(err)
	}
	return &phase.Driver{Job: j, Work: w}, dir
}

// complete runs all tasks one after another, and calls a function before each round.
func complete(ctx context.Context, d *phase.Driver, before func(p *phase.Phase)) (*phase.Phase, error) {
	for {
		p, ready, err := d.Look(ctx)
		if err != nil || p.Last() && len(ready) == 0 {
			return p, err
		}
		if before != nil {
			before(p)
		}
		for _, id := range ready {
			if mine, err := d.Job.Hand(ctx, id, "test"); err != nil || !mine {
				return p, errors.Join(err, ctx.Err())
			}
			if err := d.Job.Perform(ctx, d.Work, id); err != nil && errors.As(err, new(*phase.ConflictError)) {
				return p, err
			}
		}
	}
}

// right fails if the result is not that of the work without phases, or if a block of the result is
// missing or damaged.
func right(t *testing.T, d *phase.Driver, w phasetest.Reach, p *phase.Phase) {
	t.Helper()
	got, err := phasetest.Result(p)
	want := w.Count()
	if err != nil || got.Reached != want.Reached || got.Levels != want.Levels {
		t.Errorf("the result is %+v, %v, want %+v", got, err, want)
	}
	if len(p.Inputs) != w.Shards {
		t.Errorf("the last phase has %d blocks", len(p.Inputs))
	}
	for _, b := range p.Inputs {
		if err := depot.Check(t.Context(), d.Job.Depot, b.Hash, b.Size); err != nil {
			t.Error(err)
		}
	}
}

func TestComplete(t *testing.T) {
	for seed := range uint64(2) {
		w := small
		w.Seed = seed
		d, dir := begin(t, w)
		p, err := complete(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		right(t, d, w, p)
		blocks, err := os.ReadDir(filepath.Join(dir, "block"))
		if err != nil || len(blocks) != w.Shards {
			t.Errorf("%d blocks are left, %v; blocks that are no longer needed should have been removed", len(blocks), err)
		}
	}
}

// objects lists the objects of a kind.
func objects(t *testing.T, dir, kind string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, kind), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// flip changes a bit of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// damage removes, truncates, changes or replaces an object.
func damage(t *testing.T, r *rand.Rand, path string) {
	t.Helper()
	var err error
	switch r.IntN(4) {
	case 0:
		err = os.Remove(path)
	case 1:
		err = os.Truncate(path, 1)
	case 2:
		flip(t, path)
	case 3: // the content of another object
		others, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
		var text []byte
		if text, err = os.ReadFile(others[r.IntN(len(others))]); err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamage: the result does not depend on damage between the rounds.
func TestDamage(t *testing.T) {
	for seed := uint64(0); seed < 40; seed += uint64(tier.Every(20, 8)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			d, dir := begin(t, small)
			rounds := 0
			p, err := complete(t.Context(), d, func(*phase.Phase) {
				if rounds++; rounds > 20 {
					return
				}
				for _, kind := range []string{"block", "receipt", "phase"} {
					if list := objects(t, dir, kind); len(list) > 0 && r.IntN(3) == 0 {
						damage(t, r, list[r.IntN(len(list))])
					}
				}
				if r.IntN(5) == 0 { // another driver continues
					d = &phase.Driver{Job: d.Job, Work: d.Work}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			right(t, d, small, p)
		})
	}
}

// TestLostOutcome: if all blocks are lost after the work is done, those of the result are made
// again, through all phases.
func TestLostOutcome(t *testing.T) {
	d, dir := begin(t, small)
	if _, err := complete(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "block")); err != nil {
		t.Fatal(err)
	}
	p, err := complete(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	right(t, d, small, p)
}

// TestStrangers: objects that do not belong to the job do no harm.
func TestStrangers(t *testing.T) {
	d, dir := begin(t, small)
	p, err := complete(t.Context(), d, func(*phase.Phase) {
		for _, kind := range []string{"block", "receipt", "phase"} {
			list := objects(t, dir, kind)
			if len(list) == 0 {
				continue
			}
			text, err := os.ReadFile(list[0])
			if err != nil {
				t.Fatal(err)
			}
			folder, base := filepath.Split(list[0])
			for _, name := range []string{"-1", "99999", "x", base + " (copy)", "1" + base} {
				if err := os.WriteFile(folder+name, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	right(t, d, small, p)
}

// TestDamagedInputs: the first attempt at a task finds all damaged blocks that it reads.
func TestDamagedInputs(t *testing.T) {
	d, dir := begin(t, small)
	for {
		p, ready, err := d.Look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if p.Name == "merge" && p.Number > 2 {
			break
		}
		for _, id := range ready {
			if err := d.Job.Run(t.Context(), d.Work, id.Phase, id.Task); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, ready, err := d.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range p.Tasks[ready[0].Task].Inputs {
		flip(t, filepath.Join(dir, "block", b.Hash))
	}
	var damaged *depot.DamagedError
	if err := d.Job.Run(t.Context(), d.Work, ready[0].Phase, ready[0].Task); !errors.As(err, &damaged) {
		t.Fatalf("error %v", err)
	}
	for _, b := range p.Tasks[ready[0].Task].Inputs {
		if _, err := d.Job.Depot.Size(t.Context(), depot.Block(b.Hash)); err == nil {
			t.Errorf("%s is still there", b.Hash)
		}
	}
	faults, err := d.Job.Faults(t.Context(), p.Number)
	if err != nil || len(faults) != 1 || faults[0].Damaged != damaged.Name {
		t.Errorf("faults %+v, %v", faults, err)
	}
	p, err = complete(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	right(t, d, small, p)
}

// fickle is work whose results change at some time.
type fickle struct {
	phasetest.Reach
	turned bool
}

func (f *fickle) Do(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (phase.Result, error) {
	r, err := f.Reach.Do(ctx, e, p, task)
	if f.turned {
		r.Tally = json.RawMessage(`[1,1]`)
	}
	return r, err
}

// TestConflict: a task with two different results stops the job, even if its receipt was lost in
// the meantime.
func TestConflict(t *testing.T) {
	for _, lost := range []bool{false, true} {
		d, dir := begin(t, small)
		if _, err := complete(t.Context(), d, nil); err != nil {
			t.Fatal(err)
		}
		if lost {
			if err := os.Remove(filepath.Join(dir, "receipt", "00001", "00002")); err != nil {
				t.Fatal(err)
			}
		}
		// The blocks that the task reads were removed, so they are made first.
		if err := d.Job.Run(t.Context(), d.Work, 0, 0); err != nil {
			t.Fatal(err)
		}
		var conflict *phase.ConflictError
		err := d.Job.Run(t.Context(), &fickle{small, true}, 1, 2)
		if !errors.As(err, &conflict) || *conflict != (phase.ConflictError{Phase: 1, Task: 2}) {
			t.Errorf("lost %v: error %v", lost, err)
		}
		if _, _, err := d.Look(t.Context()); !errors.As(err, &conflict) {
			t.Errorf("lost %v: the job does not stop: %v", lost, err)
		}
	}
}

// otherNext is work with other phases.
type otherNext struct{ phasetest.Reach }

func (w otherNext) Next(ctx context.Context, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	p, err := w.Reach.Next(ctx, last, results)
	if err == nil && last != nil {
		p.Name += " otherwise"
	}
	return p, err
}

// TestChain: if a phase was replaced by another one with the same number, that is detected at the
// end.
func TestChain(t *testing.T) {
	d, dir := begin(t, small)
	if _, err := complete(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	// The same plan with other code: its phases have the same plan and numbers.
	other, elsewhere := begin(t, small)
	other.Work = otherNext{small}
	if _, err := complete(t.Context(), other, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(elsewhere, "phase", "00002"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "phase", "00002"), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	var fork *phase.ForkError
	if _, _, err := d.Look(t.Context()); !errors.As(err, &fork) {
		t.Errorf("error %v", err)
	}
}

// TestFork: a phase that is computed again must be the same as before.
func TestFork(t *testing.T) {
	d, dir := begin(t, small)
	if _, err := complete(t.Context(), d, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "phase", "00003")); err != nil {
		t.Fatal(err)
	}
	_, err := complete(t.Context(), &phase.Driver{Job: d.Job, Work: otherNext{small}}, nil)
	var fork *phase.ForkError
	if !errors.As(err, &fork) || fork.Phase != 4 {
		t.Errorf("error %v", err)
	}
}

func TestTries(t *testing.T) {
	w := small
	w.Fails = []string{"00001/00002"}
	d, _ := begin(t, w)
	_, err := complete(t.Context(), d, nil)
	var tries *phase.TriesError
	if !errors.As(err, &tries) || tries.Task != 2 || tries.ID.Phase != 1 || tries.Tries != 5 || !strings.Contains(tries.Fault, "made to fail") {
		t.Fatalf("error %v", err)
	}
	// A user who has seen the fault may continue.
	if err := d.Job.Again(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 7 { // more than ten faults in all
		if err := d.Job.Run(t.Context(), d.Work, 1, 2); err == nil {
			t.Fatal("no error")
		}
	}
	if err := d.Job.Blame(t.Context(), phase.Fault{Phase: 1, Task: 2, Text: "the last one"}); err != nil {
		t.Fatal(err)
	}
	faults, err := d.Job.Faults(t.Context(), 1)
	if err != nil || len(faults) != 13 || faults[12].Text != "the last one" {
		t.Errorf("%d faults, %v", len(faults), err)
	}
}

// TestHand: an attempt counts if the task failed, but not if it was done or returned.
func TestHand(t *testing.T) {
	d, dir := begin(t, small)
	id := phase.ID{}
	if _, _, err := d.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 * d.Job.Plan.Tries {
		if mine, err := d.Job.Hand(t.Context(), id, "test"); !mine || err != nil {
			t.Fatal(mine, err)
		}
		if err := d.Job.Return(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if mine, err := d.Job.Hand(t.Context(), id, "test"); !mine || err != nil {
			t.Fatal(mine, err)
		}
		if err := d.Job.Run(t.Context(), d.Work, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if list := objects(t, dir, "try"); len(list) > 0 {
		t.Errorf("%q", list)
	}
	for range d.Job.Plan.Tries {
		if mine, err := d.Job.Hand(t.Context(), id, "test"); !mine || err != nil {
			t.Fatal(mine, err)
		}
	}
	if mine, err := d.Job.Hand(t.Context(), id, "test"); mine || !errors.As(err, new(*phase.TriesError)) {
		t.Error(mine, err)
	}
}

// TestPlan: a damaged plan is written again, but not instead of another plan.
func TestPlan(t *testing.T) {
	d, dir := begin(t, small)
	other := small
	other.Seed++
	if _, err := phase.Begin(t.Context(), d.Job.Depot, other.Plan(5)); !errors.Is(err, phase.ErrOther) {
		t.Errorf("error %v", err)
	}
	if _, _, err := d.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	flip(t, filepath.Join(dir, "plan"))
	if _, err := phase.Open(t.Context(), d.Job.Depot); !errors.As(err, new(*depot.DamagedError)) {
		t.Errorf("error %v", err)
	}
	if _, err := phase.Begin(t.Context(), d.Job.Depot, other.Plan(5)); !errors.Is(err, phase.ErrOther) {
		t.Errorf("error %v", err)
	}
	cured := func() {
		t.Helper()
		again, err := phase.Begin(t.Context(), d.Job.Depot, small.Plan(5))
		if err != nil || again.ID != d.Job.ID {
			t.Errorf("%v, %v", again, err)
		}
	}
	cured()
	// Another intact object in its place.
	text, err := os.ReadFile(objects(t, dir, "phase")[0])
	if err = errors.Join(err, os.WriteFile(filepath.Join(dir, "plan"), text, 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := phase.Open(t.Context(), d.Job.Depot); !errors.As(err, new(*depot.DamagedError)) {
		t.Errorf("error %v", err)
	}
	cured()
}

// TestPlanOfAnother: the intact plan of another job, or of another version, in the place of a plan
// is not continued, and loses no phase. The plan is written again by the command that planned the
// job, and by no other.
func TestPlanOfAnother(t *testing.T) {
	other := small
	other.Seed++
	for _, plan := range []phase.Plan{other.Plan(5), {Format: 2, Kind: phasetest.Kind}} {
		d, dir := begin(t, small)
		if _, err := complete(t.Context(), d, nil); err != nil {
			t.Fatal(err)
		}
		before := objects(t, dir, "phase")
		if plan.Format == 0 {
			plan.Format = phase.Format
		}
		if err := os.WriteFile(filepath.Join(dir, "plan"), phasetest.Seal(phase.Encode(plan)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := phase.Open(t.Context(), d.Job.Depot); err == nil || plan.Format == phase.Format && !errors.Is(err, phase.ErrStray) {
			t.Errorf("format %d: error %v", plan.Format, err)
		}
		if _, err := phase.Begin(t.Context(), d.Job.Depot, other.Plan(5)); err == nil {
			t.Errorf("format %d: the other plan is begun in the folder of the job", plan.Format)
		}
		if after := objects(t, dir, "phase"); len(after) != len(before) {
			t.Errorf("%d phases are left of %d", len(after), len(before))
		}
		again, err := phase.Begin(t.Context(), d.Job.Depot, small.Plan(5))
		if err != nil || again.ID != d.Job.ID {
			t.Fatalf("format %d: %v", plan.Format, err)
		}
		p, err := complete(t.Context(), &phase.Driver{Job: again, Work: small}, nil)
		if err != nil {
			t.Fatal(err)
		}
		right(t, d, small, p)
	}
}

// TestOtherSize: a phase that says another size of a block is computed again, and the block is not
// made again for ever.
func TestOtherSize(t *testing.T) {
	d, dir := begin(t, small)
	last, err := complete(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	last.Inputs[0].Size++
	path := objects(t, dir, "phase")[last.Number]
	if err := os.WriteFile(path, phasetest.Seal(phase.Encode(last)), 0o666); err != nil {
		t.Fatal(err)
	}
	last, err = complete(t.Context(), &phase.Driver{Job: d.Job, Work: small}, nil)
	if err != nil {
		t.Fatal(err)
	}
	right(t, d, small, last)
}
