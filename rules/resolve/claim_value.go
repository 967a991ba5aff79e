package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// EndlessPlay is what a claim says about plays that never end.
type EndlessPlay int

const (
	EndlessOpen   EndlessPlay = iota // nothing
	EndlessDraw                      // such a play is a draw
	EndlessScored                    // it counts by the score as it stands
)

// text is the clause of a claim, after a blank.
func (e EndlessPlay) text() string {
	return [...]string{"", " where endless play is a draw", " where endless play counts as scored"}[e]
}

// ToMove stands for the player to move, or for the first declared player in a position that is
// finished.
const ToMove = -1

// ValueOf asserts what positions are worth to a player: Op compares that with Value. It is the
// margin of the scores if all endings leave the winner to these, and otherwise 1 for a win, 0 for a
// draw and -1 for a loss.
type ValueOf struct {
	Of      Place
	Player  int // or ToMove
	Op      rules.Op
	Value   int
	Endless EndlessPlay
}

func (*ValueOf) others() []*rules.System { return nil }

// Kind is the word of the claim.
func (*ValueOf) Kind() string { return "value" }

// Asserts spells out the position.
func (v *ValueOf) Asserts(sys *rules.System) string {
	text := "value(" + v.Of.text(sys) + ")"
	if v.Player != ToMove {
		text += " for " + playerName(sys, v.Player)
	}
	return text + fmt.Sprintf(" %s %d", v.Op, v.Value) + v.Endless.text()
}

// WinnerOf asserts who wins positions if all play as well as they can: Player, or nobody if that is
// rules.None; or it denies it.
type WinnerOf struct {
	Of      Place
	Player  int
	Not     bool
	Endless EndlessPlay
}

func (*WinnerOf) others() []*rules.System { return nil }

// Kind is the word of the claim.
func (*WinnerOf) Kind() string { return "winner" }

// Asserts spells out the position.
func (w *WinnerOf) Asserts(sys *rules.System) string {
	op := rules.Eq
	if w.Not {
		op = rules.Ne
	}
	return fmt.Sprintf("winner(%s) %s %s", w.Of.text(sys), op, playerName(sys, w.Player)) + w.Endless.text()
}

// BestMoves asserts which moves of positions keep their value, by notation.
type BestMoves struct {
	Of      Place
	Moves   []string
	Endless EndlessPlay
}

func (*BestMoves) others() []*rules.System { return nil }

// Kind is the word of the claim.
func (*BestMoves) Kind() string { return "best" }

// Asserts spells out the position and the moves.
func (b *BestMoves) Asserts(sys *rules.System) string {
	var moves []string
	for _, m := range b.Moves {
		moves = append(moves, fmt.Sprintf("%q", m))
	}
	return fmt.Sprintf("best(%s) = { %s }", b.Of.text(sys), strings.Join(moves, ", ")) + b.Endless.text()
}

// Are reports whether these are the moves of the claim, in any order. White space has no meaning in
// a notation.
func (b *BestMoves) Are(best []string) bool { return slices.Equal(bareMoves(best), bareMoves(b.Moves)) }

