package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
)

// The exit statuses.
const (
	exitExpected     = 0
	exitUnexpected   = 1
	exitFailed       = 2
	exitInconclusive = 3
)

// status is an exit status that is not 0 though nothing failed. What there is to say was said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// statusError is the error that makes the program end with the status, nil for 0.
func statusError(code int) error {
	if code == exitExpected {
		return nil
	}
	return status(code)
}

// session is what a command has in hand.
type session struct {
	ctx      context.Context
	reader   *input.Reader
	out      *bufio.Writer // standard output; flushed at the end and when a result is complete
	err      io.Writer
	json     bool         // failures go to standard output as JSON
	color    term.Palette // of standard output
	errColor bool
	progress *term.Progress
	width    int // of standard output
}

func newSession(ctx context.Context, in io.Reader, out, err io.Writer) *session {
	return &session{
		ctx:      ctx,
		reader:   input.NewReader(in),
		out:      bufio.NewWriter(out),
		err:      err,
		color:    term.Palette{On: term.WantsColor(out)},
		errColor: term.WantsColor(err),
		progress: term.NewProgress(err),
		width:    term.Width(out),
	}
}

// finish reports what stopped a command, and gives the exit status.
func (s *session) finish(err error) int {
	code := s.report(err)
	s.progress.Clear()
	if err := s.out.Flush(); err != nil {
		fmt.Fprintf(s.err, "mancheck: cannot write the output: %v\n", err)
		return exitFailed
	}
	return code
}

func (s *session) report(err error) int {
	var code status
	var usage usageError
	switch {
	case err == nil:
		return exitExpected
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "mancheck: %v\nmancheck --help says what can be written.\n", usage)
		return exitFailed
	}
	if s.json {
		s.object(diag.JSON(diagnostics(err)))
	} else {
		s.complain(err)
	}
	return exitFailed
}

// complain writes what went wrong for people. An error that is no diagnostic has no code and no place.
func (s *session) complain(err error) {
	diags := diagnostics(err)
	if len(diags) == 1 && diags[0].Code == "" {
		s.note("%s", diags[0].Message)
		return
	}
	s.tell(diags)
}

// diagnostics makes an error a list of diagnostics.
func diagnostics(err error) diag.List {
	list := diag.FromError(err)
	list.Sort()
	return list
}

// tell writes diagnostics for people to standard error.
func (s *session) tell(diags diag.List) {
	s.progress.Clear()
	s.out.Flush() // what was found before stands above
	diag.Text(s.err, diags, s.reader.Sources, s.errColor)
}

// warn writes the warnings among diagnostics, which are no reason to stop.
func (s *session) warn(diags diag.List) {
	if len(diags) > 0 && !s.json {
		diags.Sort()
		s.tell(diags)
	}
}

// note writes a remark for people to standard error.
func (s *session) note(format string, args ...any) {
	s.progress.Clear()
	fmt.Fprintf(s.err, "mancheck: "+format+"\n", args...)
}

// object writes v as the one JSON object of the output.
func (s *session) object(v any) { writeObject(s.out, v) }

func writeObject(w io.Writer, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err) // made of strings, numbers, lists and structs
	}
}
