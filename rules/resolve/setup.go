package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// setup resolves the set of starts.
func (b *builder) setup() {
	b.sys.Start = rules.Start{Cond: rules.True, Free: make([]bool, len(b.sys.Pits))}
	var first *ast.Setup
	for _, item := range b.variant.Items {
		s, ok := item.(*ast.Setup)
		if !ok {
			continue
		}
		if first != nil {
			b.diags.Errorf(diag.Duplicate, s.Range, "a second setup")
			continue
		}
		first = s
		b.start(s)
	}
	switch {
	case b.here != nil:
		b.here.start(b)
	case b.begin != nil:
		b.beginAt(b.begin)
	case b.laid != nil:
		b.layBoard(b.laid)
	}
	b.sys.Start.Mover = b.firstMover()
	if first == nil && !b.whole {
		b.diags.Errorf(diag.Missing, b.variant.Name.Range, "variant `%s` has no setup", b.variant.Name.Name).
			WithHelp("`setup { each hole = 4 }` for a fixed start, `setup { any where … }` for several")
	}
}

func (b *builder) start(s *ast.Setup) {
	st := &b.sys.Start
	st.At = s.Range
	if s.Label != nil {
		st.Label = s.Label.Text
	}
	if s.Picture != nil {
		st.Cond = b.pictureCond(s.Picture, true)
	} else {
		e := b.env(inSetup)
		var conds []rules.Expr
		for _, c := range s.Conds {
			if set := b.equationOf(c); set != nil {
				b.setAtStart(*set)
				continue
			}
			if !s.Any {
				b.equation(c)
			}
			conds = append(conds, e.cond(c))
		}
		st.Cond = simple(rules.Conjunction(conds...))
	}
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

// equationOf is the variable that a condition of a setup sets: `x = E`, `x(i) = E` or `mover = P`;
// nil for other conditions.
func (b *builder) equationOf(c ast.Expr) *ast.Setting {
	x, ok := c.(*ast.Binary)
	if !ok || x.Op != "=" {
		return nil
	}
	set := ast.Setting{At: x.At, Value: x.R}
	switch l := x.L.(type) {
	case *ast.Name:
		set.Name = ast.Subject{At: l.At, Name: l.Name}
	case *ast.Call:
		if len(l.Args) != 1 || l.Along != nil {
			return nil
		}
		set.Name, set.Index = ast.Subject(l.Func), l.Args[0]
	}
	if ent, ok := b.names[set.Name.Name]; set.Name.Name != "mover" && (!ok || ent.kind != entVar) {
		return nil
	}
	return &set
}

// setAtStart gives a variable the value that the setup says; firstMover finds out who begins. Games
// that begin at a position do not begin as the setup says.
func (b *builder) setAtStart(s ast.Setting) {
	if s.Name.Name != "mover" && b.begin == nil && b.here == nil {
		b.beginSetting(s, b.vars[b.names[s.Name.Name].index])
	}
}

// movers lists what says who begins: settings of the position that games begin at, or else
// conditions of the setup.
func (b *builder) movers() []ast.Setting {
	var list []ast.Setting
	if b.begin != nil {
		list = b.begin.With
	} else if s := b.firstSetup(); s != nil {
		for _, c := range s.Conds {
			if set := b.equationOf(c); set != nil {
				list = append(list, *set)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(s ast.Setting) bool { return s.Name.Name != "mover" })
}

func (b *builder) firstSetup() *ast.Setup {
	for _, item := range b.variant.Items {
		if s, ok := item.(*ast.Setup); ok {
			return s
		}
	}
	return nil
}

// equation checks that a condition of a fixed setup names one number of seeds.
func (b *builder) equation(c ast.Expr) {
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
	b.diags.Errorf(diag.NotFixed, c.Span(), "a fixed setup says how many seeds lie where: `each hole = 4`").
		WithHelp("for every distribution that satisfies conditions write `setup { any where … }`")
}

// pictureCond is the condition that the board looks like the picture. A complete picture draws
// every count.
func (b *builder) pictureCond(p *ast.Picture, complete bool) rules.Expr {
	if !b.fits(p) {
		return rules.False
	}
	conds := []rules.Expr{}
	for r, row := range p.Rows() {
		for k, part := range row {
			for i, cell := range part {
				pit := b.sys.Picture[r][k][i]
				conds = append(conds, b.cellCond(cell, pit, complete)...)
			}
		}
	}
	return simple(rules.Conjunction(conds...))
}

func (b *builder) cellCond(c ast.Cell, pit int, complete bool) []rules.Expr {
	var conds []rules.Expr
	at := rules.FixedPit(pit)
	if c.Any && complete {
		b.diags.Errorf(diag.Picture, c.Range, "a setup says how many seeds lie in every pit")
	}
	if !c.Any {
		conds = append(conds, rules.Binary{Op: rules.Eq, L: seedsAt(at, c.Range), R: rules.Number(c.Count)})
	}
	if c.Marked {
		v := b.markVar()
		if v < 0 || complete {
			b.noMark(c)
			return conds
		}
		conds = append(conds, rules.Binary{Op: rules.Eq, L: rules.VarAt(v), R: at})
	}
	return conds
}

func (b *builder) noMark(c ast.Cell) {
	b.diags.Errorf(diag.Picture, c.Range, "brackets have no meaning here").
		WithHelp("they mark the pit that a variant's only pit variable stands on")
}

// markVar is the variable that brackets in a picture speak of: the only pit variable, or -1.
func (b *builder) markVar() int {
	found := -1
	for i, v := range b.sys.Vars {
		if v.Type == rules.PitType && !v.Ghost {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// fits reports where the shape of a picture differs from the board's.
func (b *builder) fits(p *ast.Picture) bool {
	if len(p.Rows()) != len(b.sys.Picture) {
		b.diags.Errorf(diag.Picture, p.Range, "this picture has %d rows, the board has %d", len(p.Rows()), len(b.sys.Picture)).
			WithHelp("the board:\n%s", b.shape())
		return false
	}
	for r, row := range p.Rows() {
		want := trim(b.sys.Picture[r])
		have := row
		for len(have) > 0 && len(have) > len(want) && len(have[len(have)-1]) == 0 {
			have = have[:len(have)-1]
		}
		if len(have) < len(want) || len(have) > len(b.sys.Picture[r]) {
			b.diags.Errorf(diag.Picture, p.Range, "row %d has %d parts, on the board it has %d", r+1, len(row), len(b.sys.Picture[r])).
				WithHelp("the board:\n%s", b.shape())
			return false
		}
		for k, part := range have {
			if n := len(b.sys.Picture[r][k]); len(part) != n {
				at := p.Range
				if len(part) > 0 {
					at = part[0].Range.To(part[len(part)-1].Range)
				}
				b.diags.Errorf(diag.Picture, at, "%d counts here, on the board there are %d pits", len(part), n).
					WithHelp("the board:\n%s", b.shape())
				return false
			}
		}
	}
	return true
}

// trim leaves out empty parts at the end of a row.
func trim(parts [][]int) [][]int {
	for len(parts) > 0 && len(parts[len(parts)-1]) == 0 {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// shape draws the board with the names of its pits.
func (b *builder) shape() string {
	s := ""
	for _, row := range b.sys.Picture {
		for k, part := range row {
			if k > 0 {
				s += " |"
			}
			for _, p := range part {
				s += " " + b.sys.Pits[p].Name
			}
		}
		s += "\n"
	}
	return s
}
