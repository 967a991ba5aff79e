//go:build unix

package solver

import (
	"crypto/rand"
	_ "embed" // the shell's program
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// markVariable is in the environment of a solver, and so of all that it starts. Its value is
// different for each.
const markVariable = "MANCHECK_SOLVER"

// ownGroup makes the program the first of a process group, which can be killed as a whole and does
// not see the terminal's Ctrl-C. What leaves the group is known by a mark.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(os.Environ(), markVariable+"="+rand.Text())
	dieWithParent(cmd.SysProcAttr)
}

// killGroup kills the program's process group, and what has left it.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails only if no process is left
	killMarked(markOf(cmd))
}

func markOf(cmd *exec.Cmd) string { return cmd.Env[len(cmd.Env)-1] }

// guard is a shell that outlives this program just long enough to kill the process groups that
// remain, and what has left them, even if this program is killed. It notices the end of this
// program as the end of its input.
type guard struct {
	once sync.Once
	mu   sync.Mutex
	in   *os.File // nil without a shell
}

var theGuard guard

// shell reads lines: + with a mark and the group to kill at the end, 0 before there is one; and -
// with a mark to spare. A mark is never empty: grep would find it everywhere. Where there is no
// /proc, marks find nothing.
//
//go:embed kill.sh
var shell string

// start starts the shell. Without a shell only the programs themselves are killed with this one, on
// systems that support it.
func (g *guard) start() {
	read, write, err := os.Pipe()
	if err != nil {
		return
	}
	defer read.Close()
	cmd := exec.Command("/bin/sh", "-c", shell)
	cmd.Stdin, cmd.Dir, cmd.Env = read, "/", []string{"PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Start() != nil {
		write.Close()
		return
	}
	_ = cmd.Process.Release() // it ends later, so it is not waited for
	g.in = write
}

func (g *guard) tell(what string, cmd *exec.Cmd, group int) {
	g.once.Do(g.start)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.in != nil {
		_, _ = fmt.Fprintf(g.in, "%s %s %d\n", what, markOf(cmd), group) // fails only if the shell was killed
	}
}

// expect makes sure that a program that is about to start, and then watch that its group, does not
// outlive this program.
func expect(cmd *exec.Cmd) { theGuard.tell("+", cmd, 0) }
func watch(cmd *exec.Cmd)  { theGuard.tell("+", cmd, cmd.Process.Pid) }

// unwatch removes what was killed, since the number of the group may be reused.
func unwatch(cmd *exec.Cmd) { theGuard.tell("-", cmd, 0) }
