package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// Many questions may be about the same System. To put it into formulas, and to show that it is well
// behaved, takes longer than most of their answers. Neither depends on the question.

// Encodings are the formulas of Systems, and what was shown of them. The zero value has none. They
// may be used by several goroutines. What a question finds does not depend on what they have.
type Encodings struct {
	mu   sync.Mutex
	list []*encoding // the one that was asked for last is first
}

// mostTerms bounds the formulas that are kept for later. Those of Kalah with six pits a side have
// 4,000 terms.
const mostTerms = 100_000

// encoding is the formulas of one System. They are forked for each session.
type encoding struct {
	about about
	turn  chan struct{} // has room for the one who works on what follows

	enc         *encode.Encoder // nil if it is not made yet
	size        int             // in terms
	wellBehaved bool            // known to be
}

// about is what formulas, and what is shown of them, depend on.
type about struct {
	system           string // its hash
	unroll, maxCases int
	solver           string
}

// of returns the formulas of a System, and makes them if need be.
func (s *Encodings) of(ctx context.Context, sys *rules.System, opt Options) (*encoding, error) {
	if s == nil {
		s = &Encodings{}
	}
	e := s.find(about{sys.Hash(), opt.Unroll, opt.MaxCases, opt.Solver})
	err := e.once(ctx, func() (err error) {
		if e.enc == nil {
			err = e.make(ctx, sys, opt)
		}
		return err
	})
	if err == nil {
		s.forget()
	}
	return e, err
}

func (s *Encodings) find(a about) *encoding {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &encoding{about: a, turn: make(chan struct{}, 1)}
	if i := slices.IndexFunc(s.list, func(e *encoding) bool { return e.about == a }); i >= 0 {
		e = s.list[i]
		s.list = slices.Delete(s.list, i, i+1)
	}
	s.list = slices.Insert(s.list, 0, e)
	return e
}

// forget lets go of formulas that were not asked for lately. Sessions under way keep theirs.
func (s *Encodings) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := 0
	for i, e := range s.list {
		select {
		case e.turn <- struct{}{}:
			size += e.size
			<-e.turn
		default: // somebody works on it
		}
		if i > 0 && size > mostTerms {
			s.list = slices.Delete(s.list, i, len(s.list))
			return
		}
	}
}

// once does what all who share the formulas need. Others wait, and do it themselves if it fails:
// that may be for lack of time.
func (e *encoding) once(ctx context.Context, work func() error) error {
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
		return work()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// make encodes the System, and has the formulas examined.
func (e *encoding) make(ctx context.Context, sys *rules.System, opt Options) error {
	b := term.NewBuilder()
	enc, err := encode.New(sys, b, encode.Options{Unroll: opt.Unroll, MaxCases: opt.MaxCases, Stop: opt.stop(ctx, sys)})
	if err == nil && opt.Trial != nil {
		err = opt.Trial(sys, enc)
	}
	if err == nil {
		e.enc, e.size = enc, b.Size()
	}
	return err
}

// wellBehaved fails unless the System is known to be well behaved, or a solver shows it now.
func (s *session) wellBehaved() error {
	return s.common.once(s.ctx, func() error {
		if s.common.wellBehaved {
			return nil
		}
		sol, err := open(s.ctx, s.opt)
		if err != nil {
			return err
		}
		alone := newSession(s.ctx, s.sys, s.common, sol, s.opt)
		defer alone.end()
		err = alone.behavesWell()
		s.common.wellBehaved = err == nil
		return err
	})
}

// Parts of the reasons why a System is not well behaved.
const (
	longLoop = "a loop may run longer than it was unrolled"
	anyState = " in some state, reachable or not"
)

// behavesWell shows what every other answer relies on: from every state of the right shape, with
// any number of seeds, a step leads to a state of the right shape with as many seeds, no loop
// exceeds its unrolling, and the rules have no fault. These are lemmas from then on.
func (s *session) behavesWell() error {
	if _, found := s.enc.LongLoop(); found {
		return &ErrUnsure{Solver: "the encoding of the rules", Reason: longLoop + anyState}
	}
	st := s.enc.State("s")
	cases, err := s.enc.Cases(st)
	if err != nil {
		return err
	}
	s.assert(s.enc.Shape(st))
	for _, c := range cases { // many small questions are less work than a large one
		bad, err := s.enc.SomeCase([]encode.Case{c}, func(c encode.Case) (*term.Term, error) { return s.enc.Misbehaves(st, c), nil })
		if err == nil {
			err = s.never(bad, "a step makes or loses seeds")
		}
		if err != nil {
			return err
		}
	}
	if err := s.never(s.enc.Overrun(st), longLoop); err != nil {
		return err
	}
	return s.never(s.enc.Fault(st), "the rules may have a fault")
}
