package lsp

import (
	"context"
	"fmt"
	"log"
	"runtime/debug"
	"sync"

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
