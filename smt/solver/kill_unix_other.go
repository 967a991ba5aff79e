//go:build unix && !linux

package solver

import "syscall"

// dieWithParent does nothing where the system knows nothing of the kind.
func dieWithParent(*syscall.SysProcAttr) {}
