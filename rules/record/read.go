package record

import (
	"bufio"
	"bytes"
	"io"
	"regexp"

	"github.com/mancheck/mancheck/internal/plain"
)

// Read reads recorded games: a trial, if the file begins with "game=", or a playthrough, if it begins
// with "game: ". A file with a tab in its first line is a table, and any other has the moves of
// games. An error is a *ParseError, or comes from r.
func Read(r io.Reader) ([]Game, error) {
	text := bufio.NewReaderSize(r, maxLine)
	if mark, _ := text.Peek(len(plain.ByteOrder)); string(mark) == plain.ByteOrder {
		_, _ = text.Discard(len(mark)) // it was peeked at
	}
	head, _ := text.Peek(maxLine)
	var g Game
	var err error
	switch {
	case bytes.HasPrefix(head, []byte(trialHead)):
		g, err = readTrial(text)
	case bytes.HasPrefix(head, []byte(playthroughHead)):
		g, err = readPlaythrough(text)
	case tabbed.Match(head):
		return readTable(text)
	default:
		return readMoves(text)
	}
	if err != nil {
		return nil, err
	}
	return []Game{g}, nil
}

// tabbed matches text whose first line that is no remark has a tab.
var tabbed = regexp.MustCompile(`^(\r?\n|#.*\n)*[^\n]*\t`)
