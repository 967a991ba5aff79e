//go:build !cloud

package depot

import (
	"context"
	"fmt"
)

// openBucket fails.
func openBucket(_ context.Context, where string) (Depot, error) {
	return nil, fmt.Errorf("%s: this program has no buckets in it; "+
		"go build -tags cloud ./cmd/mancheck makes one that has", where)
}
