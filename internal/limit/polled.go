package limit

import (
	"context"
	"errors"
	"time"
)

// WithClock is a context that ends after a time, as it finds when it is asked. Where one thread
// does all the work, as in a browser, no timer fires before that is over.
func WithClock(ctx context.Context, after time.Duration) context.Context {
	return &clock{ctx, time.Now().Add(after)}
}

type clock struct {
	context.Context
	end time.Time
}

// Err is also what stops the work: nobody has to watch Done.
func (c *clock) Err() error {
	if err := c.Context.Err(); err != nil {
		return err
	}
	if time.Now().After(c.end) {
		return context.DeadlineExceeded
	}
	return nil
}

// Deadline is when the context ends.
func (c *clock) Deadline() (time.Time, bool) { return c.end, true }

// ErrLooks is what WithLooks ends a search with.
var ErrLooks = errors.New("the search takes too long")

// WithLooks is a context that ends with ErrLooks once a search has looked n times whether it is
// over. Unlike time that is the same on every machine. It is for one goroutine.
func WithLooks(ctx context.Context, n int) context.Context { return &looks{ctx, n} }

type looks struct {
	context.Context
	remaining int
}

// Err is also what stops the search: nobody has to watch Done.
func (l *looks) Err() error {
	if err := l.Context.Err(); err != nil {
		return err
	}
	if l.remaining--; l.remaining < 0 {
		return ErrLooks
	}
	return nil
}
