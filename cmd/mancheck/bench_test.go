package main

import (
	"flag"
	"io"
	"strings"
	"testing"
)

// BenchmarkCommand runs the command line behind -args, from the root of the repository: a way to
// profile any command with the flags of go test. `make profile` uses it.
func BenchmarkCommand(b *testing.B) {
	args := flag.Args()
	if len(args) == 0 {
		b.Skip("no command line behind -args")
	}
	b.Chdir("../..")
	for b.Loop() {
		var errs strings.Builder
		if code := run(args, strings.NewReader(""), io.Discard, &errs); code == exitFailed {
			b.Fatal(errs.String())
		}
	}
}
