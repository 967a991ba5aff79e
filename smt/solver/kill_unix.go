//go:build unix

package solver

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// ownGroup makes the program the first of a process group, which can be killed as a whole and does
// not see the terminal's Ctrl-C.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

// killGroup kills the program's process group.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails only if no process is left
}

// guard is a shell that outlives this program just long enough to kill the process groups that
// remain, even if this program is killed. It notices the end of this program as the end of its
// input.
type guard struct {
	once sync.Once
	mu   sync.Mutex
	in   *os.File // nil without a shell
}

var theGuard guard

// shell reads lines: + and a group to kill at the end, - and one to spare.
const shell = `trap '' HUP INT QUIT TERM
groups=
while read -r what group; do
	rest=
	for g in $groups; do
		[ "$g" = "$group" ] || rest="$rest $g"
	done
	groups=$rest
	[ "$what" = - ] || groups="$groups $group"
done
for g in $groups; do
	kill -9 "-$g"
done 2>/dev/null`

// start starts the shell. Without a shell only the programs themselves are killed with this one, on
// systems that support it.
func (g *guard) start() {
	read, write, err := os.Pipe()
	if err != nil {
		return
	}
	defer read.Close()
	cmd := exec.Command("/bin/sh", "-c", shell)
	cmd.Stdin, cmd.Dir, cmd.Env = read, "/", []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Start() != nil {
		write.Close()
		return
	}
	_ = cmd.Process.Release() // it ends later, so it is not waited for
	g.in = write
}

func (g *guard) tell(what string, cmd *exec.Cmd) {
	g.once.Do(g.start)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.in != nil {
		_, _ = fmt.Fprintf(g.in, "%s %d\n", what, cmd.Process.Pid) // fails only if the shell was killed
	}
}

// watch makes sure that the program's group does not outlive this program.
func watch(cmd *exec.Cmd) { theGuard.tell("+", cmd) }

// unwatch removes a group that was killed, since its number may be reused.
func unwatch(cmd *exec.Cmd) { theGuard.tell("-", cmd) }
