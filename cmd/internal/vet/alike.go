package vet

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/plain"
)

// alike reports words of a file that look like other words of the file, of what it imports or of
// the language, such as names with the Cyrillic `а` and with `a`. Words of ASCII are not compared
// with each other.
func alike(l *look) {
	var words []dsl.Token // those of the file itself are the last
	own, foreign := 0, false
	for _, f := range l.Program.Files {
		own = len(words)
		for _, t := range dsl.Tokens(f.Path, f.Source) {
			if t.Kind != dsl.CommentToken && t.Kind != dsl.TextToken {
				words = append(words, t)
				foreign = foreign || !isASCII(t.Text)
			}
		}
	}
	if !foreign {
		return
	}
	first := map[string]string{} // word for each skeleton
	for _, w := range dsl.Words() {
		first[plain.Skeleton(w)] = w
	}
	reported := map[string]bool{}
	for i, t := range words {
		look := plain.Skeleton(t.Text)
		other, known := first[look]
		switch {
		case !known:
			first[look] = t.Text
		case other == t.Text || isASCII(other) && isASCII(t.Text) || i < own || reported[t.Text]:
		default:
			reported[t.Text] = true
			l.warn(diag.Alike, t.Range, "`%s` looks like `%s`, and is another word", t.Text, other).
				WithHelp("%s", different(t.Text, other))
		}
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// different shows the first letters in which two words differ.
func different(word, other string) string {
	a, b := []rune(word), []rune(other)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("one has %q (%U), and the other %q (%U)", a[i], a[i], b[i], b[i])
		}
	}
	return "one is longer than the other"
}
