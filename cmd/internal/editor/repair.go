package editor

import (
	"bytes"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/format"
)

// Fixes lists the diagnostics whose mistakes changes of this text remove.
func (t *Text) Fixes(found diag.List) diag.List {
	var out diag.List
	for _, d := range found {
		own := func(e diag.Edit) bool { return e.Range.File == t.Path }
		if len(d.Fix) > 0 && !slices.ContainsFunc(d.Fix, func(e diag.Edit) bool { return !own(e) }) {
			out = append(out, d)
		}
	}
	return out
}

// FixAll joins the changes of several diagnostics. One that would change what another one changes is
// left for the next time.
func FixAll(found diag.List) []diag.Edit {
	var out []diag.Edit
	for _, d := range found {
		clash := slices.ContainsFunc(d.Fix, func(e diag.Edit) bool {
			return slices.ContainsFunc(out, func(o diag.Edit) bool {
				return e.Range.Start.Offset <= o.Range.End.Offset && o.Range.Start.Offset <= e.Range.End.Offset
			})
		})
		if !clash {
			out = append(out, d.Fix...)
		}
	}
	return out
}

// Format is the text in its usual layout. Line breaks stay as most of them are. It fails if there
// are mistakes of syntax.
func (t *Text) Format() ([]byte, error) {
	out, err := format.Source(&ast.File{Path: t.Path, Source: t.Source})
	if err != nil {
		return nil, err
	}
	if crlf := bytes.Count(t.Source, []byte("\r\n")); 2*crlf > bytes.Count(t.Source, []byte("\n")) {
		out = bytes.ReplaceAll(bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}
	return out, nil
}

// Apply carries out changes of one file. They do not overlap.
func Apply(src []byte, edits []diag.Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b diag.Edit) int { return a.Range.Start.Offset - b.Range.Start.Offset })
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		out.Write(src[done:e.Range.Start.Offset])
		out.WriteString(e.Text)
		done = e.Range.End.Offset
	}
	out.Write(src[done:])
	return out.Bytes()
}
