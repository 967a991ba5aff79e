//go:build cloud

package verified_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/depot/buckettest"
)

// TestBuckets: the table of a job in a bucket is that of a job in a folder, also if requests fail.
func TestBuckets(t *testing.T) {
	sys := awari(t, "2")
	want := built(t, temporary(t), sys, 7, 3).Table
	store := buckettest.New()
	t.Cleanup(store.Close)
	var asked, spoiled atomic.Int64
	store.Fault = func(*http.Request) buckettest.Fault {
		if asked.Add(1)%40 == 0 {
			return buckettest.Passing[spoiled.Add(1)%int64(len(buckettest.Passing))]
		}
		return buckettest.None
	}
	d, err := depot.Open(t.Context(), store.URL("tables"))
	if err != nil {
		t.Fatal(err)
	}
	if got := built(t, d, sys, 7, 3).Table; got.Hash != want.Hash || got.Size != want.Size {
		t.Errorf("%+v, want %+v", got, want)
	}
	if spoiled.Load() < int64(len(buckettest.Passing)) {
		t.Errorf("only %d faults in %d requests", spoiled.Load(), asked.Load())
	}
}