// bareMoves sorts moves without the white space in them.
func bareMoves(moves []string) []string {
	var list []string
	for _, m := range moves {
		list = append(list, strings.Join(strings.Fields(m), ""))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// value resolves a claim about the value of positions.
func (e *assertion) value(p *ast.Value) Property {
	out := &ValueOf{Player: ToMove, Op: ops[p.Op], Value: e.constInt(p.Value), Endless: e.endlessPlay()}
	if p.Player != nil {
		out.Player = e.playerNamed(*p.Player)
	}
	out.Of = e.valued(&p.Of)
	return out
}

func (e *assertion) winner(p *ast.Winner) Property {
	out := &WinnerOf{Player: rules.None, Not: ops[p.Op] == rules.Ne, Endless: e.endlessPlay()}
	if !e.twoPlayers() {
		e.diags.Errorf(diag.BadClause, p.Range, "in a solitaire no player has a name").WithHelp("write `value(…) = 1` for a win")
	} else if !p.None {
		out.Player = e.playerNamed(*p.Player)
	}
	out.Of = e.valued(&p.Of)
	return out
}

func (e *assertion) best(p *ast.Best) Property {
	out := &BestMoves{Endless: e.endlessPlay(), Moves: texts(p.Moves), Of: e.valued(&p.Of)}
	for n, m := range p.Moves {
		for _, before := range p.Moves[:n] {
			if before.Text == m.Text {
				e.diags.Errorf(diag.Duplicate, m.Range, "`%s` is listed already", m.Text).Notes = []diag.Note{{Range: before.Range, Message: "here"}}
			}
		}
	}
	return out
}

// valued is the place of a claim about values, which only games of one or two players have.
func (e *assertion) valued(p *ast.Place) Place {
	if n := len(e.sys.Players); n > 2 {
		e.diags.Errorf(diag.BadClause, p.Range, "`%s` is a game for %s: its positions have no value", e.sys.Name, players(e.sys)).
			WithHelp("`P can force E` is about any number of players")
	}
	return e.place(p)
}

// endlessPlay is the claim's convention about plays that never end.
func (e *assertion) endlessPlay() EndlessPlay {
	switch {
	case e.of.Claim.endless == nil:
		return EndlessOpen
	case e.of.Claim.endless.Scored:
		return EndlessScored
	}
	return EndlessDraw
}

// Place is where a claim looks: at every start, or at one position; after the moves in After.
type Place struct {
	From  *rules.State // before it settles; nil: every start
	After []string     // in their notation
	At    diag.Range
}

// Starts reports whether the place is just the starts.
func (p *Place) Starts() bool { return p.From == nil && len(p.After) == 0 }

// text spells out the place, which is one of sys: a name may stand for other states in other rules.
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

// partsOf lists all parts of a live state with what they are.
func partsOf(sys *rules.System, st rules.State) []string {
	var parts []string
	for p, n := range st.Seeds {
		parts = append(parts, fmt.Sprintf("%s = %d", sys.Pits[p].Name, n))
	}
	for v, n := range st.Vars {
		parts = append(parts, sys.Vars[v].Name+" = "+sys.ValueName(sys.Vars[v].Type, n))
	}
	if len(sys.Players) > 1 {
		parts = append(parts, "mover = "+playerName(sys, st.Mover))
	}
	return parts
}

// playerName is the name of a player, or `none`.
func playerName(sys *rules.System, player int) string {
	return sys.ValueName(rules.PlayerType, player)
}

// place resolves a place. A named position has its variables, and who moves, as games have that
// begin at it.
func (e *assertion) place(p *ast.Place) Place {
	out := Place{After: texts(p.After), At: p.Range}
	if p.Name.Name == "start" {
		return out
	}
	at := e.unit.position(p.Name, e.variant, e.diags)
	if at == nil || !drawnWhole(at, p.Name, e.diags) {
		return out
	}
	g := e.game
	g.begin, g.here = at, nil
	b := e.unit.build(e.variant, g, e.diags)
	if e.diags.HasErrors() {
		return out
	}
	st := b.sys.EmptyStart()
	for r, row := range at.Picture.Rows() {
		for k, part := range row {
			for n, cell := range part {
				st.Seeds[b.sys.Picture[r][k][n]] = cell.Count
			}
		}
	}
	out.From = &st
	return out
}

// drawnWhole reports a position that leaves open how many seeds are where.
func drawnWhole(p *ast.Position, name ast.Ident, diags *diag.List) bool {
	if p.Picture == nil {
		diags.Errorf(diag.Picture, name.Range, "`%s` is a condition, and a position that is drawn is needed here", name.Name)
		return false
	}
	for _, c := range p.Picture.Cells {
		if c.Any {
			d := diags.Errorf(diag.Picture, name.Range, "`%s` leaves open how many seeds a pit has", name.Name)
			d.Notes = []diag.Note{{Range: c.Range, Message: "here"}}
			return false
		}
	}
	return true
}

func texts(list []*ast.Label) []string {
	var out []string
	for _, l := range list {
		out = append(out, l.Text)
	}
	return out
}
