//go:build !unix

package solver

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills the program alone.
func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // fails if it is gone, which is as good
}

// watch and unwatch do nothing where nobody can be left to kill a group.
func watch(*exec.Cmd)   {}
func unwatch(*exec.Cmd) {}
