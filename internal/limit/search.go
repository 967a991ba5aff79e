package limit

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"time"
)

// Bounds are the limits of one search.
type Bounds struct {
	MaxStates int64 // stored; 0: no limit
	MaxMemory int64 // bytes that the states take; 0: most of the machine's memory
	Threads   int   // 0: as many as there are processors
}

// Memory returns the limit on bytes: MaxMemory, or else most of the machine's memory.
func (b Bounds) Memory() int64 {
	if b.MaxMemory > 0 {
		return b.MaxMemory
	}
	return DefaultMemory()
}

// Workers returns the number of threads.
func (b Bounds) Workers() int { return cmp.Or(max(b.Threads, 0), runtime.GOMAXPROCS(0)) }

// Progress says how far a search has got.
type Progress struct {
	Depth   int   // moves to the current level, or seeds of the layer; -1: neither
	States  int64 // found; also positions of a search for a value or of a table, and games
	Open    int64 // States that are not examined yet
	Steps   int64
	Bytes   int64
	Elapsed time.Duration

	Lo, Hi  int    // of a value: it is between these
	Sweeps  int    // of a layer of a table, so far
	Special string // what was done in it, if not all moves were played in order
}

// Stop says why a search ended.
type Stop int

const (
	Complete   Stop = iota // everything was examined
	Found                  // what was looked for; the rest was not examined
	DepthLimit             // everything within a limit on moves was examined, and there is more
	Reached                // a limit was reached; End.Hit says which
	Undecided              // the question cannot be answered in this way
)

var stopNames = [...]string{"complete", "found", "depth limit", "limit reached", "undecided"}

func (s Stop) String() string { return stopNames[s] }

// End is how a search ended.
type End struct {
	Stop   Stop
	Reason string // in words, with the figures
	Hit    Hit    // the limit that was reached
}

// Reach is the end at a limit.
func Reach(h Hit) End { return End{Reached, cmp.Or(h.String(), "the search was cancelled"), h} }

// Cancelled is the end of a search whose context has ended.
func Cancelled(ctx context.Context) End { return Reach(Ending(ctx)) }

// Hits reports whether it is a limit of this kind that was reached.
func (e End) Hits(k Kind) bool { return e.Stop == Reached && e.Hit.Kind == k }

// Early passes an End as an error, up to the search that it ends.
type Early struct{ End }

func (e *Early) Error() string { return e.Reason }

// Take returns nil for an error that is an Early, whose End it takes, and any other error.
func (e *End) Take(err error) error {
	if early := (*Early)(nil); errors.As(err, &early) {
		*e = early.End
		return nil
	}
	return err
}
