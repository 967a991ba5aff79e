//go:build unix

package cost

import (
	"syscall"
	"time"
)

// processor is the time that this process has had of the processors.
func processor() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
