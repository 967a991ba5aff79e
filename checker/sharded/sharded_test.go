package sharded_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// tb is the common part of *testing.T and *rapid.T.
type tb interface {
	rapid.TB
	Cleanup(func())
	Context() context.Context
}

// temporary returns a depot in a new folder, on a memory file system if there is one.
func temporary(t tb) depot.Folder {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "sharded")
	if err != nil {
		dir, err = os.MkdirTemp("", "sharded")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	d, err := depot.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// begin begins a search in a depot.
func begin(t tb, d depot.Depot, sys *rules.System, o sharded.Options) (*phase.Job, *sharded.Search) {
	t.Helper()
	j, err := phase.Begin(t.Context(), d, phase.Plan{Kind: "search", Shards: o.Shards, Memory: 64 << 20, Tries: 3})
	if err != nil {
		t.Fatal(err)
	}
	s := sharded.New(t.Context(), sys, o, func(ctx context.Context, n int) (*phase.Phase, error) {
		p, _, err := j.Phase(ctx, n)
		return p, err
	})
	return j, s
}

// search runs a whole search, and returns its result.
func search(t tb, sys *rules.System, o sharded.Options) (*sharded.Outcome, error) {
	t.Helper()
	return finish(t, temporary(t), sys, o)
}

// finish is search in a given depot.
func finish(t tb, d depot.Depot, sys *rules.System, o sharded.Options) (*sharded.Outcome, error) {
	t.Helper()
	j, s := begin(t, d, sys, o)
	last, err := j.Alone(t.Context(), s, 1, nil)
	if err != nil {
		return nil, err
	}
	if err := j.Certify(t.Context(), s, last, 2, nil); err != nil {
		t.Fatalf("%d shards: %v", o.Shards, err)
	}
	return s.Outcome(t.Context(), last)
}

// reference is the same search in memory.
func reference(t tb, sys *rules.System, o sharded.Options) (*forward.Result, error) {
	t.Helper()
	starts := func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, interp.New(sys).Within(ctx), yield)
	}
	q := forward.Query{Goal: o.Goal, Count: o.Count, StuckTransitions: o.StuckSteps, Depth: true}
	return forward.Search(t.Context(), sys, starts, q, forward.Options{Bounds: limit.Bounds{Threads: 1}, Whole: true})
}

// compare compares a search with the reference.
func compare(t tb, sys *rules.System, o sharded.Options) {
	t.Helper()
	want, wantErr := reference(t, sys, o)
	got, err := search(t, sys, o)
	var play *forward.PlayError
	switch {
	case errors.As(wantErr, &play):
		if err != nil || got.Fault == "" || !reflect.DeepEqual(*got.Trace, play.Trace) {
			t.Fatalf("%+v, %v, want the fault %v at %+v", got, err, wantErr, play.Trace)
		}
		return
	case wantErr != nil:
		if err == nil {
			t.Fatalf("no error, want %v", wantErr)
		}
		return
	case err != nil:
		t.Fatal(err)
	}
	if want.Stop == limit.Found {
		if got.Fault != "" || !reflect.DeepEqual(got.Trace, want.Trace) {
			t.Fatalf("trace %+v, want %+v", got.Trace, want.Trace)
		}
		return
	}
	if want.Stop != limit.Complete || got.Trace != nil {
		t.Fatalf("%v, %+v", want.Stop, got.Trace)
	}
	want.Stats.Bytes, want.Stats.Seconds = 0, 0
	if !slices.Equal(got.Counts, want.Counts) {
		t.Fatalf("%d shards: counts %d, want %d", o.Shards, got.Counts, want.Counts)
	}
	if !reflect.DeepEqual(got.Stats, want.Stats) {
		t.Fatalf("%d shards: %+v, want %+v", o.Shards, got.Stats, want.Stats)
	}
}

// few reports whether a search is small enough for a test.
func few(t tb, sys *rules.System) bool {
	starts := func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, interp.New(sys).Within(ctx), yield)
	}
	r, err := forward.Search(t.Context(), sys, starts, forward.Query{}, forward.Options{Bounds: limit.Bounds{MaxStates: 2000, Threads: 1}})
	return err != nil || r.Stop == limit.Complete
}

// TestRandom compares searches of random games with those in memory, for any number of shards.
func TestRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		if !few(t, sys) {
			t.Skip("too many states")
		}
		o := sharded.Options{Shards: rapid.SampledFrom([]int{1, 2, 7, 32}).Draw(t, "shards"), Least: rapid.Int64Range(1, 20).Draw(t, "least")}
		switch rapid.IntRange(0, 2).Draw(t, "what") {
		case 0:
			o.Goal = rulestest.Claim(sys, false).Draw(t, "goal")
		case 1:
			o.Count = rapid.SliceOfN(rulestest.Claim(sys, false), 1, 2).Draw(t, "counted")
		default:
			o.StuckSteps = true
		}
		compare(t, sys, o)
	})
}

// TestKalah compares counts of Kalah with those of a search in memory.
func TestKalah(t *testing.T) {
	for _, shards := range []int{1, 2, 7, 32} {
		compare(t, rulestest.Kalah(3, 2, true), sharded.Options{Shards: shards, Least: 100})
	}
}

