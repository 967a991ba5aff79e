package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

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
