package plain

import (
	_ "embed" // for the table
	"strings"
	"sync"
)

//go:embed alike.txt
var alike string

// skeletons maps letters to their skeletons.
var skeletons = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(alike) {
		skeleton, letters, _ := strings.Cut(line, " ")
		if skeleton == "#" {
			continue // a comment
		}
		for _, r := range strings.TrimSpace(letters) {
			out[r] = skeleton
		}
	}
	return out
})

// Skeleton returns a text that words have in common if they look alike, by the table of Unicode.
func Skeleton(word string) string {
	var out strings.Builder
	for _, r := range word {
		if s, ok := skeletons()[r]; ok {
			out.WriteString(s)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
