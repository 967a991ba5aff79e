package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// profile runs a case in a benchmark of cmd/mancheck, which the go command can profile: mancheck
// itself needs no flag for it.
func profile(chosen []benchmark) error {
	if len(chosen) != 1 || chosen[0].prepare != nil {
		return fmt.Errorf("-profile wants -case with one case that needs no preparation")
	}
	tags, err := exec.Command("scripts/tags").Output()
	if err != nil {
		return fmt.Errorf("scripts/tags: %w (run this in the root of the repository)", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	args := append([]string{"test"}, strings.Fields(string(tags))...)
	args = append(args, "-run", "^$", "-bench", "^BenchmarkCommand$", "-benchtime", "1x",
		"-cpuprofile", filepath.Join(root, "cpu.prof"), "-memprofile", filepath.Join(root, "mem.prof"),
		"-o", filepath.Join(root, "mancheck.test"), "./cmd/mancheck", "-args")
	cmd := exec.Command("go", append(args, chosen[0].args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	fmt.Println("go tool pprof -top mancheck.test cpu.prof\ngo tool pprof -top -sample_index=alloc_space mancheck.test mem.prof")
	return nil
}
