package record

import (
	"bufio"
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
