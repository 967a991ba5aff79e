package lsp

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"slices"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mancheck/mancheck/cmd/internal/editor"
)

// methods has the functions that answer requests, by method.
var methods map[string]answer

func init() {
	methods = map[string]answer{
		"textDocument/hover":               ofText((*request).hover),
		"textDocument/definition":          ofText((*request).definition),
		"textDocument/declaration":         ofText((*request).definition),
		"textDocument/references":          ofText((*request).references),
		"textDocument/documentHighlight":   ofText((*request).highlight),
		"textDocument/documentSymbol":      ofText((*request).symbols),
		"workspace/symbol":                 (*request).workspaceSymbols,
		"textDocument/prepareRename":       ofText((*request).prepareRename),
		"textDocument/rename":              ofText((*request).rename),
		"textDocument/completion":          ofText((*request).complete),
		"textDocument/formatting":          ofText((*request).format),
		"textDocument/rangeFormatting":     ofText((*request).formatRange),
		"textDocument/codeAction":          ofText((*request).actions),
		"textDocument/foldingRange":        ofText((*request).folds),
		"textDocument/semanticTokens/full": ofText((*request).tokens),
		"textDocument/inlayHint":           ofText((*request).hints),
		"textDocument/codeLens":            ofText((*request).lenses),
		"workspace/executeCommand":         (*request).execute,
	}
}

// ofText answers by what a document says. There is no answer for one that is not open.
func ofText(f func(q *request, d *document, text *editor.Text) (any, error)) answer {
	return func(q *request) (any, error) {
		d, text := q.text()
		if d == nil {
			return nil, nil
		}
		return f(q, d, text)
	}
}

// handle carries out a notification, or begins to answer a request. It is called for one message
// after the other.
func (s *Server) handle(r *jsonrpc2.Request) {
	s.log.Printf("<- %s %s", r.Method, r.ID)
	if r.Notif {
		s.notification(r)
		return
	}
	s.mu.Lock()
	state := s.state
	_, again := s.pending[r.ID]
	s.mu.Unlock()
	method := methods[r.Method]
	switch {
	case again:
		s.reply(r.ID, nil, failed(jsonrpc2.CodeInvalidRequest, "a request with this id is under way"))
	case r.Method == "initialize" && state == fresh:
		result, err := s.initialize(r)
		s.reply(r.ID, result, err)
	case r.Method == "initialize":
		s.reply(r.ID, nil, failed(jsonrpc2.CodeInvalidRequest, "the server is initialized already"))
	case state == fresh:
		s.reply(r.ID, nil, failed(codeNotInitialized, "the server is not initialized"))
	case state != running:
		s.reply(r.ID, nil, failed(jsonrpc2.CodeInvalidRequest, "the server is shut down"))
	case r.Method == "shutdown":
		s.shutdown(r.ID)
	case method == nil:
		s.reply(r.ID, nil, failed(jsonrpc2.CodeMethodNotFound, "there is no method %s", r.Method))
	default:
		s.begin(r, method)
	}
}

// begin answers a request beside others.
func (s *Server) begin(r *jsonrpc2.Request, method answer) {
	q := &request{Server: s}
	if r.Params != nil {
		if err := json.Unmarshal(*r.Params, &q.about); err != nil {
			s.reply(r.ID, nil, failed(jsonrpc2.CodeInvalidParams, "%v", err))
			return
		}
	}
	ctx, cancel := context.WithCancel(s.ctx)
	if r.Method != "workspace/executeCommand" {
		ctx, cancel = context.WithTimeout(s.ctx, mostAnswer)
	}
	if !s.enter() {
		cancel()
		return
	}
	s.mu.Lock()
	q.ctx, q.w = ctx, s.now
	s.pending[r.ID] = cancel
	s.mu.Unlock()
	var result any
	var err error
	answered := make(chan struct{})
	go func() {
		defer s.running.Done()
		defer close(answered)
		result, err = s.guarded(r.Method, q, method)
	}()
	go func() { // which waits for no answer that comes too late
		result, err := &result, &err
		select {
		case <-answered:
		case <-ctx.Done():
			result, err = new(any), new(error)
		}
		switch ctx.Err() {
		case nil:
		case context.DeadlineExceeded:
			*err = failed(codeRequestFailed, "the answer takes longer than %v", mostAnswer)
		default:
			*err = failed(codeRequestCancelled, "the request was cancelled")
		}
		s.mu.Lock()
		if s.pending != nil {
			delete(s.pending, r.ID)
		}
		s.mu.Unlock()
		cancel()
		s.reply(r.ID, *result, *err)
	}()
}

// mostAnswer is how long a request may take that is no command. Commands have limits of their own.
const mostAnswer = 10 * time.Second

