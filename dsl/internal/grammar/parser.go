package grammar

import (
	"errors"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/internal/scan"
)

var parser = participle.MustBuild[File](
	participle.Lexer(definition{
		"EOF": lexer.EOF, "Name": scan.Name, "Keyword": scan.Keyword,
		"Int": scan.Int, "String": scan.String, "Punct": scan.Punct,
	}),
	participle.UseLookahead(0),
)

// EBNF is the grammar as text, a production a line.
func EBNF() string { return parser.String() }

// Upgrade makes tokens, of which the last is the end of the file, ready for Parse.
func Upgrade(list []lexer.Token) *lexer.PeekingLexer {
	lex, err := lexer.Upgrade(&tokens{list: list})
	if err != nil {
		panic(err) // tokens cannot fail
	}
	return lex
}

// Failure is a token that cannot stand where it stands, and the part of the grammar that was
// wanted there, as EBNF ("" if there are too many to name).
type Failure struct {
	Token    lexer.Token
	Expected string
}

// Parse reads one production and leaves what follows it.
func Parse[P any](lex *lexer.PeekingLexer) (*P, *Failure) {
	p, err := participle.ParserForProduction[P](parser)
	if err != nil {
		panic(err) // a type that is no production: a mistake in this program
	}
	tree, err := p.ParseFromLexer(lex, participle.AllowTrailing(true))
	if err != nil {
		return nil, failure(err, *lex.Peek())
	}
	return tree, nil
}

func failure(err error, here lexer.Token) *Failure {
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		return &Failure{Token: here}
	}
	f := &Failure{Token: unexpected.Unexpected}
	if m := expectation.FindStringSubmatch(unexpected.Message()); m != nil {
		f.Expected = m[1]
	}
	return f
}

var expectation = regexp.MustCompile(`(?s)\(expected (.*)\)$`)

// First is what an expectation begins with: a literal in quotes, a type of token as <name>, or a
// production. An alternative gives "".
func (f *Failure) First() string {
	s := strings.TrimLeft(f.Expected, " ")
	end := strings.IndexAny(s, " ?*+)")
	if strings.HasPrefix(s, `"`) {
		end = 1 + strings.Index(s[1:]+`"`, `"`) + 1
	}
	if end >= 0 && end <= len(s) {
		s = s[:end]
	}
	if strings.HasPrefix(s, "(") {
		return ""
	}
	return strings.Trim(s, `"`)
}
