package plain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

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
