//go:build cloud

package depot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/fileblob"  // file://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/memblob"   // mem://
	_ "gocloud.dev/blob/s3blob"    // s3://
)

// Bucket is a Depot in a bucket of an object store. It relies on conditional writes and on
// read-after-write consistency of reads and lists.
type Bucket struct {
	bucket *blob.Bucket
	where  string
	page   int           // names per list request
	pause  time.Duration // before the first retry of a request
	opened opened
}

// openBucket opens the bucket of a URL. The path behind the name of the bucket is a prefix of the
// names of all objects.
func openBucket(ctx context.Context, where string) (Depot, error) {
	u, err := url.Parse(where)
	if err != nil {
		return nil, err
	}
	prefix, q := "", u.Query()
	switch u.Scheme {
	case "file":
		q.Set("create_dir", "true")
		q.Set("metadata", "skip") // no extra files beside the objects
	case "s3", "gs", "azblob":
		if prefix = strings.Trim(u.Path, "/"); prefix != "" {
			if err := valid(prefix); err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
			prefix += "/"
		}
		u.Path = ""
	}
	if u.Scheme == "s3" && !q.Has("response_checksum_validation") {
		q.Set("response_checksum_validation", "when_required") // otherwise reads of ranges fail, since they have no checksums
	}
	u.RawQuery = q.Encode()
	b, err := blob.OpenBucket(ctx, u.String())
	if err != nil {
		return nil, opaque("open", where, err)
	}
	d := &Bucket{bucket: blob.PrefixedBucket(b, prefix), where: where, page: mostNames, pause: 200 * time.Millisecond}
	// Otherwise a missing bucket would look like an empty one.
	err = d.insist(ctx, "open", where, 0, func(ctx context.Context) error {
		there, err := d.bucket.IsAccessible(ctx)
		if err == nil && !there {
			err = &permanentError{errors.New("there is no such bucket, or it may not be listed")}
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, d.bucket.Close())
	}
	return d, nil
}

func (d *Bucket) String() string { return d.where }

// Get implements Depot.
func (d *Bucket) Get(ctx context.Context, name string) (text []byte, err error) {
	err = d.retry(ctx, "read", name, 0, func(ctx context.Context) error {
		r, err := d.bucket.NewReader(ctx, name, nil)
		if err != nil {
			return err
		}
		text, err = io.ReadAll(r)
		if err == nil && int64(len(text)) != r.Size() {
			err = io.ErrUnexpectedEOF
		}
		return errors.Join(err, r.Close())
	})
	return text, err
}

// Size implements Depot.
func (d *Bucket) Size(ctx context.Context, name string) (int64, error) {
	a, err := d.attributes(ctx, name)
	if err != nil {
		return 0, err
	}
	return a.Size, nil
}

func (d *Bucket) attributes(ctx context.Context, name string) (a *blob.Attributes, err error) {
	err = d.retry(ctx, "stat", name, 0, func(ctx context.Context) error {
		a, err = d.bucket.Attributes(ctx, name)
		return err
	})
	return a, err
}

// mostNames is the most names that stores return for a request.
const mostNames = 1000

// List implements Depot.
func (d *Bucket) List(ctx context.Context, prefix string) (list []string, err error) {
	prefix = strings.TrimSuffix(prefix, "/")
	token := blob.FirstPageToken
	for len(token) > 0 {
		var objects []*blob.ListObject
		var next []byte
		err := d.retry(ctx, "list", prefix, 0, func(ctx context.Context) error {
			var err error
			objects, next, err = d.bucket.ListPage(ctx, token, d.page, &blob.ListOptions{Prefix: prefix + "/"})
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, o := range objects {
			if valid(o.Key) == nil {
				list = append(list, o.Key)
			}
		}
		token = next
	}
	slices.Sort(list)
	return list, nil
}

// Remove implements Depot.
func (d *Bucket) Remove(ctx context.Context, name string) error {
	err := d.retry(ctx, "remove", name, 0, func(ctx context.Context) error { return d.bucket.Delete(ctx, name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
