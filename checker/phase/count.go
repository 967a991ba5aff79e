package phase

import (
	"context"
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/depot"
)

// counting is a depot that counts the bytes read and written.
type counting struct {
	depot.Depot
	read, wrote atomic.Int64
}

func (c *counting) Create(ctx context.Context) (depot.Draft, error) {
	d, err := c.Depot.Create(ctx)
	return countedDraft{d, c}, err
}

func (c *counting) Open(ctx context.Context, name string) (depot.Object, error) {
	o, err := c.Depot.Open(ctx, name)
	return countedObject{o, c}, err
}

type countedDraft struct {
	depot.Draft
	by *counting
}

func (d countedDraft) Write(b []byte) (int, error) {
	n, err := d.Draft.Write(b)
	d.by.wrote.Add(int64(n))
	return n, err
}

type countedObject struct {
	depot.Object
	by *counting
}

func (o countedObject) ReadAt(b []byte, offset int64) (int, error) {
	n, err := o.Object.ReadAt(b, offset)
	o.by.read.Add(int64(n))
	return n, err
}

// Path returns the path of an object, if the depot is a folder.
func (c *counting) Path(name string) (string, bool) { return depot.Path(c.Depot, name) }
