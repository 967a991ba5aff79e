//go:build unix

package solver

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the first of a process group, which can be killed as a whole and does not see the terminal's Ctrl-C.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the program's process group.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails if nobody is left, which is as good
}
