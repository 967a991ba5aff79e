// Package page writes the documents of package explain: as Markdown, and as an HTML page that needs nothing beside it.
//
//	markdown.go  Markdown; escape.go the characters that mean something there; draw.go boards in characters
//	html.go      HTML, from page.html.tmpl; style.css and player.js are put into it
//	layout.go    where the pits of a board lie; svg.go the drawing of it
//	data.go      what the player needs to know
package page

import (
	"bytes"
	"fmt"

	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
)

// Limits on plays. On large boards less is drawn than on small ones.
const (
	maxSteps  = 200    // moves that are drawn one below the other
	maxDrawn  = 6_000  // pits on these boards, together
	maxPlayed = 30_000 // pits on the boards that the player knows, together
)

// drawn is how many moves of a play are drawn at most, and played how many the player has.
func drawn(p *explain.Play) int  { return min(maxSteps, maxDrawn/len(p.Trace.System.Pits)) }
func played(p *explain.Play) int { return maxPlayed / len(p.Trace.System.Pits) }

// step is a state of a play with the move that leads to it.
type step struct {
	No    int
	Move  string // in its notation, with the player; empty at the start
	Label string
	Board *explain.Board
	Loop  bool // the play comes back to this state again and again
}

// steps lists the states of a play, from its first one on. left is how many are too many to be drawn. differ says by pit what is marked
// on the last board.
func steps(p *explain.Play, differ []bool) (list []step, left int) {
	t := p.Trace
	before := t.Start
	list = append(list, step{Board: &explain.Board{System: t.System, State: before}, Loop: p.Loop == 0})
	for i, st := range t.Steps {
		if i == drawn(p) {
			return list, len(t.Steps) - i
		}
		was := before
		list = append(list, step{
			No: i + 1, Move: player(t.System, was) + st.Move, Label: st.Label, Loop: p.Loop == i+1,
			Board: &explain.Board{System: t.System, State: st.State, Before: &was},
		})
		before = st.State
	}
	list[len(list)-1].Board.Differ = differ
	return list, 0
}

// twoSteps are the states of two plays after so many moves. A play that is over by then has none.
type twoSteps struct {
	No    int
	Sides [2]*step
}

// sideBySide puts two plays beside each other, move by move. left is how many moves are too many to be drawn.
func sideBySide(p *explain.Pair) (rows []twoSteps, left int) {
	for side, play := range []*explain.Play{p.Left, p.Right} {
		list, more := steps(play, p.Differ[side])
		left = max(left, more)
		for i := range list {
			if i == len(rows) {
				rows = append(rows, twoSteps{No: i})
			}
			rows[i].Sides[side] = &list[i]
		}
	}
	return rows, left
}

func player(sys *rules.System, s rules.State) string {
	if len(sys.Players) < 2 || s.Mover == rules.None {
		return ""
	}
	return sys.Players[s.Mover] + ": "
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// number writes n with commas between thousands.
func number(n uint64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Own reports whether a text is a document that was written by this package.
func Own(text []byte) bool {
	head := text[:min(len(text), 1000)]
	return bytes.HasPrefix(head, []byte(mdMark)) || bytes.Contains(head, []byte(`<meta name="generator" content="mancheck explain">`))
}

// mdMark is the first line of Markdown, which readers do not see.
const mdMark = "<!-- mancheck explain -->\n"
