package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// here is a state that games begin at instead of the setup. It belongs to a System of the same
// variant, which may have other parameters.
type here struct {
	sys   *rules.System
	state rules.State
}

// start makes the state the only start of sys.
func (h *here) start(sys *rules.System) {
	conds := []rules.Expr{}
	sys.Start.Free = make([]bool, len(sys.Pits))
	for p := range sys.Pits {
		sys.Start.Free[p] = true
		conds = append(conds, rules.Binary{Op: rules.Eq, L: rules.PitAt(p), R: rules.Number(h.state.Seeds[h.sys.PitNamed(sys.Pits[p].Name)])})
	}
	sys.Start.Cond = rules.Conjunction(conds...)
}

// vars gives the variables of sys their values in the state. They are matched by name.
func (h *here) vars(sys *rules.System) {
	for i := range h.sys.Vars {
		from := &h.sys.Vars[i]
		for j := range sys.Vars {
			if x := &sys.Vars[j]; x.Name == from.Name {
				x.Init = h.value(sys, from.Type, h.state.Vars[i])
			}
		}
	}
}

// value translates a value of a variable. Only pits have different numbers in different Systems.
func (h *here) value(sys *rules.System, t rules.Type, v int) int {
	if v == rules.None || t != rules.PitType {
		return v
	}
	return sys.PitNamed(h.sys.Pits[v].Name)
}

// firstMover returns the player to move at the start.
func (o *opening) firstMover() int {
	if o.here != nil {
		return o.here.state.Mover
	}
	list := o.movers()
	if len(list) == 0 {
		return 0
	}
	for _, again := range list[1:] {
		o.diags.Errorf(diag.Duplicate, again.Range, "`mover` is set already").Notes = []diag.Note{{Range: list[0].Range, Message: "here"}}
	}
	s := &list[0]
	n, named := s.Value.(*ast.Name)
	switch {
	case !o.twoPlayers():
		o.diags.Errorf(diag.Misplaced, s.Range, "`mover` has no meaning in a solitaire")
		return 0
	case !named || s.Index != nil:
		o.diags.Errorf(diag.NotConstant, s.Range, "at the start a player is named: `mover = %s`", o.sys.Players[0])
		return 0
	}
	return max(o.playerNamed(ast.Ident{At: n.At, Name: n.Name}), 0)
}

// beginAt makes a position the only start. A pit drawn as `_` may hold any number of seeds, so
// there may be several starts after all.
func (o *opening) beginAt(p *ast.Position) {
	o.sys.Start = rules.Start{Cond: rules.True, Free: make([]bool, len(o.sys.Pits)), At: p.Range}
	for i := range o.sys.Start.Free {
		o.sys.Start.Free[i] = true
	}
	if p.Picture == nil {
		o.diags.Errorf(diag.Picture, p.Name.Range, "games begin at a position that is drawn")
		return
	}
	if !o.fits(p.Picture) {
		return
	}
	conds := []rules.Expr{}
	for r, row := range p.Picture.Rows() {
		for k, part := range row {
			for i, cell := range part {
				conds = append(conds, o.beginCell(cell, o.sys.Picture[r][k][i])...)
			}
		}
	}
	o.sys.Start.Cond = rules.Conjunction(conds...)
}

// beginCell returns the condition on the seeds of one pit, and sets the pit variable if the pit is
// marked.
func (o *opening) beginCell(c ast.Cell, pit int) []rules.Expr {
	if c.Marked {
		if v := o.markVar(); v < 0 {
			o.noMark(c)
		} else {
			o.state.beginVar(v, pit, c.Range)
		}
	}
	if c.Any {
		return nil
	}
	return []rules.Expr{rules.Binary{Op: rules.Eq, L: seedsAt(rules.FixedPit(pit), c.Range), R: rules.Number(c.Count)}}
}

// beginVars gives variables the values that the position sets.
func (o *opening) beginVars() {
	if o.here != nil {
		o.here.vars(o.sys)
	}
	if o.begin == nil {
		return
	}
	for _, s := range o.begin.With {
		if s.Name.Name == "mover" {
			continue
		}
		ent, ok := o.made[o.bound.Symbol(s.Name.Name)]
		if late, is := o.late[s.Name.Name]; is {
			ent, ok = late, true
		}
		if !ok || ent.kind != entVar {
			var names []string
			for _, v := range o.vars {
				names = append(names, v.name)
			}
			bind.Suggest(o.diags.Errorf(diag.Unknown, s.Name.Range, "unknown variable `%s`", s.Name.Name), s.Name.Name, names)
			continue
		}
		o.state.beginSetting(s, o.vars[ent.index])
	}
}

// movers lists the settings that say who begins: those of the position that games begin at, or else
// those of the setup.
func (o *opening) movers() []ast.Setting {
	var list []ast.Setting
	if o.begin != nil {
		list = o.begin.With
	} else if s := o.firstSetup(); s != nil {
		for _, c := range s.Conds {
			if set := o.equationOf(c); set != nil {
				list = append(list, set.Setting)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(s ast.Setting) bool { return s.Name.Name != "mover" })
}

// firstSetup returns the setup of the variant, or nil. A second one is reported elsewhere.
func (o *opening) firstSetup() *ast.Setup {
	for _, item := range o.variant.Items {
		if s, ok := item.(*ast.Setup); ok {
			return s
		}
	}
	return nil
}

// equation is a condition of a setup that sets a variable, or the mover if there is no variable.
type equation struct {
	ast.Setting
	of *stateVar
}

// equationOf returns the setting that a condition of a setup is: `x = E`, `x(i) = E` or `mover =
// P`. It returns nil for other conditions.
func (o *opening) equationOf(c ast.Expr) *equation {
	x, ok := c.(*ast.Binary)
	if !ok || x.Op != "=" {
		return nil
	}
	set := &equation{Setting: ast.Setting{At: x.At, Value: x.R}}
	var ref bind.Ref
	switch l := x.L.(type) {
	case *ast.Name:
		set.Name, ref = ast.Subject{At: l.At, Name: l.Name}, o.bound.Ref(l, false)
	case *ast.Call:
		if len(l.Args) != 1 || l.Along != nil {
			return nil
		}
		set.Name, set.Index, ref = ast.Subject(l.Func), l.Args[0], o.bound.Ref(&l.Func, false)
	}
	ent, ok := o.made[ref.Symbol]
	if late, is := o.late[ref.Name]; is && ref.Kind == bind.ValueName {
		ent, ok = late, true
	}
	switch {
	case ok && ent.kind == entVar:
		set.of = &o.vars[ent.index]
	case set.Name.Name != "mover":
		return nil
	}
	return set
}