// blocks lists the paths of the blocks of a depot.
func blocks(t tb, d depot.Folder) (list []string) {
	t.Helper()
	names, err := d.List(t.Context(), "block/")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		list = append(list, filepath.Join(d.String(), filepath.FromSlash(n)))
	}
	return list
}

// TestHarm damages blocks and receipts during a search: the result is the same, or the search
// fails.
func TestHarm(t *testing.T) {
	sys := rulestest.Kalah(2, 1, true)
	o := sharded.Options{Shards: 3, Least: 5}
	want, err := search(t, sys, o)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := temporary(t)
		j, s := begin(t, d, sys, o)
		for range 400 {
			p, hash, err := j.Current(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if p != nil && p.Last() {
				got, err := s.Outcome(t.Context(), p)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v, %v, want %+v", got, err, want)
				}
				return
			}
			if all := blocks(t, d); len(all) > 0 && rapid.IntRange(0, 9).Draw(t, "harm") == 0 {
				harm(t, rapid.SampledFrom(all).Draw(t, "block"))
			}
			var receipts []*phase.Receipt
			var ready []phase.ID
			if p != nil {
				if receipts, err = j.Receipts(t.Context(), p, hash); err == nil {
					ready, err = j.Ready(t.Context(), p, receipts)
				}
			}
			if err == nil && len(ready) == 0 {
				_, err = j.Advance(t.Context(), s, p, hash, receipts)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range ready {
				if err := j.Run(t.Context(), s, id.Phase, id.Task); err != nil && !errors.As(err, new(*depot.DamagedError)) {
					t.Fatal(err)
				}
			}
		}
		t.Fatal("the search does not end")
	})
}

// harm removes, truncates or changes a file.
func harm(t *rapid.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		err = os.Remove(path)
	case 1:
		err = os.WriteFile(path, text[:len(text)/2], 0o600)
	default:
		text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// mistaken is a search that plays by other rules than its check.
type mistaken struct {
	*sharded.Search
	plays *sharded.Search
}

func (m mistaken) Do(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (phase.Result, error) {
	if m.Checks(p) {
		return m.Search.Do(ctx, e, p, task)
	}
	return m.plays.Do(ctx, e, p, task)
}

// TestMistaken: the check of a search fails if the search plays by other rules in some of its
// phases.
func TestMistaken(t *testing.T) {
	o := sharded.Options{Shards: 3, Least: 20, StuckSteps: true}
	for _, empty := range []bool{true, false} {
		d := temporary(t)
		j, s := begin(t, d, rulestest.Kalah(2, 2, empty), o)
		_, other := begin(t, d, rulestest.Kalah(2, 2, !empty), o)
		last, err := j.Alone(t.Context(), mistaken{s, other}, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Outcome(t.Context(), last); !errors.As(err, new(*sharded.WrongError)) {
			t.Errorf("error %v", err)
		}
		d = temporary(t)
		j, _ = begin(t, d, rulestest.Kalah(2, 2, !empty), o)
		if last, err = j.Alone(t.Context(), other, 1, nil); err != nil {
			t.Fatal(err)
		}
		if err := j.Certify(t.Context(), s, last, 1, nil); err == nil {
			t.Error("a search of another game is certified")
		}
	}
}

// TestMiscounted: the check counts again, by itself.
func TestMiscounted(t *testing.T) {
	sys := rulestest.Kalah(2, 2, true)
	holding := func(n int) sharded.Options {
		x := rules.Binary{Op: rules.Eq, L: rules.Cell{Sort: rules.PitCell}, R: rules.Const{Value: n}}
		return sharded.Options{Shards: 3, Least: 20, Count: []rules.Expr{x}}
	}
	d := temporary(t)
	j, s := begin(t, d, sys, holding(0))
	_, other := begin(t, d, sys, holding(1))
	last, err := j.Alone(t.Context(), mistaken{s, other}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Outcome(t.Context(), last); !errors.As(err, new(*sharded.WrongError)) {
		t.Errorf("the search says %v", err)
	}
}

// liar is a search whose tasks describe their blocks wrongly.
type liar struct{ *sharded.Search }

func (l liar) Do(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (phase.Result, error) {
	r, err := l.Search.Do(ctx, e, p, task)
	if p.Name != "merge" {
		return r, err
	}
	for i := range r.Outputs {
		var about map[string]any
		if err := json.Unmarshal(r.Outputs[i].About, &about); err != nil {
			return r, err
		}
		about["Last"] = about["First"]
		if r.Outputs[i].About, err = json.Marshal(about); err != nil {
			return r, err
		}
	}
	return r, err
}

// TestLiar: wrong descriptions of blocks are detected, since they decide which tasks read a block.
func TestLiar(t *testing.T) {
	j, s := begin(t, temporary(t), rulestest.Kalah(2, 2, true), sharded.Options{Shards: 2, Least: 10})
	last, err := j.Alone(t.Context(), liar{s}, 1, nil)
	if err == nil {
		t.Fatalf("%+v", last)
	}
}
