//go:build cloud

package depot

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
)

// An object is read in windows, since a request takes as long as the transfer of a megabyte, and
// costs the same for any number of bytes. Windows grow while reads are sequential, and are smaller
// if many objects are open.
const (
	leastWindow = 128 << 10
	firstWindow = 512 << 10
	mostWindow  = 4 << 20
	allWindows  = 64 << 20 // bytes of the windows of all open objects, approximately
	windows     = 4        // windows of an object, for as many readers at different offsets
)

// opened counts the objects that are open.
type opened struct{ atomic.Int64 }

// most returns the greatest size of a window in bytes.
func (o *opened) most() int64 {
	return min(max(allWindows/windows/max(o.Load(), 1), leastWindow), mostWindow)
}

// Open implements Depot.
func (d *Bucket) Open(ctx context.Context, name string) (Object, error) {
	size, err := d.Size(ctx, name)
	if err != nil {
		return nil, err
	}
	d.opened.Add(1)
	return &bucketObject{bucket: d, ctx: ctx, name: name, size: size}, nil
}

// bucketObject is an open object. Its reads end with the context of Open.
type bucketObject struct {
	bucket *Bucket
	ctx    context.Context
	name   string
	size   int64

	mu     sync.Mutex
	recent []*window // most recently used first
	closed bool
}

// window is a part of an object. The first call of load reads it.
type window struct {
	from, to int64
	load     func() ([]byte, error)
}

// Size implements Object.
func (o *bucketObject) Size() int64 { return o.size }

// ReadAt implements Object.
func (o *bucketObject) ReadAt(b []byte, offset int64) (n int, err error) {
	if offset < 0 {
		return 0, &fs.PathError{Op: "read", Path: o.name, Err: fs.ErrInvalid}
	}
	for n < len(b) {
		at := offset + int64(n)
		if at >= o.size {
			return n, io.EOF
		}
		w, err := o.at(at)
		if err != nil {
			return n, err
		}
		text, err := w.load()
		if err != nil {
			o.forget(w)
			return n, err
		}
		n += copy(b[n:], text[at-w.from:])
	}
	return n, nil
}

// at returns the window that contains the byte at an offset.
func (o *bucketObject) at(offset int64) (*window, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, &fs.PathError{Op: "read", Path: o.name, Err: fs.ErrClosed}
	}
	i := slices.IndexFunc(o.recent, func(w *window) bool { return w.from <= offset && offset < w.to })
	if i >= 0 {
		w := o.recent[i]
		o.recent = slices.Insert(slices.Delete(o.recent, i, i+1), 0, w)
		return w, nil
	}
	size := int64(firstWindow)
	if i = slices.IndexFunc(o.recent, func(w *window) bool { return w.to == offset }); i >= 0 {
		size = 2 * (o.recent[i].to - o.recent[i].from)
	} else {
		i = windows - 1
	}
	if i < len(o.recent) {
		o.recent = slices.Delete(o.recent, i, i+1)
	}
	w := &window{from: offset, to: min(offset+min(size, o.bucket.opened.most()), o.size)}
	w.load = sync.OnceValues(func() ([]byte, error) { return o.fetch(w.from, w.to-w.from) })
	o.recent = slices.Insert(o.recent, 0, w)
	return w, nil
}

// forget drops a window that could not be read.
func (o *bucketObject) forget(w *window) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.recent = slices.DeleteFunc(o.recent, func(v *window) bool { return v == w })
}

// fetch reads a part of the object.
func (o *bucketObject) fetch(from, size int64) (text []byte, err error) {
	err = o.bucket.retry(o.ctx, "read", o.name, size, func(ctx context.Context) error {
		r, err := o.bucket.bucket.NewRangeReader(ctx, o.name, from, size, nil)
		if err != nil {
			return err
		}
		text = make([]byte, size)
		_, err = io.ReadFull(r, text)
		if err == nil {
			// The store must have honoured the range.
			if _, more := r.Read(make([]byte, 1)); !errors.Is(more, io.EOF) {
				err = errors.New("the store sent more bytes than were requested")
			}
		}
		return errors.Join(err, r.Close())
	})
	return text, err
}

// Close implements Object.
func (o *bucketObject) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return &fs.PathError{Op: "close", Path: o.name, Err: fs.ErrClosed}
	}
	o.closed, o.recent = true, nil
	o.bucket.opened.Add(-1)
	return nil
}
