package solver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/smt/term"
)

// patience is how long an ended process may take to exit and to close its pipes.
const patience = 500 * time.Millisecond

// maxErrors is how many replies to one batch are read if some of them are errors.
const maxErrors = 1000

// process is a session with a program that reads SMT-LIB 2 from a pipe. Commands are collected and
// sent by the next check. Each batch ends with an echo of a new word, so that replies cannot be
// mistaken for those to another question. When a context ends, the program is killed with all the
// processes of its group.
type process struct {
	cmd     *exec.Cmd
	in, out *os.File
	errors  *head // the beginning of its standard error
	replies *reader
	printer *term.Printer
	label   string
	batches int
	model   map[string]sexpr
	done    chan struct{} // closed when the program has been reaped
	once    sync.Once
}

// greeting is how long a program may take to give its name, regardless of the limit for questions.
// If steps are counted, time should not decide, and this is long enough for any machine.
func greeting(steps uint32) time.Duration {
	if steps > 0 {
		return 5 * time.Minute
	}
	return 10 * time.Second
}

// startProcess runs the program and asks for its name.
func startProcess(ctx context.Context, command []string, steps uint32) (session, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, greeting(steps), fmt.Errorf("%s does not answer", filepath.Base(command[0])))
	defer cancel()
	p, err := launch(command)
	if err != nil {
		return nil, err
	}
	if err := p.greet(ctx, steps); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// launch starts the program with our own pipes: those of exec are closed when it exits, possibly
// with unread replies.
func launch(command []string) (*process, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer stdout.Close()
	p := &process{
		cmd: exec.Command(command[0], command[1:]...), in: in, out: out, errors: &head{}, replies: newReader(out),
		printer: term.NewPrinter(), label: filepath.Base(command[0]), done: make(chan struct{}),
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, p.errors
	p.cmd.WaitDelay = patience
	ownGroup(p.cmd)
	expect(p.cmd)
	if err := p.start(); err != nil {
		unwatch(p.cmd)
		in.Close()
		out.Close()
		return nil, fmt.Errorf("%s does not start: %w", p.label, err)
	}
	watch(p.cmd)
	return p, nil
}

// start starts the program, and waits for its end in a goroutine.
func (p *process) start() error {
	started := make(chan error)
	go func() {
		defer close(p.done)
		// The system may kill the program when the thread that started it ends, so the thread must
		// outlive the program.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait() // ProcessState says how it ended
		}
	}()
	return <-started
}

// greet sets the program's options and asks for its name and version; one that does not answer
// keeps the command's name.
func (p *process) greet(ctx context.Context, steps uint32) error {
	p.printer.Line("(set-option :print-success false)")
	if err := p.limit(ctx, steps); err != nil {
		return err
	}
	p.printer.Line("(set-option :produce-models true)")
	p.printer.Line("(set-logic QF_LIA)")
	if _, err := p.ask(ctx, 0); err != nil {
		return err
	}
	p.printer.Line("(get-info :name)")
	p.printer.Line("(get-info :version)")
	infos, err := p.replyTo(ctx, 2)
	if err != nil {
		return err
	}
	if len(infos) == 2 && infos[0].head() == ":name" && infos[1].head() == ":version" {
		p.label = plainly(strings.ToLower(info(infos[0]))) + " " + plainly(info(infos[1]))
	}
	return nil
}

// limit sets how many steps a check may take, if there is a limit. A program without such a limit
// is an error then.
func (p *process) limit(ctx context.Context, steps uint32) error {
	if steps == 0 {
		return nil
	}
	p.printer.Line(fmt.Sprintf("(set-option :reproducible-resource-limit %d)", steps))
	reply, err := p.replyTo(ctx, 1)
	if err == nil && len(reply) > 0 {
		err = fmt.Errorf("%s does not support a limit of steps: %s", p.label, shorten(reply[0].String()))
	}
	return err
}

// info returns the value in a reply to get-info.
func info(s sexpr) string {
	if len(s.list) != 2 {
		return s.String()
	}
	if s.list[1].kind == listKind {
		return s.list[1].String()
	}
	return s.list[1].atom
}

func (p *process) name() string { return p.label }

func (p *process) assert(t *term.Term) error {
	p.printer.Assert(t)
	return nil
}

func (p *process) push() error {
	p.printer.Push()
	return nil
}

func (p *process) pop() error {
	p.printer.Pop()
	return nil
}

// check asks for the answer and for what belongs to it, the whole model or the reason, until the
// context ends.
func (p *process) check(ctx context.Context) (Answer, error) {
	p.printer.Line("(check-sat)")
	s, err := p.ask(ctx, 1)
	if err != nil {
		return Answer{}, err
	}
	switch s[0].String() {
	case "sat":
		return Answer{Status: Sat}, p.readModel(ctx)
	case "unsat":
		return Answer{Status: Unsat}, nil
	case "unknown":
		reason, err := p.reason(ctx)
		return Answer{Reason: reason}, err
	}
	return Answer{}, p.unexpected(s[0])
}

// reason asks why the answer is unknown.
func (p *process) reason(ctx context.Context) (string, error) {
	p.printer.Line("(get-info :reason-unknown)")
	s, err := p.replyTo(ctx, 1)
	if err != nil {
		return "", err
	}
	if len(s) == 1 && s[0].head() == ":reason-unknown" && info(s[0]) != "" {
		return p.label + " gives up: " + plainly(info(s[0])), nil
	}
	return p.label + " gives up without a reason", nil
}

