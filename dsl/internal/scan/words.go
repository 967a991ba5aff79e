package scan

// keywords are the words that can never be names: those that begin a declaration, an item or a
// statement, the operators that are words, and the words for values. Words of clauses such as
// `along` or `gives` are not reserved; their position distinguishes them from names.
var keywords = set(
	"import", "variant", "position", "claim",
	"param", "player", "board", "state", "define", "procedure", "setup", "move", "score",
	"win", "lose", "draw", "end", "offer", "when",
	"sow", "capture", "take", "into", "again", "go", "require", "prefer", "choose", "written",
	"let", "if", "else", "while", "for", "where",
	"last", "origin", "mover", "opponent", "none", "true", "false", "empty",
	"my", "their", "each", "some", "number",
	"not", "and", "or", "in", "div", "mod", "old", "without",
)

// valueWords are the keywords for values, which may end an expression.
var valueWords = set("last", "origin", "mover", "opponent", "none", "true", "false", "empty")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// IsKeyword reports whether a word is reserved.
func IsKeyword(word string) bool { return keywords[word] }

// IsValueWord reports whether a word is a keyword for a value.
func IsValueWord(word string) bool { return valueWords[word] }
