// Command mancheck decides claims about sowing games. It does nothing but talk: it reads what the command line names,
// hands it to the packages that know, and writes down what they found.
//
//	arguments ─cli.go─▶ command ─internal/input─▶ System, Instance ─proofs, checker, interp─▶ result
//	                       └────────── internal/report, internal/term ◀──────────────────────────┘
//
// There is one file for each command. Results go to standard output, diagnostics, progress and notes to standard error; with
// --format json all but progress goes into one object on standard output. session.go has what the commands share.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program. A fault of the program itself is reported as such.
func run(args []string, in io.Reader, out, err io.Writer) (status int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(err, "mancheck: internal error, please report it: %v\n%s", fault, debug.Stack())
			status = exitFailed
		}
	}()
	ctx, stop := interruptible()
	defer stop()
	s := newSession(ctx, in, out, err)
	return s.finish(s.command(args))
}

// interruptible is done at the first interrupt; the second one kills, as if nobody had asked for signals.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
