package dsl

import (
	"maps"
	"slices"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/internal/lists"
)

// TokenKind is the kind of a token.
type TokenKind int

const (
	NameToken TokenKind = iota
	KeywordToken
	NumberToken
	TextToken // in quotes
	SignToken
	CommentToken
)

// Token is a word, sign or comment of a text.
type Token struct {
	Kind  TokenKind
	Text  string // as written
	Range diag.Range
}

var tokenKinds = map[lexer.TokenType]TokenKind{
	scan.Name: NameToken, scan.Keyword: KeywordToken, scan.Int: NumberToken, scan.String: TextToken, scan.Punct: SignToken,
}

// Tokens splits a text, which must be valid UTF-8, into tokens and comments, in their order.
func Tokens(path string, src []byte) []Token {
	cut := scan.File(path, src)
	o := outline{cut.Tokens, cut.Written}
	var out []Token
	for i, t := range cut.Tokens {
		if t.EOF() {
			continue
		}
		r := o.rangeOf(i)
		out = append(out, Token{tokenKinds[t.Type], string(src[r.Start.Offset:r.End.Offset]), r})
	}
	out = append(out, lists.Map(cut.Comments, func(c ast.Comment) Token { return Token{CommentToken, c.Text, c.Range} })...)
	slices.SortStableFunc(out, func(a, b Token) int { return a.Range.Start.Offset - b.Range.Start.Offset })
	return out
}

// IsReserved reports whether a word can be no name.
func IsReserved(word string) bool { return scan.IsKeyword(word) }

// IsName reports whether a text can be a name.
func IsName(text string) bool {
	cut := scan.File("", []byte(text))
	return len(cut.Diags) == 0 && len(cut.Tokens) == 2 && len(cut.Comments) == 0 && cut.Tokens[0].Type == scan.Name && ast.TokenRange(cut.Tokens[0]).End.Offset == len(text)
}

// IsWord reports whether the grammar has a word: one that is reserved, or that means something at
// its places.
func IsWord(word string) bool { return grammarWords()[word] }

// Words lists the words that the grammar has.
func Words() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(grammarWords())), func(w string) bool { return w[0] < 'a' || w[0] > 'z' })
}

var grammarWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, body := range productions() {
		for _, t := range body {
			if word, is := literal(t); is {
				out[word] = true
			}
		}
	}
	return out
})
