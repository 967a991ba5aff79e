package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// EndlessPlay is what a claim assumes about plays that never end.
type EndlessPlay int

const (
	EndlessOpen   EndlessPlay = iota // no assumption
	EndlessDraw                      // such a play is a draw
	EndlessScored                    // it counts by the score as it stands
)

// text returns the assumption as a clause of a claim, beginning with a blank.
func (e EndlessPlay) text() string {
	return [...]string{"", " where endless play is a draw", " where endless play counts as scored"}[e]
}

// ToMove stands for the player to move, or, in a finished position, for the first declared player.
const ToMove = -1

// ValueOf asserts what positions are worth to a player, by comparing that with Value. The worth of
// a play is the margin of the scores if all endings leave the winner to the scores. Otherwise it is
// 1 for a win, 0 for a draw and -1 for a loss.
type ValueOf struct {
	Of      Place
	Player  int // or ToMove
	Op      rules.Op
	Value   int
	Endless EndlessPlay
}

// Kind implements Property.
func (*ValueOf) Kind() string { return "value" }

// Asserts implements Property. It spells out the position.
func (v *ValueOf) Asserts(sys *rules.System) string {
	text := "value(" + v.Of.text(sys) + ")"
	if v.Player != ToMove {
		text += " for " + playerName(sys, v.Player)
	}
	return text + fmt.Sprintf(" %s %d", v.Op, v.Value) + v.Endless.text()
}

// WinnerOf asserts who wins positions if all play their best: Player, or nobody if that is
// rules.None. With Not it denies that.
type WinnerOf struct {
	Of      Place
	Player  int
	Not     bool
	Endless EndlessPlay
}

// Kind implements Property.
func (*WinnerOf) Kind() string { return "winner" }

// Asserts implements Property. It spells out the position.
func (w *WinnerOf) Asserts(sys *rules.System) string {
	op := rules.Eq
	if w.Not {
		op = rules.Ne
	}
	return fmt.Sprintf("winner(%s) %s %s", w.Of.text(sys), op, playerName(sys, w.Player)) + w.Endless.text()
}

// BestMoves asserts which moves of positions keep their value. Moves has them in their notation.
type BestMoves struct {
	Of      Place
	Moves   []string
	Endless EndlessPlay
}

// Kind implements Property.
func (*BestMoves) Kind() string { return "best" }

// Asserts implements Property. It spells out the position and the moves.
func (b *BestMoves) Asserts(sys *rules.System) string {
	moves := lists.Map(b.Moves, func(m string) string { return fmt.Sprintf("%q", m) })
	return fmt.Sprintf("best(%s) = { %s }", b.Of.text(sys), strings.Join(moves, ", ")) + b.Endless.text()
}

// Are reports whether best has the moves of the claim, in any order. White space is ignored, since
// it has no meaning in a notation.
func (b *BestMoves) Are(best []string) bool { return slices.Equal(bareMoves(best), bareMoves(b.Moves)) }

// bareMoves returns the moves without white space, sorted and without duplicates.
func bareMoves(moves []string) []string {
	list := lists.Map(moves, func(m string) string { return strings.Join(strings.Fields(m), "") })
	slices.Sort(list)
	return slices.Compact(list)
}

// value resolves a claim about the value of positions.
func (e *assertion) value(p *ast.Value) Property {
	out := &ValueOf{Player: ToMove, Op: term.Ops[p.Op], Value: e.env.ConstInt(p.Value), Endless: e.endlessPlay()}
	if p.Player != nil {
		out.Player = e.env.Game.PlayerNamed(*p.Player)
	}
	out.Of = e.valued(&p.Of)
	return out
}

// winner resolves `winner(…) = P`.
func (e *assertion) winner(p *ast.Winner) Property {
	out := &WinnerOf{Player: rules.None, Not: term.Ops[p.Op] == rules.Ne, Endless: e.endlessPlay()}
	if !e.env.Game.TwoPlayers() {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Range, "in a solitaire no player has a name").WithHelp("write `value(…) = 1` for a win")
	} else if !p.None {
		out.Player = e.env.Game.PlayerNamed(*p.Player)
	}
	out.Of = e.valued(&p.Of)
	return out
}

// best resolves `best(…) = { … }`.
func (e *assertion) best(p *ast.Best) Property {
	out := &BestMoves{Endless: e.endlessPlay(), Moves: texts(p.Moves), Of: e.valued(&p.Of)}
	for n, m := range p.Moves {
		for _, before := range p.Moves[:n] {
			if before.Text == m.Text {
				e.env.Game.Run.Diags.Errorf(diag.Duplicate, m.Range, "`%s` is listed already", m.Text).WithNote(before.Range, "here")
			}
		}
	}
	return out
}

