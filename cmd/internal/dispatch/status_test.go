package dispatch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
)

// TestStatus compares the status of a job with its files.
func TestStatus(t *testing.T) {
	w := small
	w.Fails = []string{"00003/00002"}
	d, dir := begin(t, w, 2)
	st, err := Look(t.Context(), d.Job)
	if err != nil || st.Phase != nil || st.Tasks != 0 || st.Blocks != 0 {
		t.Fatalf("%+v, %v", st, err)
	}
	e := local(d, dir, 2)
	defer e.Close()
	if _, err := Run(t.Context(), d, e, Options{}); !errors.As(err, new(*phase.TriesError)) {
		t.Fatal(err)
	}
	st, err = Look(t.Context(), d.Job)
	if err != nil {
		t.Fatal(err)
	}
	c := newChaos(t, 0, dir)
	if n := len(c.objects("receipt")); st.Tasks != n || n == 0 {
		t.Errorf("%d tasks, but there are %d receipts", st.Tasks, n)
	}
	var bytes int64
	blocks := c.objects("block")
	for _, path := range blocks {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	if st.Blocks != len(blocks) || st.Bytes != bytes {
		t.Errorf("%d blocks, %d bytes, want %d blocks, %d bytes", st.Blocks, st.Bytes, len(blocks), bytes)
	}
	if st.Phase.Number != 3 || st.Done != small.Shards-1 || len(st.Phase.Tasks) != small.Shards {
		t.Errorf("phase %d, %d of %d tasks", st.Phase.Number, st.Done, len(st.Phase.Tasks))
	}
	if len(st.Failed) != 2 || st.Failed[1].Task != 2 || !strings.Contains(st.Failed[1].Text, "made to fail") {
		t.Errorf("failed: %+v", st.Failed)
	}
	kinds := Kind{}
	for _, k := range st.Kinds {
		kinds.Tasks += k.Tasks
		kinds.Cost.Add(k.Cost)
	}
	if kinds.Tasks != st.Tasks || kinds.Cost != st.Cost || len(st.Kinds) != 2 {
		t.Errorf("kinds %+v, and all %+v", st.Kinds, st.Cost)
	}
	if st.Cost.Wrote < bytes || st.Cost.Read == 0 || st.Cost.Wall == 0 {
		t.Errorf("%+v", st.Cost)
	}
}

// TestEnded: an interrupted task records that, since the cause may be a limit of the engine.
func TestEnded(t *testing.T) {
	w := phasetest.Reach{Numbers: 10, Degree: 1, Stride: 2, Shards: 1, Pause: time.Hour}
	d, _ := begin(t, w, 2)
	if _, _, err := d.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("there is a signal")
	time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
	if err := Tasks(ctx, d.Job, w, []phase.ID{{}, {}}); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	faults, err := d.Job.Faults(t.Context(), 0)
	if err != nil || len(faults) != 1 || !strings.Contains(faults[0].Text, "there is a signal") {
		t.Errorf("faults %+v, %v", faults, err)
	}
}

// TestDamagedStatus: a damaged or missing phase is no error. The job continues from the phase
// before it.
func TestDamagedStatus(t *testing.T) {
	d, dir := begin(t, small, 3)
	e := local(d, dir, 2)
	defer e.Close()
	whole, err := Run(t.Context(), d, e, Options{})
	if err != nil || !whole.Phase.Last() || whole.Tasks == 0 {
		t.Fatalf("%+v, %v", whole, err)
	}
	harm := map[string]func(path string) error{
		"removed":   os.Remove,
		"truncated": func(path string) error { return os.Truncate(path, 100) },
		"replaced":  func(path string) error { return os.WriteFile(path, []byte("something else\n"), 0o666) },
	}
	for name, do := range harm {
		for _, n := range []int{0, 2, whole.Phase.Number} {
			if err := do(filepath.Join(dir, "phase", fmt.Sprintf("%05d", n))); err != nil {
				t.Fatal(err)
			}
			st, err := Look(t.Context(), d.Job)
			if err != nil || n == 0 && st.Phase != nil || n > 0 && (st.Phase.Number != n-1 || st.Done != len(st.Phase.Tasks)) {
				t.Errorf("phase %d %s: %+v, %v", n, name, st, err)
			}
			st, err = Run(t.Context(), d, e, Options{})
			if err != nil || st.Phase.Number != whole.Phase.Number || st.Tasks != whole.Tasks || st.Cost != whole.Cost || !slices.Equal(st.Kinds, whole.Kinds) {
				t.Errorf("phase %d %s: %+v, %v, want %+v", n, name, st, err, whole)
			}
		}
	}
}
