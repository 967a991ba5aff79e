// Package dsl reads .sow files.
//
// The text is split into tokens (package scan). From these the parser generator participle builds
// the syntax tree (package ast), whose struct tags are the grammar; grammar.go builds the parsers.
// Expressions are parsed by hand (expr.go), because their operators have precedences. Names and
// types are left to rules/bind and rules/build.
//
// participle stops at the first error, so a file is not parsed in one call. Declarations, items of
// a variant and clauses of a claim are parsed one at a time, and after an error the parser
// continues with the next one (recover.go). A mistake gives one diagnostic, and the part that has
// it is not in the tree. One in a claim need not concern the rest of the file (claims.go).
package dsl

import (
	"bytes"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/plain"
)

const (
	// MaxSize is the size in bytes of the largest file that is read.
	MaxSize = 4 << 20
	// MaxImports is the greatest total size in bytes of the files that a file imports, directly or
	// not.
	MaxImports = 64 << 20

	// maxDepth bounds the nesting of brackets, and maxElseIfs the length of a chain of `else if`,
	// so that no file can overflow the stack.
	maxDepth, maxElseIfs = 200, 500
)

// Language is the version of the language that is read. docs/compatibility.md says how forms are
// removed from it.
const Language = "2"

// Parse parses one file. It always returns a tree, with the parts that have no mistakes. The
// diagnostics are in source order.
func Parse(path string, src []byte) (*ast.File, diag.List) {
	file := &ast.File{Path: path, Source: src}
	if diags := unreadable(path, src); diags != nil {
		return file, diags
	}
	cut := scan.File(path, src)
	file.Comments = cut.Comments
	p := newParser(file, cut)
	if p.nestedTooDeep() || p.tooLong(cut) {
		return file, p.diags
	}
	if !p.tooMany() {
		read := len(p.diags)
		p.file()
		p.confine(read)
		p.diags.Sort()
	}
	if p.noRules() {
		p.diags = nil
		p.diags.Errorf(diag.NotRules, p.rangeOf(0), "this is no rules file: it does not begin with a declaration").
			WithHelp("rules begin with `variant NAME {`, a file of claims with `import \"rules.sow\"`")
	}
	return file, p.diags
}

// manyMistakes is how many a rules file may have that does not begin as one.
const manyMistakes = 10

// noRules reports whether the file is something else: it begins with nothing that could be meant as
// a part of rules, and no declaration was found in it, or more mistakes than anybody makes.
func (p *parser) noRules() bool {
	first := p.tokens[0]
	if !p.diags.HasErrors() || first.EOF() || p.startsDecl(0) || p.languageAt(0) || p.itemWord(0) || first.Value == "define" || first.Value == "board" {
		return false
	}
	if near := spell.Nearest(first.Value, slices.Collect(maps.Keys(declWords()))); near != "" {
		return false
	}
	return len(p.out.Decls)+len(p.out.Imports) == 0 && !slices.ContainsFunc(p.tokens, func(t lexer.Token) bool { return t.Value == "{" }) ||
		len(p.diags) > manyMistakes
}

// unreadable reports a file that is too large or is not plain text.
func unreadable(path string, src []byte) diag.List {
	var diags diag.List
	if len(src) > MaxSize {
		diags.Errorf(diag.TooLarge, diag.Range{File: path}, "the file is larger than %d MiB", MaxSize>>20)
	} else if at, what := plain.Fault(string(src)); what != "" {
		diags.Errorf(diag.NotText, byteAt(path, src, at), "the file is not text: %s", what)
	}
	return diags
}

// byteAt returns the range of the byte at an offset.
func byteAt(path string, src []byte, offset int) diag.Range {
	before := src[:offset]
	line := bytes.LastIndexByte(before, '\n') + 1
	start := diag.Pos{Offset: offset, Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[line:])}
	end := start
	end.Offset++
	end.Column++
	return diag.Range{File: path, Start: start, End: end}
}

// parser parses the tokens of one file. Its position is the raw cursor of the token stream, which
// is an index into tokens.
type parser struct {
	outline
	out        *ast.File
	stream     *lexer.PeekingLexer
	diags      diag.List
	scanned    int  // how many of diags are from the scanner, in source order
	ended      bool // an error at the end of the file was reported
	unbalanced bool // an opening brace was skipped in this body without its closing one
	full       bool // there are more mistakes than are reported
	early      int  // how many variants were ended by a declaration, so that their brace may follow
	forgive    bool // a mistake was reported in this body, so a surplus brace may belong to it
	lost       bool // something of this declaration was skipped
	hidden     bool // so that nothing is reported there: a mistake beside it is to blame
	claims     []extent
}

func newParser(file *ast.File, cut scan.Result) *parser {
	p := &parser{outline: outline{cut.Tokens, cut.Written}, out: file, diags: cut.Diags, scanned: len(cut.Diags)}
	p.dropSigns()
	rest := tokens(p.tokens)
	stream, err := lexer.Upgrade(&rest)
	if err != nil {
		panic(err) // tokens cannot fail
	}
	p.stream = stream
	return p
}

