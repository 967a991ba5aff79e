package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
)

// Text writes diagnostics for people: message, place, the line of the source with the stretch
// underlined, notes and help. Files that are not in sources are shown without their lines. Colours
// are for a plain.Writer.
func Text(w io.Writer, l List, sources map[string][]byte, color bool) {
	t := &textWriter{w: w, sources: sources, color: color}
	for i, d := range l {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t.diagnostic(d)
	}
}

type textWriter struct {
	w       io.Writer
	sources map[string][]byte
	color   bool
}

// The colours of the terminal.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
)

func (t *textWriter) paint(color, s string) string {
	if !t.color {
		return s
	}
	return plain.Style(color, s)
}

func (t *textWriter) diagnostic(d Diagnostic) {
	color := red
	if d.Severity == Warning {
		color = yellow
	}
	head := fmt.Sprintf("%s[%s]", d.Severity, d.Code)
	fmt.Fprintf(t.w, "%s%s\n", t.paint(color, head), t.paint(bold, ": "+plain.Line(d.Message)))
	gutter := t.gutter(d)
	t.place(d.Range, gutter, "-->", "^", "", color)
	for _, n := range d.Notes {
		t.place(n.Range, gutter, ":::", "-", plain.Line(n.Message), blue)
	}
	if d.Help != "" {
		t.help(gutter, d.Help)
	}
}

// help writes the help, which may have several lines.
func (t *textWriter) help(gutter int, text string) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	fmt.Fprintf(t.w, "%*s %s %s\n", gutter, "", t.paint(blue, "="), t.paint(bold, "help: ")+plain.Line(lines[0]))
	for _, l := range lines[1:] {
		fmt.Fprintf(t.w, "%*s   %s\n", gutter, "", plain.Line(l))
	}
}

// gutter is the width of the widest line number of a diagnostic.
func (t *textWriter) gutter(d Diagnostic) int {
	width := len(strconv.Itoa(d.Range.Start.Line))
	for _, n := range d.Notes {
		width = max(width, len(strconv.Itoa(n.Range.Start.Line)))
	}
	return width
}

// place writes a place and, if its file is known, its line underlined with mark.
func (t *textWriter) place(r Range, gutter int, arrow, mark, message, color string) {
	if r.File == "" && r.IsZero() {
		t.bare(gutter, message)
		return
	}
	fmt.Fprintf(t.w, "%*s%s %s\n", gutter, "", t.paint(blue, arrow), plain.Line(r.String()))
	line, ok := t.line(r)
	if !ok {
		t.bare(gutter, message)
		return
	}
	before, marked := columns(line, r)
	line, before, marked = window(line, before, marked)
	shown, indent, width := expand(line, before, marked)
	bar := t.paint(blue, "|")
	fmt.Fprintf(t.w, "%*s %s\n", gutter, "", bar)
	fmt.Fprintf(t.w, "%s %s\n", t.paint(blue, fmt.Sprintf("%*d", gutter, r.Start.Line)), strings.TrimRight(bar+" "+shown, " "))
	under := strings.Repeat(mark, width)
	if message != "" {
		under += " " + message
	}
	fmt.Fprintf(t.w, "%*s %s %s%s\n", gutter, "", bar, strings.Repeat(" ", indent), t.paint(color, under))
}

// bare writes the message of a note that has no line to stand under.
func (t *textWriter) bare(gutter int, message string) {
	if message != "" {
		fmt.Fprintf(t.w, "%*s %s %s\n", gutter, "", t.paint(blue, "="), t.paint(bold, "note: ")+message)
	}
}

// line is the line of the source in which r begins.
func (t *textWriter) line(r Range) (string, bool) {
	src, ok := t.sources[r.File]
	if !ok || r.IsZero() || r.Start.Offset > len(src) {
		return "", false
	}
	start := bytes.LastIndexByte(src[:r.Start.Offset], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
		end = start + i
	}
	line := strings.TrimSuffix(string(src[start:end]), "\r")
	return strings.ToValidUTF8(strings.TrimPrefix(line, "\uFEFF"), "\uFFFD"), true
}

// columns is how many characters of the line stand before r and in it. What r covers of further
// lines is left out.
func columns(line string, r Range) (before, marked int) {
	length := len([]rune(line))
	before = min(r.Start.Column-1, length)
	end := length
	if r.End.Line == r.Start.Line {
		end = min(r.End.Column-1, length)
	}
	return before, max(end-before, 0)
}

// A line is shown in part if it is longer than lineShown: what is marked, as far as there is room,
// and what stands before it.
const (
	lineShown  = 400
	shownAhead = 100
)

