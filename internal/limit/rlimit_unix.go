//go:build unix

package limit

import "syscall"

// addressSpace is the limit of the process' address space, less what the Go runtime reserves
// without using it; 0 if there is none.
func addressSpace() int64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) != nil || r.Cur == 0 || uint64(r.Cur) >= 1<<60 {
		return 0
	}
	return max(int64(r.Cur)-reserved, int64(r.Cur)/4)
}

const reserved = 1 << 30
