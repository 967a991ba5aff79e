// Package coq writes Systems, claims and certificates as terms of Coq, for the definitions and
// theorems of the .v files beside it.
//
// Kernel.v defines what docs/kernel.md says. This package is the bridge to it: it writes a System
// as it is, construct by construct, and simplifies nothing, so that it can be compared with the
// canonical text by eye. Tests let Coq and the reference interpreter play the same Systems.
//
//	coq.go      the .v files, and the one for a certificate
//	sizes.go    claims about every size of the board
//	theorem.go  a claim with its evidence, and the theorem that is applied to them
//	system.go   a System
//	text.go     statements, with their order and indentation; expressions, numbers and lists
package coq

import (
	"context"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/proofs/cert"
)

// theory is the definitions and theorems, and a Makefile that compiles them.
//
//go:embed *.v Makefile
var theory embed.FS

// EachNeeded calls write for each file of the theory that a file needs which Theorem has written,
// and for a Makefile that compiles them and what is beside them.
func EachNeeded(text []byte, write func(name string, text []byte) error) error {
	names := []string{"Makefile"}
	for queue := [][]byte{text}; len(queue) > 0; queue = queue[1:] {
		for _, line := range required.FindAllSubmatch(queue[0], -1) {
			for _, module := range strings.Fields(string(line[1])) {
				name := module + ".v"
				if slices.Contains(names, name) {
					continue
				}
				text, err := theory.ReadFile(name)
				if err != nil {
					return err
				}
				names, queue = append(names, name), append(queue, text)
			}
		}
	}
	return eachOf(names, write)
}

// required finds the modules that a file imports.
var required = regexp.MustCompile(`(?m)^From Mancheck Require (?:Import )?([A-Za-z_0-9\s]+)\.`)

func eachOf(names []string, write func(name string, text []byte) error) error {
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

// Theorem writes a file for Coq with the System, the claim and the evidence of a certificate, and a
// theorem that says what is certified. Its proof is a computation on the evidence. The error is a
// *NoCounterpart where the theory has no theorem for it, one of cert.Certificate.Content, or the
// context's.
func Theorem(ctx context.Context, c *cert.Certificate) ([]byte, error) {
	content, err := c.Content(ctx)
	if err != nil {
		return nil, err
	}
	t := newTheorem(content, Identifier(c.Claim.Name), c.Verdict)
	text := t.file(c)
	return []byte(text), t.err
}

func (t *theorem) file(c *cert.Certificate) string {
	if t.Sizes != nil {
		return t.everySize(c)
	}
	var b strings.Builder
	statement := t.proved(&b)
	fmt.Fprintf(&b, "\nPrint Assumptions %s.\n", statement)
	return comment(heading(c)) + "\n" + Preamble("Kernel", "Claims", "Evidence", t.module) + "\n" + b.String()
}
