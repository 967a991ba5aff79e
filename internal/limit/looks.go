package limit

import (
	"context"
	"errors"
)

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
