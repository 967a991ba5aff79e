//go:build unix

package solver_test

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// TestSignalsAreOurs: a signal during a check reaches this program's handlers, not one of the
// solver.
func TestSignalsAreOurs(t *testing.T) {
	tier.Long(t, "it waits for processes")
	each(t, func(t *testing.T, spec string) {
		s := open(t, spec)
		b := term.NewBuilder()
		s.Assert(pigeons(b, 14))
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt)
		defer signal.Stop(signals)
		time.AfterFunc(200*time.Millisecond, func() { syscall.Kill(os.Getpid(), syscall.SIGINT) })
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if got := s.Check(ctx); got.Status != solver.Unknown || got.Reason != "time-out" {
			t.Errorf("got %v, want the time-out: the signal should not affect the solver", got)
		}
		select {
		case <-signals:
		default:
			t.Error("the signal did not arrive")
		}
	})
}
