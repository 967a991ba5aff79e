package solver

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// dieWithParent has the system kill the program when the thread that started it ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// killMarked kills all processes that have a mark in their environment. What a program starts
// inherits it, also where that goes to a session of its own. While some are killed they may start
// others, so it looks again until there are none; what cannot be killed is left after a few times.
func killMarked(mark string) {
	for range 10 {
		found := false
		list, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range list {
			text, err := os.ReadFile(path)
			if err != nil || !bytes.Contains(append([]byte{0}, text...), []byte("\x00"+mark+"\x00")) {
				continue // another user's, or gone
			}
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
				found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
			}
		}
		if !found {
			return
		}
	}
}
