package editor

import (
	_ "embed" // what the words mean
	"strings"
	"sync"
)

// texts has a line for each word of the language that means something by itself.
//
//go:embed words.txt
var texts string

// meanings says what words of the language mean, by word.
var meanings = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(texts) {
		word, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		out[word] = text
	}
	return out
})
