// Command mancheck decides claims about sowing games. This package handles the command line, files
// and formats: it reads what the command line names, passes it to the packages that do the work,
// and writes what they find.
//
//	arguments ─cli.go─▶ command ─input─▶ System, Instance ─proofs, checker, interp─▶ result
//	                       └────────── report, term ◀─────────────────────────────────────┘
//
// There is one file for each command, but check.go has prove, count.go perft, survey.go sweep,
// init.go import and value.go best, too, and job.go the hidden task; and one in help with what is
// said about each.
// Results go to standard output; diagnostics, progress and notes go to standard error. With
// --format json, everything but progress goes into one object on standard output. session.go has
// what all commands share, and decide.go what the commands share that decide claims.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
)

func main() {
	// Writing to a closed pipe returns an error instead of killing the program, so that the session
	// can end it properly.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	limit.CollectSeldom(limit.Freely)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// grace is how long a command may take to end after it is interrupted or its budget is used up.
// concluding is how long it may take if it is already writing its results.
const (
	grace      = time.Second
	concluding = 10 * time.Second
)

// run runs the program and returns its exit status.
func run(args []string, in io.Reader, out, err io.Writer) int {
	line := term.NewProgress(err, out)
	ctx, stop := interruptible(line.Stop)
	defer stop()
	s := newSession(ctx, in, out, err, line)
	defer s.budget.Stop()
	s.args = args
	done := make(chan int, 1)
	go func() { done <- s.run(args) }()
	select {
	case code := <-done:
		return code
	case <-s.ctx.Done():
		return s.end(done)
	case <-s.budget.Burst():
		return s.leave()
	}
}

// run executes the command line. A panic is reported as an internal error.
func (s *session) run(args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			s.note("internal error, please report it: %v\n%s", fault, debug.Stack())
			code = exitFailed
		}
	}()
	return s.finish(s.command(args))
}

// end waits for an interrupted command to write what it has found. It abandons a command that does
// not react, such as one that waits for input.
func (s *session) end(done <-chan int) int {
	for _, patience := range []time.Duration{grace, concluding - grace} {
		select {
		case code := <-done:
			return code
		case <-s.budget.Burst():
			return s.leave()
		case <-time.After(patience):
		}
		if !s.concluding.Load() {
			break
		}
	}
	return s.leave()
}

// leave abandons the command, which may still be running. With --format json it writes what is
// known.
func (s *session) leave() int {
	file.Stop()
	s.progress.Stop() // the work may go on until the program ends
	s.abandon()
	s.interrupted()
	return exitInconclusive
}

// errInterrupted is the cause of a context that a signal has ended.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that ends at the first signal to end the program. The second
// signal kills the program after wiping the terminal. The function that it returns releases the
// signals.
func interruptible(wipe func()) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(signals, syscall.SIGHUP)
	}
	over := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel(errInterrupted)
		case <-over:
			return
		}
		select {
		case s := <-signals:
			wiped := make(chan struct{})
			go func() {
				wipe()
				close(wiped)
			}()
			select {
			case <-wiped:
			case <-time.After(100 * time.Millisecond): // the terminal may not take any text
			}
			die(s)
		case <-over:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(over)
		cancel(nil)
	}
}

// die ends the program as the signal does by default.
func die(s os.Signal) {
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(s) == nil {
		time.Sleep(100 * time.Millisecond) // delivery takes a moment, and the signal may be ignored
	}
	os.Exit(exitInconclusive)
}
