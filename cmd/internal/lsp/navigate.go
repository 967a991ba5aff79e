package lsp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

func (q *request) hover(d *document, text *editor.Text) (any, error) {
	h := text.Hover(d.lines.offset(q.about.Position))
	if h == nil {
		return nil, nil
	}
	return hover{markdown(h.Text), d.lines.span(h.Range)}, nil
}

// definition is where a name is declared, or the file that an import names.
func (q *request) definition(d *document, text *editor.Text) (any, error) {
	at := d.lines.offset(q.about.Position)
	if file := text.Imported(at); file != "" {
		return []location{{URI: q.w.uri(file)}}, nil
	}
	n := text.Name(at, nil)
	if n == nil {
		return nil, nil
	}
	return q.locations(text, nil, n.Decls), nil
}

func (q *request) references(d *document, text *editor.Text) (any, error) {
	others := q.shelf.around(q.ctx, q.w, d.path)
	n := text.Name(d.lines.offset(q.about.Position), others)
	if n == nil {
		return nil, nil
	}
	places := n.Uses
	if q.about.Context.IncludeDeclaration {
		places = n.Places()
	}
	return q.locations(text, others, places), nil
}

// locations translates places in a text, and in others that know its names.
func (q *request) locations(text *editor.Text, others []*editor.Text, places []diag.Range) []location {
	return append([]location{}, lists.Map(places, func(r diag.Range) location { return q.w.location(holder(text, others, r.File), r) })...)
}

// holder is a text that has a file.
func holder(text *editor.Text, others []*editor.Text, file string) *editor.Text {
	for _, t := range append([]*editor.Text{text}, others...) {
		if _, has := t.Program.Sources[file]; has {
			return t
		}
	}
	return text
}

func (q *request) highlight(d *document, text *editor.Text) (any, error) {
	n := text.Name(d.lines.offset(q.about.Position), nil)
	if n == nil {
		return nil, nil
	}
	out := []documentHighlight{}
	for _, r := range n.Places() {
		if r.File != d.path {
			continue
		}
		kind := 2 // it is read
		if slices.Contains(n.Decls, r) {
			kind = 3
		}
		out = append(out, documentHighlight{d.lines.span(r), kind})
	}
	return out, nil
}

// The kinds of symbols, by the word that a part of a file begins with.
var partKinds = map[string]int{
	"variant": 5, "board": 23, "position": 14, "strategy": 12, "claim": 24, "define": 12, "procedure": 12, "param": 14,
	"player": 10, "state": 13, "setup": 9, "move": 6, "pass": 6, "score": 7, "when": 24,
}

const otherKind = 24 // an event: an ending

func (q *request) symbols(d *document, text *editor.Text) (any, error) {
	return d.symbols(text.Parts()), nil
}

func (d *document) symbols(parts []editor.Part) []documentSymbol {
	out := []documentSymbol{}
	for _, p := range parts {
		detail := p.Word
		if p.Detail != "" {
			detail += " " + p.Detail
		}
		one := documentSymbol{Name: p.Name, Detail: detail, Kind: cmp.Or(partKinds[p.Word], otherKind), Range: d.lines.span(p.Range), SelectionRange: d.lines.span(p.At)}
		if len(p.Parts) > 0 {
			one.Children = d.symbols(p.Parts)
		}
		out = append(out, one)
	}
	return out
}

// workspaceSymbols lists the declarations of all files whose names have what is asked for.
func (q *request) workspaceSymbols() (any, error) {
	out := []symbolInformation{}
	wanted := strings.ToLower(q.about.Query)
	for _, path := range q.w.files() {
		if q.ctx.Err() != nil {
			break
		}
		text := q.shelf.read(q.w, path)
		for _, p := range text.Parts() {
			if strings.Contains(strings.ToLower(p.Name), wanted) {
				out = append(out, symbolInformation{p.Name, cmp.Or(partKinds[p.Word], otherKind), q.w.location(text, p.At), p.Word})
			}
		}
	}
	return out, nil
}
