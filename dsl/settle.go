package dsl

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/num"
)

// documented is a node that may have a comment above it, which documents it.
type documented interface{ SetDoc(string) }

// settle completes a tree that participle has built: ranges, texts without quotes, numbers and
// comments. It also reports the few errors that the grammar does not exclude.
func settle[N ast.Node](p *parser, root N) N {
	var options *ast.SetLit // the set of a choice
	ast.Inspect(root, func(n ast.Node) bool {
		if s, ok := n.(*ast.Sow); ok {
			p.oneStart(s)
		}
		if n, ok := n.(interface{ Settle() }); ok {
			n.Settle()
		}
		switch n := n.(type) {
		case *ast.Ident:
			if word := p.tokens[p.indexOf(n.Range.Start.Offset)-1]; word.Type == scan.Keyword && slices.Contains(operatorNames, n.Name) && slices.Contains(valueNames, word.Value) {
				p.diags.Errorf(diag.Reserved, n.Range, "`%s` cannot be the name of a value", n.Name).
					WithHelp("behind a name or `last` it is an operator, as in `South wins`, `last was 3`, `house of P`: choose another name")
			}
		case *ast.Choice:
			if options, _ = n.Set.(*ast.SetLit); options != nil && len(options.Elems) == 0 {
				p.errorf(options.Range, "expected an option between the braces")
			}
		case *ast.SetLit:
			p.options(n, options)
		case *ast.Label:
			if n.Quoted = strings.HasPrefix(n.Text, `"`); n.Quoted {
				n.Text = unquote(n.Text)
			}
		case *ast.ForBoards:
			n.Path = unquote(n.Path)
		case *ast.VarType:
			if n.Enum == nil && n.Hi == nil && n.Name() == nil {
				p.errorf(n.Range, "expected a type: a group of pits, `bool`, `player`, a range or names in braces")
			}
		case *ast.BoardCell:
			p.onOneLine(n)
		case *ast.Cell:
			p.cell(n)
		case *ast.Assign:
			p.assignable(n)
		case *ast.Capture:
			if n.Bare != nil {
				n.From, n.Bare = n.Bare, nil
				p.sweep(n)
			}
		case *ast.Count:
			n.Set = cmp.Or(n.Set, "plays")
		}
		return true
	})
	if d, ok := any(root).(documented); ok {
		d.SetDoc(docAbove(p.out.Source, root.Span()))
	}
	return root
}

func (p *parser) errorf(r diag.Range, format string, args ...any) *diag.Diagnostic {
	return p.diags.Errorf(diag.Syntax, r, format, args...)
}

// operatorNames are no reserved words, but join what is before them to what follows, so the name of
// a value, which valueNames declare, would be taken for the operator.
var (
	operatorNames = []string{"wins", "was", "of"}
	valueNames    = []string{"state", "param", "let", "choose", "define", "for"}
)

// options rejects notations and labels in all sets but those of choices.
func (p *parser) options(s, choice *ast.SetLit) {
	if s == choice {
		return
	}
	for _, e := range s.Elems {
		if o, ok := e.(*ast.Option); ok {
			p.errorf(o.Range, "only the options of `choose` have notations and labels")
		}
	}
}

// onOneLine rejects a pit or count of a picture that continues on another line, since a row is a
// line.
func (p *parser) onOneLine(n ast.Node) {
	if r := n.Span(); r.Start.Line != r.End.Line {
		p.errorf(r, "a row of a picture is a line, and this goes over its end")
	}
}

func (p *parser) cell(c *ast.Cell) {
	p.onOneLine(c)
	c.Any = c.Text == "_"
	if c.Any || c.Bar {
		return
	}
	n, err := num.Parse(c.Text)
	switch {
	case strings.Contains(c.Text, "_"):
		p.errorf(c.Range, "`%s` is not a number of seeds: in a picture `_` is a pit with any number", c.Text).
			WithHelp("write blanks between pits, and numbers of seeds without `_`")
	case err != nil:
		p.diags = append(p.diags, tooLarge(c.Range))
	}
	c.Count = n
}

// assignable rejects an assignment to anything but `x` or `x(i)`.
func (p *parser) assignable(a *ast.Assign) {
	sign := p.tokens[p.indexOf(a.Target.Span().End.Offset)].Pos.Offset
	if name, _ := a.Variable(); p.written[sign] == 0 && (name.Name == "" || scan.IsKeyword(name.Name)) {
		d := p.errorf(a.Target.Span(), "only a variable can be set, as in `x = …` or `x(i) = …`").
			WithHelp("seeds move with `sow`, `capture` and `take`")
		if name.Name == "mover" || name.Name == "opponent" {
			d.WithHelp("who moves next is said by `again`, or by `South moves next`")
		}
	}
}

// oneStart rejects a second `starting at` in a sowing.
func (p *parser) oneStart(s *ast.Sow) {
	depth, before := 0, false
	for i, t := range s.Tokens {
		depth += nesting(t)
		if depth > 0 || t.Value != "starting" || s.Tokens[i-1].Value != "," || s.Tokens[i+1].Value != "at" {
			continue
		}
		if before {
			p.errorf(ast.TokenRange(t), "this sowing has two places to start at")
		}
		before = true
	}
}

// unquote removes the quotes of a text, and the backslashes before quotes and backslashes. The
// closing quote may be missing; the scanner has reported that.
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

// docAbove returns the block of comments directly above a declaration, without slashes. It is empty
// unless the declaration is the first on its line.
func docAbove(src []byte, r diag.Range) string {
	start := bytes.LastIndexByte(src[:r.Start.Offset], '\n') + 1
	if len(bytes.TrimSpace(src[start:r.Start.Offset])) > 0 {
		return ""
	}
	var lines []string
	for start > 0 {
		end := start - 1
		start = bytes.LastIndexByte(src[:end], '\n') + 1
		line := strings.Trim(string(src[start:end]), "\uFEFF \t\r")
		if !strings.HasPrefix(line, "//") {
			break
		}
		lines = append(lines, strings.TrimPrefix(strings.TrimLeft(line, "/"), " "))
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}
