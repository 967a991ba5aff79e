//go:build !cloud

package depot

import (
	"context"
	"fmt"
)

// openBucket fails.
func openBucket(_ context.Context, where string) (Depot, error) {
	return nil, fmt.Errorf("%s: this program was built without support for buckets; "+
		"build one with go build -tags cloud ./cmd/mancheck", where)
}
