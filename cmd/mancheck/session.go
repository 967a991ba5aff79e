package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
)

// The exit statuses.
const (
	exitExpected     = 0
	exitUnexpected   = 1
	exitFailed       = 2
	exitInconclusive = 3
)

// status is an exit status other than 0 that is no failure. Its meaning has been reported already,
// so nothing else is written.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// statusError returns the error that ends the program with the given status, or nil for 0.
func statusError(code int) error {
	if code == exitExpected {
		return nil
	}
	return status(code)
}

// inconclusiveUnless returns exit status 3, unless what was asked for is known.
func inconclusiveUnless(known bool) error {
	if !known {
		return status(exitInconclusive)
	}
	return nil
}

// session has what all parts of a command share: the streams, the limits, and how to write results.
type session struct {
	ctx      context.Context
	args     []string      // the command line
	budget   *limit.Budget // the limits on ctx
	in       io.Reader     // standard input itself, for commands that do not read rules there
	reader   *input.Reader
	terminal io.Writer     // standard output itself, for drawing on the whole screen
	out      *bufio.Writer // standard output; flushed at the end and when a result is complete
	screen   *plain.Writer // what out writes to; makes foreign text harmless
	err      *plain.Writer
	json     bool         // write failures as JSON to standard output
	draws    bool         // the results have the position that the command line gives
	color    term.Palette // of standard output
	errColor bool
	progress *term.Progress
	width    int // of lines on standard output; 0: no limit

	tables []*endgame.Library // closed at the end

	written    atomic.Bool // the object of --format json was
	concluding atomic.Bool // the work is done, and results are being written

	last sync.Mutex // held to begin the last output: that of the work, or that of leave
	rest func() any // what --format json writes if the work is abandoned; nil: that it was
}

func newSession(ctx context.Context, in io.Reader, out, err io.Writer, progress *term.Progress) *session {
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
		progress: progress,
		width:    term.Width(out),
	}
	s.reader.Context = ctx
	s.screen, s.err = plain.NewWriter(stream{out, s}), plain.NewWriter(stream{err, s})
	s.out = bufio.NewWriter(s.screen)
	return s
}

// conclude notes that the work is done and its results are being written. It does not return if
// the work was abandoned before.
func (s *session) conclude() {
	s.last.Lock()
	defer s.last.Unlock()
	s.concluding.Store(true)
}

// abandon writes the JSON object for work that is not waited for any longer.
func (s *session) abandon() {
	s.last.Lock()
	if s.concluding.Load() {
		s.last.Unlock()
		return
	}
	if !s.json {
		return
	}
	if s.rest != nil {
		s.object(s.rest())
	} else {
		s.object(diag.JSON(diagnostics(context.Cause(s.ctx))))
	}
	_ = errors.Join(s.out.Flush(), s.screen.Flush())
}

// finish reports the error that ended a command, flushes the output and returns the exit status.
func (s *session) finish(err error) int {
	for _, l := range s.tables {
		_ = l.Close()
	}
	code := s.report(err)
	s.progress.Clear()
	if err := errors.Join(s.out.Flush(), s.screen.Flush()); err != nil {
		s.tell(diag.List{{Code: diag.Refused, Message: fmt.Sprintf("cannot write the output: %v", err)}})
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

// interrupted reports why the command ended early.
func (s *session) interrupted() { s.note("%v", context.Cause(s.ctx)) }

// report writes an error and returns the exit status for it. An interruption is no failure: the
// result is inconclusive, and finish says so.
func (s *session) report(err error) int {
	var code status
	switch {
	case err == nil:
		return exitExpected
	case errors.As(err, &code):
		return int(code)
	case limit.Ended(err), s.ctx.Err() != nil && unresolved(err), s.ctx.Err() != nil && errors.Is(err, context.Cause(s.ctx)):
		if s.json && !s.written.Load() {
			s.conclude()
			s.object(diag.JSON(diagnostics(cmp.Or(context.Cause(s.ctx), err))))
		}
		return exitInconclusive
	}
	if s.json {
		s.object(diag.JSON(diagnostics(err)))
	} else {
		s.complain(err)
	}
	return exitFailed
}

// unresolved reports whether err comes from the end of the context rather than from a mistake in a
// file.
func unresolved(err error) bool {
	return slices.ContainsFunc(diag.FromError(err), func(d diag.Diagnostic) bool { return d.Code == diag.Interrupted })
}

// complain writes an error for people.
func (s *session) complain(err error) { s.tell(diagnostics(err)) }

// diagnostics converts an error to a sorted list of diagnostics, which all have a code.
func diagnostics(err error) diag.List {
	list := diag.FromError(err)
	for i, d := range list {
		if d.Code == "" {
			list[i] = coded(d, err)
		}
	}
	list.Sort()
	return list
}

// coded gives an error that is no diagnostic its code. Further lines of it may be foreign text, so
// they become notes.
func coded(d diag.Diagnostic, err error) diag.Diagnostic {
	switch {
	case errors.As(err, new(usageError)):
		d.Code, d.Help = diag.Usage, "mancheck COMMAND --help says what a command takes; mancheck --help lists the commands"
	case limit.Ended(err), errors.Is(err, errInterrupted), errors.As(err, new(limit.Hit)):
		d.Code = diag.Ended
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.LinkError)), errors.As(err, new(*output.KeptError)),
		errors.Is(err, fs.ErrNotExist):
		d.Code = diag.Refused
	default:
		d.Code = diag.Unfit
	}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(d.Message, "\t", "    "), "\n"), "\n")
	d.Message = lines[0]
	d.Notes = append(d.Notes, lists.Map(lines[1:], func(line string) diag.Note { return diag.Note{Message: line} })...)
	return d
}

