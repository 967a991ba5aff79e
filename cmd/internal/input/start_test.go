package input

import (
	"slices"
	"testing"
)

func TestParseMoves(t *testing.T) {
	list, err := ParseMoves("# a game\nstart: 1 2 | 3 # here\n 3, 1,\n\nhole01 C # two words\r\n")
	if err != nil {
		t.Fatal(err)
	}
	if list.Start != "1 2 | 3" || !slices.Equal(list.Moves, []string{"3", "1", "hole01 C"}) || !slices.Equal(list.Lines, []int{3, 3, 5}) {
		t.Errorf("got %+v", list)
	}
}

func TestParseMovesStart(t *testing.T) {
	for _, text := range []string{"3\nstart: 1 2", "start: 1\nstart: 2"} {
		if _, err := ParseMoves(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
