package lsp

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl/diag"
)

// publishing publishes the diagnostics of documents that have changed, until the server ends. What
// is found in a text that has changed meanwhile is dropped, so nothing is published that is older
// than what the client has sent.
func (s *Server) publishing() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.dirty:
		}
		for {
			path, w, ctx := s.nextStale()
			if path == "" || s.ctx.Err() != nil { // after the end all stay stale
				break
			}
			s.publish(ctx, w, path)
		}
	}
}

// nextStale takes a document whose diagnostics are to be published; an empty path: there is none.
// The context ends with the next change.
func (s *Server) nextStale() (string, *world, context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checking != nil {
		s.checking()
		s.checking = nil
	}
	paths := slices.Collect(maps.Keys(s.stale))
	if len(paths) == 0 {
		return "", nil, nil
	}
	p := slices.Min(paths)
	delete(s.stale, p)
	ctx, cancel := context.WithCancel(s.ctx)
	s.checking = cancel
	return p, s.now, ctx
}

// publish publishes the diagnostics of one document.
func (s *Server) publish(ctx context.Context, w *world, path string) {
	defer s.caught(" at " + path)
	d := w.docs[path]
	if d == nil {
		return
	}
	text := s.shelf.read(w, path)
	found := text.Vet(ctx)
	list := w.diagnostics(d, text, found.Diags)
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || s.stale[path] {
		s.stale[path] = s.now.docs[path] != nil
		if !s.stale[path] {
			delete(s.stale, path)
		}
		s.wake()
		return
	}
	s.notify("textDocument/publishDiagnostics", publishParams{URI: d.uri, Version: &d.version, Diagnostics: list})
}

// diagnostics translates what is wrong with a document. What is wrong with a file that it imports
// is shown at the import.
func (w *world) diagnostics(d *document, text *editor.Text, found diag.List) []diagnostic {
	out := []diagnostic{}
	for _, one := range found {
		x := diagnostic{Severity: 1, Code: string(one.Code), Source: "mancheck", Message: one.Message}
		if one.Severity == diag.Warning {
			x.Severity = 2
		}
		if one.Help != "" {
			x.Message += "\nhelp: " + one.Help
		}
		if href := address(one.Code); href != "" {
			x.CodeDescription = map[string]string{"href": href}
		}
		if one.Range.File == d.path {
			x.Range = d.lines.span(one.Range)
		} else {
			x.Range = w.importOf(d, text, one.Range.File)
			x.Message = path.Base(one.Range.String()) + ": " + x.Message
			if !one.Range.IsZero() {
				x.Related = append(x.Related, related{w.location(text, one.Range), "here"})
			}
		}
		for _, n := range one.Notes {
			if !n.Range.IsZero() {
				x.Related = append(x.Related, related{w.location(text, n.Range), n.Message})
			}
		}
		out = append(out, x)
	}
	return out
}

// importOf is the place of the import that leads to a file, or the beginning of the text.
func (w *world) importOf(d *document, text *editor.Text, file string) Range {
	if text.Root != nil {
		for _, i := range text.Root.Imports {
			if path.Join(path.Dir(d.path), i.Path) == file {
				return d.lines.span(i.PathAt)
			}
		}
		if len(text.Root.Imports) > 0 {
			return d.lines.span(text.Root.Imports[0].PathAt)
		}
	}
	return Range{}
}

// location is a place in one of the files of a text.
func (w *world) location(text *editor.Text, r diag.Range) location {
	return location{w.uri(r.File), w.linesOf(text, r.File).span(r)}
}

// linesOf are the lines of one of the files of a text.
func (w *world) linesOf(text *editor.Text, file string) *lines {
	if d := w.docs[file]; d != nil {
		return d.lines
	}
	return newLines(string(text.Program.Sources[file]), w.bytes)
}

// pages is where the documentation is.
const pages = "https://github.com/mancheck/mancheck/blob/main/docs/"

// address is that of what is said of a code of diagnostics.
func address(c diag.Code) string {
	e, known := diag.Explain(c)
	if !known {
		return ""
	}
	return pages + "diagnostics.md#" + anchor(string(e.Code)+": "+e.Title)
}

// anchor is that of a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, strings.ToLower(heading))
}
