// Package editor answers what an editor asks about the text of a rules file: what is wrong with it,
// what its names mean, what may stand at a place. It knows no protocol; the playground and the
// language server translate its answers. Places are ranges of the source, in bytes.
//
//	text.go      a text that was read, with what it imports; places as editors count them
//	check.go     its mistakes, variants and claims
//	places.go    what stands around a place of it
//	outline.go   its parts, as a list and to be folded; the kinds of its words
//	names.go     where a name is declared and used, and another one for it
//	hover.go     what a word at a place means, also one of the language
//	complete.go  what may stand at a place
//	hints.go     what follows from a picture
//	repair.go    changes that remove mistakes, and its layout
package editor

import (
	"context"
	"sort"
	"sync"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// Text is a rules file as it stands in an editor, with all that it imports.
type Text struct {
	Path    string
	Source  []byte
	Program *dsl.Program
	Root    *ast.File   // the parts without mistakes of syntax; nil if it could not be read
	File    *input.File // nil if there are mistakes of syntax outside of claims, also in what is imported
	Diags   diag.List   // of reading

	base     context.Context
	loose    *input.File // the parts without mistakes, to be looked at only
	names    sync.Once
	symbols  *bind.Symbols
	checking sync.Mutex // held while something of the text is resolved
	checked  *Checked
	boards   map[string]*rules.System // by variant; nil: it has mistakes, or takes too long
	drawing  time.Duration            // what the boards took
}

// Read reads the text at a path. open reads it, and what it imports. The context ends its
// resolution.
func Read(ctx context.Context, path string, open func(path string) ([]byte, error)) *Text {
	program, diags := dsl.Load(path, open)
	t := &Text{Path: path, Source: program.Sources[path], Program: program, Diags: diags, base: ctx}
	if len(program.Files) == 0 {
		return t
	}
	t.Root = program.Files[len(program.Files)-1]
	f, more := input.Parsed(ctx, path, program)
	t.loose = f
	if !diags.Outside().HasErrors() {
		t.File, t.Diags = f, append(diags, more...)
	}
	return t
}

// Within sets the context that ends the resolution of the text.
func (t *Text) Within(ctx context.Context) {
	if t.loose != nil {
		t.loose.Unit.Context = ctx
	}
}

// Symbols has the names of the text.
func (t *Text) Symbols() *bind.Symbols {
	t.names.Do(func() { t.symbols = bind.Bind(t.Program.Files).Symbols })
	return t.symbols
}

// Units turns places in a text, which are counted in bytes, into those of an editor that counts
// units of UTF-16 from the beginning of the text.
type Units struct {
	length int
	wide   []int // the bytes at which characters begin that are not ASCII
	units  []int // of UTF-16 before each of them
}

// UnitsOf counts the units of a text.
func UnitsOf(text string) Units {
	p := Units{length: len(text)}
	less := 0 // units than bytes, so far
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		if r >= utf8.RuneSelf {
			p.wide, p.units = append(p.wide, at), append(p.units, at-less)
			less += n - utf16.RuneLen(r)
		}
		at += n
	}
	// The end is a place after the last of them.
	p.wide, p.units = append(p.wide, len(text)), append(p.units, len(text)-less)
	return p
}

// Unit is the place of a byte at which a character begins.
func (p Units) Unit(at int) int {
	at = max(0, min(at, p.length))
	i := sort.SearchInts(p.wide, at)
	return p.units[i] - (p.wide[i] - at)
}

// Span is a stretch of the text in the editor.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Span is a range of the text in the editor.
func (p Units) Span(r diag.Range) Span { return Span{p.Unit(r.Start.Offset), p.Unit(r.End.Offset)} }
