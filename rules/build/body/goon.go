package body

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// The names of the variables that `go on` declares, and the value of the second if nobody has to go
// on.
const (
	goingName   = "going"
	goingAsName = "going_as"
	notGoing    = "first"
)

// going is how a variant goes on from one lap of a relay to the next, as a move of its own: the
// variables that remember where and how, and the ways to make such moves.
type going struct {
	pit   int // the variable of the pit to go on from
	as    int // the variable of the way, or rules.None if there is only one way
	pits  []int
	names rules.Type // of the second variable

	ways    []*way
	numbers map[wayKey]int    // the number of each way, from 1
	first   map[*ast.Move]int // the index of the choice that is the first pit, or noPit or variousFirst
	used    map[string]bool   // names of the second variable
}

// wayKey identifies a way: a move with the choices that stand for all laps, but for the first pit.
type wayKey struct {
	move   *ast.Move
	others string
}

// way is one way to make the choices of a move that stand for all laps, other than its first pit.
type way struct {
	move    *ast.Move
	first   int              // the index of the choice that is the first pit
	choices map[int][]option // by player: all choices; those that do not stand for all laps are any
	name    string
}

// otherChoices returns the texts of the choices that stand for all laps, but for the first pit.
func otherChoices(m *ast.Move, made []option, first int) []string {
	var parts []string
	for i, o := range made {
		if i != first && !m.Choices[i].ByLap() {
			parts = append(parts, o.text)
		}
	}
	return parts
}

// free returns a name that no other way has: name itself, or name with a number.
func (g *going) free(name string) string {
	free := name
	for k := 2; g.used[free]; k++ {
		free = fmt.Sprintf("%s_%d", name, k)
	}
	g.used[free] = true
	return free
}

// is returns the condition that the variables of `go on` have these values.
func (g *going) is(pit, as int) rules.Expr {
	cond := rules.Expr(rules.Binary{Op: rules.Eq, L: rules.VarAt(g.pit), R: rules.FixedPit(pit)})
	if g.as != rules.None && pit != rules.None {
		cond = rules.Join(rules.And, cond, rules.Binary{Op: rules.Eq, L: rules.VarAt(g.as), R: rules.Const{Value: as, Type: g.names}})
	}
	return cond
}

// set returns statements that give the variables of `go on` these values.
func (g *going) set(pit rules.Expr, as int, at diag.Range) []rules.Stmt {
	out := single(rules.Set{To: rules.VarAt(g.pit), X: pit, At: at})
	if g.as != rules.None {
		out = append(out, rules.Set{To: rules.VarAt(g.as), X: rules.Const{Value: as, Type: g.names}, At: at})
	}
	return out
}

// goOn spells out `go on from P`: the pit and the way are remembered, and the same player moves
// again.
func (e *body) goOn(s *ast.GoOn) []rules.Stmt {
	switch e.way {
	case noPit:
		e.env.Game.Run.Diags.Errorf(diag.Misplaced, s.Range, "this move chooses no pit that another could take the place of").
			WithHelp("`go on from P` makes the same move with P in the place of the first pit chosen")
		return nil
	case variousFirst:
		e.env.Game.Run.Diags.Errorf(diag.Misplaced, s.Range, "which choice of this move is the first of a pit depends on what is chosen").
			WithHelp("`go on from P` puts P in the place of the first pit chosen: let one `choose` line have pits only")
		return nil
	case 0:
		e.env.Game.Run.Diags.Errorf(diag.Misplaced, s.Range, "`go on` has a meaning only in a move")
		return nil
	}
	var out []rules.Stmt
	pit := e.settle(term.Type{Kind: term.PitKind}, e.env.Pit(s.From), &out)
	e.settle(term.Type{Kind: term.IntKind}, term.SeedsAt(pit, s.Range), &out) // a fault if there is no such pit
	out = append(out, e.Going.set(pit, e.way, s.Range)...)
	return append(out, rules.Again(e.env.Mover))
}

// Values that stand for a way if a move cannot be continued.
const (
	noPit        = -1 // it chooses no pit
	variousFirst = -2 // which choice is the first pit depends on the others
)

// wayOf returns the number of the way that was chosen, from 1, or noPit or variousFirst.
func (c choosing) wayOf(m *ast.Move) int {
	g := c.common.Going
	if g == nil {
		return noPit
	}
	first, ok := g.first[m]
	if ok && first < 0 {
		return first
	}
	if n, ok := g.numbers[keyOf(m, first, c.made)]; ok {
		return n
	}
	return noPit
}

func keyOf(m *ast.Move, first int, made []option) wayKey {
	return wayKey{m, strings.Join(otherChoices(m, made, first), "\x00")}
}
