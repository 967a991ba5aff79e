// Package scan splits the text of a .sow file into tokens and comments. The parser uses the tokens,
// the formatter both.
package scan

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
)

// The types of tokens.
const (
	Name lexer.TokenType = iota + 1
	Keyword
	Int
	String
	Punct
)

// MaxTokens bounds the tokens of a file: what is made of each takes many times the room of its
// text.
const MaxTokens = 400_000

// Result is a file in tokens. The last token is the end of the file.
type Result struct {
	Tokens   []lexer.Token
	Comments []ast.Comment
	Diags    diag.List
	Written  map[int]int // by offset, the length of tokens whose value differs from the source
	Rest     bool        // there are more than MaxTokens, and the rest was not read
}

// File splits src, which must be valid UTF-8, into tokens. It reports and skips characters that
// start no token, up to diag.MaxMistakes.
func File(path string, src []byte) Result {
	s := &scanner{path: path, src: src, line: 1, column: 1, lastBad: -1, out: Result{Written: map[int]int{}}}
	if len(src) >= 3 && string(src[:3]) == "\uFEFF" {
		s.offset = 3
	}
	for s.offset < len(src) && len(s.out.Diags) < diag.MaxMistakes-1 {
		if len(s.out.Tokens)+len(s.out.Comments) == MaxTokens {
			s.out.Rest = true
			break
		}
		s.next()
	}
	s.out.Tokens = append(s.out.Tokens, lexer.EOFToken(s.place()))
	return s.out
}

type scanner struct {
	path         string
	src          []byte
	offset       int
	line, column int
	lastBad      int // where the latest bad character ended: adjacent ones are reported once
	out          Result
}

func (s *scanner) place() lexer.Position {
	return lexer.Position{Filename: s.path, Offset: s.offset, Line: s.line, Column: s.column}
}

func (s *scanner) rest() []byte { return s.src[s.offset:] }

func (s *scanner) next() {
	r, size := utf8.DecodeRune(s.rest())
	switch {
	case r == '\n':
		s.offset++
		s.line++
		s.column = 1
	case r == ' ' || r == '\t' || r == '\r':
		s.offset++
		s.column++
	case r == '/' && len(s.rest()) > 1 && s.rest()[1] == '/':
		s.comment()
	case r == '#' || r == '/' && len(s.rest()) > 1 && s.rest()[1] == '*':
		s.foreignComment()
	case r == '"':
		s.text()
	case unicode.IsLetter(r):
		s.word()
	case r >= '0' && r <= '9':
		s.number()
	case r == '_' && wordLen(s.rest()) > 1:
		s.misnamed(wordLen(s.rest()))
	default:
		s.punct(r, size)
	}
}

// emit adds the next n bytes as a token whose value is as written.
func (s *scanner) emit(t lexer.TokenType, n int) {
	s.emitAs(t, n, string(s.rest()[:n]))
}

func (s *scanner) emitAs(t lexer.TokenType, n int, value string) {
	s.out.Tokens = append(s.out.Tokens, lexer.Token{Type: t, Value: value, Pos: s.place()})
	s.skip(n)
}

func (s *scanner) skip(n int) {
	s.column += utf8.RuneCount(s.rest()[:n])
	s.offset += n
}

// stretch is the range of the next n bytes.
func (s *scanner) stretch(n int) diag.Range {
	return ast.TokenRange(lexer.Token{Value: string(s.rest()[:n]), Pos: s.place()})
}

func (s *scanner) comment() {
	n := lineLen(s.rest())
	at := s.stretch(n)
	s.out.Comments = append(s.out.Comments, ast.Comment{At: ast.At{Range: at}, Text: string(s.rest()[:n])})
	s.skip(n)
}

// foreignComment reports a comment as other languages write it, and skips it.
func (s *scanner) foreignComment() {
	mark, rest := "#", s.rest()
	if rest[0] == '/' {
		mark = "/*"
	}
	s.out.Diags.Errorf(diag.BadCharacter, s.stretch(len(mark)), "`%s` does not begin a comment", mark).
		WithHelp("comments begin with `//` and end with their line")
	end := lineLen(rest)
	if i := bytes.Index(rest, []byte("*/")); mark == "/*" && i >= 0 {
		end = i + len("*/")
	}
	for i, line := range bytes.Split(rest[:end], []byte("\n")) {
		if i > 0 {
			s.offset++
			s.line++
			s.column = 1
		}
		s.skip(len(line))
	}
}

// lineLen is the length of the text up to the end of the line, without trailing blanks.
func lineLen(b []byte) int {
	n := 0
	for i, c := range b {
		if c == '\n' {
			break
		}
		if c != ' ' && c != '\t' && c != '\r' {
			n = i + 1
		}
	}
	return n
}

// text scans a quoted text. One that is not closed ends with its line and still becomes a token, so
// that the parser does not report it again.
func (s *scanner) text() {
	if n := closed(s.rest()); n > 0 {
		s.emit(String, n)
		return
	}
	b := s.rest()[:lineLen(s.rest())]
	s.out.Diags.Errorf(diag.Unclosed, s.stretch(len(b)), "this text is not closed before the end of the line").
		WithHelp("put a `\"` at its end")
	s.emit(String, len(b))
}

