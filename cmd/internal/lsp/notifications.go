package lsp

import (
	"encoding/json"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
)

// notification carries out a notification. Those that come before the server is initialized, or
// after it was shut down, are dropped, but for the last.
func (s *Server) notification(r *jsonrpc2.Request) {
	defer s.caught(" in " + r.Method)
	params := json.RawMessage("{}")
	if r.Params != nil {
		params = *r.Params
	}
	s.mu.Lock()
	state := s.state
	s.mu.Unlock()
	if r.Method == "exit" {
		s.exit()
		return
	}
	if state != running {
		return
	}
	take := func(do func(about)) {
		var p about
		if json.Unmarshal(params, &p) == nil {
			do(p)
		}
	}
	switch r.Method {
	case "initialized":
		s.initialized()
	case "$/cancelRequest":
		take(s.cancel)
	case "textDocument/didOpen":
		take(s.opened)
	case "textDocument/didChange":
		take(s.changed)
	case "textDocument/didClose":
		take(s.closed)
	case "textDocument/didSave":
		take(s.saved)
	case "workspace/didChangeWatchedFiles":
		s.update(func(w world) *world { w.disk++; return &w }, "")
	case "workspace/didChangeWorkspaceFolders":
		take(s.folders)
	case "workspace/didChangeConfiguration":
		take(s.configured)
	case "window/workDoneProgress/cancel":
		take(s.endWork)
	case "mancheck/trust":
		s.update(func(w world) *world { w.settings.Trusted = trust(params); return &w }, "")
	}
}

// update replaces the world. The diagnostics of the document at a path, and of those that depend on
// it, are published again; those of all if there is no path.
func (s *Server) update(next func(world) *world, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = next(*s.now)
	for p := range s.now.docs {
		if path == "" || p == path || s.shelf.depends(p, path) {
			s.stale[p] = true
		}
	}
	if s.checking != nil {
		s.checking() // it would say what is no longer so
	}
	s.wake()
}

// initialized asks the client for settings, and to say when files change on disk.
func (s *Server) initialized() {
	if s.client.Workspace.Configuration {
		s.aside(s.ask)
	}
	if !s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return
	}
	watchers := []map[string]string{{"globPattern": "**/*.sow"}, {"globPattern": "**/*.csv"}}
	params := map[string]any{"registrations": []map[string]any{{
		"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": watchers},
	}}}
	s.aside(func() { _ = s.call(s.ctx, "client/registerCapability", params, nil) })
}

func (s *Server) cancel(p about) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.pending[p.ID]; cancel != nil {
		cancel()
	}
}

func (s *Server) opened(p about) {
	if p.TextDocument.URI == "" {
		return
	}
	path := pathOf(p.TextDocument.URI, s.world().folder())
	d := &document{p.TextDocument.URI, path, p.TextDocument.Version, newLines(p.TextDocument.Text, s.world().bytes)}
	s.update(func(w world) *world { return w.with(path, d) }, path)
}

func (s *Server) changed(p about) {
	old := s.world().document(p.TextDocument.URI)
	if old == nil {
		return
	}
	d := old.changed(p.TextDocument.Version, p.Changes)
	s.update(func(w world) *world { return w.with(d.path, d) }, d.path)
}

func (s *Server) closed(p about) {
	d := s.world().document(p.TextDocument.URI)
	if d == nil {
		return
	}
	s.update(func(w world) *world { return w.with(d.path, nil) }, "")
	s.shelf.forget(d.path)
	s.notify("textDocument/publishDiagnostics", publishParams{URI: d.uri, Diagnostics: []diagnostic{}})
}

// saved decides all claims of a document that was saved, if the settings say so.
func (s *Server) saved(p about) {
	s.update(func(w world) *world { w.disk++; return &w }, "")
	w := s.world()
	d := w.document(p.TextDocument.URI)
	if d == nil || !w.settings.effective().DecideOnSave {
		return
	}
	s.aside(func() {
		text := s.shelf.read(w, d.path)
		if _, err := s.decideClaims(s.ctx, w, text, nil, nil); err != nil {
			s.log.Printf("on save: %v", err)
		}
	})
}

func (s *Server) folders(p about) {
	s.update(func(w world) *world {
		w.folders = slices.Clone(w.folders)
		for _, f := range p.Event.Removed {
			w.folders = slices.DeleteFunc(w.folders, func(have string) bool { return have == pathOf(f.URI, "") })
		}
		for _, f := range p.Event.Added {
			if isFile(f.URI) {
				w.folders = append(w.folders, pathOf(f.URI, ""))
			}
		}
		return &w
	}, "")
}

// configured takes settings from the client, which has sent them or is asked for them.
func (s *Server) configured(p about) {
	s.set(p.Settings)
	if s.client.Workspace.Configuration && (len(p.Settings) == 0 || string(p.Settings) == "null") {
		s.aside(s.ask)
	}
}

// ask asks the client for the settings.
func (s *Server) ask() {
	var values []json.RawMessage
	items := map[string]any{"items": []map[string]string{{"section": "mancheck"}}}
	if s.call(s.ctx, "workspace/configuration", items, &values) == nil && len(values) == 1 {
		s.set(values[0])
	}
}

func (s *Server) set(values json.RawMessage) {
	s.update(func(w world) *world {
		next, err := w.settings.merged(values)
		if err != nil {
			s.log.Printf("a setting cannot be read: %v", err)
			s.notify("window/showMessage", messageParams{2, "a setting of mancheck cannot be read: " + err.Error()})
		}
		w.settings = next
		return &w
	}, "")
}

// exit ends the connection.
func (s *Server) exit() {
	s.mu.Lock()
	if s.state == shutDown {
		s.pending = nil
	}
	s.state = exited
	s.mu.Unlock()
	_ = s.conn.Close()
}
