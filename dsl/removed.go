package dsl

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// sweep is how the grammar recognizes the statement `SET into P`, and capture what remains of it in
// the grammar that is documented.
const (
	sweep   = `(("capture" Sum ("," Sum)*) | ((?= Sum ("," Sum)* "into") Sum ("," Sum)*)) "into" Sum`
	capture = `"capture" Sum ("," Sum)* "into" Sum`
)

// languageAt reports whether `language` and a version begin at token i.
func (o outline) languageAt(i int) bool {
	return o.tokens[i].Type == scan.Name && o.tokens[i].Value == "language" && o.tokens[i+1].Type == scan.Int
}

// removed reports a form that was removed. The edit replaces it by what is to be written. Nothing
// is reported where a file is known to be older.
func (p *parser) removed(at diag.Range, edit diag.Edit, message, help string) {
	p.edits = append(p.edits, edit)
	if p.upgrading || p.older || len(p.diags) >= diag.MaxMistakes-1 {
		return
	}
	p.diags.Errorf(diag.Removed, at, "%s", message).WithHelp("%s", help).Fix = []diag.Edit{edit}
}

// dropRemoved takes separators that were removed out of the tokens: each `;`, and commas in drawn
// boards. What is left is what Upgrade writes.
func (p *parser) dropRemoved() {
	commas := p.commasInPictures()
	depth, items := 0, 0 // items: the braces around items of the declaration that have statements
	out := p.tokens[:0:0]
	for i, t := range p.tokens {
		switch {
		case t.EOF():
		case p.startsDecl(i) && t.Value == "variant":
			depth, items = 0, 1
		case p.startsDecl(i):
			depth, items = 0, len(p.tokens) // no statements
		case depth == 0 && eitherPlace(t):
			items = 0
		}
		depth += nesting(t)
		gone := t.Type == scan.Punct && t.Value == ";"
		if !gone && !commas[i] {
			out = append(out, t)
			continue
		}
		edit := diag.Edit{Range: ast.TokenRange(t)}
		if p.touches(i) {
			edit.Text = " "
		}
		switch label := p.ownLabel(i); {
		case !gone:
			p.removed(edit.Range, edit, "commas in a drawn board were removed from the language",
				"leave it out; between a row and a store stands `|`")
		case depth > items && label != "":
			edit.Text = " " + label + edit.Text
			out = append(out, lexer.Token{Type: scan.String, Value: label, Pos: t.Pos})
			p.written[t.Pos.Offset] = len(t.Value)
			p.removed(edit.Range, edit, "`;` was removed from the language", "write `"+p.tokens[i-1].Value+" "+label+"`: what follows would be a label")
		case p.tokens[i+1].Value == "(" && items == len(p.tokens):
			edit.Text = ","
			out = append(out, lexer.Token{Type: scan.Punct, Value: ",", Pos: t.Pos})
			p.removed(edit.Range, edit, "`;` was removed from the language", "write a comma in its place")
		case depth > items && p.bareCapture(i+1):
			edit.Text = p.spaced(i, "capture")
			out = append(out, lexer.Token{Type: scan.Keyword, Value: "capture", Pos: t.Pos})
			p.written[t.Pos.Offset] = 1
			p.removed(edit.Range, edit, "`;` was removed from the language", "write `capture` in its place")
		default:
			p.removed(edit.Range, edit, "`;` was removed from the language", "leave it out: nothing stands between statements")
		}
	}
	p.tokens = out
}

// touches reports whether token i has no blank before or behind it, so that nothing would stand
// between its neighbours without it.
func (p *parser) touches(i int) bool {
	at := ast.TokenRange(p.tokens[i])
	return i > 0 && ast.TokenRange(p.tokens[i-1]).End.Offset == at.Start.Offset && p.tokens[i+1].Pos.Offset == at.End.Offset
}

