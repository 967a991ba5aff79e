package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// here is a state, of a System of the same variant, that games begin at instead of as the setup
// says.
type here struct {
	sys   *rules.System
	state rules.State
}

// From returns the claim as one about plays from a live state of a System of its variant. It takes
// the place of the position that the claim itself begins at.
func (c *Claim) From(sys *rules.System, st rules.State) *Claim {
	out := *c
	out.here, out.begin, out.StartingAt = &here{sys, st.Clone()}, nil, ""
	return &out
}

// start makes the state the only start.
func (h *here) start(b *builder) {
	conds := []rules.Expr{}
	b.sys.Start.Free = make([]bool, len(b.sys.Pits))
	for p := range b.sys.Pits {
		b.sys.Start.Free[p] = true
		conds = append(conds, rules.Binary{Op: rules.Eq, L: rules.PitAt(p), R: rules.Number(h.state.Seeds[h.sys.PitNamed(b.sys.Pits[p].Name)])})
	}
	b.sys.Start.Cond = rules.Conjunction(conds...)
}

// vars gives the variables their values in the state.
func (h *here) vars(b *builder) {
	for i := range h.sys.Vars {
		from := &h.sys.Vars[i]
		for j := range b.sys.Vars {
			if x := &b.sys.Vars[j]; x.Name == from.Name {
				x.Init = h.value(b, from.Type, h.state.Vars[i])
			}
		}
	}
}

func (h *here) value(b *builder, t rules.Type, v int) int {
	if v == rules.None || t != rules.PitType {
		return v
	}
	return b.sys.PitNamed(h.sys.Pits[v].Name)
}

// firstMover is the player to move at the start.
func (b *builder) firstMover() int {
	if b.here != nil {
		return b.here.state.Mover
	}
	list := b.movers()
	if len(list) == 0 {
		return 0
	}
	for _, again := range list[1:] {
		b.diags.Errorf(diag.Duplicate, again.Range, "`mover` is set already").Notes = []diag.Note{{Range: list[0].Range, Message: "here"}}
	}
	s := &list[0]
	n, named := s.Value.(*ast.Name)
	switch {
	case !b.twoPlayers():
		b.diags.Errorf(diag.Misplaced, s.Range, "`mover` has no meaning in a solitaire")
		return 0
	case !named || s.Index != nil:
		b.diags.Errorf(diag.NotConstant, s.Range, "at the start a player is named: `mover = %s`", b.sys.Players[0])
		return 0
	}
	return max(b.playerNamed(ast.Ident{At: n.At, Name: n.Name}), 0)
}

// beginAt makes a position the only start. Pits drawn as `_` hold any number of seeds.
func (b *builder) beginAt(p *ast.Position) {
	b.sys.Start = rules.Start{Cond: rules.True, Free: make([]bool, len(b.sys.Pits)), At: p.Range}
	for i := range b.sys.Start.Free {
		b.sys.Start.Free[i] = true
	}
	if p.Picture == nil {
		b.diags.Errorf(diag.Picture, p.Name.Range, "games begin at a position that is drawn")
		return
	}
	if !b.fits(p.Picture) {
		return
	}
	conds := []rules.Expr{}
	for r, row := range p.Picture.Rows() {
		for k, part := range row {
			for i, cell := range part {
				conds = append(conds, b.beginCell(cell, b.sys.Picture[r][k][i])...)
			}
		}
	}
	b.sys.Start.Cond = rules.Conjunction(conds...)
}

// beginCell lays the seeds of one pit, and sets the pit variable if it is marked.
func (b *builder) beginCell(c ast.Cell, pit int) []rules.Expr {
	if c.Marked {
		if v := b.markVar(); v < 0 {
			b.noMark(c)
		} else {
			b.beginVar(v, pit, c.Range)
		}
	}
	if c.Any {
		return nil
	}
	return []rules.Expr{rules.Binary{Op: rules.Eq, L: seedsAt(rules.FixedPit(pit), c.Range), R: rules.Number(c.Count)}}
}

// defaults notes what the variables begin with by their declarations.
func (b *builder) defaults() {
	for i := range b.sys.Vars {
		b.sys.Vars[i].Default = b.sys.Vars[i].Init
	}
}

// beginVars gives variables the values that the position sets them to.
func (b *builder) beginVars() {
	if b.here != nil {
		b.here.vars(b)
	}
	if b.begin == nil {
		return
	}
	for _, s := range b.begin.With {
		if s.Name.Name == "mover" {
			continue
		}
		ent, ok := b.names[s.Name.Name]
		if !ok || ent.kind != entVar {
			var names []string
			for _, v := range b.vars {
				names = append(names, v.name)
			}
			suggest(b.diags.Errorf(diag.Unknown, s.Name.Range, "unknown variable `%s`", s.Name.Name), s.Name.Name, names)
			continue
		}
		b.beginSetting(s, b.vars[ent.index])
	}
}

func (b *builder) beginSetting(s ast.Setting, v stateVar) {
	e := b.env(inDeclaration)
	n := len(*b.diags)
	index, one := 0, true
	if x := e.varIndex(v, s.Index, s.Range); x != nil {
		index, one = constOf(x)
	}
	val, ok := constOf(e.asType(v.typ, e.expr(s.Value), s.Value.Span()))
	switch {
	case len(*b.diags) > n:
	case !one || !ok:
		b.diags.Errorf(diag.NotConstant, s.Range, "the value of `%s` at the start must be known before play", v.name)
	case index < 0 || v.table[index] < 0:
		b.diags.Errorf(diag.Misplaced, s.Range, "there is no `%s` for this pit", v.name)
	default:
		b.beginVar(v.table[index], val, s.Range)
	}
}

func (b *builder) beginVar(v, val int, at diag.Range) {
	x := &b.sys.Vars[v]
	if before, twice := b.begun[v]; twice {
		b.diags.Errorf(diag.Duplicate, at, "`%s` is set already", x.Name).Notes = []diag.Note{{Range: before, Message: "here"}}
		return
	}
	b.begun[v] = at
	if !x.Contains(val) {
		b.diags.Errorf(diag.OutOfRange, at, "`%s` cannot begin with this value: it is not of its type", x.Name)
		return
	}
	x.Init = val
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
