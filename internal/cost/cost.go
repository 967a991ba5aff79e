// Package cost lets tests bound what an input may take, in time and in memory. The bounds are far
// above what any input should need, on any machine: they tell linear from quadratic, not fast from
// slow. Time is that of the processors, so that other processes do not count.
package cost

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/processor"
)

// The bounds of one run: a fixed part, and one for each byte of the input.
const (
	baseTime  = 20 * time.Second
	baseBytes = 64 << 20
	perByte   = 8 << 10
)

// Within runs f on an input of size bytes. The test fails if f takes too long or allocates too
// much.
func Within(t testing.TB, size int, f func()) {
	t.Helper()
	Limited(t, baseBytes+perByte*uint64(size), f)
}

// Looks returns a context that is done after n calls of Err: a budget that is the same on
// every machine.
func Looks(ctx context.Context, n int) context.Context { return &looks{ctx, n} }

type looks struct {
	context.Context
	remaining int
}

// Err counts its calls.
func (l *looks) Err() error {
	if l.remaining <= 0 {
		return context.Canceled
	}
	l.remaining--
	return nil
}

// Limited runs f, which may allocate at most limit bytes in total.
func Limited(t testing.TB, limit uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := processor.Time()
	f()
	took := processor.Time() - began
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > limit {
		t.Errorf("%d bytes were allocated, %d at most were expected", n, limit)
	}
	if took > baseTime {
		t.Errorf("it took %v of the processors, %v at most was expected", took, baseTime)
	}
}
