// Package format formats .sow files.
//
// It prints all tokens of the source in their order, so it cannot change the meaning of a file. The
// syntax tree says what the tokens are. There are three steps: marks (where lines begin, which
// brackets have no blanks inside), lines (tokens and comments are joined), and columns (pictures,
// `=` and comments at the ends of lines are aligned). A block on one line stays on one line, and
// blank lines between groups of lines are kept.
package format

import (
	"bytes"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// Source returns the text of a file in canonical format. Its lines end as most lines of the file
// do. If the file has mistakes, the error is its diagnostics.
func Source(f *ast.File) ([]byte, error) {
	tree, diags := dsl.Parse(f.Path, f.Source)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	cut := scan.File(f.Path, f.Source)
	marks, pairs := newMarks(tree, cut.Tokens), partners(cut.Tokens)
	// Lines that are too long make some blocks break over several lines, and then everything is
	// written again.
	for {
		w := &writer{marks: marks, tokens: cut.Tokens, comments: cut.Comments, partner: pairs}
		for i, t := range w.tokens {
			if w.before(i); !t.EOF() {
				w.token(i)
			}
		}
		if w.openBlocks() {
			continue
		}
		lines := wrap(w.lines)
		align(lines)
		out := render(lines)
		if crlf := bytes.Count(f.Source, []byte("\r\n")); 2*crlf > bytes.Count(f.Source, []byte("\n")) {
			out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
		}
		return out, nil
	}
}

// line is a line of the result.
type line struct {
	blank   bool // a blank line comes before it
	indent  int
	written []byte // the text while the line is written, without alignment
	text    string
	comment string     // after the text, or alone
	class   string     // consecutive lines of the same class have their `=` aligned
	equals  int        // position of the `=` in the text, if class is not empty
	picture int        // number of the picture that the line is a row of; 0: none
	parts   [][]string // of a row: the cells of each part
	points  []point    // where the line may be broken
	blocks  []int      // the outermost blocks that are entirely on this line, by their opening braces
}

// writer joins tokens and comments to lines.
type writer struct {
	marks    *marks
	tokens   []lexer.Token
	comments []ast.Comment // not written yet
	partner  map[int]int   // by bracket: the matching one
	lines    []line
	open     []int // brackets that are open
	start    int   // the first token of the current statement, item or clause
	ended    bool  // the current line ends in a comment
	lastLine int   // source line on which the latest token or comment ended
}

func partners(tokens []lexer.Token) map[int]int {
	out := map[int]int{}
	var stack []int
	for i, t := range tokens {
		switch bracket(t) {
		case 1:
			stack = append(stack, i)
		case -1:
			if len(stack) > 0 {
				j := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				out[i], out[j] = j, i
			}
		}
	}
	return out
}

func bracket(t lexer.Token) int {
	if t.Type != scan.Punct {
		return 0
	}
	switch t.Value {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// before writes the comments before token i and then, if the token begins a line, the line break.
func (w *writer) before(i int) {
	own := w.commentsBefore(i)
	t := w.tokens[i]
	if t.EOF() {
		return
	}
	if own || len(w.lines) == 0 || w.ended || w.breaks(i) {
		w.newLine(t.Pos.Line, w.indent(i), bracket(t) == -1 || !own && w.afterOpening(i))
		w.ended = false
	}
}

// commentsBefore writes the comments before token i, and reports whether one was on a line of its
// own.
func (w *writer) commentsBefore(i int) bool {
	own := false
	for len(w.comments) > 0 && w.comments[0].Range.Start.Offset < w.tokens[i].Pos.Offset || len(w.comments) > 0 && w.tokens[i].EOF() {
		c := w.comments[0]
		w.comments = w.comments[1:]
		if i > 0 && c.Range.Start.Line == ast.TokenRange(w.tokens[i-1]).End.Line {
			w.lines[len(w.lines)-1].comment, w.ended = c.Text, true
		} else {
			w.newLine(c.Range.Start.Line, w.commentIndent(i), !own && w.afterOpening(i))
			w.lines[len(w.lines)-1].comment, own, w.ended = c.Text, true, true
		}
		w.lastLine = c.Range.Start.Line
	}
	return own
}

// newLine begins a line. A blank line before it in the source is kept, except beside a brace.
func (w *writer) newLine(sourceLine, indent int, beside bool) {
	blank := len(w.lines) > 0 && !beside && sourceLine > w.lastLine+1
	w.lines = append(w.lines, line{blank: blank, indent: indent})
}

func (w *writer) afterOpening(i int) bool {
	return i > 0 && bracket(w.tokens[i-1]) == 1
}

// token writes token i on the current line.
func (w *writer) token(i int) {
	t := w.tokens[i]
	if w.marks.starts(t) {
		w.start = i
	}
	w.append(i)
	w.lastLine = ast.TokenRange(t).End.Line
	switch bracket(t) {
	case 1:
		w.open = append(w.open, i)
	case -1:
		w.open = w.open[:len(w.open)-1]
	}
}

// append appends token i to the current line.
func (w *writer) append(i int) {
	t := w.tokens[i]
	l := &w.lines[len(w.lines)-1]
	text := t.Value
	first := len(l.written) == 0
	w.breakable(l, i)
	if !first && w.spaced(i) {
		l.written = append(l.written, ' ')
	}
	if first {
		w.classify(l, i)
	}
	if l.class != "" && l.equals == 0 && text == "=" {
		l.equals = len(l.written)
	}
	l.written = append(l.written, text...)
	w.cell(l, i, text)
}

// classify sets the class of a line that begins with token i.
func (w *writer) classify(l *line, i int) {
	t := w.tokens[i]
	l.picture = w.marks.rows[t.Pos.Offset]
	if l.picture > 0 {
		l.parts = [][]string{nil}
	}
	switch t.Value {
	case "param", "group", "owner":
		l.class = t.Value
	case "ring", "line":
		l.class = "lap"
	}
	if !w.marks.line[t.Pos.Offset] {
		l.class = ""
	}
}

// cell adds a token to the row of a picture. A bar begins a part, and a token without a blank
// before it belongs to the previous cell.
func (w *writer) cell(l *line, i int, text string) {
	if l.picture == 0 {
		return
	}
	last := len(l.parts) - 1
	part := &l.parts[last]
	switch {
	case text == "|":
		l.parts = append(l.parts, nil)
	case len(*part) > 0 && !w.spaced(i):
		(*part)[len(*part)-1] += text
	case len(*part) > 0 && !w.marks.cells[w.tokens[i].Pos.Offset]:
		(*part)[len(*part)-1] += " " + text
	default:
		*part = append(*part, text)
	}
}

// breaks reports whether token i begins a line for other reasons than comments.
func (w *writer) breaks(i int) bool {
	return i == 0 || w.breaksIf(i, ast.TokenRange(w.tokens[i-1]).End.Line < w.tokens[i].Pos.Line)
}

// breaksIf is breaks, given whether the token begins a line in the source.
func (w *writer) breaksIf(i int, inSource bool) bool {
	t, before := w.tokens[i], w.tokens[i-1]
	offset := t.Pos.Offset
	switch {
	case w.marks.line[offset]:
		return true
	case before.Value == "{" && w.broken(i-1):
		return w.partner[i-1] != i
	case t.Value == "}" && w.broken(w.partner[i]):
		return w.partner[i] != i-1
	case w.marks.part[offset] && before.Value != "else":
		return len(w.open) > 0 && w.broken(w.open[len(w.open)-1])
	case w.marks.cond[offset]:
		return inSource
	}
	return inSource && w.mayBreak(i)
}

// mayBreak reports whether a line break in the source before token i is kept.
func (w *writer) mayBreak(i int) bool {
	t, before := w.tokens[i], w.tokens[i-1]
	switch t.Value {
	case "and", "or":
		return t.Type == scan.Keyword
	case "else":
		return w.marks.other[t.Pos.Offset] || !w.broken(w.partner[i-1])
	}
	list := before.Value == "{" && w.listBrace(i-1) || t.Value == "}" && w.listBrace(w.partner[i])
	return before.Type == scan.Punct && before.Value == "," || list && t.Type != scan.String
}

// broken reports whether the block that a brace opens takes several lines.
func (w *writer) broken(brace int) bool {
	t := w.tokens[brace]
	if t.Value != "{" || t.Type != scan.Punct || w.marks.tight[t.Pos.Offset] || w.listBrace(brace) {
		return false
	}
	return w.marks.wide[t.Pos.Offset] || t.Pos.Line != w.tokens[w.partner[brace]].Pos.Line
}

// listBrace reports whether a brace begins a list or the options of a choice, rather than a block.
func (w *writer) listBrace(brace int) bool {
	return brace > 0 && (w.tokens[brace-1].Value == "=" || w.tokens[brace-1].Value == "in")
}

// indent returns the indentation of a line that begins with token i, in steps.
func (w *writer) indent(i int) int {
	n := len(w.open)
	t := w.tokens[i]
	if bracket(t) == -1 {
		return max(n-1, 0)
	}
	if w.marks.starts(t) || t.Value == "else" && t.Type == scan.Keyword && !w.marks.other[t.Pos.Offset] {
		return n
	}
	if n > 0 && w.open[n-1] >= w.start {
		return n
	}
	return n + 1
}

// commentIndent returns the indentation of a comment before token i, which is that of its block.
func (w *writer) commentIndent(i int) int {
	t := w.tokens[i]
	if t.EOF() {
		return 0
	}
	if bracket(t) == -1 {
		return len(w.open)
	}
	return w.indent(i)
}

// spaced reports whether there is a blank between token i and the previous one on its line.
func (w *writer) spaced(i int) bool {
	a, b := w.tokens[i-1], w.tokens[i]
	if a.Type == scan.Punct && (w.marks.prefix[a.Pos.Offset] || w.marks.close[a.Pos.Offset] || w.tightAfter(i-1)) {
		return false
	}
	if b.Type != scan.Punct {
		return true
	}
	if w.marks.close[b.Pos.Offset] && !w.marks.prefix[b.Pos.Offset] {
		return false
	}
	switch b.Value {
	case ",", ")", "]", "..":
		return false
	case "(", "[":
		return !w.marks.glued[ast.TokenRange(a).End.Offset] && !calls[a.Value]
	case ":":
		return !w.marks.colon[b.Pos.Offset]
	case "}":
		return !w.marks.tight[w.tokens[w.partner[i]].Pos.Offset]
	}
	return true
}

// calls has the words of claims that are written like functions.
var calls = map[string]bool{"best": true, "count": true, "predecessors": true, "successors": true, "value": true, "winner": true}

func (w *writer) tightAfter(i int) bool {
	switch w.tokens[i].Value {
	case "(", "[":
		return true
	case "..":
		next := w.tokens[i+1]
		return !w.marks.starts(next)
	case "{":
		return w.marks.tight[w.tokens[i].Pos.Offset]
	}
	return false
}

// render writes the lines.
func render(lines []line) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		if l.blank {
			b.WriteByte('\n')
		}
		text := l.text + l.comment
		if text != "" {
			b.WriteString(strings.Repeat("  ", l.indent))
		}
		b.WriteString(strings.TrimRight(text, " "))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
