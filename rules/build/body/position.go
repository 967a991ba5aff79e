package body

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Here is a state that games begin at instead of the setup. It belongs to a System of the same
// variant, which may have other parameters.
type Here struct {
	Sys   *rules.System
	State rules.State
}

// start makes the state the only start of sys.
func (h *Here) start(sys *rules.System) {
	conds := []rules.Expr{}
	sys.Start.Free = slices.Repeat([]bool{true}, len(sys.Pits))
	for p := range sys.Pits {
		conds = append(conds, rules.Binary{Op: rules.Eq, L: rules.PitAt(p), R: rules.Number(h.State.Seeds[h.Sys.PitNamed(sys.Pits[p].Name)])})
	}
	sys.Start.Cond = rules.Conjunction(conds...)
}

// vars gives the variables of sys their values in the state. They are matched by name.
func (h *Here) vars(sys *rules.System) {
	for i := range h.Sys.Vars {
		from := &h.Sys.Vars[i]
		for j := range sys.Vars {
			if x := &sys.Vars[j]; x.Name == from.Name {
				x.Init = h.State.Vars[i]
				if from.Type == rules.PitType && x.Init != rules.None { // pits have other numbers there
					x.Init = sys.PitNamed(h.Sys.Pits[x.Init].Name)
				}
			}
		}
	}
}

// firstMover returns the player to move at the start.
func (o *Opening) firstMover() int {
	if o.Here != nil {
		return o.Here.State.Mover
	}
	list := o.movers()
	if len(list) == 0 {
		return 0
	}
	for _, again := range list[1:] {
		o.Game.Run.Diags.Errorf(diag.Duplicate, again.Range, "`mover` is set already").WithNote(list[0].Range, "here")
	}
	s := &list[0]
	n, named := s.Value.(*ast.Name)
	switch {
	case !o.Game.TwoPlayers():
		o.Game.Run.Diags.Errorf(diag.Misplaced, s.Range, "`mover` has no meaning in a solitaire")
		return 0
	case !named || s.Index != nil:
		o.Game.Run.Diags.Errorf(diag.NotConstant, s.Range, "at the start a player is named: `mover = %s`", o.Game.Sys.Players[0])
		return 0
	}
	return max(o.Game.PlayerNamed(ast.Ident{At: n.At, Name: n.Name}), 0)
}

// beginAt makes a position the only start, and sets the pit variable if a pit is marked. A pit
// drawn as `_` may hold any number of seeds, so there may be several starts after all.
func (o *Opening) beginAt(p *ast.Position) {
	o.Game.Sys.Start = rules.Start{Cond: rules.True, Free: slices.Repeat([]bool{true}, len(o.Game.Sys.Pits)), At: p.Range}
	if p.Picture == nil {
		o.Game.Run.Diags.Errorf(diag.Picture, p.Name.Range, "games begin at a position that is drawn")
		return
	}
	if !o.Game.Fits(p.Picture) {
		return
	}
	var conds []rules.Expr
	for pit, c := range o.Game.Cells(p.Picture) {
		if c.Marked {
			if v, ok := o.Game.Sys.PitVar(); !ok {
				o.Game.NoMark(c)
			} else {
				o.State.BeginVar(v, pit, c.Range)
			}
		}
		if !c.Any {
			conds = append(conds, term.HasSeeds(pit, c.Count, c.Range))
		}
	}
	o.Game.Sys.Start.Cond = rules.Conjunction(conds...)
}

// BeginVars gives variables the values that the position sets.
func (o *Opening) BeginVars() {
	if o.Here != nil {
		o.Here.vars(o.Game.Sys)
	}
	if o.Begin == nil {
		return
	}
	for _, s := range o.Begin.With {
		if s.Name.Name == "mover" {
			continue
		}
		v := o.Game.Variable(o.Game.Bound.Symbol(s.Name.Name))
		if late, is := o.Game.Late[s.Name.Name]; is {
			v = &o.Game.Vars[late]
		}
		if v == nil {
			names := lists.Map(o.Game.Vars, func(v term.StateVar) string { return v.Name })
			bind.Suggest(o.Game.Run.Diags.Errorf(diag.Unknown, s.Name.Range, "unknown variable `%s`", s.Name.Name), s.Name.Name, names)
			continue
		}
		o.State.BeginSetting(s, *v)
	}
}

// movers lists the settings that say who begins: those of the position that games begin at, or else
// those of the setup.
func (o *Opening) movers() []ast.Setting {
	var list []ast.Setting
	if o.Begin != nil {
		list = o.Begin.With
	} else if setups := ast.Items[*ast.Setup](o.Game.Variant); len(setups) > 0 { // a second one is reported elsewhere
		for _, c := range setups[0].Conds {
			if set := o.equationOf(c); set != nil {
				list = append(list, set.Setting)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(s ast.Setting) bool { return s.Name.Name != "mover" })
}

// equation is a condition of a setup that sets a variable, or the mover if there is no variable.
type equation struct {
	ast.Setting
	of *term.StateVar
}

// equationOf returns the setting that a condition of a setup is: `x = E`, `x(i) = E` or `mover =
// P`. It returns nil for other conditions.
func (o *Opening) equationOf(c ast.Expr) *equation {
	x, ok := c.(*ast.Binary)
	if !ok || x.Op != "=" {
		return nil
	}
	set := &equation{Setting: ast.Setting{At: x.At, Value: x.R}}
	var ref bind.Ref
	switch l := x.L.(type) {
	case *ast.Name:
		set.Name, ref = ast.Subject{At: l.At, Name: l.Name}, o.Game.Bound.Ref(l, false)
	case *ast.Call:
		if len(l.Args) != 1 || l.Along != nil {
			return nil
		}
		set.Name, set.Index, ref = ast.Subject(l.Func), l.Args[0], o.Game.Bound.Ref(&l.Func, false)
	}
	set.of = o.Game.Variable(ref.Symbol)
	if late, is := o.Game.Late[ref.Name]; is && ref.Kind == bind.ValueName {
		set.of = &o.Game.Vars[late]
	}
	if set.of == nil && set.Name.Name != "mover" {
		return nil
	}
	return set
}
