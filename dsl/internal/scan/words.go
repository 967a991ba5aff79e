package scan

// keywords are the words that can never be names: those that begin a declaration, an item or a
// statement, the operators that are words, and the words that stand for values. Clause words such as
// `along` or `gives` are not among them; where they stand tells them from names.
var keywords = set(
	"import", "variant", "position", "claim",
	"param", "player", "board", "state", "setup", "move", "score",
	"win", "lose", "draw", "end", "when",
	"sow", "capture", "take", "into", "again", "require", "prefer", "choose", "written",
	"let", "if", "else", "while", "for", "where",
	"last", "origin", "mover", "none", "true", "false", "empty",
	"my", "their", "each", "some", "number",
	"not", "and", "or", "in", "div", "mod", "old", "without",
)

// declWords begin a declaration of a file, itemWords one of a variant.
var (
	declWords = set("import", "variant", "position", "claim")
	itemWords = set("param", "player", "board", "state", "setup", "move", "win", "lose", "draw", "end", "score")
	bothWords = set("win", "lose", "draw", "end")
)

// valueWords are the keywords that stand for a value and so may end an expression.
var valueWords = set("last", "origin", "mover", "none", "true", "false", "empty")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// IsKeyword reports whether a word is reserved.
func IsKeyword(word string) bool { return keywords[word] }

// IsValueWord reports whether a reserved word stands for a value.
func IsValueWord(word string) bool { return valueWords[word] }

// IsDeclWord reports whether a word begins a declaration of a file.
func IsDeclWord(word string) bool { return declWords[word] }

// IsItemWord reports whether a word begins an item of a variant.
func IsItemWord(word string) bool { return itemWords[word] }

// IsStatementWordToo reports whether an item's word begins a statement, too.
func IsStatementWordToo(word string) bool { return bothWords[word] }
