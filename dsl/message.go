package dsl

import (
	"fmt"
	"sort"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/grammar"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/spell"
)

// parts says what each context consists of.
var parts = map[context]string{
	inFile:        "`import`, `variant`, `position`, `strategy` or `claim`",
	inVariantHead: "`{`",
	inClaimHead:   "`{`",
	inVariant:     "a declaration such as `param`, `board` or `move`",
	inClaim:       "a clause or a property",
}

// words are the words that a context's parts may begin with, for "did you mean".
var words = map[context][]string{
	inFile: {"import", "variant", "position", "strategy", "claim", "least", "greatest"},
	inVariant: {
		"param", "player", "board", "state", "setup", "move", "win", "lose", "draw", "end", "score",
		"ring", "line", "group", "owner", "opposite", "choose", "written", "sow", "capture", "take", "let", "if", "else", "while",
		"for", "again", "require", "prefer", "along", "where", "when", "into", "from", "in", "and", "or", "not",
	},
	inClaim: {
		"expect", "with", "for", "using", "bound", "unreachable", "invariant", "reachable", "never",
		"terminates", "predecessors", "successors", "from", "every", "step", "gives", "unique", "winning", "count",
		"within", "over", "where", "proved", "refuted", "stuck",
		"following", "starting", "refines", "equivalent", "reverses", "ignoring", "wins", "wherever", "anything", "plays", "ancestors", "moves", "and", "or", "not",
	},
}

// things are the productions and types of tokens in plain words.
var things = map[string]string{
	"Name": "a name", "<name>": "a name", "Subject": "a name", "Owned": "a group of pits or `player`",
	"<string>": "a text in quotes", "<int>": "a number", "Label": "a label",
	"Expr": "an expression", "Operand": "an expression", "Primary": "an expression", "Arith": "an expression",
	"Elem": "an expression", "Stmt": "a statement", "Block": "`{`", "Pit": "a pit", "VarType": "a type",
	"Cell": "a count, `_` or `|`", "Setting": "a setting such as `n = 3`", "ForIn": "`all`, `some` or a range such as `n in 1..3`",
	"ScorePart": "a score such as `South = south_store`", "Clause": "a clause or a property",
	"SowMod": "`skip`, `origin first`, `starting at`, `each drop` or a set that `takes only the last`",
}

// blocks say what may stand before the closing brace of an item.
var blocks = map[string]string{
	"board": "a pit, `ring`, `line`, `group`, `owner`, `opposite`", "move": "a statement", "win": "a statement", "lose": "a statement",
	"draw": "a statement", "end": "a statement", "setup": "a condition", "position": "a count, `_`, `|`",
}

// report turns a failure of something that began at token start into a diagnostic. It returns the token at which
// the mistake was noticed, and whether it is a brace that is not closed.
func (p *parser) report(f *grammar.Failure, start int, in context) (noticed int, unclosed bool) {
	bad := p.outcome(p.indexOf(f.Token), start)
	if p.reported(bad) {
		return bad, false
	}
	if open := p.openBrace(start, bad); open >= 0 && p.cutShort(bad) {
		p.unclosed(open, bad)
		return bad, true
	}
	p.mistake(f, bad, start, in)
	return bad, false
}

// outcome goes back from the `when` of an outcome, which was taken for a statement because a brace
// is missing before it, to the outcome's first word.
func (p *parser) outcome(bad, start int) int {
	if p.tokens[bad].Value != "when" {
		return bad
	}
	for i := bad - 1; i > start && i >= bad-2; i-- {
		if scan.IsStatementWordToo(p.tokens[i].Value) && p.firstOnLine(i) {
			return i
		}
	}
	return bad
}

// mistake says what was expected instead of token bad.
func (p *parser) mistake(f *grammar.Failure, bad, start int, in context) {
	first := f.First()
	if first == "->" && bad == start+1 {
		bad, first = start, "Clause"
	}
	t := p.tokens[bad]
	p.ended, p.forgive = p.ended || t.EOF(), true
	d := p.diags.Errorf(p.code(t, first), p.spot(bad, start), "expected %s%s, found %s",
		p.expected(first, start, in), p.after(bad, start), found(t))
	d.Help = p.help(bad, start, in, d.Code)
	if open := p.openBracket(start, bad, first); open >= 0 {
		d.Notes = []diag.Note{{Range: scan.Range(p.tokens[open]), Message: "to close this `" + p.tokens[open].Value + "`"}}
	}
}

