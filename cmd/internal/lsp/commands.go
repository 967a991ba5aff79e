package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/cmd/internal/page"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/proofs/suite"
)

// commands has the functions that carry out commands. The result is a text to show.
var commands = map[string]func(*asked) (string, error){
	decideCommand:    (*asked).decide,
	decideAllCommand: (*asked).decide,
	traceCommand:     (*asked).trace,
	explainCommand:   (*asked).explain,
}

// asked is a command about claims of a document.
type asked struct {
	*request
	name   string
	d      *document
	text   *editor.Text
	claims []string // empty: all but those that take long
}

// execute carries out a command.
func (q *request) execute() (any, error) {
	do := commands[q.about.Command]
	if do == nil {
		return nil, failed(jsonrpc2.CodeInvalidParams, "there is no command %s", q.about.Command)
	}
	a := &asked{request: q, name: q.about.Command}
	var uri string
	if len(q.about.Arguments) == 0 || json.Unmarshal(q.about.Arguments[0], &uri) != nil {
		return nil, failed(jsonrpc2.CodeInvalidParams, "the first argument of %s is the URI of a document", a.name)
	}
	q.about.TextDocument.URI = uri
	if a.d, a.text = q.text(); a.d == nil {
		return nil, failed(jsonrpc2.CodeInvalidParams, "the document %s is not open", uri)
	}
	if a.name != decideAllCommand {
		var claim string
		if len(q.about.Arguments) < 2 || json.Unmarshal(q.about.Arguments[1], &claim) != nil {
			return nil, failed(jsonrpc2.CodeInvalidParams, "the second argument of %s is the name of a claim", a.name)
		}
		a.claims = []string{claim}
	}
	text, err := do(a)
	if err != nil {
		return nil, err
	}
	a.show(text)
	return text, nil
}

// sound fails unless the claims that are asked for can be decided.
func (a *asked) sound() error {
	checked := a.text.Vet(a.ctx)
	for _, name := range a.claims {
		i := slices.IndexFunc(checked.Claims, func(c editor.Claim) bool { return c.Name.Name == name })
		switch {
		case a.text.File == nil:
			return failed(codeRequestFailed, "the text has mistakes of syntax, so nothing of it is decided")
		case i < 0:
			return failed(codeRequestFailed, "there is no claim `%s`", name)
		case !checked.Claims[i].Sound:
			return failed(codeRequestFailed, "claim `%s` has mistakes, so it is not decided", name)
		}
	}
	return nil
}

// decided decides the claims, unless there is a verdict on the one that is asked for that stands.
func (a *asked) decided(again bool) ([]*suite.Item, error) {
	if err := a.sound(); err != nil {
		return nil, err
	}
	if !again && len(a.claims) == 1 {
		for _, c := range a.text.Vet(a.ctx).Claims {
			if c.Name.Name == a.claims[0] {
				if one := a.verdicts.current(a.text, c); one != nil {
					return one.items, nil
				}
			}
		}
	}
	return a.Server.decideClaims(a.ctx, a.w, a.text, a.claims, a.about.WorkDoneToken)
}

