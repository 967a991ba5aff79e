package format

import (
	"bytes"

	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// maxColumns is how long a line may be if there is a place to break it. Comments, pictures and
// texts in quotes are left as they are.
const maxColumns = 100

// point is a place where a line may be broken: before a token, where a break in the source would be
// kept. Breaking again what was formatted therefore changes nothing.
type point struct {
	column int // in the text of the line
	indent int // of the line that would begin there
	rank   int // the least one is broken first: outer before inner, `or` before `and`
}

// breakable notes that a line may be broken before token i, or has a block that may be.
func (w *writer) breakable(l *line, i int) {
	if len(l.written) > 0 && l.picture == 0 && w.breaksIf(i, true) {
		l.points = append(l.points, point{column: len(l.written), indent: w.indent(i), rank: w.rank(i)})
	}
	if w.isBlock(i) && (len(l.blocks) == 0 || i > w.partner[l.blocks[len(l.blocks)-1]]) {
		l.blocks = append(l.blocks, i)
	}
}

// rank orders the points of a line.
func (w *writer) rank(i int) int {
	rank := 3 * len(w.open)
	if t := w.tokens[i]; t.Type == scan.Keyword {
		switch t.Value {
		case "and":
			return rank + 2
		case "or":
			return rank + 1
		}
	}
	return rank
}

// isBlock reports whether token i opens a block that is on one line and could have several.
func (w *writer) isBlock(i int) bool {
	t := w.tokens[i]
	return bracket(t) == 1 && t.Value == "{" && w.partner[i] > i+1 && !w.marks.tight[t.Pos.Offset] && !w.listBrace(i) && !w.broken(i)
}

// openBlocks marks blocks of lines that are too long as blocks of several lines, and reports
// whether there are any.
func (w *writer) openBlocks() bool {
	found := false
	for _, l := range w.lines {
		if fits(l.indent, l.written) {
			continue
		}
		for _, brace := range l.blocks {
			w.marks.wide[w.tokens[brace].Pos.Offset] = true
			found = true
		}
	}
	return found
}

// fits reports whether a text fits into a line, with two columns for each level of indentation.
func fits(indent int, text []byte) bool { return 2*indent+length(string(text)) <= maxColumns }

// wrap breaks the lines that are too long. The rest of a line may have to be broken again.
func wrap(lines []line) []line {
	var out []line
	for _, l := range lines {
		for len(l.points) > 0 && !fits(l.indent, l.written) {
			head, tail := l.cut(l.next())
			out = append(out, head)
			l = tail
		}
		out = append(out, l)
	}
	return out
}

// next returns the index of the point at which to break the line. Among the points up to which the
// text fits, it is the last one of the least rank. If there are none, it is the first point: then
// the line stays too long, but as little as possible.
func (l *line) next() int {
	best := 0
	for i, p := range l.points {
		if fits(l.indent, bytes.TrimRight(l.written[:p.column], " ")) && p.rank <= l.points[best].rank {
			best = i
		}
	}
	return best
}

// cut breaks the line at one of its points. A comment stays behind its last token.
func (l *line) cut(at int) (head, tail line) {
	p := l.points[at]
	head, tail = *l, line{indent: p.indent, comment: l.comment}
	head.comment, head.points = "", nil
	head.written = bytes.TrimRight(l.written[:p.column], " ")
	tail.written = bytes.TrimLeft(l.written[p.column:], " ")
	for _, q := range l.points[at+1:] {
		q.column -= len(l.written) - len(tail.written)
		tail.points = append(tail.points, q)
	}
	// The sign by which lines of a class are aligned is now in the tail.
	if l.equals >= p.column {
		head.class = ""
	}
	return head, tail
}
