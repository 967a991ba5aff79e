//go:build unix

// Package processor measures what this process has of the processors.
package processor

import (
	"runtime"
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

// Most is the most memory, in bytes, that this process has had at any time.
func Most() int64 {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(use.Maxrss) // elsewhere it is in units of 1024 bytes
	}
	return int64(use.Maxrss) << 10
}
