package dsl

import (
	"sort"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// context is what a mistake is met in: it decides where the parser goes on, and what it says it
// expected.
type context int

const (
	inFile context = iota
	inVariantHead
	inClaimHead
	inVariant
	inClaim
)

// indexOf finds a token again.
func (p *parser) indexOf(t lexer.Token) int {
	i := sort.Search(len(p.tokens), func(i int) bool { return p.tokens[i].Pos.Offset >= t.Pos.Offset })
	return min(i, len(p.tokens)-1)
}

// moveTo puts the stream before a token at or behind its own place.
func (p *parser) moveTo(i int) {
	for p.index() < i && !p.token().EOF() {
		p.stream.Next()
	}
}

// recover goes on behind a mistake at token bad of something that began at token start.
func (p *parser) recover(bad, start int, in context) {
	p.rewindTo(bad)
	switch in {
	case inFile:
		p.skipTo(p.startsDecl)
	case inVariantHead, inClaimHead:
		p.skipTo(func(i int) bool {
			return p.tokens[i].Value == "{" && i <= bad+1 || p.startsDecl(i) && i > start
		})
	case inVariant:
		column := p.lineColumn(start)
		p.skipPart(start, p.startsItem, func(i int) bool { return p.startsItemSurely(i) || p.alike(i, column) })
	case inClaim:
		p.skipPart(start, p.startsClause, p.startsDecl)
	}
}

// rewindTo puts the stream before any token: after a mistake the parser generator leaves it anywhere.
func (p *parser) rewindTo(i int) {
	if p.index() > i {
		p.stream.LoadCheckpoint(lexer.Checkpoint{})
	}
	p.moveTo(i)
}

func (p *parser) skipTo(stop func(i int) bool) {
	for !p.token().EOF() && !stop(p.index()) {
		p.stream.Next()
	}
}

// skipPart skips the rest of an item or clause that began at start: up to the brace that closes what it is in, the
// next of its kind outside all braces that it opened, or one that is sure to be the next wherever it stands.
func (p *parser) skipPart(start int, next, surely func(i int) bool) {
	depth := 0
	for _, t := range p.tokens[start:p.index()] {
		depth = max(depth+nesting(t), 0)
	}
	for ; !p.token().EOF(); p.stream.Next() {
		i := p.index()
		if depth <= 0 && (p.is("}") || i > start && next(i)) || i > start && surely(i) {
			break
		}
		depth += nesting(p.token())
	}
	p.forgive = p.forgive || depth > 0
	p.unbalanced = p.unbalanced || depth > 0 || p.token().EOF() || p.startsDecl(p.index())
}

// alike reports whether token i begins an item that is no further to the right than the line of the item with the
// mistake, which begins at column: then it cannot be a statement, whatever the braces say.
func (p *parser) alike(i, column int) bool {
	return p.startsItem(i) && p.firstOnLine(i) && p.tokens[i].Pos.Column <= column
}

// lineColumn is where the line of token i begins.
func (p *parser) lineColumn(i int) int {
	for i > 0 && !p.firstOnLine(i) {
		i--
	}
	return p.tokens[i].Pos.Column
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

func (p *parser) firstOnLine(i int) bool {
	return i == 0 || p.tokens[i-1].Pos.Line < p.tokens[i].Pos.Line
}

// startsDecl reports whether a declaration of the file begins at token i. Its word is reserved, so inside a
// body it tells of a missing brace; only `param claim = 3` and the like are mistakes of another kind.
func (p *parser) startsDecl(i int) bool {
	t := p.tokens[i]
	if !p.startsStrategy(i) && (t.Type != scan.Keyword || !scan.IsDeclWord(t.Value)) {
		return false
	}
	return p.firstOnLine(i) || p.tokens[i-1].Value == "}"
}

// startsStrategy tells a declaration by its shape: `strategy` is a word that may also be a name.
func (p *parser) startsStrategy(i int) bool {
	if t := p.tokens[i]; t.Type != scan.Name || t.Value != "strategy" || i+2 >= len(p.tokens) {
		return false
	}
	after := p.tokens[i+2].Value
	return p.tokens[i+1].Type == scan.Name && (after == "=" || after == "of")
}

// startsItem reports whether an item of a variant begins at token i, which is outside the braces of any
// other: its word must not follow something that cannot end an item.
func (p *parser) startsItem(i int) bool {
	t := p.tokens[i]
	if t.Type != scan.Keyword || !scan.IsItemWord(t.Value) {
		return p.startsDecl(i)
	}
	if scan.IsStatementWordToo(t.Value) && !p.hasWhen(i) {
		return false
	}
	return !p.insideItem(i) && (p.firstOnLine(i) || endsPart(p.tokens[i-1]))
}

// hasWhen tells an outcome of the variant from a statement.
func (p *parser) hasWhen(i int) bool {
	return p.tokens[i+1].Value == "when" || !p.tokens[i+1].EOF() && p.tokens[i+2].Value == "when"
}

// startsItemSurely is startsItem for tokens that may be inside braces: the word begins no statement.
func (p *parser) startsItemSurely(i int) bool {
	t := p.tokens[i]
	if t.Type != scan.Keyword || !scan.IsItemWord(t.Value) {
		return p.startsDecl(i)
	}
	return p.firstOnLine(i) && !p.insideItem(i) && !scan.IsStatementWordToo(t.Value)
}

// surplus reports whether the closing brace i is one too many: what follows it shows that the body goes on.
func (p *parser) surplus(i int) bool {
	next := p.tokens[i+1]
	if next.EOF() || p.startsDecl(i+1) {
		return false
	}
	return !p.firstOnLine(i+1) || next.Type == scan.Keyword && scan.IsItemWord(next.Value)
}

// insideItem knows the items' words that stand inside items.
func (p *parser) insideItem(i int) bool {
	if i == 0 {
		return false
	}
	switch before := p.tokens[i-1].Value; p.tokens[i].Value {
	case "move":
		return before == "no"
	case "end":
		return before == "at"
	case "player":
		return before == "each" || before == ":" || !p.firstOnLine(i)
	}
	return false
}

// endsPart reports whether an item or clause may end with a token.
func endsPart(t lexer.Token) bool {
	switch t.Type {
	case scan.Keyword:
		return scan.IsValueWord(t.Value)
	case scan.Punct:
		return t.Value == ")" || t.Value == "]" || t.Value == "}" || t.Value == ".."
	}
	return true
}

// clauseWords begin clauses and properties.
var clauseWords = map[string]bool{
	"expect": true, "with": true, "for": true, "using": true, "bound": true,
	"unreachable": true, "invariant": true, "reachable": true, "never": true, "terminates": true,
	"predecessors": true, "successors": true, "from": true, "unique": true, "winning": true,
}

// startsNamely knows the clauses and properties that begin with a word which may also be a name.
func (p *parser) startsNamely(i int) bool {
	next := p.tokens[min(i+1, len(p.tokens)-1)]
	switch p.tokens[i].Value {
	case "following", "refines", "reverses":
		return next.Type == scan.Name && !p.firstOnLine(i+1)
	case "starting":
		return next.Value == "at"
	case "equivalent":
		return next.Value == "to"
	}
	return false
}

// startsClause reports whether a clause begins at token i of a claim.
func (p *parser) startsClause(i int) bool {
	t := p.tokens[i]
	if t.Type == scan.String || !clauseWords[t.Value] && !p.startsNamely(i) {
		return p.startsDecl(i)
	}
	return p.firstOnLine(i) || endsPart(p.tokens[i-1])
}
