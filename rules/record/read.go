package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/mancheck/mancheck/internal/plain"
)

// Read reads recorded games: a trial, if the file begins with "game=", or else a table. An error is
// a *ParseError, or comes from r.
func Read(r io.Reader) ([]Game, error) {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(len(plain.ByteOrder)); string(mark) == plain.ByteOrder {
		_, _ = text.Discard(len(mark)) // it was peeked at
	}
	if head, _ := text.Peek(len(trialHead)); string(head) == trialHead {
		g, err := readTrial(text)
		if err != nil {
			return nil, err
		}
		return []Game{g}, nil
	}
	return readTable(text)
}

// eachLine calls f with each line. An error of f becomes a *ParseError.
func eachLine(r io.Reader, f func(text string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		if _, what := plain.Fault("\n" + lines.Text()); what != "" {
			return &ParseError{Line: n, Text: "this is not plain text: " + what}
		}
		if err := f(lines.Text()); err != nil {
			return &ParseError{Line: n, Text: err.Error()}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return &ParseError{Line: n, Text: fmt.Sprintf("the line has more than %d bytes", maxLine)}
	}
	return lines.Err()
}
