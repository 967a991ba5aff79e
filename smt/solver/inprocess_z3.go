//go:build z3 && cgo

package solver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mitchellh/go-z3"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/smt/term"
)

// builtIn reports whether Z3 is linked into this program.
const builtIn = true

// grace is how long a check may take to stop when it is interrupted: less than the command waits
// for its results. One that does not stop is
// abandoned: it keeps its thread and memory for as long as it runs.
const grace = 500 * time.Millisecond

// inProcess is a session with Z3 in this process. Memory allocated by Z3 is freed only with the
// context, so sessions are best short.
//
// Without an error handler Z3 ends the program at an error. Our handler records the error and the
// call returns nil, which must not be passed on. So err is checked after every call that may fail.
type inProcess struct {
	context *z3.Context
	solver  *z3.Solver
	handle  handle
	model   *z3.Model // of the last check, or nil
	terms   map[*term.Term]*z3.AST
	err     error         // the first error that Z3 reported
	running chan z3.LBool // receives the answer of a check that did not stop
}

// startInProcess makes a context; nothing in it can take long.
func startInProcess(steps uint32) (session, error) {
	config := z3.NewConfig()
	defer config.Close()
	if steps > 0 {
		config.SetParamValue("rlimit", strconv.FormatUint(uint64(steps), 10))
	}
	z := &inProcess{context: z3.NewContext(config), terms: map[*term.Term]*z3.AST{}}
	if z.context.Z3Value() == nil {
		return nil, errors.New("z3 does not start: there is not enough memory")
	}
	z.context.SetErrorHandler(func(c *z3.Context, code z3.ErrorCode) {
		if z.err == nil {
			z.err = fmt.Errorf("z3 reports an error: %s", c.Error(code))
		}
	})
	z.solver = z.context.NewSolver()
	z.handle = handleOf(z.context, z.solver)
	z.handle.leaveSignals()
	return z, z.err
}

func (z *inProcess) name() string { return inProcessName() }

func inProcessName() string { return "z3 " + z3Version() + inProcessMark }

func (z *inProcess) push() error {
	z.handle.push()
	return z.err
}

func (z *inProcess) pop() error {
	z.handle.pop()
	return z.err
}

func (z *inProcess) assert(t *term.Term) error {
	ast, err := z.build(t)
	if err != nil {
		return err
	}
	z.solver.Assert(ast)
	return z.err
}

// build translates t to Z3, reusing the terms that were made before.
func (z *inProcess) build(t *term.Term) (*z3.AST, error) {
	made := func(t *term.Term) bool { return z.terms[t] != nil }
	for _, sub := range term.Nodes(made, t) {
		ast := z.translate(sub)
		if z.err != nil {
			return nil, z.err
		}
		z.terms[sub] = ast
	}
	return z.terms[t], nil
}

// translate makes a term whose arguments have been made.
func (z *inProcess) translate(t *term.Term) *z3.AST {
	if len(t.Args) == 0 {
		return z.leaf(t)
	}
	first := z.terms[t.Args[0]]
	rest := lists.Map(t.Args[1:], func(a *term.Term) *z3.AST { return z.terms[a] })
	switch t.Op {
	case term.Not:
		return first.Not()
	case term.And:
		return first.And(rest...)
	case term.Or:
		return first.Or(rest...)
	case term.Eq:
		return first.Eq(rest[0])
	case term.Le:
		return first.Le(rest[0])
	case term.Lt:
		return first.Lt(rest[0])
	case term.Add:
		return first.Add(rest...)
	case term.Mul:
		return z.number(t.Value).Mul(first)
	default: // Ite
		return first.Ite(rest[0], rest[1])
	}
}

// leaf makes a constant or a variable.
func (z *inProcess) leaf(t *term.Term) *z3.AST {
	switch {
	case t.Op == term.Var && t.Sort == term.Bool:
		return z.context.Const(z.context.Symbol(t.Name), z.context.BoolSort())
	case t.Op == term.Var:
		return z.context.Const(z.context.Symbol(t.Name), z.context.IntSort())
	case t.IsTrue():
		return z.context.True()
	case t.IsFalse():
		return z.context.False()
	}
	return z.number(t.Value)
}

// number makes an integer. go-z3 takes at most 32 bits; a larger one is a sum of parts, which Z3
// adds up.
func (z *inProcess) number(n int) *z3.AST {
	const part = 1 << 30
	sort := z.context.IntSort()
	if -part < n && n < part {
		return z.context.Int(n, sort)
	}
	return z.number(n / part).Mul(z.context.Int(part, sort)).Add(z.context.Int(n%part, sort))
}

// check runs Z3 in a goroutine of its own, so that it can be interrupted.
func (z *inProcess) check(ctx context.Context) (Answer, error) {
	z.forgetModel()
	result := make(chan z3.LBool, 1)
	go func() { result <- z.solver.Check() }()
	select {
	case <-ctx.Done():
		z.interrupt(result)
		return Answer{}, context.Cause(ctx)
	case answer := <-result:
		return z.answer(answer)
	}
}

// interrupt stops a check, or abandons it after the grace period.
func (z *inProcess) interrupt(result chan z3.LBool) {
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	end := time.After(grace)
	for {
		z.handle.interrupt()
		select {
		case <-result:
			return
		case <-end:
			z.running = result
			return
		case <-again.C:
		}
	}
}

// answer takes the model or the reason for Z3's answer.
func (z *inProcess) answer(result z3.LBool) (Answer, error) {
	if z.err != nil {
		return Answer{}, z.err
	}
	switch result {
	case z3.True:
		z.model = z.solver.Model()
		return Answer{Status: Sat}, z.err
	case z3.False:
		return Answer{Status: Unsat}, nil
	}
	return Answer{Reason: "z3 gives up: " + z.handle.reasonUnknown()}, z.err
}

func (z *inProcess) forgetModel() {
	if z.model != nil {
		z.model.Close()
	}
	z.model = nil
}

// value evaluates a variable in the model; one that Z3 does not know is 0.
func (z *inProcess) value(v *term.Term) (int, error) {
	n, err := z.evaluate(v)
	if err != nil {
		err = fmt.Errorf("z3 gives no value to %s: %w", v.Name, err)
	}
	return n, err
}

// evaluate reads a value as text since go-z3 reads numbers as 32 bits, and larger ones as 0.
func (z *inProcess) evaluate(v *term.Term) (int, error) {
	ast, err := z.build(v)
	if err != nil {
		return 0, err
	}
	found := z.model.Eval(ast)
	if z.err != nil {
		return 0, z.err
	}
	if found == nil {
		return 0, errors.New("the model has no value for it")
	}
	s, err := newReader(strings.NewReader(found.String())).read()
	if err != nil {
		return 0, err
	}
	return value(s)
}

// close frees the context as soon as no check uses it.
func (z *inProcess) close() {
	if z.running == nil {
		z.free()
		return
	}
	go func() {
		<-z.running
		z.free()
	}()
}

func (z *inProcess) free() {
	z.forgetModel()
	if z.solver != nil {
		z.solver.Close()
	}
	z.context.Close()
}
