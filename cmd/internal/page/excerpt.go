package page

import (
	"strings"
	"unicode/utf16"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/explain"
)

// excerpt is the text of the rules that a play follows, with the stretches of it that the play
// refers to, by number. Without a text there are none.
type excerpt struct {
	id        string // of the element that has the text
	stretches [][2]int
	variant   *explain.Variant
	text      string
	numbers   map[diag.Range]int
}

// sourceID is the id of the text of a variant.
func sourceID(variant string) string { return "rules-" + variant }

// excerpt returns the text of a variant, if it is on the page.
func (h *page) excerpt(variant string) *excerpt {
	for _, v := range h.Variants {
		if v.Name == variant {
			return &excerpt{id: sourceID(variant), variant: v, text: sourceText(v), numbers: map[diag.Range]int{}}
		}
	}
	return &excerpt{}
}

// number is that of a stretch of the rules, or -1 if it is not in the text.
func (e *excerpt) number(r diag.Range) int {
	if e.variant == nil || r.File != e.variant.At.File {
		return -1
	}
	from, to := r.Start.Offset-e.variant.At.Start.Offset, r.End.Offset-e.variant.At.Start.Offset
	if from < 0 || from >= to || to > len(e.text) {
		return -1
	}
	n, known := e.numbers[r]
	if !known {
		n = len(e.stretches)
		e.numbers[r] = n
		e.stretches = append(e.stretches, [2]int{units(e.text[:from]), units(e.text[:to])})
	}
	return n
}

// units is how long a text is for a browser, which counts in UTF-16 and reads a line end as one
// character.
func units(text string) int {
	return len(utf16.Encode([]rune(strings.ReplaceAll(text, "\r\n", "\n"))))
}

// sourceText is the text of a variant.
func sourceText(v *explain.Variant) string {
	return strings.Join(lists.Map(v.Source, func(p explain.Piece) string { return p.Text }), "")
}