// reported tells whether the scanner dropped something before a token, and has said so.
func (p *parser) reported(bad int) bool {
	before := 0
	if bad > 0 {
		before = p.rangeOf(bad - 1).End.Offset
	}
	i := sort.Search(p.scanned, func(i int) bool { return p.diags[i].Range.Start.Offset >= before })
	return i < p.scanned && p.diags[i].Code == diag.BadCharacter && p.diags[i].Range.End.Offset <= p.tokens[bad].Pos.Offset
}

// spot is where a mistake at a token is shown: if the token is on a later line, behind the one before.
func (p *parser) spot(bad, start int) diag.Range {
	if bad > start && (p.firstOnLine(bad) || p.tokens[bad].EOF()) {
		return behind(p.rangeOf(bad - 1))
	}
	return p.rangeOf(bad)
}

// rangeOf is the place of a token, which may be written in another way than its value says.
func (p *parser) rangeOf(i int) diag.Range {
	return asWritten(scan.Range(p.tokens[i]), p.written)
}

// code tells a reserved word in the place of a name from other mistakes.
func (p *parser) code(t lexer.Token, first string) diag.Code {
	named := first == "Name" || first == "<name>" || first == "Subject"
	if named && t.Type == scan.Keyword {
		return diag.Reserved
	}
	return diag.Syntax
}

func (p *parser) expected(first string, start int, in context) string {
	if first == "}" {
		if b, ok := blocks[p.tokens[start].Value]; ok {
			return b + " or `}`"
		}
	}
	if t, ok := things[first]; ok {
		return t
	}
	if first == "" || first[0] >= 'A' && first[0] <= 'Z' {
		return parts[in]
	}
	return "`" + first + "`"
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

// help guesses what was meant.
func (p *parser) help(bad, start int, in context, code diag.Code) string {
	t := p.tokens[bad]
	if code == diag.Reserved {
		return fmt.Sprintf("`%s` cannot be a name", t.Value)
	}
	switch t.Value {
	case "|":
		return "`or` joins conditions; `|` stands only in pictures"
	case "choose", "written":
		return "`choose` lines stand before the statements of a move, and `written` between them"
	}
	for _, i := range []int{bad, bad - 1} {
		if i < start || p.tokens[i].Type != scan.Name {
			continue
		}
		if near := spell.Nearest(p.tokens[i].Value, words[in]); near != "" && near != p.tokens[i].Value {
			return fmt.Sprintf("did you mean `%s`?", near)
		}
	}
	return ""
}

// cutShort reports whether a token shows that a brace is missing before it.
func (p *parser) cutShort(i int) bool {
	if scan.IsStatementWordToo(p.tokens[i].Value) && p.firstOnLine(i) {
		return p.startsItem(i)
	}
	return p.tokens[i].EOF() || p.startsDecl(i) || p.startsItemSurely(i)
}

// openBrace is the innermost brace that is opened between two tokens and not closed, or -1.
func (p *parser) openBrace(start, end int) int {
	return p.open(start, end, "{", "}")
}

// openBracket is the bracket that an expected closing one would close, or -1.
func (p *parser) openBracket(start, end int, want string) int {
	switch want {
	case ")":
		return p.open(start, end, "(", ")")
	case "]":
		return p.open(start, end, "[", "]")
	}
	return -1
}

func (p *parser) open(start, end int, opening, closing string) int {
	var stack []int
	for i := start; i < end; i++ {
		switch p.tokens[i].Value {
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

// unclosed reports, once at the end of the file, that a brace is not closed before another token.
func (p *parser) unclosed(brace, before int) {
	t := p.tokens[before]
	if p.ended {
		return
	}
	p.ended = t.EOF()
	d := p.diags.Errorf(diag.Unclosed, p.rangeOf(before), "expected `}` before %s", strings.TrimPrefix(found(t), "the reserved word "))
	d.Notes = []diag.Note{{Range: scan.Range(p.tokens[brace]), Message: "this `{` is not closed"}}
}

// stray reports something that begins nothing, and skips it.
func (p *parser) stray(in context) {
	start := p.index()
	t := p.token()
	if t.Value == "}" && p.forgive {
		p.forgive = false
		p.stream.Next()
		p.recover(p.index(), start, in)
		return
	}
	p.forgive = true
	d := p.diags.Errorf(diag.Syntax, p.rangeOf(start), "expected %s, found %s", parts[in], found(t))
	d.Help = p.help(start, start, in, diag.Syntax)
	if t.Value == "}" {
		d.Help = "is this `}` one too many?"
	} else if in == inFile && d.Help == "" && scan.IsItemWord(t.Value) {
		d.Help = "is there a `}` too many above?"
	}
	p.stream.Next()
	p.recover(p.index(), start, in)
}
