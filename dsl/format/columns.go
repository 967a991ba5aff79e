package format

import (
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/lists"
)

// align aligns columns. Comments come last, because they follow texts that must be complete.
func align(lines []line) {
	for i := range lines {
		lines[i].text = string(lines[i].written)
	}
	pictures(lines)
	runs(lines, func(a, b *line) bool { return a.class != "" && a.class == b.class }, alignEquals)
	runs(lines, func(a, b *line) bool { return trailing(a) && trailing(b) }, alignComments)
}

func length(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-length(s), 0))
}

// runs calls f with each maximal run of lines that belong together and have no blank line between
// them.
func runs(lines []line, together func(a, b *line) bool, f func([]line)) {
	for i := 0; i < len(lines); {
		j := i + 1
		for j < len(lines) && !lines[j].blank && together(&lines[j-1], &lines[j]) {
			j++
		}
		f(lines[i:j])
		i = j
	}
}

// alignEquals aligns the first `=` of each line.
func alignEquals(run []line) {
	column := 0
	for _, l := range run {
		column = max(column, length(l.text[:l.equals]))
	}
	for i := range run {
		l := &run[i]
		if l.equals > 0 {
			l.text = pad(l.text[:l.equals], column) + l.text[l.equals:]
		}
	}
}

func trailing(l *line) bool { return l.text != "" && l.comment != "" }

// alignComments aligns comments at the ends of lines. Pictures and lines that only have a comment
// keep theirs.
func alignComments(run []line) {
	column := 0
	for _, l := range run {
		column = max(column, 2*l.indent+length(l.text))
	}
	for i := range run {
		if trailing(&run[i]) {
			run[i].text = pad(run[i].text, column-2*run[i].indent) + "  "
		}
	}
}

// pictures aligns the rows of each picture in columns.
func pictures(lines []line) {
	rows := map[int][]*line{}
	for i := range lines {
		if p := lines[i].picture; p > 0 {
			rows[p] = append(rows[p], &lines[i])
		}
	}
	for _, picture := range rows {
		layOut(picture)
	}
}

// layOut writes the rows of one picture, with bars and cells aligned.
func layOut(rows []*line) {
	parts := 0
	for _, r := range rows {
		parts = max(parts, len(r.parts))
	}
	for part := 0; part < parts; part++ {
		layOutPart(rows, part)
	}
	for _, r := range rows {
		texts := lists.Map(r.parts, func(p []string) string { return p[0] })
		r.text = strings.TrimRight(strings.Join(texts, " | "), " ")
		if texts[0] == "" {
			r.text = strings.TrimPrefix(r.text, " ")
		}
	}
}

// layOutPart replaces the cells of one part by a text of the same width in all rows.
func layOutPart(rows []*line, part int) {
	widths, marked := columnWidths(rows, part)
	whole := 0
	for _, r := range rows {
		if part < len(r.parts) {
			text := joinCells(r.parts[part], widths, marked)
			r.parts[part] = []string{text}
			whole = max(whole, length(text))
		}
	}
	for _, r := range rows {
		if part < len(r.parts) {
			r.parts[part][0] = pad(r.parts[part][0], whole)
		}
	}
}

// columnWidths returns the width of each column of a part, not counting brackets, and whether the
// column has brackets.
func columnWidths(rows []*line, part int) (widths []int, marked []bool) {
	for _, r := range rows {
		if part >= len(r.parts) {
			continue
		}
		for i, cell := range r.parts[part] {
			if i == len(widths) {
				widths, marked = append(widths, 0), append(marked, false)
			}
			inner, brackets := strip(cell)
			widths[i] = max(widths[i], length(inner))
			marked[i] = marked[i] || brackets
		}
	}
	return widths, marked
}

// strip removes the brackets of a cell, and reports whether it had any.
func strip(cell string) (string, bool) {
	if strings.HasPrefix(cell, "[") {
		return strings.Trim(cell, "[]"), true
	}
	return cell, false
}

// joinCells joins the cells of a part, with counts aligned right and names aligned left.
func joinCells(cells []string, widths []int, marked []bool) string {
	var out []string
	for i, cell := range cells {
		inner, brackets := strip(cell)
		fill := strings.Repeat(" ", widths[i]-length(inner))
		switch c := inner[0]; {
		case brackets:
			cell = fill + "[" + inner + "]"
		case c != '_' && (c < '0' || c > '9'):
			cell = inner + fill
		case marked[i]:
			cell = fill + " " + inner + " "
		default:
			cell = fill + inner
		}
		out = append(out, cell)
	}
	return strings.TrimRight(strings.Join(out, " "), " ")
}
