package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// machine is where the figures come from.
type machine struct {
	cpu           string
	cores         int
	system        string
	date          string
	before, after string // load averages
}

func describe() machine {
	return machine{
		cpu: processor(), cores: runtime.NumCPU(), system: runtime.GOOS + "/" + runtime.GOARCH,
		date: time.Now().Format(time.DateOnly), before: load(),
	}
}

// processor is what Linux says that it is.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	field := func(name string) string {
		if f := regexp.MustCompile(`(?m)^` + name + `\s*:\s*(.*)$`).FindSubmatch(info); f != nil {
			return string(f[1])
		}
		return "unknown"
	}
	return fmt.Sprintf("%s (family %s, model %s, cache %s)", field("model name"), field("cpu family"), field("model"), field("cache size"))
}

// load is the load average of the last minute: how many processes wanted to run.
func load() string {
	avg, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(avg), " ")
	return one
}
