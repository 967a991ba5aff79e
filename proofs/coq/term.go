package coq

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/lists"
)

// integer writes a number as an argument.
func integer(n int) string {
	if n < 0 {
		return fmt.Sprintf("(%d)", n)
	}
	return strconv.Itoa(n)
}

// list writes a list, each element by write.
func list[T any](elements []T, write func(T) string) string {
	return "[" + strings.Join(lists.Map(elements, write), "; ") + "]"
}

// integers writes a list of type list Z.
func integers(numbers []int) string { return list(numbers, strconv.Itoa) }

// naturals writes a list of type list nat.
func naturals(numbers []int) string { return list(numbers, strconv.Itoa) + "%nat" }

// option writes an optional argument.
func option(text string, some bool) string {
	if !some {
		return "None"
	}
	return "(Some " + text + ")"
}

// harmless makes a text fit for a comment, whose end and strings Coq looks for.
var harmless = strings.NewReplacer("(*", "( *", "*)", "* )", `"`, "'")

// comment writes a comment of one or more lines.
func comment(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' {
			return ' '
		}
		return r
	}, text)
	return "(* " + harmless.Replace(strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n   ")) + " *)"
}

// Identifier makes a name of a text, for a file that others may import. Characters outside of ASCII
// are written as numbers, so that different ones do not make the same name.
func Identifier(text string) string {
	name := ""
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			name += string(r)
		case r < utf8.RuneSelf:
			name += "_"
		default:
			name += fmt.Sprintf("_u%04x_", r)
		}
	}
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}
