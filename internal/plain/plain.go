// Package plain keeps foreign text from controlling the terminal, or the program that reads what is
// printed. Labels, names of files, what solvers say: none of them may clear the screen, turn the
// text round, or begin a line that is a command to a build server.
//
// All output for people goes through a Writer, which shows control characters instead of sending
// them. The program's own styles pass because Style marks them with a word that is different in
// each run, so that no input can hold it.
package plain

import (
	"bytes"
	"crypto/rand"
	_ "embed" // for the table
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// mark begins a style.
var mark = "\x1b" + rand.Text() + "["

// Style puts s in a style of the terminal, such as 1;31. Only a Writer turns it into what terminals
// know.
func Style(code, s string) string { return mark + code + "m" + s + mark + "0m" }

// Control reports whether a character controls how others are shown, or is invisible. The
// joiners of letters and pictographs do no harm.
func Control(r rune) bool {
	const nonJoiner, joiner = 0x200C, 0x200D
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7F
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, inkless) &&
		r != nonJoiner && r != joiner
}

// inkless are letters and signs that are blank and not known to Unicode as such: of Braille, of
// hieroglyphs, and the sign for an object.
var inkless = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}, {Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x13441, Hi: 0x13442, Stride: 1}},
}

// shown is the picture of a control character.
func shown(r rune) rune {
	switch {
	case r < ' ':
		return 0x2400 + r
	case r == 0x7F:
		return 0x2421
	}
	return utf8.RuneError
}

// Line is s as one line, with pictures in the place of control characters, line breaks and tabs
// among them.
func Line(s string) string {
	if Is(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if Control(r) {
			return shown(r)
		}
		return r
	}, s)
}

// Is reports whether s is valid text of one line without control characters.
func Is(s string) bool { return utf8.ValidString(s) && strings.IndexFunc(s, Control) < 0 }

// JSON is a JSON text with the control characters in its strings escaped.
func JSON(text []byte) []byte {
	if bytes.IndexFunc(text, func(r rune) bool { return r >= 0x7F && Control(r) }) < 0 {
		return text
	}
	var out bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r < 0x7F || !Control(r):
			out.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, "\\u%04x\\u%04x", high, low)
		default:
			fmt.Fprintf(&out, "\\u%04x", r)
		}
	}
	return out.Bytes()
}

// Text returns a text as a Writer writes it.
func Text(text []byte) []byte {
	out, rest := filter(text)
	if len(rest) > 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}

// Writer passes text on without control characters, but for line breaks, tabs and styles. What is
// not valid UTF-8 is replaced. Its methods may be called by several goroutines.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	rest []byte // the beginning of a character or mark whose end is still to come
}

// NewWriter makes a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes text, except for the beginning of a character or mark at its end, which waits for
// the rest.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	out, rest := filter(append(w.rest, text...))
	w.rest = bytes.Clone(rest)
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Flush writes what still waits for its rest.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) == 0 {
		return nil
	}
	w.rest = nil
	_, err := w.w.Write([]byte(string(utf8.RuneError)))
	return err
}

// filter gives text as it may be shown, and what at its end is incomplete.
func filter(text []byte) (out, rest []byte) {
	out = make([]byte, 0, len(text))
	for len(text) > 0 {
		if text[0] == mark[0] {
			if bytes.HasPrefix(text, []byte(mark)) {
				out, text = append(out, "\x1b["...), text[len(mark):]
				continue
			}
			if strings.HasPrefix(mark, string(text)) {
				return out, text
			}
		}
		if !utf8.FullRune(text) {
			return out, text
		}
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if Control(r) && r != '\n' && r != '\t' {
			r = shown(r)
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}

// ByteOrder is the byte order mark, which may begin a text.
const ByteOrder = "\uFEFF"

// Read returns a text without its byte order mark. It fails if the text has a Fault.
func Read(text string) (string, error) {
	if at, what := Fault(text); what != "" {
		return "", fmt.Errorf("line %d is not plain text: %s", 1+strings.Count(text[:at], "\n"), what)
	}
	return strings.TrimPrefix(text, ByteOrder), nil
}

// Fault finds the first character that no text may have that is read, and says what it is. Such
// characters make a text look different from what it means: they control a terminal or the
// direction of text, leave no ink, or end lines for some programs only. If there is none, what is
// empty.
func Fault(text string) (at int, what string) {
	for at = len(text) - len(strings.TrimPrefix(text, ByteOrder)); at < len(text); {
		if c := text[at]; c >= ' ' && c <= '~' || c == '\n' || c == '\t' {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == 0:
			return at, "it has a NUL byte"
		case r == utf8.RuneError && size == 1:
			return at, "it is not valid UTF-8"
		case r == '\r' && !strings.HasPrefix(text[at:], "\r\n"):
			return at, "it has a carriage return (U+000D) that is not followed by a line feed"
		case r != '\r' && Control(r):
			return at, fmt.Sprintf("it has %U, a control character or an invisible one", r)
		}
		at += size
	}
	return at, ""
}

//go:embed alike.txt
var alike string

// skeletons maps letters to their skeletons.
var skeletons = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(alike) {
		skeleton, letters, _ := strings.Cut(line, " ")
		if skeleton == "#" {
			continue // a comment
		}
		for _, r := range strings.TrimSpace(letters) {
			out[r] = skeleton
		}
	}
	return out
})

// Skeleton returns a text that words have in common if they look alike, by the table of Unicode.
func Skeleton(word string) string {
	var out strings.Builder
	for _, r := range word {
		if s, ok := skeletons()[r]; ok {
			out.WriteString(s)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
