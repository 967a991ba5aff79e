package main

import (
	"fmt"
	"strings"
)

// emission is the value of --emit: the folder for files of a format.
type emission struct{ format, dir string }

// The formats of files.
const (
	smt2  = "smt2"
	inCoq = "coq"
)

// UnmarshalText reads smt2:DIR or coq:DIR, the forms with one word.
func (e *emission) UnmarshalText(text []byte) error {
	format, dir, _ := strings.Cut(string(text), ":")
	if format != smt2 && format != inCoq || dir == "" {
		return fmt.Errorf("%q: write --emit smt2 DIR or --emit coq DIR", text)
	}
	e.format, e.dir = format, dir
	return nil
}

// joinEmit turns `--emit smt2 DIR` or `--emit coq DIR` on the command line of certify into one
// word, because the parser takes one word as the value of a flag.
func joinEmit(args []string) []string {
	if len(args) == 0 || args[0] != "certify" {
		return args
	}
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if rest := args[i+1:]; arg == "--emit" && len(rest) > 1 && (rest[0] == smt2 || rest[0] == inCoq) {
			joined := append(args[:i:i], "--emit="+rest[0]+":"+rest[1])
			return append(joined, rest[2:]...)
		}
	}
	return args
}
