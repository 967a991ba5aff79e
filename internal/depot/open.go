package depot

import (
	"context"
	"regexp"
)

// address matches a URL. It requires two letters, so that a drive of Windows does not match.
var address = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// IsBucket reports whether where is the URL of a bucket, and not the path of a folder.
func IsBucket(where string) bool { return address.MatchString(where) }

// Open opens a depot. If where is a URL, the depot is a bucket of an object store, which requires a
// program built with the tag cloud. Otherwise it is a folder, which is created if it is missing.
func Open(ctx context.Context, where string) (Depot, error) {
	if IsBucket(where) {
		return openBucket(ctx, where)
	}
	return NewFolder(where)
}
