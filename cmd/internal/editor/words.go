package editor

import (
	_ "embed" // what the words mean
	"strings"
	"sync"
)

// wordTexts has a line for each word of the language that means something by itself.
//
//go:embed words.txt
var wordTexts string

// explained has what words of the language mean, by word, once somebody asks. A program in which
// nobody does, such as the playground, is without the texts.
var explained struct {
	once sync.Once
	by   map[string]string
}

// meanings says what words of the language mean, by word.
func meanings() map[string]string {
	explained.once.Do(func() {
		explained.by = map[string]string{}
		for line := range strings.Lines(wordTexts) {
			word, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
			explained.by[word] = text
		}
	})
	return explained.by
}
