package depot

import (
	"context"
	"regexp"
)

// address matches what is a URL. A drive of Windows, with its one letter, is none.
var address = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// Open opens a depot: a bucket of an object store if where is a URL, which takes a program built
// with the tag cloud, and otherwise a folder, which is made if there is none.
func Open(ctx context.Context, where string) (Depot, error) {
	if address.MatchString(where) {
		return openBucket(ctx, where)
	}
	d, err := NewFolder(where)
	if err != nil {
		return nil, err
	}
	return d, nil
}
