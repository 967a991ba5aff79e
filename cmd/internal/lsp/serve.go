package lsp

import (
	"context"
	"io"
	"log"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

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
