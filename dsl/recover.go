package dsl

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/spell"
)

// context is where a syntax error occurs. It determines where the parser continues, and what the
// message says was expected.
type context int

const (
	inFile context = iota
	inHead         // of a variant or claim
	inVariant
	inClaim
)

// parts describes what each context consists of.
var parts = [...]string{
	inFile:    "`import`, `variant`, `board`, `define`, `procedure`, `position`, `strategy` or `claim`",
	inHead:    "`{`",
	inVariant: "a declaration such as `param`, `board` or `move`",
	inClaim:   "a clause or a property",
}

// The words that begin declarations, items, statements and clauses, and the words that may occur in
// each context. They are derived from the grammar.
var (
	declWords = sync.OnceValue(func() map[string]bool { return beginners("Import", "Decl") })
	words     = sync.OnceValue(func() [][]string {
		return [][]string{
			inFile: vocabulary("Language", "Import", "Variant", "Board", "Define", "Procedure", "Position", "Strategy", "Claim"), inVariant: vocabulary("Item"), inClaim: vocabulary("Clause"),
		}
	})
	itemWords   = sync.OnceValue(func() map[string]bool { return beginners("Item") })
	stmtWords   = sync.OnceValue(func() map[string]bool { return beginners("Stmt") })
	clauseWords = sync.OnceValue(func() map[string]bool { return beginners("Clause") })
)

var expectation = regexp.MustCompile(`(?s)\(expected (.*)\)$`)

// report turns an error in a production that began at token start into a diagnostic. It returns the
// token where the error was noticed, and whether the error is an unclosed brace.
func (p *parser) report(err error, start int, in context) (noticed int, unclosed bool) {
	if d, ok := errors.AsType[diag.Diagnostic](err); ok {
		bad := p.indexOf(d.Range.Start.Offset)
		if at, text, help := p.foreignPhrase(bad, in); text == "= draw" || strings.HasPrefix(text, "choose ") {
			d = diag.Diagnostic{Code: diag.Syntax, Range: at, Message: fmt.Sprintf("`%s` has no meaning here", text), Help: help}
		}
		if d.Range == ast.TokenRange(p.tokens[bad]) {
			d.Range = p.rangeOf(bad)
		}
		p.diags, p.forgive = append(p.diags, d), true
		return bad, false
	}
	token, expected := p.token(), []string(nil)
	if u, ok := errors.AsType[*participle.UnexpectedTokenError](err); ok {
		token = u.Unexpected
		if m := expectation.FindStringSubmatch(u.Message()); m != nil {
			if expected = heads(ebnfTokens(m[1])); spell.Foreign("thing", m[1]) != "" {
				expected = m[1:]
			}
		}
	}
	bad := p.outcome(p.indexOf(token.Pos.Offset), start)
	if p.reported(bad) || p.replaced(bad, expected) {
		return bad, false
	}
	if open := p.open(start, bad, "{", "}"); open >= 0 && p.cutShort(bad) {
		p.unclosed(open, bad)
		return bad, true
	}
	p.mistake(expected, bad, start, in)
	return bad, false
}

// outcome finds the first word of an outcome, given its `when`. It was parsed as a statement,
// because a brace is missing before it.
func (p *parser) outcome(bad, start int) int {
	if p.tokens[bad].Value != "when" {
		return bad
	}
	for i := bad - 1; i > start && i >= bad-3; i-- {
		if after := p.verdict(i); after > 0 && bad <= after+1 && p.firstOnLine(i) {
			return i
		}
	}
	return bad
}

