package play

import (
	"strings"

	"github.com/mancheck/mancheck/internal/plain"
)

// turn is moves of one player that are told together: one that was chosen, or several in a row that
// were the only ones.
type turn struct {
	player string
	moves  []string
	forced bool
	why    string // of the computer's choice
	again  bool   // the player moves again
}

// mostTold is how many moves of a turn are told.
const mostTold = 8

// tell notes the last move of the game, for the lines below the board.
func (m *model) tell(forced bool, why string) {
	n := len(m.game.moves)
	mv := m.game.moves[n-1]
	t := turn{player: m.game.name(mv.player, ""), moves: []string{mv.short}, forced: forced, why: why, again: m.game.again()}
	if k := len(m.told) - 1; forced && k >= 0 && m.told[k].forced && m.told[k].player == t.player {
		t.moves = append(m.told[k].moves, mv.short)
		m.told = m.told[:k]
	}
	m.told = append(m.told, t)
}

// text writes the turn in a line.
func (t turn) text() string {
	text := strings.Join(t.moves[max(0, len(t.moves)-mostTold):], ", ")
	if len(t.moves) > mostTold {
		text = "… " + text
	}
	if t.player != "" {
		text = t.player + ": " + text
	}
	switch {
	case t.forced && len(t.moves) > 1:
		text += "  (the only moves)"
	case t.forced:
		text += "  (the only move)"
	case t.why != "":
		text += "  (" + t.why + ")"
	}
	if t.again {
		text += "  " + t.player + " moves again"
	}
	return plain.Line(text)
}
