package flow

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Place is what is known of the states in which a player is to move and has no move that is not a
// fallback.
type Place struct {
	sys   *rules.System
	mover int
	false []rules.Expr // conditions that are false there
}

// NoMove returns the Place of a player, where each of some conditions is false.
func NoMove(sys *rules.System, mover int, conditions []rules.Expr) *Place {
	p := &Place{sys: sys, mover: mover}
	for _, x := range conditions {
		p.false = append(p.false, without(x))
	}
	return p
}

// without returns a condition as it is where there is no move.
func without(x rules.Expr) rules.Expr {
	return instead(x, func(x rules.Expr) bool { return x == rules.Expr(rules.NoMove) }, rules.True)
}

// at returns the env in which a body begins at the place.
func (p *Place) at(locals int) *env {
	e := before(p.sys, p.mover, locals)
	for _, x := range p.false {
		e = e.assume(x, false)
	}
	return e
}

// Impossible reports whether there is no such state.
func (p *Place) Impossible() bool { return p.at(0) == nil }

// Allows reports whether an action is certainly legal in each such state: its guard holds, and its
// body comes to an end without a fault and without being illegal.
func (p *Place) Allows(a *rules.Action) bool {
	e := p.at(len(a.Locals))
	if a.Mover != p.mover || e == nil {
		return e == nil
	}
	if a.Guard != nil {
		guard := without(a.Guard)
		if !e.sure(guard) || e.assume(guard, false) != nil {
			return false
		}
		e = e.assume(guard, true)
	}
	_, certain := e.certain(a.Body)
	return certain
}

// Ends reports whether the game is over after a body, if that comes to an end.
func Ends(sys *rules.System, b Body) bool {
	f := &follower{sys: sys}
	return f.list(b.Stmts, runs{b.begin(sys)}).none()
}

// certain returns the env after a body, and whether that certainly comes to an end. Bodies that sow
// or repeat something are not looked at.
func (e *env) certain(body []rules.Stmt) (*env, bool) {
	for _, s := range body {
		if e == nil {
			break
		}
		sure := false
		switch s := s.(type) {
		case rules.Set:
			if sure = e.canSet(s); sure {
				e = e.set(s)
			}
		case rules.If:
			if sure = e.sure(s.Cond); sure {
				yes, ends := e.assume(s.Cond, true).certain(s.Then)
				no, endsToo := e.assume(s.Cond, false).certain(s.Else)
				e, sure = join(yes, no), ends && endsToo
			}
		case rules.Transfer:
			into := e.values(s.Into)
			sure = s.Count == nil && e.sure(s.From) && e.sure(s.Into) && !into.any && !slices.Contains(into.of, rules.None)
			e = e.forgetful()
		case rules.Stop:
			e, sure = nil, s.Outcome != rules.Illegal
		case rules.Sow, rules.While:
		}
		if !sure {
			return nil, false
		}
	}
	return e, true
}

// canSet reports whether a cell is set without a fault.
func (e *env) canSet(s rules.Set) bool {
	if !e.sure(s.To) || !e.sure(s.X) {
		return false
	}
	value := e.values(s.X)
	fits := func(domain []int) bool { return !value.any && len(value.among(domain).of) == len(value.of) }
	switch {
	case s.To.IsRegister(rules.NextReg):
		return fits(num.Run(0, len(e.sys.Players)))
	case s.To.Sort != rules.VarCell:
		return true
	}
	return !slices.ContainsFunc(e.vars(s.To), func(at int) bool { return !fits(e.sys.Vars[at-firstVar].Domain) })
}

// sure reports whether x certainly has a value. A number that is too large to be computed is a
// limit and no fault.
func (e *env) sure(x rules.Expr) bool {
	if e == nil {
		return true
	}
	switch x := x.(type) {
	case rules.Const, rules.Sum:
		return true
	case rules.Cell:
		return e.sureCell(x)
	case rules.Lookup:
		return e.sure(x.X) && e.within(x.X, func(p int) bool {
			if p < rules.None || p >= len(x.Table.Of) {
				return false
			}
			_, ok := x.Table.Entry(p)
			return ok
		})
	case rules.Not:
		return e.sure(x.X)
	case rules.Cond:
		return e.sure(x.If) && e.assume(x.If, true).sure(x.Then) && e.assume(x.If, false).sure(x.Else)
	case rules.Binary:
		switch x.Op {
		case rules.And:
			return e.sure(x.L) && e.assume(x.L, true).sure(x.R)
		case rules.Or:
			return e.sure(x.L) && e.assume(x.L, false).sure(x.R)
		case rules.Div, rules.Mod:
			return e.sure(x.L) && e.sure(x.R) && !e.values(x.R).has(0)
		}
		return e.sure(x.L) && e.sure(x.R)
	case rules.OpenParam, rules.Question, rules.Old:
	}
	return false
}

// sureCell reports whether a cell certainly exists and has a value.
func (e *env) sureCell(c rules.Cell) bool {
	if c.Sort == rules.RegisterCell {
		return c.IsRegister(rules.MoverReg) || c.IsRegister(rules.NextReg) || c.IsRegister(rules.RankReg)
	}
	if c.Index == nil {
		return true
	}
	exists := func(i int) bool { return i >= 0 && i < len(e.sys.Pits) }
	if c.Sort != rules.PitCell {
		exists = func(i int) bool { return i >= 0 && i < len(c.Table) && c.Table[i] >= 0 }
	}
	return e.sure(c.Index) && e.within(c.Index, exists)
}

// within reports whether all values of x are such.
func (e *env) within(x rules.Expr, such func(int) bool) bool {
	s := e.values(x)
	return !s.any && !slices.ContainsFunc(s.of, func(v int) bool { return !such(v) })
}
