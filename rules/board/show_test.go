package board_test

import (
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// whole resolves a variant around a board, with all that follows from the picture.
func whole(t *testing.T, drawn string) *rules.System {
	t.Helper()
	f, diags := dsl.Parse("test.sow", []byte("variant V {\nplayer South, North\n"+drawn+"\nsetup { each pit = 1 }\nmove { choose p in pit take 1 from p into p }\n}"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	u, _ := build.Collect([]*ast.File{f})
	sys, diags := u.Whole(u.Variants[0], nil)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, drawn)
	}
	return sys
}

func TestShow(t *testing.T) {
	const want = `board {
  north_store | north[02..01] |
              | south[01..02] | south_store
  group house = north[01..02], south[01..02]
  group store = north_store, south_store
  owner South = south[01..02], south_store
  owner North = north_store, north[02..01]
  ring ccw = south[01..02], north[01..02]
  ring cw = north[02..01], south[02..01]
  ring ccw_with_stores = south[01..02], south_store, north[01..02], north_store
  ring cw_with_stores = north_store, north[02..01], south_store, south[02..01]
  facing opposite north[02] = south[01]
  facing opposite north[01] = south[02]
  map home north[01] = north_store
}
`
	got := board.Show(whole(t, "board {\n north_store | north[02..01] |\n | south[01..02] | south_store\n map home north01 = north_store\n}"))
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestShownIsTheBoard: what is shown is a board of the language, and the same one.
func TestShownIsTheBoard(t *testing.T) {
	for _, drawn := range []string{
		"board {\n a | north[3..1] | b\n c | south[1..3] | d\n}",
		"board {\n north_out[1..2]\n north_in[1..2]\n south_in[1..2]\n south_out[1..2]\n}",
		"board {\n x[4] x[2] x[1] x[3] | y\n line way = x[1..4]\n map to x[i] = x[i+1]\n owner North = x[2], y\n}",
	} {
		once := board.Show(whole(t, drawn))
		if again := board.Show(whole(t, once)); again != once {
			t.Errorf("%s\nis shown as\n%s\nand that as\n%s", drawn, once, again)
		}
	}
}
