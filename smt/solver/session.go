package solver

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mancheck/mancheck/smt/term"
)

// session is a running solver: a process, or a context of Z3. After an error of any method except
// value it is of no use. Methods are called by one goroutine at a time.
type session interface {
	name() string
	assert(t *term.Term) error
	push() error
	pop() error
	// check returns soon after the context ends, with its cause as the error.
	check(ctx context.Context) (Answer, error)
	value(v *term.Term) (int, error) // of a variable in the model of the last check
	close()
}

// stack is a Solver on top of sessions. It keeps the assertions, so it can start a new session with
// all of them when the last one had to be stopped. A session that fails by itself is not repeated:
// it would fail again.
type stack struct {
	mu      sync.Mutex
	start   func(ctx context.Context) (session, error)
	label   string
	steps   uint32 // limit for a check; 0: none
	frames  [][]*term.Term
	session session // nil when none is running
	failed  error
	sat     bool // the last check's answer, of this session
}

// newStack starts the first session, so that the Solver has a name. If that fails, the Solver's
// answers say why.
func newStack(ctx context.Context, label string, steps uint32, start func(context.Context) (session, error)) *stack {
	s := &stack{start: start, label: label, steps: steps, frames: [][]*term.Term{nil}}
	if err := s.run(ctx); err != nil {
		s.stop(ctx, err)
	}
	return s
}

// Name returns the solver's name and version, or the command if it never ran.
func (s *stack) Name() string { return s.label }

// Assert adds an assertion.
func (s *stack) Assert(t *term.Term) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.frames) - 1
	s.frames[last] = append(s.frames[last], t)
	s.tell(func(r session) error { return r.assert(t) })
}

// Push marks the assertions so far, for Pop.
func (s *stack) Push() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, nil)
	s.tell(session.push)
}

// Pop drops the assertions since the last Push. Without a Push, the Solver fails.
func (s *stack) Pop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.frames) == 1 {
		s.fail(errors.New("more pops than pushes"))
		return
	}
	s.frames = s.frames[:len(s.frames)-1]
	s.tell(session.pop)
}

// tell passes a command on to the session, if one is running.
func (s *stack) tell(what func(session) error) {
	if s.session == nil {
		return
	}
	if err := what(s.session); err != nil {
		s.fail(err)
	}
}

// Check asks whether the assertions have a model. It starts a new session if the last was stopped.
func (s *stack) Check(ctx context.Context) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sat = false
	if s.failed == nil && ctx.Err() != nil {
		return Answer{Reason: ended(ctx)}
	}
	if err := s.run(ctx); err != nil {
		return s.stop(ctx, err)
	}
	answer, err := s.session.check(ctx)
	if err != nil {
		return s.stop(ctx, err)
	}
	s.sat = answer.Status == Sat
	if answer.Status == Unknown && s.steps > 0 {
		answer.Reason += fmt.Sprintf(" (%d steps are allowed)", s.steps)
	}
	return answer
}

// run makes sure that a session is running and has all the assertions.
func (s *stack) run(ctx context.Context) error {
	if s.failed != nil || s.session != nil {
		return s.failed
	}
	r, err := s.start(ctx)
	if err != nil {
		return err
	}
	s.session, s.label = r, r.name()
	return s.replay(r)
}

func (s *stack) replay(r session) error {
	for i, frame := range s.frames {
		if i > 0 {
			if err := r.push(); err != nil {
				return err
			}
		}
		for _, t := range frame {
			if err := r.assert(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// stop ends the session after err: for good, unless the context ended.
func (s *stack) stop(ctx context.Context, err error) Answer {
	if ctx.Err() != nil && s.failed == nil {
		s.drop()
		return Answer{Reason: ended(ctx)}
	}
	if errors.Is(err, errSteps) && s.failed == nil {
		s.drop()
		return Answer{Reason: fmt.Sprintf("%v (%d steps are allowed)", err, s.steps)}
	}
	s.fail(err)
	return Answer{Reason: s.failed.Error()}
}

// errSteps means that a session has used up its steps before it was asked anything.
var errSteps = errors.New("the limit of steps is reached")

// fail ends the session for good, and keeps the first reason.
func (s *stack) fail(err error) {
	s.drop()
	if s.failed == nil {
		s.failed = err
	}
}

func (s *stack) drop() {
	if s.session != nil {
		s.session.close()
	}
	s.session, s.sat = nil, false
}

// Values returns the variables' values in the last Check's model. Variables in no assertion are 0.
// It is an error if that Check was not Sat, or if a value does not fit an int.
func (s *stack) Values(vars []*term.Term) ([]int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.sat {
		return nil, errors.New("there is no model: the last check did not find one")
	}
	values := make([]int, len(vars))
	for i, v := range vars {
		if v.Op != term.Var {
			return nil, fmt.Errorf("%s is not a variable", v)
		}
		var err error
		if values[i], err = s.session.value(v); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Close ends the session; the Solver has failed after it.
func (s *stack) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail(errors.New("the solver is closed"))
}

// ended says why a context ended.
func ended(ctx context.Context) string {
	switch cause := context.Cause(ctx); cause {
	case context.DeadlineExceeded:
		return "time-out"
	case context.Canceled:
		return "interrupted"
	default:
		return cause.Error()
	}
}
