//go:build !cloud

package depot_test

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/depot"
)

// TestWithoutBuckets: a program without buckets says how to build one with them.
func TestWithoutBuckets(t *testing.T) {
	for _, where := range []string{"s3://games/job", "gs://games", "azblob://games", "mem://", "file:///tmp"} {
		if _, err := depot.Open(t.Context(), where); err == nil || !strings.Contains(err.Error(), "go build -tags cloud") {
			t.Errorf("%s: %v", where, err)
		}
	}
}
