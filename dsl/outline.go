package dsl

import (
	"slices"
	"sort"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// outline determines from tokens alone where parts of a file begin and end and what it declares.
// The parser needs that for what it says of a mistake, and to continue after it.
type outline struct {
	tokens  []lexer.Token
	written map[int]int // by offset: the length in the source of tokens whose value differs from it
}

// isWho reports whether a token can be the player in a verdict.
func isWho(t lexer.Token) bool {
	return t.Type == scan.Name || t.Value == "mover" || t.Value == "opponent"
}

func nesting(t lexer.Token) int {
	switch {
	case t.Type != scan.Punct:
		return 0
	case t.Value == "{":
		return 1
	case t.Value == "}":
		return -1
	}
	return 0
}

// endsPart reports whether an item or clause may end with this token.
func endsPart(t lexer.Token) bool {
	switch t.Type {
	case scan.Keyword:
		return scan.IsValueWord(t.Value)
	case scan.Punct:
		return t.Value == ")" || t.Value == "]" || t.Value == "}" || t.Value == ".."
	}
	return true
}

// itemWord reports whether token i can begin an item of a variant. Besides reserved words, the
// player in `South wins when …` can, and `pass` before `when`.
func (o outline) itemWord(i int) bool {
	t := o.tokens[i]
	if t.Value == "pass" {
		return o.tokens[i+1].Value == "when"
	}
	return t.Type == scan.Keyword && itemWords()[t.Value] && !isWho(t) || o.verdict(i) > 0
}

// verdict recognizes a verdict, which may begin an item of a variant or a statement. It returns the
// index of the token after it, not counting its label, or 0.
func (o outline) verdict(i int) int {
	switch t := o.tokens[i]; {
	case isWho(t) && (o.tokens[i+1].Value == "wins" || o.tokens[i+1].Value == "loses"):
		return i + 2
	case t.Type == scan.Keyword && !isWho(t) && itemWords()[t.Value] && stmtWords()[t.Value]:
		return i + 1
	}
	return 0
}

// cutShort reports whether token i shows that a closing brace is missing before it.
func (o outline) cutShort(i int) bool {
	return o.tokens[i].EOF() || o.startsDecl(i) || o.firstOnLine(i) && o.startsItem(i)
}

// open returns the index of the innermost bracket that is still open at token end, among those
// opened from start on, or -1.
func (o outline) open(start, end int, opening, closing string) int {
	var stack []int
	for i := start; i < end; i++ {
		switch o.tokens[i].Value {
		case opening:
			stack = append(stack, i)
		case closing:
			stack = stack[:max(len(stack)-1, 0)]
		}
	}
	if len(stack) == 0 {
		return -1
	}
	return stack[len(stack)-1]
}

// indexOf returns the index of the first token at or after an offset.
func (o outline) indexOf(offset int) int {
	i := sort.Search(len(o.tokens), func(i int) bool { return o.tokens[i].Pos.Offset >= offset })
	return min(i, len(o.tokens)-1)
}

// lineColumn returns the column of the first token on the line of token i.
func (o outline) lineColumn(i int) int {
	for i > 0 && !o.firstOnLine(i) {
		i--
	}
	return o.tokens[i].Pos.Column
}

func (o outline) firstOnLine(i int) bool {
	return i == 0 || o.tokens[i-1].Pos.Line < o.tokens[i].Pos.Line
}

// startsDecl reports whether a declaration of the file begins at token i. Its word is reserved, so
// within a body it means that a brace is missing, except after mistakes such as `param claim = 3`.
// A definition or procedure means nothing, because it may also be an item of a variant.
func (o outline) startsDecl(i int) bool {
	t := o.tokens[i]
	if !o.startsStrategy(i) && (t.Type != scan.Keyword || !declWords()[t.Value] || eitherPlace(t)) || t.Value == "board" && !o.startsBoard(i) {
		return false
	}
	return o.firstOnLine(i) || o.tokens[i-1].Value == "}"
}

// eitherPlace reports whether a token begins what may be declared in a variant or outside of it.
func eitherPlace(t lexer.Token) bool { return t.Value == "define" || t.Value == "procedure" }

// topLevel is startsDecl outside of variants, where a definition or procedure is meant if it is not
// indented.
func (o outline) topLevel(i int) bool {
	return o.startsDecl(i) || eitherPlace(o.tokens[i]) && o.tokens[i].Pos.Column == 1
}

// languageAt reports whether `language` and a version begin at token i.
func (o outline) languageAt(i int) bool {
	return o.tokens[i].Type == scan.Name && o.tokens[i].Value == "language" && o.tokens[i+1].Type == scan.Int
}

// startsStrategy recognizes a strategy by its first tokens, because `strategy` may also be a name.
func (o outline) startsStrategy(i int) bool {
	if t := o.tokens[i]; t.Type != scan.Name || t.Value != "strategy" || i+2 >= len(o.tokens) {
		return false
	}
	after := o.tokens[i+2].Value
	return o.tokens[i+1].Type == scan.Name && (after == "=" || after == "of")
}

// startsBoard recognizes a board that variants share: it begins a line, is not indented, and has a
// name and a body.
func (o outline) startsBoard(i int) bool {
	return o.tokens[i].Pos.Column == 1 && i+2 < len(o.tokens) && o.tokens[i+1].Type == scan.Name && o.tokens[i+2].Value == "{"
}

// startsItem reports whether an item of a variant begins at token i, which is outside the braces of
// other items. The token before it must be able to end an item.
func (o outline) startsItem(i int) bool {
	if !o.itemWord(i) {
		return o.startsDecl(i)
	}
	if after := o.verdict(i); after > 0 && !o.whenAt(after) {
		return false
	}
	return !o.insideItem(i) && (o.firstOnLine(i) || endsPart(o.tokens[i-1]))
}

// whenAt distinguishes a verdict of the variant from a statement: `when` stands behind it, or
// behind its label.
func (o outline) whenAt(after int) bool {
	return o.tokens[after].Value == "when" || !o.tokens[after].EOF() && o.tokens[after+1].Value == "when"
}

// startsItemSurely is startsItem for tokens that may be inside braces. There a verdict may be a
// statement, unless it is indented no more than column, that of the line where the faulty item
// begins.
func (o outline) startsItemSurely(i, column int) bool {
	t := o.tokens[i]
	return o.startsDecl(i) || o.firstOnLine(i) && o.startsItem(i) && (o.verdict(i) == 0 || t.Pos.Column <= column)
}

// surplus reports whether the closing brace i is one too many, because what follows belongs to the
// same body. A definition or procedure may be on either side of it; an indented one is taken for an
// item.
func (o outline) surplus(i int) bool {
	next := o.tokens[i+1]
	if next.EOF() || o.topLevel(i+1) {
		return false
	}
	return !o.firstOnLine(i+1) || o.itemWord(i+1)
}

// insideItem reports whether the item word at token i is part of another item.
func (o outline) insideItem(i int) bool {
	if i == 0 {
		return false
	}
	switch before := o.tokens[i-1].Value; o.tokens[i].Value {
	case "move":
		return before == "no" || before == "other" || before == "cannot" || o.tokens[i+1].Type == scan.Int
	case "when":
		return !o.firstOnLine(i) && before != "}" || o.heads(i)
	case "end":
		return before == "at"
	case "player":
		return before == "each" || before == ":" || before == "in" || !o.firstOnLine(i)
	}
	return false
}

// heads reports whether the `when` at token i belongs to the move, pass or verdict before it.
func (o outline) heads(i int) bool {
	for j := i - 1; j >= max(i-3, 0); j-- {
		if after := o.verdict(j); o.tokens[j].Value == "move" && j >= i-2 || o.tokens[j].Value == "pass" && j == i-1 ||
			after > 0 && i <= after+1 {
			return true
		}
	}
	return false
}

// startsNamely recognizes clauses and properties that begin with a word that may also be a name.
func (o outline) startsNamely(i int) bool {
	next := o.tokens[min(i+1, len(o.tokens)-1)]
	switch o.tokens[i].Value {
	case "following", "refines", "reverses":
		return next.Type == scan.Name && !o.firstOnLine(i+1)
	case "starting":
		return next.Value == "at"
	case "equivalent":
		return next.Value == "to"
	case "where":
		return next.Value == "endless"
	case "takes":
		return next.Value == "long"
	}
	return false
}

// startsClause reports whether a clause begins at token i of a claim.
func (o outline) startsClause(i int) bool {
	t := o.tokens[i]
	if t.Type == scan.String || !clauseWords()[t.Value] && !o.startsNamely(i) {
		return o.startsDecl(i)
	}
	return o.firstOnLine(i) || endsPart(o.tokens[i-1])
}

// rangeOf returns the range of a token as written, which may be longer than its value.
func (o outline) rangeOf(i int) diag.Range {
	r := ast.TokenRange(o.tokens[i])
	if n, ok := o.written[r.Start.Offset]; ok {
		r.End = r.Start
		r.End.Offset += n
		r.End.Column += n
	}
	return r
}

// spot returns where an error at a token is shown: after the previous token, if that is on an
// earlier line.
func (o outline) spot(bad, start int) diag.Range {
	if bad > start && (o.firstOnLine(bad) || o.tokens[bad].EOF()) {
		r := o.rangeOf(bad - 1)
		return diag.Range{File: r.File, Start: r.End, End: r.End}
	}
	return o.rangeOf(bad)
}

// isPicture reports whether the tokens before token i are those of a drawn position.
func (o outline) isPicture(i int) bool {
	for i--; i > 0 && (o.tokens[i].Type == scan.Int || strings.Contains("| _ [ ]", o.tokens[i].Value)); i-- {
	}
	return o.tokens[i].Value == "{"
}

// isPlayer reports whether a variant of the file declares a player of this name.
func (o outline) isPlayer(name string) bool {
	list := false // among the players that are declared
	for i, t := range o.tokens {
		list = t.Value == "player" || list && (t.Value == "," || o.tokens[i-1].Value == "," || o.tokens[i-1].Value == "player")
		if list && t.Type == scan.Name && t.Value == name {
			return true
		}
	}
	return false
}

// declares has the words after which a new name is declared.
var declares = []string{"param", "state", "ring", "line", "group", "let", "define", "procedure", "choose", "position", "strategy", "board", "variant", "claim"}

// declared reports whether the file declares a name, which then is no foreign word.
func (o outline) declared(name string) bool {
	for i, t := range o.tokens[1:] {
		if t.Value == name && slices.Contains(declares, o.tokens[i].Value) {
			return true
		}
	}
	return false
}
