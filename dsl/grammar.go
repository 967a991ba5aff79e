package dsl

import (
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// parsers are the parsers for files and for parts of files. Files are parsed part by part, to
// continue after a mistake.
type parsers struct {
	files    *participle.Parser[ast.File]
	language *participle.Parser[ast.Language]
	decls    *participle.Parser[ast.Decl]
	imports  *participle.Parser[ast.Import]
	items    *participle.Parser[ast.Item]
	clauses  *participle.Parser[ast.Clause]
	variants *participle.Parser[ast.VariantHead]
	claims   *participle.Parser[ast.ClaimHead]
}

// grammar returns the parsers. They take milliseconds to build, which a command that reads no file
// does not need.
var grammar = sync.OnceValue(func() parsers {
	files := participle.MustBuild[ast.File](options...)
	return parsers{
		files:    files,
		language: (*participle.Parser[ast.Language])(files),
		decls:    (*participle.Parser[ast.Decl])(files),
		imports:  (*participle.Parser[ast.Import])(files),
		items:    (*participle.Parser[ast.Item])(files),
		clauses:  (*participle.Parser[ast.Clause])(files),
		variants: participle.MustBuild[ast.VariantHead](options[:2]...),
		claims:   participle.MustBuild[ast.ClaimHead](options[:2]...),
	}
})

// options build the parsers.
var options = append(append([]participle.Option{
	participle.Lexer(definition{
		"EOF": lexer.EOF, "Name": scan.Name, "Keyword": scan.Keyword,
		"Int": scan.Int, "String": scan.String, "Punct": scan.Punct,
	}),
	participle.UseLookahead(0),
}, ast.Unions...), expressions...)

// definition names the types of tokens for participle. Package scan produces the tokens.
type definition map[string]lexer.TokenType

func (d definition) Symbols() map[string]lexer.TokenType { return d }

func (d definition) Lex(string, io.Reader) (lexer.Lexer, error) { return nil, errors.ErrUnsupported }

// tokens is a lexer for tokens that were scanned before. The last one is the end of the file.
type tokens []lexer.Token

func (t *tokens) Next() (lexer.Token, error) {
	first := (*t)[0]
	*t = (*t)[1:]
	return first, nil
}

// Grammar returns the grammar of files in EBNF, without what is recognized only to report it.
func Grammar() string {
	return strings.Replace(grammar().files.String(), sweep, capture, 1) + "\n" + exprGrammar + "\n"
}

// productions has the right-hand sides of the grammar's productions in tokens, by name.
var productions = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(Grammar()), "\n") {
		name, body, _ := strings.Cut(strings.TrimSuffix(line, " ."), " = ")
		out[name] = ebnfTokens(body)
	}
	return out
})

var ebnfToken = regexp.MustCompile(`"[^"]*"|<\w+>|\w+|\(\?[=!]|[()|?*+]`)

func ebnfTokens(ebnf string) []string { return ebnfToken.FindAllString(ebnf, -1) }

// heads lists what a piece of grammar may begin with: literals in quotes, token types as <name>,
// and productions. It skips optional parts and lookahead.
func heads(ebnf []string) []string {
	list, _ := alternatives(ebnf)
	return list
}

// alternatives is heads for tokens up to a closing bracket. It also returns the tokens after that.
func alternatives(ts []string) (list, rest []string) {
	begun := false
	for len(ts) > 0 {
		t := ts[0]
		ts = ts[1:]
		own := []string{t}
		switch t {
		case ")":
			return list, ts
		case "|":
			begun = false
			continue
		case "(?=", "(?!":
			_, ts = alternatives(ts)
			continue
		case "(":
			own, ts = alternatives(ts)
		}
		optional := len(ts) > 0 && (ts[0] == "?" || ts[0] == "*")
		if !begun && !optional {
			list, begun = append(list, own...), true
		}
	}
	return list, nil
}

// beginners returns the words that some productions may begin with.
func beginners(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		for _, head := range heads(productions()[name]) {
			if word, ok := literal(head); ok {
				out[word] = true
			} else if head != "Expr" && head != "Sum" && !looksAhead(productions()[head]) {
				maps.Copy(out, beginners(head))
			}
		}
	}
	return out
}

// looksAhead reports whether a production begins with a lookahead.
func looksAhead(ebnf []string) bool { return len(ebnf) > 0 && ebnf[0] == "(?=" }

func literal(token string) (string, bool) {
	word := strings.Trim(token, `"`)
	return word, word != token
}

// vocabulary lists the words in some productions and in all productions that these refer to, and
// the words that join conditions.
func vocabulary(names ...string) []string {
	words := []string{"and", "or", "not", "in"}
	for i := 0; i < len(names); i++ {
		for _, t := range productions()[names[i]] {
			if word, ok := literal(t); ok && word[0] >= 'a' && word[0] <= 'z' {
				words = append(words, word)
			} else if t != "Expr" && t != "Sum" && productions()[t] != nil && !slices.Contains(names, t) {
				names = append(names, t)
			}
		}
	}
	return words
}
