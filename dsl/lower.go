package dsl

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/grammar"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/num"
)

// lowerer turns the parser's structs into the syntax tree. It orders operators by their strength,
// groups pictures into rows, and rejects the little that the grammar is too loose to reject.
type lowerer struct {
	diags   *diag.List
	docs    docs
	written map[int]int // as the parser's
}

// located is a production with its tokens.
type located interface{ At() []lexer.Token }

func spanOf(n located) diag.Range { return tokenSpan(n.At()) }

func at(n located) ast.At { return ast.At{Range: spanOf(n)} }

func tokenSpan(tokens []lexer.Token) diag.Range {
	return scan.Range(tokens[0]).To(scan.Range(tokens[len(tokens)-1]))
}

func (l *lowerer) errorf(r diag.Range, format string, args ...any) *diag.Diagnostic {
	if r.End.Offset-r.Start.Offset <= len("not") {
		r = asWritten(r, l.written)
	}
	return l.diags.Errorf(diag.Syntax, r, format, args...)
}

// asWritten corrects the range of a token whose value is not what is written.
func asWritten(r diag.Range, written map[int]int) diag.Range {
	if n, ok := written[r.Start.Offset]; ok {
		r.End = r.Start
		r.End.Offset += n
		r.End.Column += n
	}
	return r
}

func ident(n *grammar.Name) ast.Ident {
	return ast.Ident{At: at(n), Name: n.Text}
}

func identPtr(n *grammar.Name) *ast.Ident {
	if n == nil {
		return nil
	}
	id := ident(n)
	return &id
}

func idents(list []*grammar.Name) []ast.Ident {
	var out []ast.Ident
	for _, n := range list {
		out = append(out, ident(n))
	}
	return out
}

func label(n *grammar.Label) *ast.Label {
	if n == nil {
		return nil
	}
	return tokenLabel(n.Name)
}

func tokenLabel(t *lexer.Token) *ast.Label {
	if t == nil {
		return nil
	}
	l := &ast.Label{At: ast.At{Range: scan.Range(*t)}, Text: t.Value}
	if t.Type == scan.String {
		l.Text, l.Quoted = unquote(t.Value), true
	}
	return l
}

// unquote takes the quotes off a text; `\"` and `\\` stand for a quote and a backslash. The closing quote
// may be missing, which the scanner has reported.
func unquote(s string) string {
	var b strings.Builder
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// number reads a number of any length; one that is no number of the language is reported and taken as 0.
func (l *lowerer) number(t lexer.Token) int {
	n, err := num.Parse(t.Value)
	if err != nil {
		l.errorf(scan.Range(t), "this number is too large").WithHelp("the largest number is %d", num.Most)
		return 0
	}
	return n
}

// docs finds the comments above declarations.
type docs struct {
	comments map[int]string // by line, of those that have a line for themselves
	first    map[int]int    // by line, the offset of the first token
}

func newDocs(tokens []lexer.Token, comments []ast.Comment) docs {
	d := docs{comments: map[int]string{}, first: map[int]int{}}
	for _, t := range tokens {
		if _, ok := d.first[t.Pos.Line]; !ok {
			d.first[t.Pos.Line] = t.Pos.Offset
		}
	}
	for _, c := range comments {
		if _, ok := d.first[c.Range.Start.Line]; !ok {
			d.comments[c.Range.Start.Line] = c.Text
		}
	}
	return d
}

// above is the block of comments that ends on the line above a declaration, without slashes. The declaration
// must be the first on its line.
func (d docs) above(r diag.Range) string {
	if d.first[r.Start.Line] != r.Start.Offset {
		return ""
	}
	var lines []string
	for line := r.Start.Line - 1; ; line-- {
		text, ok := d.comments[line]
		if !ok {
			break
		}
		lines = append(lines, strings.TrimPrefix(strings.TrimLeft(text, "/"), " "))
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}
