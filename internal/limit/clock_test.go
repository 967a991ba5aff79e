package limit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
)

// TestWithClock: the context ends without a timer, and no earlier than it should.
func TestWithClock(t *testing.T) {
	ctx := limit.WithClock(t.Context(), time.Hour)
	if err := ctx.Err(); err != nil {
		t.Errorf("the hour has begun, and is over: %v", err)
	}
	if end, has := ctx.Deadline(); !has || time.Until(end) > time.Hour {
		t.Errorf("it ends at %v, %v", end, has)
	}
	if err := limit.WithClock(t.Context(), 0).Err(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the time is over, and the error %v", err)
	}
	outer, stop := context.WithCancel(t.Context())
	ctx = limit.WithClock(outer, time.Hour)
	if stop(); !errors.Is(ctx.Err(), context.Canceled) {
		t.Errorf("the context around it has ended, and the error is %v", ctx.Err())
	}
}
