// Package diag holds diagnostics as data: what is wrong with a user's input, where, and how to fix
// it. Renderers (text with the source line, JSON) are separate from the phases that find faults.
package diag

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Pos is a place in a source file. Line and Column count from 1, Column in characters
// (not bytes); Offset counts bytes from 0. The zero Pos is "no place".
type Pos struct {
	Offset int
	Line   int
	Column int
}

// Range is the half-open range [Start, End) of a file. File is the path as the user gave it.
type Range struct {
	File       string
	Start, End Pos
}

// To returns the range from the start of r to the end of s.
func (r Range) To(s Range) Range {
	return Range{File: r.File, Start: r.Start, End: s.End}
}

// Holds reports whether s lies within r.
func (r Range) Holds(s Range) bool {
	return r.File == s.File && r.Start.Offset <= s.Start.Offset && s.End.Offset <= r.End.Offset
}

// IsZero reports whether r has no position.
func (r Range) IsZero() bool { return r.Start.Line == 0 }

// String is "file:line:column", as editors parse it.
func (r Range) String() string {
	if r.IsZero() {
		return r.File
	}
	return fmt.Sprintf("%s:%d:%d", r.File, r.Start.Line, r.Start.Column)
}

// MaxMistakes is the number of mistakes reported for one file. The text after the last of them is
// ignored: a file with more is not a rules file.
const MaxMistakes = 100

// Severity says whether a diagnostic stops the work.
type Severity int

const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Note points at a second place that helps to understand a diagnostic.
type Note struct {
	Range   Range
	Message string
}

// Edit replaces the text of a range, which may be empty.
type Edit struct {
	Range Range
	Text  string
}

// Apply carries out changes of one file. They do not overlap.
func Apply(src []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Range.Start.Offset - b.Range.Start.Offset })
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		out.Write(src[done:e.Range.Start.Offset])
		out.WriteString(e.Text)
		done = e.Range.End.Offset
	}
	out.Write(src[done:])
	return out.Bytes()
}

// Diagnostic is one fault. Message is one line without a full stop. Help says what to do about it;
// it may be empty.
type Diagnostic struct {
	Severity Severity
	Code     Code
	Range    Range
	Message  string
	Help     string
	Notes    []Note
	Fix      []Edit // changes to the source that remove the fault; may be empty
	InClaim  bool   // it is one of the Mistakes of claims only, so the rest of the file can be used
}

func (d Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s[%s]: %s", d.Range, d.Severity, d.Code, d.Message)
}

// List collects diagnostics. It is an error when it holds one of severity Error.
type List []Diagnostic

func (l List) Error() string {
	switch len(l) {
	case 0:
		return "no diagnostics"
	case 1:
		return l[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", l[0].Error(), len(l)-1)
}

// HasErrors reports whether any diagnostic is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Outside returns the diagnostics that are not about the syntax of single claims.
func (l List) Outside() List {
	return slices.DeleteFunc(slices.Clone(l), func(d Diagnostic) bool { return d.InClaim })
}

// Err returns l as an error if it has errors, and nil otherwise.
func (l List) Err() error {
	if l.HasErrors() {
		return l
	}
	return nil
}

// Errorf adds an error.
func (l *List) Errorf(c Code, r Range, format string, args ...any) *Diagnostic {
	*l = append(*l, Diagnostic{Severity: Error, Code: c, Range: r, Message: fmt.Sprintf(format, args...)})
	return &(*l)[len(*l)-1]
}

// Errorf returns a list with an error.
func Errorf(c Code, r Range, format string, args ...any) (l List) {
	l.Errorf(c, r, format, args...)
	return l
}

// WithHelp sets the help text of the last diagnostic and returns l.
func (l List) WithHelp(format string, args ...any) List {
	l[len(l)-1].WithHelp(format, args...)
	return l
}

// Warnf adds a warning.
func (l *List) Warnf(c Code, r Range, format string, args ...any) *Diagnostic {
	d := l.Errorf(c, r, format, args...)
	d.Severity = Warning
	return d
}

// WithHelp sets the help text and returns d.
func (d *Diagnostic) WithHelp(format string, args ...any) *Diagnostic {
	d.Help = fmt.Sprintf(format, args...)
	return d
}

// WithNote adds a note about another place and returns d.
func (d *Diagnostic) WithNote(at Range, message string) *Diagnostic {
	d.Notes = append(d.Notes, Note{Range: at, Message: message})
	return d
}

// FromError returns the diagnostics in an error, or a single one without code and position that has
// its message.
func FromError(err error) List {
	if list, is := errors.AsType[List](err); is && len(list) > 0 {
		return slices.Clone(list)
	}
	if one, is := errors.AsType[Diagnostic](err); is {
		return List{one}
	}
	return List{{Message: err.Error()}}
}

// Sort orders by file, place and code, and keeps one of several that say the same about the same
// place.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.File, b.Range.File), cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset), cmp.Compare(a.Code, b.Code))
	})
	*l = merge(*l)
}

// OneLine returns a range of a source in one line, for messages.
func OneLine(src []byte, r Range) string {
	if r.End.Offset > len(src) || r.Start.Offset > r.End.Offset {
		return "…"
	}
	return string(bytes.Join(bytes.Fields(src[r.Start.Offset:r.End.Offset]), []byte(" ")))
}
