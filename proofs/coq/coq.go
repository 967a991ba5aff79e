// Package coq writes Systems, claims and certificates as terms of Coq, for the definitions and
// theorems of the .v files beside it.
//
// Kernel.v defines what docs/kernel.md says. This package is the bridge to it: it writes a System
// as it is, construct by construct, and simplifies nothing, so that it can be compared with the
// canonical text by eye. Tests let Coq and the reference interpreter play the same Systems.
//
//	coq.go     the .v files
//	system.go  a System
//	stmt.go    statements, with their order and indentation
//	expr.go    expressions
//	term.go    numbers, lists and comments
package coq

import (
	"embed"
	"fmt"
	"io/fs"
)

// theory is the definitions and theorems, and a Makefile that compiles them.
//
//go:embed *.v Makefile
var theory embed.FS

// EachFile calls write for each file of the theory: definitions and theorems, and a Makefile that
// compiles them and what is beside them.
func EachFile(write func(name string, text []byte) error) error {
	names, err := fs.Glob(theory, "*")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := theory.ReadFile(name)
		if err == nil {
			err = write(name, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// NoCounterpart is the error for a part of a System or claim that the theory in Coq does not have.
type NoCounterpart struct{ What string }

func (e *NoCounterpart) Error() string { return "Coq's kernel has no " + e.What }

func without(format string, args ...any) *NoCounterpart {
	return &NoCounterpart{fmt.Sprintf(format, args...)}
}
