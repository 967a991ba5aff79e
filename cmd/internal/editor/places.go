package editor

import (
	"bytes"
	"time"
	"unicode"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// word is the word around an offset, or the part of it before that.
func (t *Text) word(offset int) (from, to int) {
	part := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || r >= '0' && r <= '9' }
	return len(bytes.TrimRightFunc(t.Source[:offset], part)), len(t.Source) - len(bytes.TrimLeftFunc(t.Source[offset:], part))
}

// token is the token at an offset.
func (t *Text) token(offset int) (dsl.Token, bool) {
	for _, k := range dsl.Tokens(t.Path, t.Source) {
		if k.Range.Start.Offset <= offset && offset <= k.Range.End.Offset && (k.Kind != dsl.SignToken || offset < k.Range.End.Offset) {
			return k, true
		}
	}
	return dsl.Token{}, false
}

// declaration is the declaration of the file around an offset, or nil.
func (t *Text) declaration(offset int) ast.Decl {
	if t.Root == nil {
		return nil
	}
	return lists.Find(t.Root.Decls, func(d ast.Decl) bool { return d.Span().Start.Offset <= offset && offset <= d.Span().End.Offset })
}

// variantAt is the name of the variant that a place is in, or about. It is empty if that is not
// clear.
func (t *Text) variantAt(offset int) string {
	of := (*ast.Ident)(nil)
	switch d := t.declaration(offset).(type) {
	case *ast.Variant:
		return d.Name.Name
	case *ast.Claim:
		of = d.Of
	case *ast.Position:
		of = d.Of
	case *ast.Strategy:
		of = d.Of
	}
	if of != nil {
		return of.Name
	}
	return ""
}

// games lists the variants of the text and its imports.
func (t *Text) games() []*ast.Variant {
	if t.loose == nil {
		return nil
	}
	return t.loose.Unit.Variants
}

// Board is the System of a variant with its whole board, whether its moves are right or not. It is
// nil if the board has mistakes.
func (t *Text) Board(variant string) *rules.System {
	t.checking.Lock()
	defer t.checking.Unlock()
	if sys, known := t.boards[variant]; known {
		return sys
	}
	var sys *rules.System
	begin := time.Now()
	for _, v := range t.games() {
		if v.Name.Name == variant {
			t.Within(limit.WithClock(t.base, mostBoards-t.drawing))
			if board, diags := t.loose.Unit.Board(v, nil); !diags.HasErrors() {
				sys = board
			}
		}
	}
	t.Within(t.base)
	t.drawing += time.Since(begin)
	if t.boards == nil {
		t.boards = map[string]*rules.System{}
	}
	t.boards[variant] = sys
	return sys
}

// text is what stands in a range of one of the files.
func (t *Text) text(r diag.Range) string {
	src := t.Program.Sources[r.File]
	if r.End.Offset > len(src) || r.Start.Offset > r.End.Offset {
		return ""
	}
	return string(src[r.Start.Offset:r.End.Offset])
}