// valued resolves the place of a claim about values. Games of more than two players have no values.
func (e *assertion) valued(p *ast.Place) Place {
	if n := len(e.env.Game.Sys.Players); n > 2 {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Range, "`%s` is a game for %s: its positions have no value", e.env.Game.Sys.Name, players(e.env.Game.Sys)).
			WithHelp("`P can force E` is about any number of players")
	}
	return e.place(p)
}

// endlessPlay returns the claim's assumption about plays that never end.
func (e *assertion) endlessPlay() EndlessPlay {
	if rule := e.env.Game.Sys.Repetition; rule != nil {
		if clause := e.of.Claim.endless; clause != nil {
			e.env.Game.Run.Diags.Errorf(diag.BadClause, clause.Range, "the rules say what follows where a position comes back").
				WithHelp("leave this clause out")
		}
		return EndlessUnder(e.env.Game.Sys)
	}
	switch {
	case e.of.Claim.endless == nil:
		return EndlessOpen
	case e.of.Claim.endless.Scored:
		return EndlessScored
	}
	return EndlessDraw
}

// Place is the position that a claim is about: every start, or one state, in either case after the
// moves in After.
type Place struct {
	From  *rules.State // as drawn, before the setup settles it; nil: every start
	After []string     // in their notation
	At    diag.Range
}

// Starts reports whether the place is just the starts.
func (p *Place) Starts() bool { return p.From == nil && len(p.After) == 0 }

// text spells out the place in terms of sys. Certificates use it, because a name may stand for
// other states in other rules.
func (p *Place) text(sys *rules.System) string {
	text := "start"
	if p.From != nil {
		text = "(" + strings.Join(partsOf(sys, *p.From), ", ") + ")"
	}
	for i, move := range p.After {
		text += [...]string{" after ", ", "}[min(i, 1)] + fmt.Sprintf("%q", move)
	}
	return text
}

// partsOf lists all parts of a live state as equations.
func partsOf(sys *rules.System, st rules.State) []string {
	var parts []string
	for p, n := range st.Seeds {
		parts = append(parts, fmt.Sprintf("%s = %d", rules.ExactName(sys.Pits[p].Name), n))
	}
	for v, n := range st.Vars {
		parts = append(parts, rules.ExactName(sys.Vars[v].Name)+" = "+rules.ExactString(sys, rules.Const{Value: n, Type: sys.Vars[v].Type}))
	}
	if len(sys.Players) > 1 {
		parts = append(parts, "mover = "+playerName(sys, st.Mover))
	}
	return parts
}

// playerName returns the name of a player in quotes, or `none`.
func playerName(sys *rules.System, player int) string {
	return rules.ExactString(sys, rules.Const{Value: player, Type: rules.PlayerType})
}

// place resolves a place. A named position is resolved as a game that begins there, so it has the
// variables and the mover of such a game.
func (e *assertion) place(p *ast.Place) Place {
	out := Place{After: texts(p.After), At: p.Range}
	if p.Name.Name == "start" {
		return out
	}
	at := e.of.Claim.unit.position(p.Name, e.env.Game.Variant, e.env.Game.Run.Diags)
	if at == nil || !drawnWhole(at, p.Name, e.env.Game.Run.Diags) {
		return out
	}
	g := e.game
	g.begin, g.here = at, nil
	b := e.of.Claim.unit.build(e.env.Game.Variant, g, e.env.Game.Run.Diags)
	if e.env.Game.Run.Diags.HasErrors() {
		return out
	}
	st := b.Sys.EmptyStart()
	for pit, cell := range b.Cells(at.Picture) {
		st.Seeds[pit] = cell.Count
	}
	out.From = &st
	return out
}

// drawnWhole reports whether p draws the number of seeds in every pit. If not, it adds a
// diagnostic.
func drawnWhole(p *ast.Position, name ast.Ident, diags *diag.List) bool {
	if p.Picture == nil {
		diags.Errorf(diag.Picture, name.Range, "`%s` is a condition, and a position that is drawn is needed here", name.Name)
		return false
	}
	for _, c := range p.Picture.Cells {
		if c.Any {
			diags.Errorf(diag.Picture, name.Range, "`%s` leaves open how many seeds a pit has", name.Name).WithNote(c.Range, "here")
			return false
		}
	}
	return true
}

// texts returns the texts of labels.
func texts(list []*ast.Label) []string {
	return lists.Map(list, func(l *ast.Label) string { return l.Text })
}
