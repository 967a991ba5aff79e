// Package limit ends work that takes too long or too much memory. The limits travel in a context,
// whose cause says which of them was hit: a search that is cancelled says so as the reason of its
// verdict.
package limit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/internal/numeral"
)

// Why says in words what ended a context. It is empty as long as nothing has.
func Why(ctx context.Context) string { return Ending(ctx).String() }

// Ended reports whether an error is that of a context, whatever ended it.
func Ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Kind says which limit ended work.
type Kind int

const (
	None      Kind = iota
	States         // on the number of states
	Positions      // on the number of positions of a search for a value
	Memory         // on the bytes that the states of a search take
	Process        // on the memory of the whole process
	Time
	Deadline // of a context of the caller's
	Interrupt
)

// Hit is the limit that ended work, with its figures. The zero Hit says that none did. It is the
// cause of a context that a limit of this package has ended.
type Hit struct {
	Kind  Kind
	Most  int64         // the limit: a number of states, or of bytes; 0 where it is not known
	After time.Duration // of Time
	Found int64         // how many states there were by then
	Told  bool          // Found is known, of what ended a context
}

// String is the limit in words. It is empty for none.
func (h Hit) String() string {
	text := ""
	switch h.Kind {
	case None:
		return ""
	case States:
		return fmt.Sprintf("the limit of %d states is reached", h.Most)
	case Positions:
		return "the limit of positions is reached"
	case Memory:
		return fmt.Sprintf("%d states fill the limit of %d MB of memory", h.Found, h.Most>>20)
	case Process:
		text = fmt.Sprintf("the limit of %d MB of memory is reached", h.Most>>20)
	case Time:
		text = fmt.Sprintf("out of time after %v", h.After)
	case Deadline:
		text = "out of time"
	case Interrupt:
		text = "interrupted"
	}
	if h.Told {
		text += ", with " + numeral.Count(h.Found, "state")
	}
	return text
}

func (h Hit) Error() string { return h.String() }

// With adds the number of states found to what ended a context.
func (h Hit) With(states int64) Hit {
	h.Found, h.Told = states, true
	return h
}

// Ending is the limit that ended a context, as Why says it in words.
func Ending(ctx context.Context) Hit {
	cause := context.Cause(ctx)
	switch hit := (Hit{}); {
	case cause == nil, errors.As(cause, &hit):
		return hit
	case errors.Is(cause, context.DeadlineExceeded):
		return Hit{Kind: Deadline}
	}
	return Hit{Kind: Interrupt}
}
