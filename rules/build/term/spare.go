package term

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

// Adopt makes the spares that a strategy names parts of the System.
func (s *Scope) Adopt(of *ast.Strategy) {
	if of == nil {
		return
	}
	used := s.Bound.UsedBy(of)
	s.SpareLaps = slices.DeleteFunc(slices.Clone(s.SpareLaps), func(l rules.Lap) bool {
		if used[l.Name] {
			s.Make(s.Bound.Implied(l.Name), bind.LapName, len(s.Sys.Laps))
			s.Sys.Laps = append(s.Sys.Laps, l)
			s.adopted++
		}
		return used[l.Name]
	})
	s.SpareRelations = slices.DeleteFunc(slices.Clone(s.SpareRelations), func(r rules.Relation) bool {
		if used[r.Name] {
			s.Make(s.Bound.Implied(r.Name), bind.RelationName, len(s.Sys.Relations))
			s.Sys.Relations = append(s.Sys.Relations, r)
		}
		return used[r.Name]
	})
}

// Lend lets what is read of a claim name the spares.
func (s *Scope) Lend() { s.lent = true }

// madeOf returns the place of what a symbol stands for in the list for its kind. In what is read of
// a claim, the spares are behind the laps and relations of the System.
func (s *Scope) madeOf(x *bind.Symbol) (index int, ok bool) {
	if i, ok := s.Made[x]; ok || !s.lent || x == nil || x != s.Bound.Implied(x.Name) {
		return i, ok
	}
	if i := slices.IndexFunc(s.SpareLaps, func(l rules.Lap) bool { return l.Name == x.Name }); i >= 0 {
		return len(s.Sys.Laps) + i, true // laps of several players share a name
	}
	i := slices.IndexFunc(s.SpareRelations, func(r rules.Relation) bool { return r.Name == x.Name })
	return len(s.Sys.Relations) + i, i >= 0
}

// nameOnly is the type of the name of a lap that no variable can hold. No such constant is left in
// a condition: see sameName.
var nameOnly = rules.EnumType(1 << 30)

// fixedName returns the constant for the name of a lap: its index in knownNames.
func (s *Scope) fixedName(name string) rules.Expr {
	i, own := slices.Index(s.knownNames(), name), s.LapNames()
	held := i < len(own)
	if s.lent { // nothing is added to the System
		held = held && slices.ContainsFunc(s.Sys.Enums, func(e []string) bool { return slices.Equal(e, own) })
	}
	if !held {
		return rules.Const{Value: i, Type: nameOnly}
	}
	return rules.Const{Value: i, Type: s.KernelType(Type{Kind: LapKind})}
}

// sameName returns the condition that two values are the same name of a lap. A name that no
// variable can hold is compared here.
func (s *Scope) sameName(l, r rules.Expr) rules.Expr {
	free := func(x rules.Expr) bool {
		return rules.Mentions(x, func(x rules.Expr) bool { c, is := x.(rules.Const); return is && c.Type == nameOnly })
	}
	switch {
	case !free(l) && !free(r):
		return Simple(rules.Binary{Op: rules.Eq, L: l, R: r})
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
		return Simple(rules.Cond{If: x.If, Then: s.sameName(x.Then, r), Else: s.sameName(x.Else, r)})
	}
	if x, is := r.(rules.Cond); is {
		return Simple(rules.Cond{If: x.If, Then: s.sameName(l, x.Then), Else: s.sameName(l, x.Else)})
	}
	i, _ := ConstOf(l)
	if j, fixed := ConstOf(r); fixed {
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

// along returns what the function `next` or `before` gives for a pit on a lap that may be spare.
func (s *Scope) along(function string, pit rules.Expr, lap int) rules.Lookup {
	i, next := lap-len(s.Sys.Laps), function == "next"
	s.Borrowed = s.Borrowed || i >= 0
	switch {
	case i >= 0 && next:
		return rules.NextAlong(pit, &s.SpareLaps[i])
	case i >= 0:
		return rules.BeforeAlong(pit, &s.SpareLaps[i])
	case next:
		return s.Sys.Next(pit, lap)
	}
	return s.Sys.Before(pit, lap)
}

// related returns the pit that a relation, which may be spare, leads to from another.
func (s *Scope) related(pit rules.Expr, relation int) rules.Lookup {
	if i := relation - len(s.Sys.Relations); i >= 0 {
		s.Borrowed = true
		return rules.RelatedBy(pit, &s.SpareRelations[i])
	}
	return s.Sys.Related(pit, relation)
}
