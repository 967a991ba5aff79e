package agree

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// Under limits an engine must give the same verdict as without them, or none. So every engine is
// asked a second time, with limits drawn at random: on states, on memory, on the bound, and on how
// often it may poll its context, which ends it at any place where it can end.

// withLimits is added to the name of an engine that was asked with limits.
const withLimits = " with limits"

// again asks an engine that has answered once more, with limits, and compares.
func (c *checker) again(inst *build.Instance, engine proofs.Engine, without answer) (a answer, class, detail string) {
	h := fnv.New64a()
	fmt.Fprint(h, c.seed, inst.Name(), engine)
	r := rand.New(rand.NewPCG(h.Sum64(), 2))
	opt := c.opt.Decide
	looks, said := int64(-1), ""
	// A number from 1 to most, mostly small.
	small := func(most int) int { return 1 + r.IntN(1+r.IntN(1+r.IntN(most))) }
	if r.IntN(2) == 0 {
		opt.MaxStates = int64(small(500))
		said += fmt.Sprintf(" %d states", opt.MaxStates)
	}
	if r.IntN(3) == 0 {
		opt.MaxMemory = int64(small(1 << 18))
		said += fmt.Sprintf(" %d bytes", opt.MaxMemory)
	}
	if r.IntN(4) == 0 {
		opt.Bound = small(opt.Bound + 1)
		said += fmt.Sprintf(" bound %d", opt.Bound)
	}
	if said == "" || r.IntN(2) == 0 {
		looks = int64(small(400))
		said += fmt.Sprintf(" %d looks", looks)
	}
	a = c.askWithin(inst, engine, opt, looks)
	a.engine += withLimits
	if a.result != nil && a.result.Status == proofs.Unknown {
		c.tally.Claims["unknown with limits"]++
	} else {
		c.tally.Claims["the same with limits"]++
	}
	switch {
	case a.broken != "" || a.late || without.broken != "":
	case a.result == nil && without.result != nil && without.result.Conclusive():
		if _, fault := errors.AsType[*interp.RuleError](a.err); fault && slices.Contains(without.result.Notes, verdict.Note(verdict.MayFault)) {
			break // the verdict says that faults were not asked about
		}
		class = "an error by a limit" // the other way round is fine: a search that ran out of time may not reach an error
	case a.result == nil || without.result == nil || a.result.Status == proofs.Unknown || without.result.Status == proofs.Unknown:
	case a.result.Status == proofs.Bounded || without.result.Status == proofs.Bounded:
		// the bound depends on the limits; bounded compares it with the judge
	case a.result.Status != without.result.Status:
		class = "another verdict by a limit"
	}
	return a, class, describe(a) + "; without limits: " + describe(without) + "; limits:" + said
}

// errCut is the cause of the end of a cut.
var errCut = errors.New("cut short")

// cut is a context that ends after a number of calls of Err, by any goroutine.
type cut struct {
	context.Context
	end  context.CancelCauseFunc
	left atomic.Int64
}

// withLooks returns a context that ends after n calls of Err.
func withLooks(parent context.Context, n int64) (*cut, context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	c := &cut{Context: ctx, end: end}
	c.left.Store(n)
	return c, func() { end(nil) }
}

// Err counts its calls, and ends the context after the last one.
func (c *cut) Err() error {
	if c.left.Add(-1) < 0 {
		c.end(errCut)
	}
	return c.Context.Err()
}