// initialize begins the life of the server.
func (s *Server) initialize(r *jsonrpc2.Request) (any, error) {
	var p initializeParams
	if r.Params != nil {
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, failed(jsonrpc2.CodeInvalidParams, "%v", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := *s.now
	if p.WorkspaceFolders == nil && p.RootURI != nil {
		p.WorkspaceFolders = []workspaceFolder{{URI: *p.RootURI}}
	}
	for _, f := range p.WorkspaceFolders {
		if isFile(f.URI) {
			w.folders = append(w.folders, pathOf(f.URI, ""))
		}
	}
	var err error
	if w.settings, err = w.settings.merged(p.Options); err != nil {
		s.log.Printf("a setting cannot be read: %v", err)
	}
	w.settings.Trusted = trust(p.Options)
	w.bytes = slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8")
	s.now, s.client, s.state = &w, p.Capabilities, running
	encoding := "utf-16"
	if w.bytes {
		encoding = "utf-8"
	}
	return map[string]any{
		"serverInfo":   map[string]string{"name": "mancheck", "version": s.version},
		"capabilities": abilities(encoding),
	}, nil
}

// abilities are what the server can do.
func abilities(encoding string) map[string]any {
	return map[string]any{
		"positionEncoding":           encoding,
		"textDocumentSync":           map[string]any{"openClose": true, "change": 2, "save": map[string]bool{"includeText": false}},
		"hoverProvider":              true,
		"definitionProvider":         true,
		"declarationProvider":        true,
		"referencesProvider":         true,
		"documentHighlightProvider":  true,
		"documentSymbolProvider":     true,
		"workspaceSymbolProvider":    true,
		"documentFormattingProvider": true, "documentRangeFormattingProvider": true,
		"foldingRangeProvider": true,
		"inlayHintProvider":    true,
		"renameProvider":       map[string]bool{"prepareProvider": true},
		"completionProvider":   map[string]any{"triggerCharacters": []string{"\"", "/"}},
		"codeActionProvider":   map[string]any{"codeActionKinds": []string{quickFix, fixAll}},
		"codeLensProvider":     map[string]any{},
		"semanticTokensProvider": map[string]any{
			"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": tokenModifiers}, "full": true,
		},
		"executeCommandProvider": map[string]any{"commands": []string{decideCommand, decideAllCommand, traceCommand, explainCommand}, "workDoneProgress": true},
		"workspace":              map[string]any{"workspaceFolders": map[string]bool{"supported": true, "changeNotifications": true}},
	}
}

// shutdown ends all that is under way.
func (s *Server) shutdown(id jsonrpc2.ID) {
	s.mu.Lock()
	s.state = shutDown
	for _, cancel := range s.pending {
		cancel()
	}
	s.mu.Unlock()
	s.reply(id, nil, nil)
}

// Options are what a server is made with.
type Options struct {
	Version string
	Decider Decider
	Log     io.Writer // gets what the server does; may be nil
}

// Serve serves one client until it exits or is gone. It returns the exit status that the protocol
// demands: 0 if the client has shut the server down before.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opt Options) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &Server{
		ctx: ctx, version: opt.Version, decider: opt.Decider, log: log.New(io.Discard, "", 0),
		shelf: &shelf{base: ctx, texts: map[string]*shelved{}}, dirty: make(chan struct{}, 1), over: make(chan struct{}),
		verdicts: &verdicts{slot: make(chan struct{}, 1), of: map[claimName]*verdict{}, running: map[claimName]int{}},
		now:      &world{docs: map[string]*document{}}, pending: map[jsonrpc2.ID]context.CancelFunc{}, stale: map[string]bool{}, works: map[string]*working{},
	}
	if opt.Log != nil {
		s.log = log.New(opt.Log, "", log.LstdFlags|log.Lmicroseconds)
	}
	objects := newStream(in, out, func() { close(s.over) })
	begun := make(chan struct{})
	s.conn = jsonrpc2.NewConn(ctx, objects, handler(func(r *jsonrpc2.Request) {
		<-begun
		s.handle(r)
	}), jsonrpc2.SetLogger(s.log))
	close(begun)
	go s.publishing()
	<-s.over
	stop()
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.running.Wait()
	select {
	case <-objects.idle:
	case <-time.After(patience): // the client reads nothing any more
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if (s.state == exited || s.state == shutDown) && s.pending == nil { // shut down before it exited
		return 0
	}
	return 1
}

// patience is how long the last messages may take.
const patience = 2 * time.Second

type handler func(*jsonrpc2.Request)

// Handle makes a handler of a function.
func (h handler) Handle(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) { h(r) }
