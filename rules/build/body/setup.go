// Package body builds what happens in play: starts, moves with all choices made, endings,
// reactions and scores, with the statements of their bodies.
//
//	setup.go      starts; position.go: games that begin at a position instead
//	moves.go      moves; choices.go: the ways to make a choice
//	ways.go       laps that are moves, with goon.go
//	reactions.go  endings, reactions, and the rule of repetition
//	stmts.go      statements; slots.go: values kept in locals
//	sowings.go    sowings, relays and chains
package body

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Opening resolves how games begin.
type Opening struct {
	Game  *term.Scope
	State *board.Variables
	Begin *ast.Position // instead of the setup; nil: none
	Here  *Here         // instead of the setup; nil: none
	Laid  *BoardLine    // the board of the start; nil: as the setup says
	Whole bool          // the board is only shown, so a setup may be missing
}

// Setup resolves the set of starts. A position, a state or a line of a file of boards replaces the
// one of the setup, which is still resolved for its mistakes.
func (o *Opening) Setup() {
	o.Game.Sys.Start = rules.Start{Cond: rules.True, Free: make([]bool, len(o.Game.Sys.Pits))}
	var first *ast.Setup
	for _, s := range ast.Items[*ast.Setup](o.Game.Variant) {
		if first != nil {
			o.Game.Run.Diags.Errorf(diag.Duplicate, s.Range, "a second setup")
			continue
		}
		first = s
		o.start(s)
	}
	switch {
	case o.Here != nil:
		o.Here.start(o.Game.Sys)
	case o.Begin != nil:
		o.beginAt(o.Begin)
	case o.Laid != nil:
		o.layBoard(o.Laid)
	}
	o.Game.Sys.Start.Mover = o.firstMover()
	if first == nil && !o.Whole {
		o.Game.Run.Diags.Errorf(diag.Missing, o.Game.Variant.Name.Range, "variant `%s` has no setup", o.Game.Variant.Name.Name).
			WithHelp("`setup { each hole = 4 }` for a fixed start, `setup { any where … }` for several")
	}
}

// start resolves the setup of the variant.
func (o *Opening) start(s *ast.Setup) {
	st := &o.Game.Sys.Start
	st.At = s.Range
	if s.Label != nil {
		st.Label = s.Label.Text
	}
	if s.Picture != nil {
		st.Cond = o.Game.PictureCond(s.Picture, true)
	} else {
		e := term.NewEnv(o.Game, term.InSetup)
		var conds []rules.Expr
		for _, c := range s.Conds {
			if set := o.equationOf(c); set != nil {
				if set.of != nil && o.Begin == nil && o.Here == nil { // who is to move is found by firstMover
					o.State.BeginSetting(set.Setting, *set.of)
				}
				continue
			}
			before := len(*o.Game.Run.Diags)
			conds = append(conds, e.Cond(c))
			if !s.Any && len(*o.Game.Run.Diags) == before {
				o.equation(c)
			}
		}
		st.Cond = term.Simple(rules.Conjunction(conds...))
	}
	// Every pit whose seeds the condition asks for may have seeds; the others are empty. Those that
	// are no longer in it are marked already.
	for p := range lists.Marked(rules.Reads(o.Game.Sys, st.Cond).Pits) {
		st.Free[p] = true
	}
}

// equation checks that a condition of a fixed setup gives one number of seeds.
func (o *Opening) equation(c ast.Expr) {
	b, is := c.(*ast.Binary)
	each, all := c.(*ast.EachCmp)
	if is && b.Op == "=" || all && each.Op == "=" && each.Kind == "each" {
		return
	}
	o.Game.Run.Diags.Errorf(diag.NotFixed, c.Span(), "a fixed setup says how many seeds lie where: `each hole = 4`").
		WithHelp("for every distribution that satisfies conditions write `setup { any where … }`")
}

// layBoard makes the board of a line the only start, if the line has columns for pits. Variables,
// and who is to move, stay as the setup says.
func (o *Opening) layBoard(l *BoardLine) {
	var conds []rules.Expr
	have := make([]bool, len(o.Game.Sys.Pits))
	var seeds []int
	for _, cell := range l.Cells {
		o.Game.Run.Spend(1)
		p := o.Game.Sys.PitNamed(cell.Column)
		if p == rules.None {
			continue
		}
		if cell.N < 0 {
			o.Game.Run.Diags.Errorf(diag.OutOfRange, cell.Place, "pit `%s` cannot hold %d seeds", cell.Column, cell.N)
			return
		}
		have[p] = true
		seeds = append(seeds, cell.N)
		conds = append(conds, term.HasSeeds(p, cell.N, cell.Place))
	}
	if len(conds) == 0 {
		return
	}
	for p, has := range have {
		if !has {
			o.Game.Run.Diags.Errorf(diag.Picture, l.Place, "there is no column for the pit `%s`", o.Game.Sys.Pits[p].Name).
				WithHelp("a board has a column for each pit")
			return
		}
	}
	total, ok := num.Sum(seeds)
	if !ok {
		o.Game.Run.Diags.Errorf(diag.OutOfRange, l.Place, "there are more than %d seeds on this board", num.Most)
		return
	}
	if n, known := laidOut(&o.Game.Sys.Start); known && n != total {
		o.Game.Run.Diags.Errorf(diag.Picture, l.Place, "this board has %d seeds, and the setup has %d", total, n).
			WithHelp("a column can set a parameter that the number of seeds depends on")
		return
	}
	o.Game.Sys.Start.Cond = rules.Conjunction(conds...)
	o.Game.Sys.Start.At = l.Place
	o.Game.Sys.Start.Free = slices.Repeat([]bool{true}, len(o.Game.Sys.Pits))
}

// laidOut returns the number of seeds that a setup lays out. It is known if the setup says how many
// each pit has, or how many there are in all.
func laidOut(s *rules.Start) (total int, known bool) {
	pits := map[int]int{}
	sum := -1
	for _, x := range rules.Conjuncts(s.Cond) {
		is, ok := x.(rules.Binary)
		if !ok || is.Op != rules.Eq {
			continue
		}
		n, fixed := is.R.(rules.Const)
		if l, is := is.L.(rules.Cell); is && fixed && l.Sort == rules.PitCell && l.Index == nil {
			pits[l.Slot] = n.Value
		}
		if l, is := is.L.(rules.Sum); is && fixed && coversFree(s, l.Pits) {
			sum = n.Value
		}
	}
	var seeds []int
	for p, free := range s.Free {
		n, is := pits[p]
		if free && !is {
			return sum, sum >= 0
		}
		seeds = append(seeds, n)
	}
	return num.Sum(seeds)
}

// coversFree reports whether pits has all pits that may have seeds at the start.
func coversFree(s *rules.Start, pits []int) bool {
	return !slices.ContainsFunc(lists.Set(s.Free), func(p int) bool { return !slices.Contains(pits, p) })
}

// BoardLine is a line of a file of boards, after the header.
type BoardLine struct {
	Number int // in the file, from 1
	Place  diag.Range
	Cells  []BoardCell
}

// BoardCell is the number in one column of a line.
type BoardCell struct {
	Column string
	N      int
	Place  diag.Range
}
