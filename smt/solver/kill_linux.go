package solver

import "syscall"

// dieWithParent has the system kill the program when the thread that started it ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
