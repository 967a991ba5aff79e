package forward

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// temporary returns a folder for one check of a property. Many checkpoints are made there, which
// takes no time if the folder is in memory.
func temporary(t *rapid.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ondisk")
	if err != nil {
		dir, err = os.MkdirTemp("", "ondisk")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// comparable is a result without what may differ between memory and disk.
func comparable(r *Result) *Result {
	if r != nil {
		r.Stats.Seconds, r.Stats.Bytes = 0, 0
	}
	return r
}

// TestDiskRandom compares searches on disk, which are interrupted again and again, with searches in
// memory, also at limits and if the rules are at fault. What has ended can be asked for again.
func TestDiskRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		starts, q := startsOf(sys), anyQuery(t, sys)
		o := Options{Bounds: limit.Bounds{MaxStates: rapid.Int64Range(1, 600).Draw(t, "states")}, MaxDepth: rapid.IntRange(0, 9).Draw(t, "depth"), tiny: true}
		want, wantErr := Search(context.Background(), sys, starts, q, o)
		want = comparable(want)
		o.Disk, o.MaxMemory = temporary(t), 16<<20
		for looks := rapid.IntRange(1, 40).Draw(t, "looks"); ; looks += 1 + looks/4 {
			o.Threads = rapid.IntRange(1, 3).Draw(t, "threads")
			ctx := context.Background()
			if o.Threads == 1 && looks < 1000 {
				ctx = limit.WithLooks(ctx, looks)
			}
			got, err := Search(ctx, sys, starts, q, o)
			if errors.Is(err, limit.ErrLooks) || got != nil && got.Hits(limit.Interrupt) {
				continue
			}
			if got = comparable(got); !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%+v %v,\nwant %+v %v", got, err, want, wantErr)
			}
			if looks > 1000 {
				break
			}
			looks = 1000
		}
	})
}

// TestDiskReduced compares searches of least states, on disk and in memory.
func TestDiskReduced(t *testing.T) {
	sys, starts := load(t, "dose2015.sow", map[string]string{"n": "3", "stones": "7"})
	for _, q := range []Query{
		{StuckTransitions: true, States: true},
		{Count: []rules.Expr{rules.HasOutcome(rules.Live), rules.IsStuck}},
		{Goal: rules.HasOutcome(sys.OutcomeNamed("SR006"))},
		{Goal: rules.IsStuck},
	} {
		o := Options{tiny: true, Bounds: limit.Bounds{Threads: 2, MaxMemory: 16 << 20}}
		want := comparable(explore(t, sys, starts, q, o))
		if want.Stats.Symmetries < 2 {
			t.Error("no symmetries were found")
		}
		o.Disk = t.TempDir()
		for range 2 {
			if got := comparable(explore(t, sys, starts, q, o)); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v,\nwant %+v", got, want)
			}
		}
	}
}
