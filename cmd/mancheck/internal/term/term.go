// Package term is about the terminal: colours, a line of progress, aligned columns. Where there is no terminal it does without.
package term

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// WantsColor reports whether what goes to w should have colours: it is a terminal that has them, and NO_COLOR is not set.
func WantsColor(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w)
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

// Palette paints text, or leaves it as it is.
type Palette struct{ On bool }

// Paint puts s in colour c.
func (p Palette) Paint(c Color, s string) string {
	if !p.On || s == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}
