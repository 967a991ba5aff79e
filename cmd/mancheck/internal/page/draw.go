package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/proofs/explain"
)

// draw draws a board in characters: what package board does, but with `_` where anything may lie.
func draw(b *explain.Board) string {
	width := cellWidth(b)
	var widths []int
	for _, row := range b.System.Picture {
		for i, part := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(drawPart(b, part, width)))
		}
	}
	var text strings.Builder
	for _, row := range b.System.Picture {
		var parts []string
		for i, part := range row {
			parts = append(parts, fmt.Sprintf("%-*s", widths[i], drawPart(b, part, width)))
		}
		text.WriteString(strings.TrimRight(strings.Join(parts, "|"), " ") + "\n")
	}
	if status := b.Status(); status != "" {
		text.WriteString(status + "\n")
	}
	return text.String()
}

func drawPart(b *explain.Board, pits []int, width int) string {
	var text strings.Builder
	for _, p := range pits {
		count := fmt.Sprintf("%*s", width, countOf(b, p))
		if p == b.Marked() {
			count = "[" + count + "]"
		} else {
			count = " " + count + " "
		}
		switch d := b.Change(p); {
		case d > 0:
			count = strings.TrimSuffix(count, " ") + "+"
		case d < 0:
			count = strings.TrimSuffix(count, " ") + "-"
		}
		fmt.Fprintf(&text, "%-*s", width+2+changeRoom(b), count)
	}
	return text.String()
}

// changeRoom is the room for a mark of change behind a bracket.
func changeRoom(b *explain.Board) int {
	if b.Before != nil {
		return 1
	}
	return 0
}

func countOf(b *explain.Board, pit int) string {
	if b.Open(pit) {
		return "_"
	}
	return fmt.Sprint(b.State.Seeds[pit])
}

func cellWidth(b *explain.Board) int {
	w := 1
	for p := range b.State.Seeds {
		w = max(w, len(countOf(b, p)))
	}
	return w
}

// beside puts two drawings next to each other.
func beside(left, right string) string {
	a, b := strings.Split(strings.TrimRight(left, "\n"), "\n"), strings.Split(strings.TrimRight(right, "\n"), "\n")
	width := 0
	for _, line := range a {
		width = max(width, utf8.RuneCountInString(line))
	}
	var text strings.Builder
	for i := range max(len(a), len(b)) {
		l, r := lineOf(a, i), lineOf(b, i)
		text.WriteString(strings.TrimRight(l+strings.Repeat(" ", width-utf8.RuneCountInString(l)+4)+r, " ") + "\n")
	}
	return text.String()
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
