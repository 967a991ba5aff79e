package plain

import (
	_ "embed" // for the table
	"strconv"
	"strings"
	"sync"
)

//go:embed alike.txt
var alike string

// skeletons maps letters to their skeletons.
var skeletons = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(alike) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0][0] == '#' {
			continue
		}
		var skeleton strings.Builder
		for hex := range strings.SplitSeq(fields[0], "+") {
			skeleton.WriteRune(character(hex))
		}
		for _, hex := range fields[1:] {
			out[character(hex)] = skeleton.String()
		}
	}
	return out
})

// character is the one with a code point in hexadecimal.
func character(hex string) rune {
	n, err := strconv.ParseInt(hex, 16, 32)
	if err != nil {
		panic(err) // the table is part of the program
	}
	return rune(n)
}

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
