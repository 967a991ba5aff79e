package dsl

import (
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// sweep is how the grammar recognizes `SET into P`, to report it, and capture what remains of it in
// the grammar that is documented.
const (
	sweep   = `(("capture" Sum ("," Sum)*) | ((?= Sum ("," Sum)* "into") Sum ("," Sum)*)) "into" Sum`
	capture = `"capture" Sum ("," Sum)* "into" Sum`
)

// habit reports what people write from habit, with the change to what is meant. The parser goes on
// as if that had been written.
func (p *parser) habit(at, edited diag.Range, text, message, help string) {
	if len(p.diags) < diag.MaxMistakes-1 {
		p.errorf(at, "%s", message).WithHelp("%s", help).Fix = []diag.Edit{{Range: edited, Text: text}}
	}
}

// sweep reports a capture without its word.
func (p *parser) sweep(c *ast.Capture) {
	start := diag.Range{File: c.Range.File, Start: c.Range.Start, End: c.Range.Start}
	text := diag.OneLine(p.out.Source, c.Range)
	p.habit(c.Range, start, "capture ", "`SET into P` has no meaning without `capture`", "write `capture "+text+"`")
}

// dropSigns takes each `;`, and the commas between the pits of drawn boards, out of the tokens.
func (p *parser) dropSigns() {
	out := p.tokens[:0:0]
	claim, picture, brackets := false, false, 0
	for i, t := range p.tokens {
		if p.startsDecl(i) || eitherPlace(t) {
			claim = t.Value == "claim"
		}
		switch {
		case p.opensPicture(i):
			picture, brackets = true, 0
		case p.endsPicture(i):
			picture = false
		case t.Value == "[":
			brackets++
		case t.Value == "]":
			brackets--
		}
		switch {
		case t.Value == ";":
			out = append(out, p.semicolon(i, claim)...)
		case t.Value == "," && picture && brackets == 0:
			p.sign(i, p.blank(i), "`,` has no meaning in a drawn board", "leave it out; between a row and a store stands `|`")
		default:
			out = append(out, t)
		}
	}
	p.tokens = out
}

// semicolon reports a `;` and returns what is parsed in its place: nothing, or what keeps its
// neighbours apart.
func (p *parser) semicolon(i int, claim bool) []lexer.Token {
	const message = "`;` has no meaning here"
	text, label := p.blank(i), p.ownLabel(i)
	switch {
	case !claim && label != "":
		p.sign(i, " "+label+text, message, "write `"+p.tokens[i-1].Value+" "+label+"`: what follows would be a label")
		return p.instead(i, scan.String, label)
	case p.open(max(i-10, 0), i, "(", ")") >= 0:
		return p.tokens[i : i+1] // the brackets have the mistake
	case claim && p.tokens[i+1].Value == "(":
		p.sign(i, ","+text, message, "write a comma in its place")
		return p.instead(i, scan.Punct, ",")
	}
	p.sign(i, text, message, "leave it out: nothing stands between statements")
	return nil
}

// sign reports the sign at token i, and the text that belongs in its place. Who writes one writes
// many, so only the first is reported, with the changes to all.
func (p *parser) sign(i int, text, message, help string) {
	at := ast.TokenRange(p.tokens[i])
	k := slices.IndexFunc(p.diags, func(d diag.Diagnostic) bool { return d.Message == message && d.Help == help })
	if k < 0 {
		p.habit(at, at, text, message, help)
		return
	}
	d := &p.diags[k]
	d.Notes = []diag.Note{{Message: fmt.Sprintf("%d more like this below", len(d.Fix))}}
	d.Fix = append(d.Fix, diag.Edit{Range: at, Text: text})
}

// instead is a token in the place of token i.
func (p *parser) instead(i int, kind lexer.TokenType, value string) []lexer.Token {
	t := p.tokens[i]
	p.written[t.Pos.Offset] = len(t.Value)
	return []lexer.Token{{Type: kind, Value: value, Pos: t.Pos}}
}

// blank is what keeps the neighbours of a sign apart: a blank, if none stands behind it.
func (p *parser) blank(i int) string {
	end := ast.TokenRange(p.tokens[i]).End.Offset
	if next := p.tokens[i+1]; next.EOF() || next.Pos.Offset > end {
		return ""
	}
	return " "
}

// opensPicture reports whether token i is the opening brace of a board.
func (o outline) opensPicture(i int) bool {
	if o.tokens[i].Value != "{" || i < 2 {
		return false
	}
	return o.tokens[i-1].Value == "board" || o.tokens[i-2].Value == "board" && o.tokens[i-1].Type == scan.Name
}

// endsPicture reports whether token i can be in no picture, or begins a line below it.
func (o outline) endsPicture(i int) bool {
	switch t := o.tokens[i]; t.Type {
	case scan.Punct:
		return slices.Contains([]string{"{", "}", "="}, t.Value)
	case scan.Name:
		next := o.tokens[i+1]
		return slices.Contains([]string{"ring", "line", "group", "owner", "facing", "map"}, t.Value) && (next.Type == scan.Name || next.Value == "=")
	}
	return o.tokens[i].Type != scan.Int
}

// ownLabel returns, quoted, the label that the verdict before token i has without one, if the token
// behind could be taken for a label.
func (p *parser) ownLabel(i int) string {
	if !slices.Contains([]lexer.TokenType{scan.Name, scan.Int, scan.String}, p.tokens[i+1].Type) {
		return ""
	}
	switch {
	case i > 0 && p.verdict(i-1) == i:
		return `"` + p.tokens[i-1].Value + `"`
	case i > 1 && p.verdict(i-2) == i:
		return `"win"`
	}
	return ""
}
