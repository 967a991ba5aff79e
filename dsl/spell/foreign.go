package spell

import (
	_ "embed" // what people write who guess
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

//go:embed foreign.txt
var foreignText string

// Told is a line of foreign.txt: words of some kind, with what is said of them.
type Told struct{ Kind, Words, Help string }

// Table has the lines of foreign.txt, in their order.
var Table = lists.Map(lists.Filter(strings.Split(foreignText, "\n"), func(l string) bool { return strings.Count(l, "\t") == 2 }), func(l string) Told {
	parts := strings.Split(l, "\t")
	return Told{parts[0], parts[1], parts[2]}
})

// Foreign returns what is said of words of a kind, or nothing.
func Foreign(kind, words string) string {
	return lists.Find(Table, func(t Told) bool { return t.Kind == kind && t.Words == words }).Help
}
