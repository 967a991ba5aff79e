//go:build cloud

package sharded_test

import (
	"net/http"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/depot/buckettest"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestBuckets: a search in a bucket has the same result and the same blocks as in a folder, even if
// requests fail.
func TestBuckets(t *testing.T) {
	sys, o := rulestest.Kalah(2, 2, true), sharded.Options{Shards: 3, Least: 10}
	folder := temporary(t)
	want := in(t, folder, sys, o)
	store := buckettest.New()
	t.Cleanup(store.Close)
	for _, c := range []struct {
		name, where string
		every       int64 // one request in this many fails; 0: none
	}{
		{"memory", "mem://", 0}, {"store", store.URL("well"), 0}, {"faults", store.URL("badly"), 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := depot.Open(t.Context(), c.where)
			if err != nil {
				t.Fatal(err)
			}
			var asked, spoiled atomic.Int64
			store.Fault = func(*http.Request) buckettest.Fault {
				if n := asked.Add(1); c.every > 0 && n%c.every == 0 {
					return buckettest.Passing[spoiled.Add(1)%int64(len(buckettest.Passing))]
				}
				return buckettest.None
			}
			got := in(t, d, sys, o)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
			if c.every > 0 && spoiled.Load() < int64(len(buckettest.Passing)) {
				t.Errorf("only %d faults in %d requests", spoiled.Load(), asked.Load())
			}
			t.Logf("%d requests, %d of them with faults", asked.Load(), spoiled.Load())
		})
	}
}

// result is the result of a search, and the blocks that it wrote.
type result struct {
	outcome *sharded.Outcome
	blocks  []string
}

// in runs a search in a depot.
func in(t *testing.T, d depot.Depot, sys *rules.System, o sharded.Options) result {
	t.Helper()
	outcome, err := finish(t, d, sys, o)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := d.List(t.Context(), "block/")
	if err != nil || len(blocks) == 0 {
		t.Fatal(blocks, err)
	}
	return result{outcome, blocks}
}