// mistake reports what was expected instead of token bad.
func (p *parser) mistake(expected []string, bad, start int, in context) {
	if slices.Equal(expected, []string{`"->"`}) && bad == start+1 {
		bad, expected = start, []string{"Clause"}
	}
	t := p.tokens[bad]
	p.ended, p.forgive = p.ended || t.EOF(), true
	if open := p.open(start, bad, "(", ")"); in == inClaim && open > 0 && p.tokens[open-1].Value == "not" {
		p.diags.Errorf(diag.Syntax, p.spot(bad, start), "`not` denies a property without brackets").
			WithHelp("write `not E -> F`, `not South can force E`, `can go on for ever` for `not terminates`").
			Notes = []diag.Note{{Range: ast.TokenRange(p.tokens[open]), Message: "without this `(`"}}
		return
	}
	if p.foreign(bad, start, in, expected) {
		return
	}
	code := diag.Syntax
	if t.Type == scan.Keyword && slices.Contains([]string{"Ident", "<name>", "Subject"}, strings.Join(expected, "")) {
		code = diag.Reserved
	}
	d := p.diags.Errorf(code, p.spot(bad, start), "expected %s%s, found %s", p.wanted(expected, start, in), p.after(bad, start), found(t))
	d.Help = p.help(bad, start, in, code, expected)
	if len(expected) > 1 && t.Type != scan.Punct || spell.Nearest(t.Value, words()[in]) != "" && t.Type == scan.Name {
		d.Range = p.rangeOf(bad) // the word itself is the mistake
	}
	for _, pair := range []string{"()", "[]"} {
		if !slices.Equal(expected, []string{`"` + pair[1:] + `"`}) {
			continue
		}
		if open := p.open(start, bad, pair[:1], pair[1:]); open >= 0 {
			d.Notes = []diag.Note{{Range: ast.TokenRange(p.tokens[open]), Message: "to close this `" + pair[:1] + "`"}}
		}
	}
}

// replaced reports whether the scanner has replaced the sign at a token by a word of the language,
// and reported that. Where counts are wanted, as in a picture, the word is no help.
func (p *parser) replaced(bad int, expected []string) bool {
	at := p.tokens[bad].Pos.Offset
	i := sort.Search(p.scanned, func(i int) bool { return p.diags[i].Range.Start.Offset >= at })
	if i >= p.scanned || p.diags[i].Range.Start.Offset != at || p.diags[i].Code != diag.Syntax {
		return false
	}
	p.forgive = true
	if p.tokens[max(bad-1, 0)].Value == "{" && slices.Equal(expected, []string{"Expr"}) { // a claim in temporal logic
		p.diags[i].Message, p.diags[i].Help = "`<>` has no meaning here", spell.Foreign("word", "eventually")
	} else if strings.Contains(strings.Join(expected, " "), "Cell") || p.isPicture(bad) {
		p.diags[i].Message = fmt.Sprintf("`%s` has no meaning in a picture", p.out.Source[at:p.diags[i].Range.End.Offset])
		p.diags[i].Help = "a row of the board is a line of its own, with `|` between its parts"
	}
	return true
}

// wanted describes in plain words what was expected.
func (p *parser) wanted(expected []string, start int, in context) string {
	var list []string
	for _, e := range expected {
		word, ok := literal(e)
		thing := spell.Foreign("thing", e)
		switch {
		case word == "}" && spell.Foreign("block", p.tokens[start].Value) != "":
			thing = spell.Foreign("block", p.tokens[start].Value) + " or `}`"
		case ok && thing == "":
			thing = "`" + word + "`"
		case thing == "":
			return parts[in]
		}
		if !slices.Contains(list, thing) {
			list = append(list, thing)
		}
	}
	switch last := len(list) - 1; last {
	case -1:
		return parts[in]
	case 0:
		return list[0]
	default:
		return strings.Join(list[:last], ", ") + " or " + list[last]
	}
}

func (p *parser) after(bad, start int) string {
	if bad <= start {
		return ""
	}
	return fmt.Sprintf(" after `%s`", clip(p.tokens[bad-1].Value))
}

func found(t lexer.Token) string {
	switch {
	case t.EOF():
		return "the end of the file"
	case t.Type == scan.Keyword:
		return fmt.Sprintf("the reserved word `%s`", t.Value)
	}
	return fmt.Sprintf("`%s`", clip(t.Value))
}

func clip(s string) string {
	if r := []rune(s); len(r) > 30 {
		return string(r[:29]) + "…"
	}
	return s
}

