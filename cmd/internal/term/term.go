// Package term is about the terminal: colours, a line of progress, aligned columns. Where there is
// no terminal it does without.
package term

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/mancheck/mancheck/internal/plain"
)

// IsTerminal reports whether a reader or writer is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// HasScreen reports whether w is a terminal on which text can be written anywhere.
func HasScreen(w io.Writer) bool { return IsTerminal(w) && os.Getenv("TERM") != "dumb" }

// WantsColor reports whether what goes to w should have colours: it is a terminal that has them,
// and NO_COLOR is not set.
func WantsColor(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && HasScreen(w)
}

// Color is a colour of the terminal.
type Color string

// The colours that have a meaning: as expected, not as expected, inconclusive, and less important.
const (
	Good  Color = "32"
	Bad   Color = "1;31"
	Open  Color = "33"
	Faint Color = "2"
	Bold  Color = "1"
)

// Palette paints text for a plain.Writer, or leaves it as it is.
type Palette struct{ On bool }

// Paint puts s in colour c.
func (p Palette) Paint(c Color, s string) string {
	if !p.On || s == "" {
		return s
	}
	return plain.Style(string(c), s)
}

// Width is how many columns lines on w may have: those of a terminal, or what COLUMNS says of it,
// or 80. It is 0 where there is no terminal, and lines may be as long as they need to be.
func Width(w io.Writer) int {
	if !IsTerminal(w) {
		return 0
	}
	if width, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil && width > 0 {
		return width
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return 80
}

// Fit makes s just so wide, with spaces after it or with an ellipsis in the place of its end.
func Fit(width int, s string) string { return Pad(width, Cut(width, s)) }

// Cut makes s no wider than that, with an ellipsis in the place of its end.
func Cut(width int, s string) string {
	if width <= 0 {
		return ""
	}
	if runes := []rune(s); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return s
}

// Table is rows of cells that are written in aligned columns.
type Table struct {
	Right []bool // by column: numbers, which stand to the right
	rows  [][]string
}

// Row adds a row.
func (t *Table) Row(cells ...string) { t.rows = append(t.rows, cells) }

// Write writes the rows, each after indent.
func (t *Table) Write(w io.Writer, indent string) {
	widths := t.widths()
	for _, row := range t.rows {
		line := indent
		for i, cell := range row {
			pad := Pad
			if i < len(t.Right) && t.Right[i] {
				pad = Left
			}
			line += pad(widths[i], cell) + "  "
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

func (t *Table) widths() []int {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// Pad fills s up to width with spaces after it.
func Pad(width int, s string) string { return s + spaces(width, s) }

// Left fills s up to width with spaces before it.
func Left(width int, s string) string { return spaces(width, s) + s }

func spaces(width int, s string) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}
