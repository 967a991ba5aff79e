package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/plain"
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
	args     []string      // of the command line
	budget   *limit.Budget // of ctx
	in       io.Reader     // standard input as it is, for commands that read no rules there
	reader   *input.Reader
	terminal io.Writer     // standard output as it is, for what draws on the whole screen
	out      *bufio.Writer // standard output; flushed at the end and when a result is complete
	screen   *plain.Writer // what out writes to
	err      *plain.Writer
	json     bool         // failures go to standard output as JSON
	color    term.Palette // of standard output
	errColor bool
	progress *term.Progress
	width    int // of lines on standard output; 0: there is no limit

	tables []*endgame.Library // open until the end

	concluding atomic.Bool // the work is done, and what was found is being written
}

func newSession(ctx context.Context, in io.Reader, out, err io.Writer) *session {
	ctx, budget := limit.New(ctx)
	budget.Memory(limit.DefaultMemory())
	s := &session{
		ctx:      ctx,
		budget:   budget,
		in:       in,
		reader:   input.NewReader(in),
		terminal: out,
		color:    term.Palette{On: term.WantsColor(out)},
		errColor: term.WantsColor(err),
		progress: term.NewProgress(err, out),
		width:    term.Width(out),
	}
	s.reader.Context = ctx
	s.screen, s.err = plain.NewWriter(stream{out, s}), plain.NewWriter(stream{err, s})
	s.out = bufio.NewWriter(s.screen)
	return s
}

// finish reports what stopped a command, and gives the exit status.
func (s *session) finish(err error) int {
	for _, l := range s.tables {
		_ = l.Close()
	}
	code := s.report(err)
	s.progress.Clear()
	if err := errors.Join(s.out.Flush(), s.screen.Flush()); err != nil {
		s.note("cannot write the output: %v", err)
		code = exitFailed
	} else if s.ctx.Err() != nil {
		s.interrupted()
		if code == exitExpected {
			code = exitInconclusive
		}
	}
	if s.err.Flush() != nil {
		code = exitFailed
	}
	return code
}

// interrupted says that the command ended early.
func (s *session) interrupted() { s.note("%v", context.Cause(s.ctx)) }

func (s *session) report(err error) int {
	var code status
	var usage usageError
	switch {
	case err == nil:
		return exitExpected
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		s.note("%v", usage)
		fmt.Fprintln(s.err, "mancheck --help says what can be written.")
		return exitFailed
	case limit.Ended(err), s.ctx.Err() != nil && unresolved(err), s.ctx.Err() != nil && errors.Is(err, context.Cause(s.ctx)):
		return exitInconclusive
	}
	if s.json {
		s.object(diag.JSON(diagnostics(err)))
	} else {
		s.complain(err)
	}
	return exitFailed
}

// unresolved tells an error that the context's end brought about from one in a file.
func unresolved(err error) bool {
	return slices.ContainsFunc(diag.FromError(err), func(d diag.Diagnostic) bool { return d.Code == diag.Interrupted })
}

// complain writes what went wrong for people. An error that is no diagnostic has no code and no
// place.
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

// note writes a remark for people to standard error. Further lines of it, which may be foreign
// text, begin so that nobody takes them for anything else.
func (s *session) note(format string, args ...any) {
	s.progress.Clear()
	lines := strings.Split(strings.TrimRight(fmt.Sprintf(format, args...), "\n"), "\n")
	for i, line := range lines {
		lines[i] = plain.Line(strings.ReplaceAll(line, "\t", "    "))
	}
	fmt.Fprintln(s.err, "mancheck: "+strings.Join(lines, "\n  | "))
}

// object writes v as the one JSON object of the output.
func (s *session) object(v any) { writeObject(s.out, v) }

func writeObject(w io.Writer, v any) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err) // made of strings, numbers, lists and structs
	}
	_, _ = w.Write(plain.JSON(text.Bytes())) // the session sees the error at the end
}

// stream is an output of the program. Where it is a pipe that nobody reads any more, the program
// ends in silence.
type stream struct {
	io.Writer
	s *session
}

// Write does not come back from a broken pipe.
func (p stream) Write(text []byte) (int, error) {
	n, err := p.Writer.Write(text)
	if errors.Is(err, syscall.EPIPE) {
		file.Stop()
		p.s.progress.Stop()
		signal.Reset(syscall.SIGPIPE)
		return p.Writer.Write(text) // now the signal comes, as it does to any program
	}
	return n, err
}
