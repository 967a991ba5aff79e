package forward

import (
	"bytes"
	"os"
	"strconv"
)

// fallbackMemory is the limit where the system does not say how much memory it has.
const fallbackMemory = 4 << 30

// DefaultMemory is two thirds of the memory that this process may have: the rest is for the program and for
// what the garbage collector has not given back yet.
func DefaultMemory() int64 {
	n := int64(fallbackMemory)
	if total := totalMemory(); total > 0 {
		n = total
	}
	if most := firstNumber("/sys/fs/cgroup/memory.max"); most > 0 {
		n = min(n, most)
	}
	return n / 3 * 2
}

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

func firstNumber(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return n
}
