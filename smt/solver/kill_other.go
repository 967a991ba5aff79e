//go:build !unix

package solver

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills the program alone.
func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // fails if it is gone, which is as good
}