// decideClaims decides claims of a text, and keeps the verdicts. Others wait meanwhile. What was
// interrupted is an error.
func (s *Server) decideClaims(ctx context.Context, w *world, text *editor.Text, claims []string, token json.RawMessage) ([]*suite.Item, error) {
	names := claims
	if len(names) == 0 {
		for _, c := range text.Vet(ctx).Claims {
			if c.Sound && !c.Long {
				names = append(names, c.Name.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	end := s.verdicts.begin(text.Path, names)
	s.refreshLenses()
	defer s.refreshLenses()
	defer end()
	select {
	case s.verdicts.slot <- struct{}{}:
		defer func() { <-s.verdicts.slot }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	ctx, done := s.progress(ctx, token, "mancheck: "+strings.Join(names[:min(3, len(names))], ", "))
	defer done("")
	job := Job{Path: text.Path, Claims: names, Reader: w.reader(text.Path), Settings: w.settings.effective()}
	job.Watch = func(p suite.Progress) { s.report(ctx, underWay(p)) }
	items, err := s.decider.Decide(ctx, job)
	switch {
	case ctx.Err() != nil:
		return nil, failed(codeRequestCancelled, "the decision was interrupted: there is no verdict")
	case err != nil:
		return nil, failed(codeRequestFailed, "%v", err)
	}
	s.verdicts.put(text.Path, items)
	return items, nil
}

// underWay says how far a run is.
func underWay(p suite.Progress) string {
	text := fmt.Sprintf("%d of %d", p.Done, p.Total)
	if len(p.Running) > 0 {
		text += fmt.Sprintf(" · %s, %s", p.Running[0].Claim, numeral.Count(p.Running[0].States, "state"))
	}
	return text
}

// refreshLenses has the client ask for the lines above claims again.
func (s *Server) refreshLenses() {
	if s.client.Workspace.CodeLens.RefreshSupport {
		s.aside(func() { _ = s.call(s.ctx, "workspace/codeLens/refresh", nil, nil) })
	}
}

// decide decides claims, and gives the table of `check`.
func (a *asked) decide() (string, error) {
	items, err := a.decided(true)
	if err != nil {
		return "", err
	}
	if len(a.claims) == 1 && len(items) > 0 {
		kind := 3 // information
		if slices.ContainsFunc(items, func(i *suite.Item) bool { return i.Err != nil }) {
			kind = 1
		}
		a.notify("window/showMessage", messageParams{kind, (&verdict{items: items}).line() + "  " + a.claims[0]})
	}
	var text bytes.Buffer
	table := report.Table{W: &text, Sources: a.text.Program.Sources}
	table.Begin(items)
	for _, i := range items {
		table.Item(i)
	}
	return text.String(), nil
}

// trace gives the plays that are evidence for a verdict, drawn.
func (a *asked) trace() (string, error) {
	items, err := a.decided(false)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, i := range items {
		if i.Result == nil || i.Result.Trace == nil {
			continue
		}
		if len(items) > 1 {
			fmt.Fprintf(&b, "%s\n", i.Name())
		}
		b.WriteString(report.Play(i.Result.Trace, ""))
	}
	if b.Len() == 0 && len(items) > 0 {
		return fmt.Sprintf("%s: no play is evidence for that\n", (&verdict{items: items}).line()), nil
	}
	return b.String(), nil
}

// explain gives the document about a claim, as Markdown.
func (a *asked) explain() (string, error) {
	items, err := a.decided(false)
	if err != nil {
		return "", err
	}
	if len(items) == 0 {
		return "", failed(codeRequestFailed, "there is nothing to explain")
	}
	select { // one at a time: it plays, too
	case a.verdicts.slot <- struct{}{}:
		defer func() { <-a.verdicts.slot }()
	case <-a.ctx.Done():
		return "", context.Cause(a.ctx)
	}
	ctx, budget := limit.New(a.ctx)
	defer budget.Stop()
	budget.Time(a.w.settings.Limit())
	chosen := lists.Map(items, func(i *suite.Item) *explain.Item {
		return &explain.Item{Instance: i.Instance, Result: i.Result, Err: i.Err}
	})
	doc, err := explain.Build(ctx, explain.Source{Path: a.d.path, Program: items[0].Program}, chosen, nil)
	if err != nil {
		return "", failed(codeRequestFailed, "%v", err)
	}
	return string(page.Markdown(doc)), nil
}

// show has the client show a text, if it wants that of the server: in a file, which is written only
// for a workspace that is trusted.
func (a *asked) show(text string) {
	if a.name == decideCommand || a.name == decideAllCommand || !a.client.Window.ShowDocument.Support || !a.w.settings.effective().ShowDocument {
		return
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("mancheck-%d-%d", os.Getpid(), time.Now().UnixNano()))
	if file.Mkdir(dir, 0o700) != nil {
		return
	}
	ending := ".md"
	if a.name == traceCommand {
		ending = ".txt"
	}
	name := filepath.Join(dir, a.claims[0]+ending)
	if file.Write(name, []byte(text), file.New) != nil {
		return
	}
	_ = a.call(a.ctx, "window/showDocument", map[string]any{"uri": uriOf(filepath.ToSlash(name)), "takeFocus": true}, nil)
}

// The commands that a client may have executed.
const (
	decideCommand    = "mancheck.decide"
	decideAllCommand = "mancheck.decideAll"
	traceCommand     = "mancheck.trace"
	explainCommand   = "mancheck.explain"
)

// lenses are the lines above claims: to decide it, or the verdict with what shows why. A claim with
// mistakes has none.
func (q *request) lenses(d *document, text *editor.Text) (any, error) {
	out := []codeLens{}
	for _, c := range text.Vet(q.ctx).Claims {
		if !c.Sound || q.ctx.Err() != nil {
			continue
		}
		add := func(title, name string) {
			out = append(out, codeLens{d.lines.span(c.Name.Range), &command{title, name, []any{d.uri, c.Name.Name}}})
		}
		one := q.verdicts.current(text, c)
		switch {
		case q.verdicts.underWay(d.path, c.Name.Name):
			add("… deciding", decideCommand)
		case one == nil:
			add("decide", decideCommand)
		default:
			add(one.line(), decideCommand)
			if one.hasPlay() {
				add("show the play", traceCommand)
			}
			add("explain", explainCommand)
		}
	}
	return out, nil
}
