//go:build !unix

package solver

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills the program alone.
func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // fails only if it is already gone
}

// expect, watch and unwatch do nothing where there are no process groups.
func expect(*exec.Cmd)  {}
func watch(*exec.Cmd)   {}
func unwatch(*exec.Cmd) {}