// spaced returns a word that takes the place of token i, with blanks around it if there are none.
func (p *parser) spaced(i int, word string) string {
	at := ast.TokenRange(p.tokens[i])
	if i > 0 && p.rangeOf(i-1).End.Offset == at.Start.Offset {
		word = " " + word
	}
	if p.tokens[i+1].Pos.Offset == at.End.Offset {
		word += " "
	}
	return word
}

// bareCapture reports whether a capture without its word begins with the bracket at token i. Behind
// a name that bracket would begin arguments.
func (o outline) bareCapture(i int) bool {
	if o.tokens[i].Value != "(" {
		return false
	}
	for depth := 0; !o.tokens[i].EOF(); i++ {
		switch t := o.tokens[i]; t.Value {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return false
			}
		case "into", "moves", "=", ";":
			if depth == 0 {
				return t.Value == "into"
			}
		}
	}
	return false
}

// ownLabel returns, quoted, the label that the verdict before token i has without one, if the token
// behind could be taken for a label.
func (p *parser) ownLabel(i int) string {
	if i == 0 || !slices.Contains([]lexer.TokenType{scan.Name, scan.Int, scan.String}, p.tokens[i+1].Type) {
		return ""
	}
	switch before := p.tokens[i-1]; {
	case before.Type == scan.Keyword && slices.Contains([]string{"win", "lose", "draw", "end"}, before.Value):
		return `"` + before.Value + `"`
	case i > 1 && p.verdict(i-2) == i:
		return `"win"`
	}
	return ""
}

// commasInPictures finds the commas between the cells of drawn boards, by their tokens.
func (p *parser) commasInPictures() map[int]bool {
	out := map[int]bool{}
	for i := 0; i+2 < len(p.tokens); i++ {
		if t := p.tokens[i]; t.Type != scan.Keyword || t.Value != "board" {
			continue
		}
		if i++; p.tokens[i].Type == scan.Name {
			i++
		}
		if p.tokens[i].Value != "{" {
			continue
		}
		for i++; !p.startsBoardLine(i) && p.inPicture(i); i++ {
			switch p.tokens[i].Value {
			case ",":
				out[i] = true
			case "[":
				for i++; p.inBrackets(i); i++ {
				}
				if p.tokens[i].Value != "]" {
					i--
				}
			}
		}
	}
	return out
}

// inPicture reports whether token i can stand between the cells of a drawn board, or begin one.
func (o outline) inPicture(i int) bool {
	t := o.tokens[i]
	return t.Type == scan.Name || t.Type == scan.Punct && slices.Contains([]string{"|", ",", "[", "]"}, t.Value)
}

// inBrackets reports whether token i can stand in the brackets of a drawn pit.
func (o outline) inBrackets(i int) bool {
	t := o.tokens[i]
	return t.Type == scan.Name || t.Type == scan.Int || t.Type == scan.Punct && !slices.Contains([]string{"]", "|", "=", "{", "}"}, t.Value)
}

// startsBoardLine reports whether a line below the picture of a board begins at token i.
func (o outline) startsBoardLine(i int) bool {
	if i+2 >= len(o.tokens) || o.tokens[i].Type != scan.Name {
		return false
	}
	switch next := o.tokens[i+1]; o.tokens[i].Value {
	case "ring", "line", "group", "owner":
		return next.Type == scan.Name || next.Value == "="
	case "facing", "map":
		return next.Type == scan.Name && o.tokens[i+2].Type == scan.Name
	}
	return false
}

// sweep reports a capture without its word.
func (p *parser) sweep(c *ast.Capture) {
	at := diag.Range{File: c.Range.File, Start: c.Range.Start, End: c.Range.Start}
	text := strings.Join(strings.Fields(string(p.out.Source[c.Range.Start.Offset:c.Range.End.Offset])), " ")
	p.removed(c.Range, diag.Edit{Range: at, Text: "capture "}, "`SET into P` without `capture` was removed from the language",
		"write `capture "+text+"`")
}
