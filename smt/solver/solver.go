// Package solver asks solvers for models of formulas: Z3 in process through go-z3, or any program
// that reads SMT-LIB 2.
//
// A Solver keeps its assertions and lets a session do the work: a process (process.go) or a context
// of Z3 (inprocess_z3.go, built with the tag z3). A session can be dropped at any time, and is
// dropped when a context ends, because a busy solver may not stop otherwise. The next check starts
// a new one with the same assertions. A solver's output is accepted only if it has exactly the
// expected form; anything else makes the answer Unknown, with the reason.
package solver

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/smt/term"
)

// Status is a solver's answer.
type Status int

const (
	Unknown Status = iota // Answer.Reason says why
	Sat
	Unsat
)

// Answer is the result of a check. Reason explains Unknown: the solver's own words, a time-out, an
// interruption, a solver that died or printed invalid output.
type Answer struct {
	Status Status
	Reason string
}

// Solver holds a stack of assertions. A Solver that has failed answers Unknown from then on, with
// the reason; it never hangs past its context and never panics. A Solver stopped by a context has
// not failed: the next Check starts again with the same assertions.
type Solver interface {
	Name() string // for reports: "z3 4.8.12 (in process)", "cvc5 1.0.3"
	Assert(t *term.Term)
	Push()
	Pop()
	// Check asks whether the assertions have a model. The answer is Unknown if the context ends.
	Check(ctx context.Context) Answer
	// Values returns the values of variables in the model of the last Check, which was Sat (a Bool
	// as 0 or 1).
	Values(vars []*term.Term) ([]int, error)
	Close()
}

// arguments make known programs read SMT-LIB from a pipe.
var arguments = map[string][]string{
	"z3":   {"-in"},
	"cvc5": {"--incremental", "--produce-models"},
}

// NotInstalled is Open's error when a program is not installed.
type NotInstalled struct {
	Program string // "" if no known program is installed
}

func (e *NotInstalled) Error() string {
	if e.Program == "" {
		return "no solver is installed"
	}
	return e.Program + " is not installed"
}

// Help says what to install. It is short, since it ends a line with a verdict.
func (e *NotInstalled) Help() string {
	switch base := filepath.Base(e.Program); {
	case e.Program == "":
		return "install Z3 or cvc5"
	case arguments[base] != nil:
		return "install " + base
	}
	return "z3 and cvc5 are known by name"
}

// Possible says whether this program can have a solver at all: a browser starts no programs. It is
// a constant, so that the linker leaves out of the playground what only serves solvers.
const Possible = builtIn || runtime.GOOS != "js"

// Open opens the solver that spec names: "z3" in process if it is built in and otherwise as a
// program, "z3-process", "cvc5", or the command line of any program that reads SMT-LIB 2; "auto"
// and "" are z3, or else cvc5. The context limits the opening, not the Solver's life.
//
// The error is a *NotInstalled if there is no such program, or says what is wrong with spec. A
// program that does not work is no error: the Solver's answers say so.
func Open(ctx context.Context, spec string) (Solver, error) { return OpenLimited(ctx, spec, 0) }

// OpenLimited is Open for a Solver that abandons each check after the given number of steps; 0 is
// no limit. What a step is depends on the solver and its version, but the same question takes the
// same steps on every machine. A program without such a limit answers Unknown, with that reason.
func OpenLimited(ctx context.Context, spec string, steps uint32) (Solver, error) {
	if !Possible {
		return nil, &NotInstalled{}
	}
	switch spec {
	case "", "auto":
		return openFirst(ctx, steps)
	case "z3":
		if builtIn {
			return newStack(ctx, spec, steps, func(context.Context) (session, error) { return startInProcess(steps) }), nil
		}
	case "z3-process":
		spec = "z3"
	}
	words, err := split(spec)
	if err != nil {
		return nil, err
	}
	if more := arguments[filepath.Base(words[0])]; len(words) == 1 {
		words = append(words, more...)
	}
	return openProcess(ctx, words, steps)
}

// openFirst opens the first solver that is installed.
func openFirst(ctx context.Context, steps uint32) (Solver, error) {
	for _, spec := range []string{"z3", "cvc5"} {
		s, err := OpenLimited(ctx, spec, steps)
		if !errors.As(err, new(*NotInstalled)) {
			return s, err
		}
	}
	return nil, &NotInstalled{}
}

// openProcess opens a program.
func openProcess(ctx context.Context, command []string, steps uint32) (Solver, error) {
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, &NotInstalled{Program: command[0]}
	}
	start := func(ctx context.Context) (session, error) { return startProcess(ctx, command, steps) }
	return newStack(ctx, filepath.Base(command[0]), steps, start), nil
}

// Known are the specs of the solvers that Open knows by name.
var Known = []string{"z3", "z3-process", "cvc5"}

// External reports whether Open runs a program for spec.
func External(spec string) bool {
	return !builtIn || spec != "" && spec != "auto" && spec != "z3"
}

// Others yields the solvers at hand except the one named first: those known by name, and that of
// spec. Solvers are told apart by name and version, so a program that does not give its version is
// left out. The Solver is closed when the caller goes on.
func Others(ctx context.Context, first, spec string) iter.Seq[Solver] {
	return func(yield func(Solver) bool) {
		seen := []string{identity(first)}
		for _, spec := range append(slices.Clone(Known), spec) {
			s, err := Open(ctx, spec)
			if err != nil {
				continue
			}
			id := identity(s.Name())
			more := slices.Contains(seen, id) || !strings.Contains(id, " ") || yield(s)
			if s.Close(); !more {
				return
			}
			seen = append(seen, id)
		}
	}
}

// inProcessMark ends the name of a Z3 that is built in.
const inProcessMark = " (in process)"

// identity is the name and version of a solver, however it is run.
func identity(name string) string { return strings.TrimSuffix(name, inProcessMark) }

// Version returns the name and version of the solver that Open opens for spec, with Open's errors.
// A Z3 that is built in is not started for that.
func Version(ctx context.Context, spec string) (string, error) {
	if !External(spec) {
		return inProcessName(), nil
	}
	s, err := Open(ctx, spec)
	if err != nil {
		return "", err
	}
	defer s.Close()
	return s.Name(), nil
}

// split splits a command line into words as a shell does: quotes and backslashes keep spaces in a
// word.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inside, escaped := false, false
	for _, c := range line {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			inside, escaped = true, true
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			inside, quote = true, c
		case quote == 0 && strings.ContainsRune(" \t\n", c):
			if inside {
				words = append(words, word.String())
				word.Reset()
			}
			inside = false
		default:
			inside = true
			word.WriteRune(c)
		}
	}
	if inside {
		words = append(words, word.String())
	}
	if quote != 0 || escaped || len(words) == 0 {
		return nil, fmt.Errorf("%q is not a command line", line)
	}
	return words, nil
}
