//go:build unix && !linux

package solver

import "syscall"

// dieWithParent does nothing where the system does not support it.
func dieWithParent(*syscall.SysProcAttr) {}

// killMarked does nothing where the system does not show the environment of processes.
func killMarked(string) {}
