package play

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
)

// game has the moves made so far and the states that they led to.
type game struct {
	in     *interp.Interp
	sys    *rules.System
	labels []string // by pit
	grid   *grid
	states []rules.State // the start and the state after each move
	moves  []made
	legal  []option // the legal moves of the last state
}

// made is a move that was made.
type made struct {
	player   int
	notation string
	short    string // with the labels of pits for their names
	label    string // of its rule
}

// option is a legal move with its notation.
type option struct {
	interp.Step
	notation string
	short    string // the notation with the labels of pits for their names
	pits     []int  // that it is about
}

// newGame returns the game at its start, or after moves.
func newGame(sys *rules.System, start rules.State, moves []string) (*game, error) {
	g := &game{in: interp.New(sys), sys: sys, states: []rules.State{start}}
	g.labels = labels(g.in)
	g.grid = newGrid(sys, g.labels, start.Total())
	if err := g.options(); err != nil {
		return nil, err
	}
	for _, m := range moves {
		s, err := g.find(m)
		if err == nil {
			err = g.step(s)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// options computes the legal moves of the last state. What is short for several is no notation.
func (g *game) options() error {
	steps, err := g.in.Steps(g.state())
	g.legal = lists.Map(g.in.InPlay(g.states, steps), g.option)
	short := lists.Map(g.legal, func(o option) string { return o.short })
	for i := range g.legal {
		if lists.Count(short, func(s string) bool { return s == short[i] }) > 1 {
			g.legal[i].short = g.legal[i].notation
		}
	}
	return err
}

// option describes a legal move of the last state.
func (g *game) option(s interp.Step) option {
	o := option{Step: s, notation: g.in.Notation(s.Action, g.state())}
	o.short = o.notation
	if s.Action == interp.Offer {
		return o
	}
	a := &g.sys.Actions[s.Action]
	o.pits = chosenBy(a)
	words := strings.Fields(o.notation)
	for _, w := range a.Written {
		if !w.Pit {
			continue
		}
		p, err := g.in.Eval(w.X, g.state(), nil)
		if err != nil || p == rules.None {
			continue
		}
		if !slices.Contains(o.pits, p) {
			o.pits = append(o.pits, p)
		}
		if i := slices.Index(words, g.sys.Pits[p].Name); i >= 0 && g.labels[p] != "" {
			words[i] = g.labels[p]
		}
	}
	o.short = strings.Join(words, " ")
	return o
}

// state returns the present state.
func (g *game) state() rules.State { return g.states[len(g.states)-1] }

// over reports whether there is no legal move, because the game has ended or is stuck.
func (g *game) over() bool { return len(g.legal) == 0 }

// step makes a legal move. It leads where this play says, and not the state by itself: a position
// that comes back may end the game.
func (g *game) step(s interp.Step) error {
	o := g.option(s)
	if at := slices.IndexFunc(g.legal, func(o option) bool { return o.Action == s.Action }); at >= 0 {
		o = g.legal[at]
	}
	st := g.state()
	g.moves = append(g.moves, made{st.Mover, o.notation, o.short, g.in.Label(o.Action, st)})
	g.states = append(g.states, o.To)
	return g.options()
}

// find returns the legal move with this notation, in full or with labels of pits. If there is none,
// the error is an *interp.MoveError.
func (g *game) find(notation string) (interp.Step, error) {
	s, err := g.in.Follow(g.states, len(g.moves)+1, notation)
	if errors.As(err, new(*interp.MoveError)) {
		if s, ok := g.findShort(notation); ok {
			return s, nil
		}
	}
	return s, err
}

// findShort returns the only legal move that this is a short notation of.
func (g *game) findShort(notation string) (found interp.Step, ok bool) {
	words := strings.Fields(notation)
	for _, o := range g.legal {
		if !slices.Equal(strings.Fields(o.short), words) {
			continue
		}
		if ok {
			return interp.Step{}, false
		}
		found, ok = o.Step, true
	}
	return found, ok
}

// undo takes back moves, at least one, up to the last state in which a player who mayMove is to
// move and, with choice, has more than one move. It reports whether there is such a state.
func (g *game) undo(mayMove func(player int) bool, choice bool) (bool, error) {
	for n := len(g.states) - 2; n >= 0; n-- {
		if !mayMove(g.states[n].Mover) {
			continue
		}
		back := *g
		back.states, back.moves = g.states[:n+1], g.moves[:n]
		if err := back.options(); err != nil {
			return false, err
		}
		if n == 0 || !choice || len(back.legal) > 1 {
			*g = back
			return true, nil
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

// again reports whether the last move gave its player another turn. A sowing that goes on by a move
// of its own is none.
func (g *game) again() bool {
	n := len(g.moves)
	lap := len(g.legal) == 1 && board.Marked(g.sys, g.state()) != rules.None
	return n > 0 && len(g.sys.Players) > 1 && !g.over() && !lap && g.state().Mover == g.moves[n-1].player
}

// drawn returns what the board shows: the state with marks where the last move changed it.
func (g *game) drawn() drawn {
	st := g.state()
	d := drawn{seeds: st.Seeds, marked: board.Marked(g.sys, st), mover: st.Mover}
	if n := len(g.states); n > 1 {
		d.before = g.states[n-2].Seeds
	}
	return d
}

// last describes the last move, with its number.
func (g *game) last() string {
	n := len(g.moves)
	m := g.moves[n-1]
	return fmt.Sprintf("%3d. %s", n, g.by(m.player, m.notation))
}

// by writes a move with its player.
func (g *game) by(player int, move string) string {
	if name := g.sys.Players[player]; name != "" {
		return name + ": " + move
	}
	return move
}

// history returns the notations of all moves, or short ones.
func (g *game) history(short bool) string {
	var list []string
	for _, m := range g.moves {
		if list = append(list, m.notation); short {
			list[len(list)-1] = m.short
		}
	}
	return strings.Join(list, ", ")
}

// variables describes the state's variables, one a line.
func (g *game) variables() string {
	var text strings.Builder
	for i, x := range g.sys.Vars {
		fmt.Fprintf(&text, "%s = %s\n", x.Name, board.VarValue(g.sys, i, g.state().Vars[i]))
	}
	if text.Len() == 0 {
		return "the rules have no variables\n"
	}
	return text.String()
}

// trace returns the game as a play that can be replayed.
func (g *game) trace() *rules.Trace {
	t := &rules.Trace{System: g.sys, Start: g.states[0]}
	for i, m := range g.moves {
		t.Steps = append(t.Steps, rules.TraceStep{Move: m.notation, Label: m.label, State: g.states[i+1]})
	}
	return t
}
