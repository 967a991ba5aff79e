package engine

import (
	"context"
	"testing"
	"time"

	"github.com/mancheck/mancheck/rules"
)

// TestTimeout: if steps are counted, the only time limit is a requested one.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		opt  Options
		want time.Duration
	}{
		{Options{}, time.Minute},
		{Options{Timeout: time.Second}, time.Second},
		{Options{Steps: 1}, 0},
		{Options{Steps: 1, Timeout: time.Second}, time.Second},
	} {
		if got := c.opt.timeout(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.opt, got, c.want)
		}
		ctx, cancel := within(context.Background(), c.opt.timeout())
		if _, limited := ctx.Deadline(); limited != (c.want > 0) {
			t.Errorf("%+v: there is a deadline: %t", c.opt, limited)
		}
		cancel()
		if c.opt.stop(ctx, &rules.System{})() == nil {
			t.Errorf("%+v: the encoding goes on after the end of the context", c.opt)
		}
	}
}
