package limit

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
)

// fallback is the limit where the system does not say how much memory it has.
const fallback = 4 << 30

// DefaultMemory is two thirds of the memory that this process may have: the rest is for the program
// and for what the garbage collector has not given back yet. It is read once: a search of a small
// game takes less time than reading it.
var DefaultMemory = sync.OnceValue(func() int64 {
	n := int64(math.MaxInt64)
	for _, most := range []int64{totalMemory(), controlGroups("/proc/self/cgroup", "/sys/fs/cgroup"), addressSpace()} {
		if most > 0 {
			n = min(n, most)
		}
	}
	if n == math.MaxInt64 {
		n = fallback
	}
	return n / 3 * 2
})

// totalMemory reads the size of memory where Linux reports it; 0 if it is not known.
func totalMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 || string(fields[0]) != "MemTotal:" {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return kilobytes << 10
}

// controlGroups is the least limit of the control groups that a process is in, by version 2 or 1,
// or 0. In a container the group's own folder is often the root.
func controlGroups(membership, root string) int64 {
	least := int64(0)
	limit := func(file string) {
		if n := firstNumber(file); n > 0 && n < 1<<60 && (least == 0 || n < least) {
			least = n
		}
	}
	text, _ := os.ReadFile(membership)
	groups := [][2]string{{"", "/"}, {"memory", "/"}}
	for line := range bytes.Lines(text) {
		parts := bytes.SplitN(bytes.TrimSpace(line), []byte(":"), 3)
		if len(parts) != 3 {
			continue
		}
		switch path := string(parts[2]); {
		case len(parts[1]) == 0:
			groups = append(groups, [2]string{"", path})
		case bytes.Contains(parts[1], []byte("memory")):
			groups = append(groups, [2]string{"memory", path})
		}
	}
	for _, g := range groups {
		for dir := filepath.Clean("/" + g[1]); ; dir = filepath.Dir(dir) {
			limit(filepath.Join(root, g[0], dir, "memory.max"))
			limit(filepath.Join(root, g[0], dir, "memory.high"))
			limit(filepath.Join(root, g[0], dir, "memory.limit_in_bytes"))
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	return least
}

func firstNumber(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return n
}

// Resident returns the memory in use by this process and its children, without the pages of files,
// which the system takes back when it needs them. Where the system does not report it, it is what
// the Go runtime has taken.
func Resident() int64 {
	n := residentOf("self")
	if n == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.Sys - m.HeapReleased)
	}
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, pid := range bytes.Fields(text) {
			n += residentOf(string(pid))
		}
	}
	return n
}

// residentOf reads the resident memory of a process from Linux; 0 if it is not known.
func residentOf(pid string) int64 {
	text, err := os.ReadFile("/proc/" + pid + "/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 3 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	ofFiles, _ := strconv.ParseInt(string(fields[2]), 10, 64)
	return (pages - ofFiles) * int64(os.Getpagesize())
}
