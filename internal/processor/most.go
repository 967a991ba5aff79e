//go:build unix

package processor

import (
	"runtime"
	"syscall"
)

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
