package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// way prints how many functions are called when the thesis is checked, and in which packages.
func way() error {
	folder, err := os.MkdirTemp("", "way")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program, data := filepath.Join(folder, "mancheck"), filepath.Join(folder, "cover")
	if err := os.Mkdir(data, 0o777); err != nil {
		return err
	}
	if _, err := output(nil, "go", "build", "-cover", "-coverpkg="+module+"/...", "-o", program, "./cmd/mancheck"); err != nil {
		return err
	}
	if _, err := output([]string{"GOCOVERDIR=" + data}, program, "check", "examples/dose2015.sow", "--claim", "thesis"); err != nil {
		return err
	}
	out, err := output(nil, "go", "tool", "covdata", "func", "-i="+data)
	if err != nil {
		return err
	}
	called := map[string]int{} // by package
	all := 0
	for line := range strings.Lines(string(out)) {
		place, rest, found := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if !found || !strings.HasPrefix(place, module) || fields[len(fields)-1] == "0.0%" {
			continue
		}
		all++
		called[strings.TrimPrefix(filepath.Dir(place), module+"/")]++
	}
	order := slices.SortedFunc(maps.Keys(called), func(a, b string) int { return cmp.Or(called[b]-called[a], strings.Compare(a, b)) })
	five := 0
	for _, p := range order {
		if called[p] >= 5 {
			five++
		}
		fmt.Printf("%7d %s\n", called[p], p)
	}
	fmt.Printf("%7d functions, %d packages, %d packages with five or more\n", all, len(order), five)
	return nil
}

func output(env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, &stderr)
	}
	return out, nil
}
