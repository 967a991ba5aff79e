package editor

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl/diag"
)

// Units turns places in a text, which are counted in bytes, into those of an editor that counts
// units of UTF-16 from the beginning of the text.
type Units struct {
	length int
	wide   []int // the bytes at which characters begin that are not ASCII
	units  []int // of UTF-16 before each of them
}

// UnitsOf counts the units of a text.
func UnitsOf(text string) Units {
	p := Units{length: len(text)}
	less := 0 // units than bytes, so far
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		if r >= utf8.RuneSelf {
			p.wide, p.units = append(p.wide, at), append(p.units, at-less)
			less += n - utf16.RuneLen(r)
		}
		at += n
	}
	// The end is a place after the last of them.
	p.wide, p.units = append(p.wide, len(text)), append(p.units, len(text)-less)
	return p
}

// Unit is the place of a byte at which a character begins.
func (p Units) Unit(at int) int {
	at = max(0, min(at, p.length))
	i := sort.SearchInts(p.wide, at)
	return p.units[i] - (p.wide[i] - at)
}

// Span is a stretch of the text in the editor.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Span is a range of the text in the editor.
func (p Units) Span(r diag.Range) Span { return Span{p.Unit(r.Start.Offset), p.Unit(r.End.Offset)} }