// closed is the length of the quoted text that b begins with, or 0 if its line ends before it.
func closed(b []byte) int {
	for i := 1; i < len(b) && b[i] != '\n'; i++ {
		switch {
		case b[i] == '"':
			return i + 1
		case b[i] == '\\' && i+1 < len(b) && b[i+1] != '\n':
			i++
		}
	}
	return 0
}

func (s *scanner) word() {
	n := wordLen(s.rest())
	if keywords[string(s.rest()[:n])] {
		s.emit(Keyword, n)
		return
	}
	s.emit(Name, n)
}

// wordLen is the length of the letters, digits and underscores that b begins with.
func wordLen(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r != '_' && !unicode.IsLetter(r) && (r < '0' || r > '9') {
			return i
		}
		i += size
	}
	return len(b)
}

func (s *scanner) number() {
	word := wordLen(s.rest())
	if _, err := num.Parse(string(s.rest()[:word])); err != nil && err != num.ErrRange {
		s.misnamed(word)
		return
	}
	s.emit(Int, word)
}

// misnamed reports a word that does not begin with a letter and treats it as a name.
func (s *scanner) misnamed(n int) {
	s.out.Diags.Errorf(diag.BadCharacter, s.stretch(n), "`%s` is neither a name nor a number", s.rest()[:n]).
		WithHelp("a name begins with a letter")
	s.emit(Name, n)
}

// foreign are operators of other languages, what they are called here, and what to write.
var foreign = []struct{ text, as, help string }{
	{"/=", "/=", ""},
	{"!=", "/=", ""},
	{"==", "=", "equality is written `=`"},
	{":=", "=", "write `=`"},
	{"+=", "=", "write `x = x + …` for a variable; a pit gets seeds by `sow`, `capture` and `take`"},
	{"-=", "=", "write `x = x - …` for a variable; a pit loses seeds by `sow`, `capture` and `take`"},
	{"/\\", "and", "write `and`"},
	{"\\/", "or", "write `or`"},
	{"=<", "<=", "write `<=`"},
	{"=>", "or", "write `not A or B`"},
	{"**", "*", "write `x * x`"},
	{"<>", "/=", "write `/=`"},
	{"&&", "and", "write `and`"},
	{"!", "not", "write `not`"},
	{"/", "div", "division is written `div`"},
	{"%", "mod", "the remainder is written `mod`"},
}

var puncts = []string{"..", "<=", ">=", "->", "{", "}", "(", ")", "[", "]", "|", ",", ":", ";", "=", "<", ">", "+", "-", "*", "_"}

func (s *scanner) punct(r rune, size int) {
	for _, f := range foreign {
		if bytes.HasPrefix(s.rest(), []byte(f.text)) {
			s.operator(f.text, f.as, f.help)
			return
		}
	}
	for _, p := range puncts {
		if bytes.HasPrefix(s.rest(), []byte(p)) {
			s.emit(Punct, len(p))
			return
		}
	}
	s.badCharacter(r, size)
}

// operator adds an operator as the language calls it, and reports it if there is a help.
func (s *scanner) operator(text, as, help string) {
	t := Punct
	if help != "" {
		s.out.Diags.Errorf(diag.Syntax, s.stretch(len(text)), "`%s` is not an operator of this language", text).Help = help
		s.out.Written[s.offset] = len(text)
	}
	if keywords[as] {
		t = Keyword
	}
	s.emitAs(t, len(text), as)
}

// foreignSigns has signs that the language has not, some with what follows them, and what to write
// instead.
var foreignSigns = map[string]string{
	"'": "texts stand in double quotes", "'s ": "what a player owns is `their house`, `store of South`", "' =": "a variable is set by `x = E`",
	".5": "numbers are whole", ".sow": "variants have names of their own, as `Kalah`; `import \"kalah.sow\"` reads those of a file",
	"?": "a conditional expression is `(E if C else F)`, and a statement `if C { … } else { … }`",
	".": "what a player owns is `store of South` or has a name, as `south_store`; seeds are `seeds(p)`, and numbers are whole",
	"“": "texts stand in plain quotes, `\"`", "‘": "texts stand in plain quotes, `\"`", "–": "write `-`",
	"≤": "write `<=`", "≥": "write `>=`", "≠": "write `/=`", "×": "write `*`", "∧": "write `and`", "∨": "write `or`", "¬": "write `not`", "~": "write `not`", "^": "write `x * x`",
}

func (s *scanner) badCharacter(r rune, size int) {
	if s.lastBad != s.offset {
		d := s.out.Diags.Errorf(diag.BadCharacter, s.stretch(size), "unexpected character %q", r)
		for n := min(4, len(s.rest())); n > 0 && d.Help == ""; n-- {
			d.Help = foreignSigns[string(s.rest()[:n])]
		}
	}
	s.skip(size)
	s.lastBad = s.offset
}