// help suggests what may have been meant. It may be empty.
func (p *parser) help(bad, start int, in context, code diag.Code, expected []string) string {
	t := p.tokens[bad]
	if in == inClaim && t.Value == "}" && slices.Equal(expected, []string{`"->"`}) {
		return "a condition alone claims nothing: write `invariant E`, `reachable E` or `unreachable E`; numbers are those of `count(states) > 10`, `value(start) > 0`"
	}
	if code == diag.Reserved {
		return fmt.Sprintf("`%s` cannot be a name", t.Value)
	}
	switch t.Value {
	case ":":
		if in == inClaim {
			return "a `:` stands only behind a sweep such as `for n in 1..3:`"
		}
	case "|":
		if p.tokens[bad+1].Value == "|" {
			return "write `or`"
		}
		return "`or` joins conditions; `|` stands only in pictures"
	case "if", "else":
		if len(expected) == 0 {
			return "an outcome is an ending, as `South wins when E`; `if` stands in the body of a move"
		} else if t.Value == "else" || spell.Foreign("want", expected[0]) == "" {
			return "put a conditional expression in parentheses here: `(E if C else F)`"
		}
	case "into":
		return "seeds are moved by `capture p into Q` and `take 2 from p into Q`"
	case "choose", "written":
		return "`choose` lines stand before the statements of a move, and `written` between them"
	}
	if in == inClaim && (t.Value == "and" || t.Value == "or") {
		return "a claim has one property: write two claims"
	}
	want := spell.Foreign("want", strings.Join(expected, " "))
	for _, i := range []int{bad, bad - 1} {
		if i < start || p.tokens[i].Type != scan.Name || i < bad && want != "" {
			continue
		}
		if near := spell.Nearest(p.tokens[i].Value, words()[in]); near != "" && near != p.tokens[i].Value {
			return fmt.Sprintf("did you mean `%s`?", near)
		}
	}
	return want
}

// unclosed reports that a brace is not closed before another token. At the end of the file it
// reports only one.
func (p *parser) unclosed(brace, before int) {
	t := p.tokens[before]
	if p.ended || p.reported(before) {
		return
	}
	p.ended = t.EOF()
	d := p.diags.Errorf(diag.Unclosed, p.rangeOf(before), "expected `}` before %s", strings.TrimPrefix(found(t), "the reserved word "))
	d.Help = "write the `}` where the block is meant to end"
	if brace > 1 && p.tokens[brace-2].Value == "variant" && p.startsDecl(before) && t.Pos.Column > 1 {
		d.Help = fmt.Sprintf("a `%s` stands beside the variant, not in it: put it below the `}` of the variant", t.Value)
		p.early++
	}
	d.Notes = []diag.Note{{Range: ast.TokenRange(p.tokens[brace]), Message: "this `{` is not closed"}}
}

// stray reports and skips a token that cannot begin anything. A closing brace after another mistake
// is only skipped.
func (p *parser) stray(in context) {
	start := p.index()
	p.lost = true
	if p.is("}") && p.early > 0 {
		p.early--
	} else if p.is("}") && p.forgive {
		p.forgive = false
	} else {
		p.forgive = true
		p.meaningless(start, in)
	}
	p.stream.Next()
	p.recover(p.index(), start, in)
}

// meaningless reports a token that cannot begin anything.
func (p *parser) meaningless(start int, in context) {
	t := p.tokens[start]
	if p.foreign(start, start, in, nil) || p.reported(start) {
		return
	}
	d := p.diags.Errorf(diag.Syntax, p.rangeOf(start), "expected %s, found %s", parts[in], found(t))
	d.Help = p.help(start, start, in, diag.Syntax, nil)
	if t.Value == "}" {
		d.Help = "is this `}` one too many?"
	} else if in == inFile && d.Help == "" && p.itemWord(start) {
		d.Help = "is there a `}` too many above?"
	}
}

// recover skips to where parsing can continue after an error at token bad, in something that began
// at token start. After an error participle leaves the stream at an arbitrary token.
func (p *parser) recover(bad, start int, in context) {
	p.stream.LoadCheckpoint(lexer.Checkpoint{})
	p.stream.FastForward(lexer.RawCursor(bad - 1))
	switch in {
	case inFile:
		p.skipTo(p.topLevel)
	case inHead:
		p.skipTo(func(i int) bool {
			return p.tokens[i].Value == "{" && i <= bad+1 || p.topLevel(i) && i > start
		})
	case inVariant:
		column := p.lineColumn(start)
		p.skipPart(start, p.startsItem, func(i int) bool { return p.startsItemSurely(i, column) })
	case inClaim:
		p.skipPart(start, func(i int) bool { return p.firstOnLine(i) && p.startsClause(i) }, p.topLevel)
	}
}

func (p *parser) skipTo(stop func(i int) bool) {
	for !p.token().EOF() && !stop(p.index()) {
		p.stream.Next()
	}
}

// skipPart skips the rest of an item or clause that began at start. It stops at the brace that
// closes the surrounding body, at the next item or clause outside all braces opened since start, or
// at a token that is certain to begin the next one.
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
