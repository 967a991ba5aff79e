package play

import (
	"context"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
)

// why says in a few words what the computer's choice is based on. It calls a move best only if that
// is known.
func (t *Table) why(c *choose.Choice) string {
	switch c.How {
	case choose.Only:
		return "the only move"
	case choose.Exact:
		return "best: " + t.scale().Words(c.Found.Lo)
	case choose.Bounded:
		return "best by bounds: " + t.scale().Bounds(c.Found.Lo, c.Found.Hi)
	case choose.Estimated:
		return fmt.Sprintf("%s, %s ahead", t.scale().About(chosen(c).Estimate), numeral.Count(int64(c.Depth), "move"))
	}
	text := "a guess"
	if m := chosen(c); m.Games > 0 {
		text += ": " + averaged(m)
	}
	return text
}

// averaged says what random games after a move come to.
func averaged(m *choose.Move) string {
	return numeral.Count(m.Games, "random game") + " come to " + worth.Signed(m.Average, 1)
}

// chosen returns the move that was chosen. If it is not listed, the result is empty.
func chosen(c *choose.Choice) *choose.Move {
	for i := range c.Moves {
		if c.Moves[i].Action == c.Step.Action {
			return &c.Moves[i]
		}
	}
	return &choose.Move{}
}

// Way is what was found out about winning a solitaire.
type Way struct {
	Moves []string // of a shortest play that wins; nil if none is known
	Lost  bool     // no play wins
	Why   string   // if neither is known: why
}

// text tells the way.
func (w *Way) text() string {
	switch {
	case w.Lost:
		return "lost from here: no play wins\n"
	case w.Moves == nil:
		return "whether this can be won is not known: " + w.Why + "\n"
	}
	return fmt.Sprintf("won in %d: %s\n", len(w.Moves), strings.Join(w.Moves, ", "))
}

// advice is what a hint tells.
func (t *Table) advice(ctx context.Context, g *game, opts choose.Options) (string, error) {
	if t.Way != nil {
		w, err := t.Way(ctx, g.state())
		if err != nil {
			return "", err
		}
		return w.text(), nil
	}
	c, err := choose.Choose(ctx, t.Sys, g.state(), opts)
	if err != nil {
		return "", err
	}
	return t.hint(g, c), nil
}

// hint lists the moves with what is known about each.
func (t *Table) hint(g *game, c *choose.Choice) string {
	var text strings.Builder
	table := term.Table{}
	for _, m := range c.Moves {
		table.Row(g.in.Notation(m.Action, g.state()), t.known(c, &m), standing(c, &m))
	}
	table.Write(&text, "  ")
	switch {
	case c.How == choose.Only:
		text.WriteString("it is the only move\n")
	case c.Reason != "":
		text.WriteString("the value is not known: " + c.Reason + "\n")
		if f := c.Found; f != nil && (f.Lo > value.NoLower || f.Hi < value.NoUpper) {
			text.WriteString("it is " + worth.Between(f.Lo, f.Hi, worth.Number) + "\n")
		}
	}
	return text.String()
}

// known returns what is known about a move, in words.
func (t *Table) known(c *choose.Choice, m *choose.Move) string {
	switch {
	case c.How == choose.Only:
		return ""
	case c.How == choose.Estimated && m.Value.Lo < m.Value.Hi:
		return t.scale().About(m.Estimate)
	case m.Games == 0:
		return t.scale().Bounds(m.Value.Lo, m.Value.Hi)
	}
	return averaged(m)
}

// standing returns the remark on a move: whether it is best, or the one that the computer would
// choose.
func standing(c *choose.Choice, m *choose.Move) string {
	switch {
	case c.How == choose.Only:
		return ""
	case m.Standing == choose.Best:
		return "best"
	case c.How == choose.Estimated && m.Action == c.Step.Action:
		return "first by the estimate"
	case c.How == choose.Guessed && m.Action == c.Step.Action:
		return "a guess"
	}
	return ""
}

// joined lists the first of some words.
func joined(words []string) string {
	if n := len(words); n > 12 {
		words = append(words[:12:12], fmt.Sprintf("and %d more", n-12))
	}
	return strings.Join(words, ", ")
}

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
