package lsp

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl/diag"
)

// lines finds places in a text by line and column. Columns count units of UTF-16, or bytes.
type lines struct {
	text  string
	bytes bool
	start []int // of each line
}

// newLines splits a text into lines, which end with \n, \r\n or \r.
func newLines(text string, bytes bool) *lines {
	l := &lines{text: text, bytes: bytes, start: []int{0}}
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
	for end > l.start[line] && (l.text[end-1] == '\n' || l.text[end-1] == '\r') {
		end--
	}
	return end
}

// offset is the byte at a position. A position behind the end of its line is that end, and one
// inside a character is where it begins.
func (l *lines) offset(p Position) int {
	if p.Line >= uint32(len(l.start)) {
		return len(l.text)
	}
	at, end := l.start[p.Line], l.end(int(p.Line))
	left := int64(p.Character)
	for at < end {
		r, n := utf8.DecodeRuneInString(l.text[at:])
		if left -= l.width(r, n); left < 0 {
			break
		}
		at += n
	}
	return at
}

func (l *lines) width(r rune, n int) int64 {
	if l.bytes {
		return int64(n)
	}
	return int64(max(1, utf16.RuneLen(r)))
}

// position is the place of a byte.
func (l *lines) position(at int) Position {
	at = max(0, min(at, len(l.text)))
	line := sort.SearchInts(l.start, at+1) - 1
	at = min(at, l.end(line))
	column := int64(0)
	for i := l.start[line]; i < at; {
		r, n := utf8.DecodeRuneInString(l.text[i:])
		if i+n > at {
			break
		}
		column += l.width(r, n)
		i += n
	}
	return Position{uint32(line), uint32(column)}
}

func (l *lines) span(r diag.Range) Range {
	return Range{l.position(r.Start.Offset), l.position(max(r.Start.Offset, r.End.Offset))}
}
