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
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails if nobody is left, which is as good
}

// guard is a shell that outlives this program just long enough to kill the process groups that are
// left behind. Nothing in this program could do that when it is killed itself. It sees the end of
// its input then, however that came.
type guard struct {
	once sync.Once
	mu   sync.Mutex
	in   *os.File // nil: there is no shell
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

// start starts the shell. Without one only the programs themselves die with this one, where the
// system sees to that.
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
	_ = cmd.Process.Release() // nobody waits for what ends later
	g.in = write
}

func (g *guard) tell(what string, cmd *exec.Cmd) {
	g.once.Do(g.start)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.in != nil {
		_, _ = fmt.Fprintf(g.in, "%s %d\n", what, cmd.Process.Pid) // fails if somebody killed the shell
	}
}

// watch sees to it that the program's group does not outlive this program.
func watch(cmd *exec.Cmd) { theGuard.tell("+", cmd) }

// unwatch is for a group that was killed: another may have its number next.
func unwatch(cmd *exec.Cmd) { theGuard.tell("-", cmd) }
