package term

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

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