// tooMany reports, once, that the file has too many mistakes. The rest of it is not parsed.
func (p *parser) tooMany() bool {
	if p.full || len(p.diags) < diag.MaxMistakes-1 {
		return p.full
	}
	p.full = true
	p.diags.Errorf(diag.Syntax, p.rangeOf(p.index()), "more than %d mistakes: the rest of the file is not read", diag.MaxMistakes-1)
	return true
}

// tooLong reports a file of which not all tokens were scanned.
func (p *parser) tooLong(cut scan.Result) bool {
	if cut.Rest {
		p.diags.Errorf(diag.TooLarge, ast.TokenRange(p.tokens[len(p.tokens)-1]), "the file has more than %d words and signs", scan.MaxTokens)
	}
	return cut.Rest
}

// nestedTooDeep reports brackets or chains of conditions that exceed the limits.
func (p *parser) nestedTooDeep() bool {
	var around []int // for each open bracket, the depth outside it
	depth := 0
	for i, t := range p.tokens {
		switch t.Value {
		case "(", "[", "{":
			around = append(around, depth)
			depth++
		case ")", "]", "}":
			if n := len(around); n > 0 {
				depth, around = around[n-1], around[:n-1]
			}
		case "else":
			if p.tokens[i+1].Value == "if" {
				depth++
			}
		}
		switch {
		case len(around) > maxDepth:
			p.diags.Errorf(diag.Syntax, ast.TokenRange(t), "brackets are nested deeper than %d", maxDepth)
			return true
		case depth > maxDepth+maxElseIfs:
			p.diags.Errorf(diag.Syntax, ast.TokenRange(t), "too many `else if` in one block")
			return true
		}
	}
	return false
}

// reported reports whether the scanner has dropped something on the line of a token, or just before
// it, and reported that, or that a text there is not closed.
func (p *parser) reported(bad int) bool {
	var before diag.Range
	t := p.tokens[bad].Pos
	if bad > 0 {
		before = p.rangeOf(bad - 1)
	}
	return slices.ContainsFunc(p.diags[:p.scanned], func(d diag.Diagnostic) bool {
		at := d.Range.Start
		return d.Code == diag.BadCharacter && (at.Line == t.Line || at.Offset >= before.End.Offset && at.Offset < t.Offset) ||
			d.Code == diag.Unclosed && (at.Offset == t.Offset || d.Range == before)
	})
}

func (p *parser) index() int { return int(p.stream.RawCursor()) }

func (p *parser) token() lexer.Token { return *p.stream.Peek() }

func (p *parser) is(value string) bool { return p.token().Value == value }

// parse parses one production. If it has a syntax error, parse reports that, skips to where parsing
// can continue, and returns nil.
func parse[P any](p *parser, production *participle.Parser[P], in context) *P {
	start := p.index()
	tree, err := production.ParseFromLexer(p.stream, participle.AllowTrailing(true))
	if err == nil {
		return tree
	}
	p.lost = true
	bad, unclosed := p.report(err, start, in)
	before := p.unbalanced
	p.recover(bad, start, in)
	p.unbalanced = p.unbalanced && !unclosed || before
	return nil
}

// file parses declarations up to the end of the file.
func (p *parser) file() {
	for !p.token().EOF() && !p.tooMany() {
		start, before := p.index(), len(p.diags)
		p.lost = false
		switch {
		case start == 0 && p.is("language"):
			p.language()
		case p.is("import"):
			p.importDecl()
		case p.languageAt(p.index()):
			p.misplacedLanguage()
		case p.is("variant"):
			p.variant()
		case p.is("claim"):
			p.claim()
		case p.is("board"), p.is("define"), p.is("procedure"), p.is("position"), p.is("strategy"):
			if d := parse(p, grammar().decls, inFile); d != nil {
				p.out.Decls = append(p.out.Decls, settle(p, *d))
			}
		default:
			p.stray(inFile)
			p.remainder(start, p.index())
		}
		n := len(p.claims) - 1
		p.hidden = p.hidden || p.lost && len(p.diags) == before && (n < 0 || p.claims[n].next < p.index())
	}
}

// language parses the head of a file. The rest of a file in a version that is not known is skipped.
func (p *parser) language() {
	l := parse(p, grammar().language, inFile)
	if l == nil {
		return
	}
	p.out.Language = settle(p, l)
	if l.Version == Language {
		return
	}
	p.diags.Errorf(diag.OtherLanguage, l.Range, "the file is written in language %s, and this mancheck knows language %s only", l.Version, Language).
		WithHelp("`language %s` is the present language; a later one needs a newer mancheck", Language)
	for !p.token().EOF() {
		p.stream.Next()
	}
}

// misplacedLanguage reports and skips `language 2` behind the head of a file.
func (p *parser) misplacedLanguage() {
	i := p.index()
	p.errorf(ast.TokenRange(p.tokens[i]).To(ast.TokenRange(p.tokens[i+1])), "`language` stands at the head of a file, once")
	p.stream.Next()
	p.stream.Next()
}

