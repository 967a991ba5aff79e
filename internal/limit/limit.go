// Package limit ends work that takes too long or too much memory. The limits travel in a context,
// whose cause says which of them was hit: a search that is cancelled says so as the reason of its
// verdict.
package limit

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// TimeError is the cause of a context that ran out of time.
type TimeError struct{ After time.Duration }

func (e *TimeError) Error() string { return fmt.Sprintf("out of time after %v", e.After) }

// MemoryError is the cause of a context whose process had too much memory.
type MemoryError struct{ Limit int64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the limit of %d MB of memory is reached", e.Limit>>20)
}

// Why says in words what ended a context. It is empty as long as nothing has.
func Why(ctx context.Context) string { return Ending(ctx).String() }

// Ended reports whether an error is that of a context, whatever ended it.
func Ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
