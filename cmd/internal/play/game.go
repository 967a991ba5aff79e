package play

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
)

// game has the moves made so far and the states that they led to.
type game struct {
	in     *interp.Interp
	sys    *rules.System
	states []rules.State // the start and the state after each move
	moves  []made
	legal  []option // the legal moves of the last state
}

// made is a move that was made.
type made struct {
	player   int
	notation string
}

// option is a legal move with its notation.
type option struct {
	interp.Step
	notation string
}

func newGame(sys *rules.System, start rules.State) (*game, error) {
	g := &game{in: interp.New(sys), sys: sys, states: []rules.State{start}}
	return g, g.options()
}

// options computes the legal moves of the last state.
func (g *game) options() error {
	steps, err := g.in.Steps(g.state())
	g.legal = nil
	for _, s := range g.in.InPlay(g.states, steps) {
		g.legal = append(g.legal, option{s, g.in.Notation(s.Action, g.state())})
	}
	return err
}

// state returns the present state.
func (g *game) state() rules.State { return g.states[len(g.states)-1] }

// over reports whether there is no legal move, because the game has ended or is stuck.
func (g *game) over() bool { return len(g.legal) == 0 }

// step makes a legal move.
func (g *game) step(s interp.Step) error {
	st := g.state()
	g.moves = append(g.moves, made{st.Mover, g.in.Notation(s.Action, st)})
	g.states = append(g.states, s.To)
	return g.options()
}

// find returns the legal move with this notation. If there is none, the error is an
// *interp.MoveError.
func (g *game) find(notation string) (interp.Step, error) {
	t, err := g.in.ReplayOn(g.states, []string{notation})
	var illegal *interp.MoveError
	if errors.As(err, &illegal) {
		illegal.Number = len(g.moves) + 1
	}
	if err != nil {
		return interp.Step{}, err
	}
	for _, o := range g.legal {
		if o.notation == t.Steps[0].Move && o.To.Equal(t.Steps[0].State) {
			return o.Step, nil
		}
	}
	return interp.Step{}, fmt.Errorf("internal error: the move `%s` is not among the legal ones", notation)
}

// undo takes back moves, at least one, up to the last state in which a player who mayMove is to
// move. It reports whether there is such a state.
func (g *game) undo(mayMove func(player int) bool) (bool, error) {
	for n := len(g.states) - 2; n >= 0; n-- {
		if mayMove(g.states[n].Mover) {
			g.states, g.moves = g.states[:n+1], g.moves[:n]
			return true, g.options()
		}
	}
	return false, nil
}

// repeated returns after how many moves the present state occurred before, or -1.
func (g *game) repeated() int {
	n := len(g.states) - 1
	if !g.state().Live() {
		return -1
	}
	return slices.IndexFunc(g.states[:n], g.state().Equal)
}

// name returns the name of a player, or alone in a game of one player, who has no name.
func (g *game) name(player int, alone string) string {
	if g.sys.Players[player] == "" {
		return alone
	}
	return g.sys.Players[player]
}

// draw draws the state, with marks where the last move changed it.
func (g *game) draw(opts board.Options) string {
	if n := len(g.states); n > 1 {
		opts.Before = &g.states[n-2]
	}
	return board.Rows(g.sys, g.state(), opts)
}

// status describes the state in one line, for below the board.
func (g *game) status() string {
	st, line := g.state(), board.Status(g.sys, g.state())
	switch {
	case st.Live() && g.over():
		line += ", stuck: there is no legal move"
	case !st.Live():
		line += g.scores()
	}
	return strings.TrimPrefix(line, ", ")
}

// scores returns the scores of all players, as the rest of a line. It is empty if a score has no
// value.
func (g *game) scores() string {
	text := ""
	for i, x := range g.sys.Scores {
		n, err := g.in.Eval(x, g.state(), nil)
		if err != nil {
			return ""
		}
		text += fmt.Sprintf(", %s %d", g.name(i, "score"), n)
	}
	return text
}

// last describes the last move, with its number.
func (g *game) last() string {
	n := len(g.moves)
	m := g.moves[n-1]
	text := m.notation
	if name := g.sys.Players[m.player]; name != "" {
		text = name + ": " + text
	}
	return fmt.Sprintf("%3d. %s", n, text)
}

// history returns the notations of all moves.
func (g *game) history() string {
	var list []string
	for _, m := range g.moves {
		list = append(list, m.notation)
	}
	return strings.Join(list, ", ")
}
