package play

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/numeral"
)

// why says what the computer's choice is based on. It calls a move best only if that is known.
func (t *Table) why(c *choose.Choice) string {
	switch c.How {
	case choose.Only:
		return "the only move"
	case choose.Exact:
		return "a best move: the value is " + t.scale().Exact(c.Found.Lo)
	case choose.Bounded:
		return fmt.Sprintf("a best move by bounds; the value is not known (%s): %s", c.Reason, t.scale().Bounds(c.Found.Lo, c.Found.Hi))
	}
	if c.How == choose.Estimated {
		text := fmt.Sprintf("by an estimate, %s ahead: %s", numeral.Count(int64(c.Depth), "move"), t.scale().About(chosen(c).Estimate))
		if bounds := t.bounds(c); bounds != "" {
			text += "; the value is " + bounds
		}
		return text
	}
	text := fmt.Sprintf("a guess: which move is best is not known (%s)", c.Reason)
	if bounds := t.bounds(c); bounds != "" {
		text += "; the value is " + bounds
	}
	if m := chosen(c); m.Games > 0 {
		text += fmt.Sprintf("; %s come to %+.1f on average", numeral.Count(m.Games, "random game"), m.Average)
	}
	return text
}

// bounds returns the bounds of the position's value, or an empty string if nothing is known.
func (t *Table) bounds(c *choose.Choice) string {
	if c.Found == nil || c.Found.Lo <= value.NoLower && c.Found.Hi >= value.NoUpper {
		return ""
	}
	return t.scale().Bounds(c.Found.Lo, c.Found.Hi)
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
		if bounds := t.bounds(c); bounds != "" {
			text.WriteString("it is " + bounds + "\n")
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
		text := t.scale().About(m.Estimate)
		if bounds := t.scale().Bounds(m.Value.Lo, m.Value.Hi); bounds != "unknown" {
			text += ", " + bounds
		}
		return text
	case m.Games == 0:
		return t.scale().Bounds(m.Value.Lo, m.Value.Hi)
	}
	text := fmt.Sprintf("%s come to %+.1f on average", numeral.Count(m.Games, "random game"), m.Average)
	if bounds := t.scale().Bounds(m.Value.Lo, m.Value.Hi); bounds != "unknown" {
		text = bounds + ", " + text
	}
	return text
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