// window cuts a long line around its mark, and moves the mark along.
func window(line string, before, marked int) (string, int, int) {
	runes := []rune(line)
	if len(runes) <= lineShown {
		return line, before, marked
	}
	from := max(min(before-shownAhead, len(runes)-lineShown), 0)
	to := from + lineShown
	shown, lead := string(runes[from:to]), 0
	if from > 0 {
		shown, lead = "…"+shown, 1
	}
	if to < len(runes) {
		shown += "…"
	}
	return shown, lead + before - from, max(min(marked, to-before), 0)
}

// tabWidth is how wide a tab is shown.
const tabWidth = 4

// expand replaces tabs and control characters, and gives the width in cells of the text before the
// mark and of the mark, which is at least one.
func expand(line string, before, marked int) (shown string, indent, width int) {
	var b strings.Builder
	at := 0
	for i, r := range []rune(line) {
		if i == before {
			indent = at
		}
		if i == before+marked {
			width = at - indent
		}
		at += writeCell(&b, r, at)
	}
	if before >= len([]rune(line)) {
		indent = at
	} else if width == 0 {
		width = at - indent
		if marked == 0 {
			width = 1
		}
	}
	return b.String(), indent, max(width, 1)
}

func writeCell(b *strings.Builder, r rune, at int) int {
	switch {
	case r == '\t':
		n := tabWidth - at%tabWidth
		b.WriteString(strings.Repeat(" ", n))
		return n
	case unicode.Is(unicode.Mn, r) || r == 0x200D || r >= 0xFE00 && r <= 0xFE0F:
		b.WriteRune(r)
		return 0
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		b.WriteRune('\uFFFD')
		return 1
	}
	b.WriteRune(r)
	if wide(r) {
		return 2
	}
	return 1
}

// wide tells the characters that take two cells: those of East Asia, and pictographs.
func wide(r rune) bool {
	return r >= 0x1100 && r <= 0x115F || r >= 0x2E80 && r <= 0xA4CF || r >= 0xAC00 && r <= 0xD7A3 ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xFE30 && r <= 0xFE6F || r >= 0xFF00 && r <= 0xFF60 ||
		r >= 0xFFE0 && r <= 0xFFE6 || r >= 0x1F300 && r <= 0x1FAFF || r >= 0x20000 && r <= 0x3FFFD
}

// The shape of diagnostics as JSON.
type (
	jsonPos struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
	jsonRange struct {
		Start jsonPos `json:"start"`
		End   jsonPos `json:"end"`
	}
	jsonNote struct {
		File    string     `json:"file,omitempty"`
		Range   *jsonRange `json:"range,omitempty"`
		Message string     `json:"message"`
	}
	jsonEdit struct {
		Range *jsonRange `json:"range"`
		Text  string     `json:"text"`
	}
	jsonDiagnostic struct {
		Severity string     `json:"severity"`
		Code     Code       `json:"code"`
		File     string     `json:"file"`
		Range    *jsonRange `json:"range,omitempty"`
		Message  string     `json:"message"`
		Help     string     `json:"help,omitempty"`
		Notes    []jsonNote `json:"notes,omitempty"`
		Fix      []jsonEdit `json:"fix,omitempty"`
	}
	jsonList struct {
		Schema      int              `json:"schema"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
	}
)

// ToJSON is the diagnostics for programs. A diagnostic about a whole file has no range.
func ToJSON(l List) []byte {
	b, err := json.MarshalIndent(JSON(l), "", "  ")
	if err != nil {
		panic(err) // strings and numbers can always be written
	}
	return append(b, '\n')
}

// JSON is what ToJSON writes, to be put into a larger document.
func JSON(l List) any {
	out := jsonList{Schema: 1, Diagnostics: []jsonDiagnostic{}}
	for _, d := range l {
		out.Diagnostics = append(out.Diagnostics, jsonDiagnostic{
			Severity: d.Severity.String(), Code: d.Code, File: d.Range.File, Range: toJSON(d.Range),
			Message: d.Message, Help: d.Help,
			Notes: lists.Map(d.Notes, func(n Note) jsonNote { return jsonNote{n.Range.File, toJSON(n.Range), n.Message} }),
			Fix:   lists.Map(d.Fix, func(e Edit) jsonEdit { return jsonEdit{toJSON(e.Range), e.Text} }),
		})
	}
	return out
}

// JSON returns the range as diagnostics have it in JSON.
func (r Range) JSON() any { return toJSON(r) }

func toJSON(r Range) *jsonRange {
	if r.IsZero() {
		return nil
	}
	return &jsonRange{Start: jsonPos{r.Start.Line, r.Start.Column}, End: jsonPos{r.End.Line, r.End.Column}}
}
