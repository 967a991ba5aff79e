// Package page writes the documents of package explain: as Markdown, and as an HTML page that needs
// nothing beside it. What both say of a document is in this file and in words.go.
//
//	markdown.go  Markdown, from page.md.tmpl, and the characters that mean something there
//	html.go      HTML, from page.html.tmpl: what that shows of each part, and addresses of parts
//	script.go    its script, style and policy, from web; a playground, whose tool a page may ask
//	player.go    its plays, and what their player needs to know: boards, which package drawing
//	             draws, and the rules that plays refer to
package page

import (
	"bytes"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/drawing"
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
	No     int
	Title  string // of the first state
	Move   string // in its notation, with the player; empty at the start
	Label  string // empty if the rules have just one
	Board  *explain.Board
	Loop   bool   // the play comes back to this state again and again
	Ending string // why the play ends here, if the board does not say so
}

// plays is a play with its states. More is how many moves are too many to be drawn.
type plays struct {
	*explain.Play
	Steps []step
	More  int
}

func playView(p *explain.Play) plays {
	list, left := steps(p, nil)
	return plays{p, list, left}
}

// steps lists the states of a play, from its first one on. left is how many are too many to be
// drawn. differ says by pit what is marked on the last board.
func steps(p *explain.Play, differ []bool) (list []step, left int) {
	t := p.Trace
	before := t.Start
	only := drawing.OnlyLabel(t.System)
	list = append(list, step{Title: p.First, Board: &explain.Board{System: t.System, State: before}, Loop: p.Loop == 0})
	for i, st := range t.Steps {
		if i == drawn(p) {
			return list, len(t.Steps) - i
		}
		was, label := before, st.Label
		if label == only {
			label = ""
		}
		list = append(list, step{
			No: i + 1, Move: board.Player(t.System, was) + st.Move, Label: label, Loop: p.Loop == i+1,
			Board: &explain.Board{System: t.System, State: st.State, Before: &was},
		})
		before = st.State
	}
	last := &list[len(list)-1]
	last.Board.Differ, last.Ending = differ, report.Ending(t)
	return list, 0
}

// twoSteps are the states of two plays after No moves. A play that is over by then has none.
type twoSteps struct {
	No    int
	Sides [2]*step
}

// pairs is two plays beside each other, move by move. More is how many moves are too many to be
// drawn.
type pairs struct {
	*explain.Pair
	Rows []twoSteps
	More int
}

// Both are the two plays.
func (p pairs) Both() []*explain.Play { return []*explain.Play{p.Left, p.Right} }

func pairView(p *explain.Pair) pairs {
	out := pairs{Pair: p}
	for side, play := range []*explain.Play{p.Left, p.Right} {
		list, more := steps(play, p.Differ[side])
		out.More = max(out.More, more)
		for i := range list {
			if i == len(out.Rows) {
				out.Rows = append(out.Rows, twoSteps{No: i})
			}
			out.Rows[i].Sides[side] = &list[i]
		}
	}
	return out
}

// Own reports whether a text is a document that was written by this package.
func Own(text []byte) bool {
	head := text[:min(len(text), 1000)]
	return bytes.HasPrefix(head, []byte(mdMark)) || bytes.Contains(head, []byte(`<meta name="generator" content="mancheck explain">`))
}

// mdMark is the first line of Markdown, which readers do not see.
const mdMark = "<!-- mancheck explain -->\n"
