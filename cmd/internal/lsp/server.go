package lsp

import (
	"context"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Server is a language server for one client.
type Server struct {
	ctx      context.Context
	version  string
	log      *log.Logger
	conn     *jsonrpc2.Conn
	shelf    *shelf
	verdicts *verdicts
	decider  Decider
	dirty    chan struct{} // has a value when there is something to publish
	over     chan struct{} // closed when the connection is

	mu       sync.Mutex
	state    state
	client   capabilities
	now      *world
	pending  map[jsonrpc2.ID]context.CancelFunc
	stale    map[string]bool // paths of documents whose diagnostics are to be published
	checking context.CancelFunc
	running  sync.WaitGroup
	ended    bool                // nothing is begun any more
	tokens   int                 // of progress that the server has asked for
	works    map[string]*working // by token
}

// state is how far the life of a server is.
type state int

const (
	fresh state = iota
	running
	shutDown
	exited
)

// The codes of errors that the protocol adds.
const (
	codeNotInitialized   = -32002
	codeRequestFailed    = -32803
	codeRequestCancelled = -32800
)

func failed(code int64, format string, args ...any) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// request is a request under way, with the world in which it is answered.
type request struct {
	*Server
	ctx   context.Context
	w     *world
	about about
}

// answer is a function that answers requests of one method.
type answer func(*request) (any, error)

// enter notes that something is begun that has to be over before the server is. It reports whether
// it may be begun.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.running.Add(1)
	}
	return !s.ended
}

// world is what the server knows now.
func (s *Server) world() *world {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// guarded makes a fault of one feature the answer to that request, and not the end of the server.
func (s *Server) guarded(method string, q *request, f answer) (result any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.log.Printf("panic in %s: %v\n%s", method, fault, debug.Stack())
			err = failed(jsonrpc2.CodeInternalError, "internal error, please report it: %v", fault)
		}
	}()
	return f(q)
}

// reply sends an answer. A result of nil is null.
func (s *Server) reply(id jsonrpc2.ID, result any, err error) {
	e, is := err.(*jsonrpc2.Error)
	if err != nil && !is {
		e = failed(codeRequestFailed, "%v", err)
	}
	response := &jsonrpc2.Response{ID: id, Error: e}
	if e == nil {
		if err := response.SetResult(result); err != nil {
			response.Error = failed(jsonrpc2.CodeInternalError, "%v", err)
		}
	}
	s.log.Printf("-> %s %v", id, e)
	_ = s.conn.SendResponse(s.ctx, response) // a client that is gone misses nothing
}

// notify sends a notification.
func (s *Server) notify(method string, params any) { _ = s.conn.Notify(s.ctx, method, params) }

// call sends a request, and waits for the answer.
func (s *Server) call(ctx context.Context, method string, params, result any) error {
	return s.conn.Call(ctx, method, params, result)
}

// aside does something beside the reading of messages.
func (s *Server) aside(do func()) {
	if !s.enter() {
		return
	}
	go func() {
		defer s.running.Done()
		defer s.caught("")
		do()
	}()
}

// caught notes a fault of what is done, which ends with it. It is to be deferred.
func (s *Server) caught(where string) {
	if fault := recover(); fault != nil {
		s.log.Printf("panic%s: %v\n%s", where, fault, debug.Stack())
	}
}

// wake has the publisher look for what is to be published.
func (s *Server) wake() {
	select {
	case s.dirty <- struct{}{}:
	default:
	}
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
