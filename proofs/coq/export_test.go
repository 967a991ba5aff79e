package coq

import (
	"io"
	"io/fs"
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// EachFile calls write for each file of the theory: definitions and theorems, and a Makefile that
// compiles them and what is beside them.
func EachFile(write func(name string, text []byte) error) error {
	names, err := fs.Glob(theory, "*")
	if err != nil {
		return err
	}
	return eachOf(names, write)
}

// System writes the definition of a System with a name, and of its parts, whose names are lap_0,
// relation_0, domain_0, action_0, reaction_0 and so on. Several Systems need modules of their own.
// The error is a *NoCounterpart, or that of the writer.
func System(out io.Writer, name string, sys *rules.System) error {
	w := newWriter(sys)
	text := w.system(name)
	if w.err != nil {
		return w.err
	}
	_, err := io.WriteString(out, text)
	return err
}

// Condition writes a condition of a claim about a System, as an argument.
func Condition(sys *rules.System, x rules.Expr) (string, error) {
	w := newWriter(sys)
	text := w.expr(x)
	return text, w.err
}

// Family writes the definition of a family with a name, and of its parts, as System does.
func Family(out io.Writer, name string, f *family.Family) error {
	w := newWriter(f.Base)
	var b strings.Builder
	w.family(&b, name, name+"_base", f)
	if w.err != nil {
		return w.err
	}
	_, err := io.WriteString(out, b.String())
	return err
}
