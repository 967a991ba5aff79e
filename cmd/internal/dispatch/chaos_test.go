package dispatch

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// chaos does harm to a job.
type chaos struct {
	t    *testing.T
	r    *rand.Rand
	dir  string
	done map[string]int // how often what was done
}

func newChaos(t *testing.T, seed uint64, dir string) *chaos {
	t.Logf("seed %d", seed)
	return &chaos{t, rand.New(rand.NewPCG(seed, 0)), dir, map[string]int{}}
}

// objects lists the files of a kind.
func (c *chaos) objects(kind string) (list []string) {
	_ = filepath.WalkDir(filepath.Join(c.dir, kind), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			list = append(list, path)
		}
		return nil // what is gone meanwhile is gone
	})
	return list
}

// damage does harm to a file, which may be gone meanwhile.
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
	case 3: // twice
		err = os.WriteFile(path+".copy", text, 0o666)
	case 4: // in the place of another one
		err = os.WriteFile(list[c.r.IntN(len(list))], text, 0o666)
	}
	if err == nil {
		c.done[[]string{"removed", "truncated", "flipped", "copied", "replaced"}[what]+" "+kind]++
	}
}

// processes lists the processes of the test program in a role.
func (c *chaos) processes(role string) (list []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		line, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		args := strings.Split(string(line), "\x00")
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && len(args) > 2 && args[0] == os.Args[0] && args[1] == role && args[2] == c.dir {
			list = append(list, pid)
		}
	}
	return list
}

// kill ends such a process at once.
func (c *chaos) kill(role string) {
	if list := c.processes(role); len(list) > 0 && syscall.Kill(list[c.r.IntN(len(list))], syscall.SIGKILL) == nil {
		c.done["killed "+role]++
	}
}

// log says what was done.
func (c *chaos) log() {
	c.t.Log(fmt.Sprint(c.done))
}
