//go:build cloud

package depot

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"

	"github.com/mancheck/mancheck/internal/file"
)

// mark is the key of the metadata that identifies the writer of an object.
const mark = "mancheck-writer"

// upload creates an object with the content of a reader. The error is fs.ErrExist if there is an
// object of this name.
func (d *Bucket) upload(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	mine := rand.Text()
	err := d.retry(ctx, "create", name, size, func(ctx context.Context) error {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return &permanentError{err}
		}
		return d.send(ctx, name, content, size, &blob.WriterOptions{
			IfNotExist:     true,
			ContentType:    "application/octet-stream",
			Metadata:       map[string]string{mark: mine},
			BufferSize:     int(partOf(size)),
			MaxConcurrency: together,
			BeforeWrite:    d.sweepParts(size),
		})
	})
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	// It may be our own object: a request is retried when its response was lost.
	a, failed := d.attributes(ctx, name)
	switch {
	case errors.Is(failed, fs.ErrNotExist): // removed by another process
	case failed != nil:
		return failed
	case a.Metadata[mark] == mine:
		return nil
	}
	return err
}

// send uploads an object, or leaves none.
func (d *Bucket) send(ctx context.Context, name string, content io.Reader, size int64, o *blob.WriterOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := d.bucket.NewWriter(ctx, name, o)
	if err != nil {
		return err
	}
	n, err := io.Copy(w, content)
	if err == nil && n != size {
		err = &permanentError{io.ErrUnexpectedEOF}
	}
	if err != nil {
		cancel() // otherwise Close would create an object with partial content
		_ = w.Close()
		return err
	}
	return w.Close()
}

// Put implements Depot.
func (d *Bucket) Put(ctx context.Context, name string, text []byte) error {
	return d.upload(ctx, name, bytes.NewReader(text), int64(len(text)))
}

// bucketDraft is a scratch file, since the name of an object is known only when it is complete.
type bucketDraft struct {
	file.Handle
	bucket *Bucket
	size   int64
	over   bool
}

// Create implements Depot.
func (d *Bucket) Create(context.Context) (Draft, error) {
	path := filepath.Join(os.TempDir(), "mancheck-draft-"+rand.Text())
	f, err := file.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	// Where the system can remove open files, a killed process leaves nothing behind.
	_ = file.Remove(path)
	return &bucketDraft{Handle: f, bucket: d}, nil
}

func (f *bucketDraft) Write(b []byte) (int, error) {
	n, err := f.Handle.Write(b)
	f.size += int64(n)
	return n, err
}

// Keep implements Draft.
func (f *bucketDraft) Keep(ctx context.Context, name string) error {
	defer f.Drop()
	if f.size > part { // a store would refuse it only after the whole upload
		if _, err := f.bucket.Size(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	err := f.bucket.upload(ctx, name, io.NewSectionReader(f, 0, f.size), f.size)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Drop implements Draft.
func (f *bucketDraft) Drop() {
	if f.over {
		return
	}
	f.over = true
	_ = f.Close()
	_ = file.Remove(f.Name()) // a leftover scratch file does no harm
}

const (
	part     = 8 << 20 // bytes of a part of an upload
	parts    = 9000    // most parts of an object; the limit of S3 is 10,000
	together = 2       // parts that are uploaded at the same time
)

// partOf returns the size of the parts of an object.
func partOf(size int64) int64 { return max(part, size/parts) }

// sweepParts makes a cancelled upload to S3 delete its parts, which would otherwise be charged for.
// By default it would try that with the context that was cancelled.
func (d *Bucket) sweepParts(size int64) func(as func(any) bool) error {
	return func(as func(any) bool) error {
		var uploads *transfermanager.Client
		var client *s3.Client
		if as(&uploads) && d.bucket.As(&client) {
			*uploads = *transfermanager.New(client, func(o *transfermanager.Options) {
				o.RequestChecksumCalculation = client.Options().RequestChecksumCalculation
				o.PartSizeBytes = partOf(size)
				o.Concurrency = together
				o.FailTimeout = 30 * time.Second
			})
		}
		return nil
	}
}
