package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// A game is its variant: its System has those laps and relations that follow from the picture and
// that the variant uses. The others are spare. Claims may name them, which changes no System: what
// a claim asks of them is looked up in tables of its own. A strategy that is followed may name
// them, too; then its System has them behind the laps and relations of the variant.

// spares are the laps and relations that follow from the picture and that the System does not have.
type spares struct {
	spareLaps      []rules.Lap
	spareRelations []rules.Relation
	adopted        int  // how many laps at the end of the System only a strategy uses
	borrowed       bool // what was read asks for a spare lap or relation
	lent           bool // the System is complete, and what is read is a claim, which may name spares
}

// adopt makes the spares that a strategy names parts of the System.
func (s *scope) adopt(of *ast.Strategy) {
	if of == nil {
		return
	}
	used := s.bound.UsedBy(of)
	s.spareLaps = slices.DeleteFunc(slices.Clone(s.spareLaps), func(l rules.Lap) bool {
		if used[l.Name] {
			s.make(s.bound.Implied(l.Name), entity{kind: entLap, index: len(s.sys.Laps)})
			s.sys.Laps = append(s.sys.Laps, l)
			s.adopted++
		}
		return used[l.Name]
	})
	s.spareRelations = slices.DeleteFunc(slices.Clone(s.spareRelations), func(r rules.Relation) bool {
		if used[r.Name] {
			s.make(s.bound.Implied(r.Name), entity{kind: entRelation, index: len(s.sys.Relations)})
			s.sys.Relations = append(s.sys.Relations, r)
		}
		return used[r.Name]
	})
}

// lend lets what is read of a claim name the spares.
func (s *scope) lend() { s.lent = true }

// entityOf returns what a symbol is in the System or, in what is read of a claim, among the spares
// behind its laps and relations. Laps of several players share a name.
func (s *scope) entityOf(x *bind.Symbol) (entity, bool) {
	if e, ok := s.made[x]; ok || !s.lent || x == nil || x != s.bound.Implied(x.Name) {
		return e, ok
	}
	if i := slices.IndexFunc(s.spareLaps, func(l rules.Lap) bool { return l.Name == x.Name }); i >= 0 {
		return entity{kind: entLap, index: len(s.sys.Laps) + i}, true
	}
	if i := slices.IndexFunc(s.spareRelations, func(r rules.Relation) bool { return r.Name == x.Name }); i >= 0 {
		return entity{kind: entRelation, index: len(s.sys.Relations) + i}, true
	}
	return entity{}, false
}

// nameOnly is the type of the name of a lap that no variable can hold. No such constant is left in
// a condition: see sameName.
var nameOnly = rules.EnumType(1 << 30)

// fixedName returns the constant for the name of a lap: its index in knownNames.
func (s *scope) fixedName(name string) rules.Expr {
	i, own := slices.Index(s.knownNames(), name), s.lapNames()
	held := i < len(own)
	if s.lent { // nothing is added to the System
		held = held && slices.ContainsFunc(s.sys.Enums, func(e []string) bool { return slices.Equal(e, own) })
	}
	if !held {
		return rules.Const{Value: i, Type: nameOnly}
	}
	return rules.Const{Value: i, Type: s.kernelType(typ{kind: kLap})}
}

// sameName returns the condition that two values are the same name of a lap. A name that no
// variable can hold is compared here.
func (s *scope) sameName(l, r rules.Expr) rules.Expr {
	free := func(x rules.Expr) bool {
		return rules.Mentions(x, func(x rules.Expr) bool { c, is := x.(rules.Const); return is && c.Type == nameOnly })
	}
	switch {
	case !free(l) && !free(r):
		return simple(rules.Binary{Op: rules.Eq, L: l, R: r})
	case !free(l):
		l, r = r, l
	}
	if x, is := l.(rules.Old); is {
		return s.sameName(oldName(x.X), r)
	}
	if x, is := r.(rules.Old); is && free(r) {
		return s.sameName(l, oldName(x.X))
	}
	if x, is := l.(rules.Cond); is {
		return simple(rules.Cond{If: x.If, Then: s.sameName(x.Then, r), Else: s.sameName(x.Else, r)})
	}
	if x, is := r.(rules.Cond); is {
		return simple(rules.Cond{If: x.If, Then: s.sameName(l, x.Then), Else: s.sameName(l, x.Else)})
	}
	i, _ := constOf(l)
	if j, fixed := constOf(r); fixed {
		return rules.Truth(i == j)
	}
	if rules.CanFail(r) {
		return rules.Binary{Op: rules.Ne, L: r, R: r} // false, with its faults
	}
	return rules.False
}

// oldName is a name of a lap in the state before the step.
func oldName(x rules.Expr) rules.Expr {
	if c, is := x.(rules.Cond); is {
		return rules.Cond{If: rules.Old{X: c.If}, Then: oldName(c.Then), Else: oldName(c.Else)}
	}
	if _, is := x.(rules.Const); is {
		return x
	}
	return rules.Old{X: x}
}

// next returns the pit after another on a lap that may be spare.
func (s *scope) next(pit rules.Expr, lap int) rules.Lookup {
	if i := lap - len(s.sys.Laps); i >= 0 {
		s.borrowed = true
		return rules.NextAlong(pit, &s.spareLaps[i])
	}
	return s.sys.Next(pit, lap)
}

// before returns the pit before another on a lap that may be spare.
func (s *scope) before(pit rules.Expr, lap int) rules.Lookup {
	if i := lap - len(s.sys.Laps); i >= 0 {
		s.borrowed = true
		return rules.BeforeAlong(pit, &s.spareLaps[i])
	}
	return s.sys.Before(pit, lap)
}

// related returns the pit that a relation, which may be spare, leads to from another.
func (s *scope) related(pit rules.Expr, relation int) rules.Lookup {
	if i := relation - len(s.sys.Relations); i >= 0 {
		s.borrowed = true
		return rules.RelatedBy(pit, &s.spareRelations[i])
	}
	return s.sys.Related(pit, relation)
}
