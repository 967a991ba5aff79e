package dispatch

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// chaos injects faults into a job.
type chaos struct {
	t    *testing.T
	r    *rand.Rand
	dir  string
	done map[string]int // number of faults, by kind

	program                string // whose processes are killed
	workerRole, driverRole string // their first arguments
}

func newChaos(t *testing.T, seed uint64, dir string) *chaos {
	t.Logf("seed %d", seed)
	return &chaos{
		t: t, r: rand.New(rand.NewPCG(seed, 0)), dir: dir, done: map[string]int{},
		program: os.Args[0], workerRole: "serve", driverRole: "drive",
	}
}

// objects lists the objects of a kind.
func (c *chaos) objects(kind string) (list []string) {
	_ = filepath.WalkDir(filepath.Join(c.dir, kind), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			list = append(list, path)
		}
		return nil // it may have been removed in the meantime
	})
	return list
}

// damage damages a file, which may have been removed in the meantime.
func (c *chaos) damage(kind string) {
	list := c.objects(kind)
	if len(list) == 0 {
		return
	}
	path := list[c.r.IntN(len(list))]
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return
	}
	what := c.r.IntN(5)
	switch what {
	case 0:
		err = os.Remove(path)
	case 1:
		err = os.Truncate(path, int64(len(text)/2))
	case 2:
		text[c.r.IntN(len(text))] ^= 1 << c.r.IntN(8)
		err = os.WriteFile(path, text, 0o666)
	case 3: // a copy under another name
		err = os.WriteFile(path+".copy", text, 0o666)
	case 4: // a copy in place of another object
		err = os.WriteFile(list[c.r.IntN(len(list))], text, 0o666)
	}
	if err == nil {
		c.done[[]string{"removed", "truncated", "flipped", "copied", "replaced"}[what]+" "+kind]++
	}
}

// processes lists the processes of the program in a role.
func (c *chaos) processes(role string) (list []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		line, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		args := strings.Split(string(line), "\x00")
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && len(args) > 2 && args[0] == c.program && args[1] == role && slices.Contains(args, c.dir) {
			list = append(list, pid)
		}
	}
	return list
}

// kill kills one of these processes.
func (c *chaos) kill(role string) {
	if list := c.processes(role); len(list) > 0 && syscall.Kill(list[c.r.IntN(len(list))], syscall.SIGKILL) == nil {
		c.done["killed "+role]++
	}
}

// local injects n faults into a job with two drivers on this machine. Killed drivers are started
// again. It returns when both drivers have ended.
func (c *chaos) local(n int, start func() *exec.Cmd) {
	ended := make(chan error, 100)
	begin := func() {
		cmd := start()
		go func() { ended <- cmd.Wait() }()
	}
	begin()
	begin()
	for running, did := 2, 0; running > 0; {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
				begin()
				continue
			}
			if running--; err != nil {
				c.t.Errorf("a driver failed: %v", err)
			}
		case <-time.After(40 * time.Millisecond):
			if did++; did > n {
				continue
			}
			c.damage([]string{"block", "block", "receipt", "phase"}[c.r.IntN(4)])
			switch c.r.IntN(6) {
			case 0, 1:
				c.kill(c.workerRole)
			case 2:
				c.kill(c.driverRole)
			}
		}
	}
	c.t.Log(c.done)
}
