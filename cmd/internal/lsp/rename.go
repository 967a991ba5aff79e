package lsp

import (
	"slices"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl/diag"
)

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
