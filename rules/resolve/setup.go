package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// opening resolves how games begin.
type opening struct {
	*scope
	state *variables
	begin *ast.Position // instead of the setup; nil: none
	here  *here         // instead of the setup; nil: none
	laid  *boardLine    // the board of the start; nil: as the setup says
	whole bool          // the board is only shown, so a setup may be missing
}

// setup resolves the set of starts. A position, a state or a line of a file of boards replaces the
// one of the setup, which is still resolved for its mistakes.
func (o *opening) setup() {
	o.sys.Start = rules.Start{Cond: rules.True, Free: make([]bool, len(o.sys.Pits))}
	var first *ast.Setup
	for _, s := range ast.Items[*ast.Setup](o.variant) {
		if first != nil {
			o.diags.Errorf(diag.Duplicate, s.Range, "a second setup")
			continue
		}
		first = s
		o.start(s)
	}
	switch {
	case o.here != nil:
		o.here.start(o.sys)
	case o.begin != nil:
		o.beginAt(o.begin)
	case o.laid != nil:
		o.layBoard(o.laid)
	}
	o.sys.Start.Mover = o.firstMover()
	if first == nil && !o.whole {
		o.diags.Errorf(diag.Missing, o.variant.Name.Range, "variant `%s` has no setup", o.variant.Name.Name).
			WithHelp("`setup { each hole = 4 }` for a fixed start, `setup { any where … }` for several")
	}
}

// start resolves the setup of the variant.
func (o *opening) start(s *ast.Setup) {
	st := &o.sys.Start
	st.At = s.Range
	if s.Label != nil {
		st.Label = s.Label.Text
	}
	if s.Picture != nil {
		st.Cond = o.pictureCond(s.Picture, true)
	} else {
		e := newEnv(o.scope, inSetup)
		var conds []rules.Expr
		for _, c := range s.Conds {
			if set := o.equationOf(c); set != nil {
				o.setAtStart(set)
				continue
			}
			before := len(*o.diags)
			conds = append(conds, e.cond(c))
			if !s.Any && len(*o.diags) == before {
				o.equation(c)
			}
		}
		st.Cond = simple(rules.Conjunction(conds...))
	}
	// Every pit whose seeds the condition constrains may have seeds; the others are empty.
	rules.Walk(st.Cond, func(x rules.Expr) bool {
		if c, ok := x.(rules.Cell); ok && c.Sort == rules.PitCell && c.Index == nil {
			st.Free[c.Slot] = true
		}
		if sum, ok := x.(rules.Sum); ok {
			for _, p := range sum.Pits {
				st.Free[p] = true
			}
		}
		return true
	})
}

// setAtStart gives a variable the value that the setup sets, unless games begin elsewhere. The
// mover is found by firstMover.
func (o *opening) setAtStart(s *equation) {
	if s.of != nil && o.begin == nil && o.here == nil {
		o.state.beginSetting(s.Setting, *s.of)
	}
}

// equation checks that a condition of a fixed setup gives one number of seeds.
func (o *opening) equation(c ast.Expr) {
	switch c := c.(type) {
	case *ast.Binary:
		if c.Op == "=" {
			return
		}
	case *ast.EachCmp:
		if c.Op == "=" && c.Kind == "each" {
			return
		}
	}
	o.diags.Errorf(diag.NotFixed, c.Span(), "a fixed setup says how many seeds lie where: `each hole = 4`").
		WithHelp("for every distribution that satisfies conditions write `setup { any where … }`")
}

// layBoard makes the board of a line the only start, if the line has columns for pits. Variables,
// and who is to move, stay as the setup says.
func (o *opening) layBoard(l *boardLine) {
	var conds []rules.Expr
	have := make([]bool, len(o.sys.Pits))
	var seeds []int
	for _, cell := range l.cells {
		o.spend(1)
		p := o.sys.PitNamed(cell.column)
		if p == rules.None {
			continue
		}
		if cell.n < 0 {
			o.diags.Errorf(diag.OutOfRange, cell.place, "pit `%s` cannot hold %d seeds", cell.column, cell.n)
			return
		}
		have[p] = true
		seeds = append(seeds, cell.n)
		conds = append(conds, rules.Binary{Op: rules.Eq, L: seedsAt(rules.FixedPit(p), cell.place), R: rules.Number(cell.n)})
	}
	if len(conds) == 0 {
		return
	}
	for p, has := range have {
		if !has {
			o.diags.Errorf(diag.Picture, l.place, "there is no column for the pit `%s`", o.sys.Pits[p].Name).
				WithHelp("a board has a column for each pit")
			return
		}
	}
	total, ok := num.Sum(seeds)
	if !ok {
		o.diags.Errorf(diag.OutOfRange, l.place, "there are more than %d seeds on this board", num.Most)
		return
	}
	if n, known := laidOut(&o.sys.Start); known && n != total {
		o.diags.Errorf(diag.Picture, l.place, "this board has %d seeds, and the setup has %d", total, n).
			WithHelp("a column can set a parameter that the number of seeds depends on")
		return
	}
	o.sys.Start.Cond = rules.Conjunction(conds...)
	o.sys.Start.At = l.place
	for p := range o.sys.Start.Free {
		o.sys.Start.Free[p] = true
	}
}

// laidOut returns the number of seeds that a setup lays out. It is known if the setup says how many
// each pit has, or how many there are in all.
func laidOut(s *rules.Start) (total int, known bool) {
	pits := map[int]int{}
	sum := -1
	var note func(x rules.Expr)
	note = func(x rules.Expr) {
		is, ok := x.(rules.Binary)
		switch {
		case !ok:
		case is.Op == rules.And:
			note(is.L)
			note(is.R)
		case is.Op == rules.Eq:
			n, fixed := is.R.(rules.Const)
			if l, is := is.L.(rules.Cell); is && fixed && l.Sort == rules.PitCell && l.Index == nil {
				pits[l.Slot] = n.Value
			}
			if l, is := is.L.(rules.Sum); is && fixed && coversFree(s, l.Pits) {
				sum = n.Value
			}
		}
	}
	note(s.Cond)
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
	for p, free := range s.Free {
		if free && !slices.Contains(pits, p) {
			return false
		}
	}
	return true
}

// boardLine is a line of a file of boards, after the header.
type boardLine struct {
	number int // in the file, from 1
	place  diag.Range
	cells  []boardCell
}

// boardCell is the number in one column of a line.
type boardCell struct {
	column string
	n      int
	place  diag.Range
}
