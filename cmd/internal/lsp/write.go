package lsp

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl/diag"
)

// The kinds of proposals, by those of package editor.
var proposalKinds = map[string]int{
	"keyword": 14, "function": 3, "file": 17, "engine": 12, "variant": 7, "board": 22, "position": 12, "strategy": 3, "claim": 23,
	"parameter": 6, "player": 21, "pits": 5, "group": 5, "lap": 5, "relation": 2, "variable": 6, "value": 20, "definition": 3,
	"procedure": 3, "outcome": 20, "move": 2, "local name": 6,
}

func (q *request) complete(d *document, text *editor.Text) (any, error) {
	files := listing
	if !isFile(d.uri) && q.w.folder() == "" {
		files = func(string) []string { return nil }
	}
	found := text.Complete(d.lines.offset(q.about.Position), files)
	if found == nil {
		return nil, nil
	}
	out := completionList{Items: []completionItem{}}
	at := d.lines.span(found.Range)
	for _, p := range found.Proposals {
		item := completionItem{Label: p.Text, Kind: proposalKinds[p.Kind], Detail: cmp.Or(p.Detail, p.Kind), TextEdit: &textEdit{at, p.Text}}
		if p.Meaning != "" {
			item.Documentation = markdown(p.Meaning)
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// format lays the document out. With mistakes of syntax it stays as it is.
func (q *request) format(d *document, text *editor.Text) (any, error) { return d.laid(text) }

// formatRange lays out the lines of a range: those changes of the whole that are in it.
func (q *request) formatRange(d *document, text *editor.Text) (any, error) {
	edits, err := d.laid(text)
	in := q.about.Range
	return slices.DeleteFunc(edits, func(e textEdit) bool {
		return e.Range.End.Line < in.Start.Line || e.Range.Start.Line > in.End.Line
	}), err
}

// laid are the changes that lay a document out, by lines.
func (d *document) laid(text *editor.Text) ([]textEdit, error) {
	laid, err := text.Format()
	if err != nil {
		return nil, failed(codeRequestFailed, "a text with mistakes of syntax is not laid out: %v", err)
	}
	out := []textEdit{}
	for _, h := range editor.Changes(bytes.SplitAfter(text.Source, []byte("\n")), bytes.SplitAfter(laid, []byte("\n"))) {
		out = append(out, textEdit{Range{d.lines.position(h.From), d.lines.position(h.To)}, h.Text})
	}
	return out, nil
}

// The kinds of code actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll"
)

// actions lists what removes mistakes: those in the range, or all of the text.
func (q *request) actions(d *document, text *editor.Text) (any, error) {
	out := []codeAction{}
	wanted := func(kind string) bool {
		only := q.about.Context.Only
		return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool { return o == kind || o == "" || len(kind) > len(o) && kind[:len(o)+1] == o+"." })
	}
	fixes := text.Fixes(text.Vet(q.ctx).Diags)
	from, to := d.lines.offset(q.about.Range.Start), d.lines.offset(q.about.Range.End)
	for _, f := range fixes {
		if !wanted(quickFix) || f.Range.Start.Offset > to || f.Range.End.Offset < from {
			continue
		}
		out = append(out, codeAction{
			Title: cmp.Or(f.Help, f.Message), Kind: quickFix, IsPreferred: true, Edit: q.workspaceEdit(text, nil, f.Fix),
			Diagnostics: q.w.diagnostics(d, text, diag.List{f}),
		})
	}
	if len(fixes) > 0 && wanted(fixAll) {
		out = append(out, codeAction{Title: "Remove all mistakes that have a remedy", Kind: fixAll, Edit: q.workspaceEdit(text, nil, editor.FixAll(fixes))})
	}
	return out, nil
}

func (q *request) prepareRename(d *document, text *editor.Text) (any, error) {
	n, err := text.CanRename(d.lines.offset(q.about.Position), q.shelf.around(q.ctx, q.w, d.path))
	if err != nil {
		return nil, failed(codeRequestFailed, "%v", err)
	}
	return map[string]any{"range": d.lines.span(n.At), "placeholder": n.Name}, nil
}

func (q *request) rename(d *document, text *editor.Text) (any, error) {
	others := q.shelf.around(q.ctx, q.w, d.path)
	reader := q.w.reader(d.path)
	edits, err := text.Rename(q.ctx, d.lines.offset(q.about.Position), q.about.NewName, others, reader.Open)
	if err != nil {
		return nil, failed(jsonrpc2.CodeInvalidParams, "%v", err)
	}
	return q.workspaceEdit(text, others, edits), nil
}

// workspaceEdit translates changes of files.
func (q *request) workspaceEdit(text *editor.Text, others []*editor.Text, edits []diag.Edit) *workspaceEdit {
	by := map[string][]textEdit{}
	var files []string
	for _, e := range edits {
		file := e.Range.File
		if by[file] == nil {
			files = append(files, file)
		}
		span := q.w.linesOf(holder(text, others, file), file).span(e.Range)
		by[file] = append(by[file], textEdit{span, e.Text})
	}
	slices.Sort(files)
	out := &workspaceEdit{}
	versions := q.client.Workspace.WorkspaceEdit.DocumentChanges
	for _, file := range files {
		if !versions {
			if out.Changes == nil {
				out.Changes = map[string][]textEdit{}
			}
			out.Changes[q.w.uri(file)] = by[file]
			continue
		}
		one := documentEdit{Edits: by[file]}
		one.TextDocument.URI = q.w.uri(file)
		if d := q.w.docs[file]; d != nil {
			one.TextDocument.Version = &d.version
		}
		out.DocumentChanges = append(out.DocumentChanges, one)
	}
	return out
}
