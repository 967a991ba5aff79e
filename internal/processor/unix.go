//go:build unix

// Package processor measures what this process has of the processors.
package processor

import (
	"syscall"
	"time"
)

// Time is the time that this process has had of the processors.
func Time() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
