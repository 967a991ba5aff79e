// Command mancheck decides claims about sowing games. It does nothing but talk: it reads what the
// command line names, hands it to the packages that know, and writes down what they found.
//
//	arguments ─cli.go─▶ command ─input─▶ System, Instance ─proofs, checker, interp─▶ result
//	                       └────────── report, term ◀─────────────────────────────────────┘
//
// There is one file for each command, and one in help for what --help says of it. Results go to
// standard output, diagnostics, progress and notes to standard error; with --format json all but
// progress goes into one object on standard output. session.go has what the commands share, and
// decide.go what those share that decide claims.
package main

import (
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
)

func main() {
	// A pipe that nobody reads is an error of writing, which the session sees.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	limit.CollectSeldom(limit.Freely)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// grace is how long a command may take to come to an end when it is interrupted or has used up its
// budget, and concluding how long one that is just writing down what it found.
const (
	grace      = time.Second
	concluding = 10 * time.Second
)

// run is the whole program.
func run(args []string, in io.Reader, out, err io.Writer) int {
	ctx, stop := interruptible()
	defer stop()
	s := newSession(ctx, in, out, err)
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

// run carries the command line out. A fault of the program itself is reported as such.
func (s *session) run(args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			s.note("internal error, please report it: %v\n%s", fault, debug.Stack())
			code = exitFailed
		}
	}()
	return s.finish(s.command(args))
}

// end gives an interrupted command time to say what it found. One that does not listen, as it waits
// for its input, is left where it is.
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

// leave leaves the work where it is.
func (s *session) leave() int {
	file.Stop()
	s.interrupted()
	return exitInconclusive
}