// readModel asks for the values of all declared variables.
func (p *process) readModel(ctx context.Context) error {
	p.model = map[string]sexpr{}
	names := p.printer.Variables()
	if len(names) == 0 {
		return nil
	}
	p.printer.Line("(get-value (" + strings.Join(names, " ") + "))")
	s, err := p.ask(ctx, 1)
	if err != nil {
		return err
	}
	if len(s[0].list) != len(names) {
		return p.unexpected(s[0])
	}
	for i, pair := range s[0].list {
		if len(pair.list) != 2 || pair.list[0].atom != strings.Trim(names[i], "|") {
			return p.unexpected(pair)
		}
		p.model[names[i]] = pair.list[1]
	}
	return nil
}

// value looks a variable up in the model.
func (p *process) value(v *term.Term) (int, error) {
	s, ok := p.model[term.Symbol(v.Name)]
	if !ok {
		return 0, nil
	}
	n, err := value(s)
	if err != nil {
		err = fmt.Errorf("%s gives %s the value %s: %w", p.label, v.Name, shorten(s.String()), err)
	}
	return n, err
}

// value reads true, false, 3 or (- 3). A number outside the range is a num.ErrRange.
func value(s sexpr) (int, error) {
	switch {
	case s.atom == "true":
		return 1, nil
	case s.atom == "false":
		return 0, nil
	case s.head() == "-" && len(s.list) == 2:
		return num.Parse("-" + s.list[1].atom)
	}
	return num.Parse(s.atom)
}

// ask sends the collected commands and expects want replies, none of them an error.
func (p *process) ask(ctx context.Context, want int) ([]sexpr, error) {
	s, err := p.replyTo(ctx, want)
	if err != nil {
		return nil, err
	}
	if err := p.reported(s); err != nil {
		return nil, err
	}
	if len(s) != want {
		return nil, fmt.Errorf("%s gave %d replies instead of %d", p.label, len(s), want)
	}
	return s, nil
}

// reported returns the first error among replies.
func (p *process) reported(replies []sexpr) error {
	for _, s := range replies {
		if s.head() == "error" {
			if strings.Contains(info(s), "resource limit exceeded") {
				return errSteps // z3 also spends steps on what it reads
			}
			return fmt.Errorf("%s reports an error: %s", p.label, shorten(info(s)))
		}
	}
	return nil
}

// replyTo sends the collected commands and reads the replies, at most most besides errors. It kills
// the program when the context ends.
func (p *process) replyTo(ctx context.Context, most int) ([]sexpr, error) {
	p.batches++
	mark := fmt.Sprintf("mancheck-%d", p.batches)
	p.printer.Line(`(echo "` + mark + `")`)
	stop := context.AfterFunc(ctx, p.kill)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = p.in.Write(p.printer.Take()) // a program that does not read it does not answer either
	}()
	s, err := p.read(mark, most)
	if err != nil {
		err = cmp.Or(p.reported(s), p.explain(err))
		p.kill()
	}
	<-sent
	if !stop() && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return s, err
}

// read reads replies up to the mark. With an error it returns those before it.
func (p *process) read(mark string, most int) ([]sexpr, error) {
	var all []sexpr
	failed := 0
	for {
		s, err := p.replies.read()
		switch {
		case err != nil:
			return all, err
		case s.kind != listKind && s.atom == mark:
			return all, nil
		case s.head() == "error":
			failed++
		}
		// An error just counted is not in all yet, so it does not exceed most by itself.
		if len(all)-failed >= most || failed > maxErrors {
			return all, p.unexpected(s)
		}
		all = append(all, s)
	}
}

// unexpected returns the error for output that was not asked for.
func (p *process) unexpected(s sexpr) error {
	return fmt.Errorf("%s printed something that is not an answer: %s", p.label, shorten(s.String()))
}

// explain turns a read error into one that says what the program did.
func (p *process) explain(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return errors.New(p.label + " " + p.ending())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New(p.label + " " + p.ending() + " in the middle of a reply")
	case errors.Is(err, errReplyTooLong), errors.Is(err, errReplyTooDeep), errors.Is(err, errParenthesis):
		return fmt.Errorf("%s printed something that is not an answer: %w", p.label, err)
	}
	return err
}

// ending says how the program ended, and what it printed on its standard error.
func (p *process) ending() string {
	select {
	case <-p.done:
	case <-time.After(patience):
		return "closed its output"
	}
	text := "ended with " + p.cmd.ProcessState.String()
	if said := p.errors.line(); said != "" {
		text += ", saying " + said
	}
	return text
}

// kill ends the program and all processes that hold its pipes.
func (p *process) kill() {
	p.once.Do(func() {
		killGroup(p.cmd)
		p.in.Close()
		p.out.Close()
	})
}

// close kills the program and waits for its end.
func (p *process) close() {
	p.kill()
	<-p.done
	unwatch(p.cmd)
}

// maxShown is how many bytes of a solver's output are shown.
const maxShown = 200

// shorten makes a solver's output fit for a message.
func shorten(s string) string {
	if len(s) > maxShown {
		s = s[:maxShown] + "…"
	}
	return strconv.Quote(s)
}

// plainly is shorten without quotes.
func plainly(s string) string {
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "") + "…"
	}
	return plain.Line(s)
}

// head keeps the beginning of what is written to it.
type head struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write never fails: it drops what exceeds the limit.
func (h *head) Write(text []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	const most = 4 << 10
	h.text.Write(text[:min(len(text), most-h.text.Len())])
	return len(text), nil
}

// line returns the first line, fit for a message.
func (h *head) line() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	first, _, _ := strings.Cut(strings.TrimSpace(h.text.String()), "\n")
	if first == "" {
		return ""
	}
	return shorten(first)
}
