package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// working is work whose progress the client shows.
type working struct {
	token  json.RawMessage
	cancel context.CancelFunc
	last   time.Time
}

type workingKey struct{}

// progress shows that something is under way, under the client's token or, if there is none, under
// one that the client is asked to make. The context ends if the user ends the work.
func (s *Server) progress(ctx context.Context, token json.RawMessage, title string) (context.Context, func(message string)) {
	ctx, cancel := context.WithCancel(ctx)
	if len(token) == 0 || string(token) == "null" {
		if token = s.ownToken(ctx); token == nil {
			return ctx, func(string) { cancel() }
		}
	}
	w := &working{token: token, cancel: cancel}
	s.mu.Lock()
	s.works[string(token)] = w
	s.mu.Unlock()
	s.notify("$/progress", progressParams{token, progressValue{Kind: "begin", Title: title, Cancellable: true}})
	return context.WithValue(ctx, workingKey{}, w), func(message string) {
		cancel()
		s.mu.Lock()
		delete(s.works, string(token))
		s.mu.Unlock()
		s.notify("$/progress", progressParams{token, progressValue{Kind: "end", Message: message}})
	}
}

// ownToken asks the client to show progress; nil: it does not.
func (s *Server) ownToken(ctx context.Context) json.RawMessage {
	if !s.client.Window.WorkDoneProgress {
		return nil
	}
	s.mu.Lock()
	s.tokens++
	token, _ := json.Marshal(fmt.Sprintf("mancheck-%d", s.tokens))
	s.mu.Unlock()
	if s.call(ctx, "window/workDoneProgress/create", map[string]json.RawMessage{"token": token}, nil) != nil {
		return nil
	}
	return token
}

// pause is the least time between two reports of progress.
const pause = 100 * time.Millisecond

// report says how far the work of a context is, now and then.
func (s *Server) report(ctx context.Context, message string) {
	w, _ := ctx.Value(workingKey{}).(*working)
	if w == nil {
		return
	}
	s.mu.Lock()
	now := time.Now()
	due := now.Sub(w.last) >= pause
	if due {
		w.last = now
	}
	s.mu.Unlock()
	if due {
		s.notify("$/progress", progressParams{w.token, progressValue{Kind: "report", Message: message}})
	}
}

// endWork ends the work that the user does not want any more.
func (s *Server) endWork(p about) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.works[string(p.Token)]; w != nil {
		w.cancel()
	}
}