// tell writes diagnostics for people to standard error.
func (s *session) tell(diags diag.List) {
	s.progress.Clear()
	s.out.Flush() // earlier results stay above them
	writeFew(s.err, diags, s.reader.Sources, s.errColor)
}

// maxShown is how many errors are shown to people.
const maxShown = 10

// writeFew writes the first errors and all warnings of a list, and says how many errors it leaves
// out.
func writeFew(w io.Writer, diags diag.List, sources map[string][]byte, color bool) {
	errors := 0
	diag.Text(w, lists.Filter(diags, func(d diag.Diagnostic) bool {
		if d.Severity == diag.Error {
			errors++
		}
		return d.Severity != diag.Error || errors <= maxShown
	}), sources, color)
	if errors > maxShown {
		fmt.Fprintf(w, "\nand %s, which `--format json` lists\n", numeral.Count(int64(errors-maxShown), "more error"))
	}
}

// warn writes warnings to standard error, unless the output is JSON.
func (s *session) warn(diags diag.List) {
	if len(diags) > 0 && !s.json {
		diags.Sort()
		s.tell(diags)
	}
}

// note writes a remark for people to standard error. Further lines of it may be foreign text, so
// they begin with a mark that keeps them from looking like messages of the program.
func (s *session) note(format string, args ...any) {
	s.progress.Clear()
	lines := strings.Split(strings.TrimRight(fmt.Sprintf(format, args...), "\n"), "\n")
	for i, line := range lines {
		lines[i] = plain.Line(strings.ReplaceAll(line, "\t", "    "))
	}
	fmt.Fprintln(s.err, "mancheck: "+strings.Join(lines, "\n  | "))
}

// result writes what a command has found: v with --format json, and otherwise a text for people.
func (s *session) result(v any, text func()) {
	if s.json {
		s.object(v)
	} else {
		text()
	}
}

// done notes that the work is done: what follows are its results.
func (s *session) done() {
	s.concluding.Store(true)
	s.progress.Clear()
}

// object writes v as the only JSON object of the output.
func (s *session) object(v any) {
	s.written.Store(true)
	writeObject(s.out, versioned(v))
}

func writeObject(w io.Writer, v any) {
	_, _ = w.Write(objectText(v)) // finish reports an error of the stream
}

// versioned puts the version of the format before the members of a report.Object. Others have it.
func versioned(v any) any {
	if members, is := v.(report.Object); is {
		return append(report.Object{{Name: "schema", Value: report.Schema}}, members...)
	}
	return v
}

// objectText returns an object as JSON.
func objectText(v any) []byte {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err) // v consists of strings, numbers, lists and structs
	}
	return plain.JSON(text.Bytes())
}

// stream is an output of the program. If nobody reads the pipe behind it any more, writing to it
// ends the program without a message.
type stream struct {
	io.Writer
	s *session
}

// Write does not return if the pipe is broken.
func (p stream) Write(text []byte) (int, error) {
	n, err := p.Writer.Write(text)
	if errors.Is(err, syscall.EPIPE) {
		file.Stop()
		p.s.progress.Stop()
		signal.Reset(syscall.SIGPIPE)
		return p.Writer.Write(text) // the default action of the signal ends the program now
	}
	return n, err
}