func (p *parser) importDecl() {
	if i := parse(p, grammar().imports, inFile); i != nil {
		i.PathAt = ast.TokenRange(i.Tokens[1])
		i.Path = unquote(i.Path)
		p.out.Imports = append(p.out.Imports, settle(p, i))
	}
}

func (p *parser) variant() {
	start := p.index()
	out := &ast.Variant{}
	if head := parse(p, grammar().variants, inHead); head != nil {
		out.VariantHead = *settle(p, head)
		out.Title = unquote(out.Title)
	} else if !p.enterBody() {
		return
	}
	p.body(inVariant, func() { p.item(out) })
	out.Range = p.finish(start, out)
	p.out.Decls = append(p.out.Decls, out)
}

func (p *parser) item(out *ast.Variant) {
	if !p.itemWord(p.index()) {
		p.stray(inVariant)
		return
	}
	i := parse(p, grammar().items, inVariant)
	if i == nil {
		return
	}
	before := len(p.diags)
	out.Items = append(out.Items, settle(p, *i))
	if !p.partEnds() {
		p.diags = p.diags[:before] // the rest of the item has the mistake that will be reported
	}
}

// partEnds reports whether an item may end before the current token.
func (p *parser) partEnds() bool {
	i := p.index()
	return p.is("}") || p.token().EOF() || p.startsItem(i) || p.firstOnLine(i) && p.itemWord(i)
}

func (p *parser) claim() {
	start, before := p.index(), len(p.diags)
	out := &ast.Claim{}
	head := parse(p, grammar().claims, inHead)
	if head != nil {
		out.ClaimHead = *settle(p, head)
		out.Label = unquote(out.Label)
	} else if name := p.tokens[start+1]; (name.Type == scan.Name || name.Type == scan.Keyword) && !p.firstOnLine(start+1) {
		out.Name = ast.Ident{At: ast.At{Range: ast.TokenRange(name)}, Name: name.Value}
	}
	if head != nil || p.enterBody() {
		p.body(inClaim, func() { p.clause(out) })
		closing := p.index() - 1
		if head != nil && out.Property == nil && len(p.diags) == before && !p.forgive && !p.reported(closing) && p.tokens[closing].Value == "}" {
			p.errorf(p.rangeOf(closing), "expected a property before `}`: this claim claims nothing").
				WithHelp("for example `unreachable E`, `invariant E` or `never stuck`")
		}
	}
	out.Range = p.finish(start, out)
	p.claims = append(p.claims, extent{out, start, p.index(), before, len(p.diags), p.lost})
	p.out.Decls = append(p.out.Decls, out)
}

// clause parses a clause or property. A denial and `can go on` become properties of another kind.
func (p *parser) clause(out *ast.Claim) {
	if p.is(",") {
		p.stream.Next()
		return
	}
	c := parse(p, grammar().clauses, inClaim)
	if c == nil {
		return
	}
	denies := false
	clause := settle(p, *c)
	if n, is := clause.(*ast.Denial); is {
		denies, clause = true, n.Property
	}
	property, ok := clause.(ast.Property)
	if endless, is := property.(*ast.CanGoOn); is {
		denies, property = !denies, &ast.Terminates{ClauseAt: endless.ClauseAt}
	}
	switch {
	case !ok:
		out.Clauses = append(out.Clauses, *c)
	case out.Property == nil:
		out.Property, out.Negated = property, denies
	default:
		d := p.errorf(property.Span(), "a claim has one property, and this is a second one").WithHelp("write two claims")
		d.Notes = []diag.Note{{Range: out.Property.Span(), Message: "the first one"}}
	}
}

// finish sets the documentation of a declaration that began at token start and ends here, and
// returns its range.
func (p *parser) finish(start int, d documented) diag.Range {
	r := ast.TokenRange(p.tokens[start]).To(ast.TokenRange(p.tokens[max(p.index()-1, start)]))
	d.SetDoc(docAbove(p.out.Source, r))
	return r
}

// enterBody enters the body of a declaration whose head has a mistake. It reports whether there is
// a body.
func (p *parser) enterBody() bool {
	if !p.is("{") {
		return false
	}
	p.stream.Next()
	return true
}

// body parses parts up to the closing brace. Each part advances, or is at a token that ends the
// body.
func (p *parser) body(in context, part func()) {
	brace := p.index() - 1
	p.forgive, p.unbalanced = false, false
	for !p.tooMany() {
		switch {
		case p.is("}") && (p.surplus(p.index()) || in == inClaim && p.firstOnLine(p.index()+1) && p.startsClause(p.index()+1) && !p.topLevel(p.index()+1)):
			p.stray(in)
		case p.is("}"):
			p.stream.Next()
			return
		case p.token().EOF() || p.startsDecl(p.index()) || in == inClaim && p.topLevel(p.index()):
			p.lost = true
			if !p.unbalanced {
				p.unclosed(brace, p.index())
			}
			return
		default:
			part()
		}
	}
}
