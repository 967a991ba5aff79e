package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl/diag"
)

// lines finds places in a text by line and column. Columns count units of UTF-16, or bytes. No
// question takes time for the length of a line.
type lines struct {
	text  string
	bytes bool
	start []int // of each line
	units editor.Units
}

// newLines splits a text into lines, which end with \n, \r\n or \r.
func newLines(text string, bytes bool) *lines {
	l := &lines{text: text, bytes: bytes, start: []int{0}, units: editor.UnitsOf(text)}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.start = append(l.start, i+1)
		}
	}
	return l
}

// end is where a line ends, without what ends it.
func (l *lines) end(line int) int {
	end := len(l.text)
	if line+1 < len(l.start) {
		end = l.start[line+1]
	}
	return l.start[line] + len(strings.TrimRight(l.text[l.start[line]:end], "\r\n"))
}

// column is the one of a byte in a line that begins at start.
func (l *lines) column(start, at int) int {
	if l.bytes {
		return at - start
	}
	return l.units.Unit(at) - l.units.Unit(start)
}

// whole is where the character of a byte begins.
func (l *lines) whole(at int) int {
	for back := 1; back < utf8.UTFMax && at < len(l.text) && at >= back && !utf8.RuneStart(l.text[at]); back++ {
		if _, n := utf8.DecodeRuneInString(l.text[at-back:]); n > back {
			return at - back
		}
	}
	return at
}

// offset is the byte at a position. A position behind the end of its line is that end, and one
// inside a character is where it begins.
func (l *lines) offset(p Position) int {
	if p.Line >= uint32(len(l.start)) {
		return len(l.text)
	}
	start := l.start[p.Line]
	// The first byte behind the position is one too far.
	n := sort.Search(l.end(int(p.Line))-start, func(i int) bool {
		return int64(l.column(start, l.whole(start+i+1))) > int64(p.Character)
	})
	return l.whole(start + n)
}

// position is the place of a byte.
func (l *lines) position(at int) Position {
	at = max(0, min(at, len(l.text)))
	line := sort.SearchInts(l.start, at+1) - 1
	at = min(at, l.end(line))
	return Position{uint32(line), uint32(l.column(l.start[line], l.whole(at)))}
}

func (l *lines) span(r diag.Range) Range {
	return Range{l.position(r.Start.Offset), l.position(max(r.Start.Offset, r.End.Offset))}
}
