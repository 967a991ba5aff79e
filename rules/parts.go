package rules

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
)

// Parts says which pits and control variables of a state are known, by index; nil means all of
// them. The other parts of a state must not be read.
type Parts struct{ Pits, Vars []bool }

// HasPit reports whether the seeds of a pit are known.
func (k Parts) HasPit(p int) bool { return k.Pits == nil || k.Pits[p] }

// HasVar reports whether a variable is known.
func (k Parts) HasVar(v int) bool { return k.Vars == nil || k.Vars[v] }

// All reports whether everything is known.
func (k Parts) All() bool { return all(k.Pits) && all(k.Vars) }

// StartOnly is a lemma about a System: a live state in which variable Var has Value is a start.
type StartOnly struct{ Var, Value int }

// Kept says which parts of states matter; the others have no meaning. In finished states, where
// nothing is decided any more, the variables that matter are those of Over; nil: as Vars.
type Kept struct {
	Parts
	Over []bool
}

// PartsOf says which parts of s have a meaning.
func (k Kept) PartsOf(s State) Parts { return Parts{Pits: k.Pits, Vars: k.VarsOf(s.Outcome)} }

// VarsOf says which variables of states with this outcome matter.
func (k Kept) VarsOf(outcome int) []bool {
	if k.Over != nil && outcome != Live {
		return k.Over
	}
	return k.Vars
}

// Project empties the parts of s that do not matter, so that states that agree on the others become
// equal.
func (k Kept) Project(sys *System, s State) State {
	s = s.Clone()
	for p := range s.Seeds {
		if !k.HasPit(p) {
			s.Seeds[p] = 0
		}
	}
	for v, kept := range k.VarsOf(s.Outcome) {
		if !kept {
			s.Vars[v] = sys.Vars[v].Init
		}
	}
	return s
}

// SpelledOut returns k with nil replaced by what it stands for.
func (k Kept) SpelledOut(sys *System) Kept {
	if k.Pits == nil {
		k.Pits = slices.Repeat([]bool{true}, len(sys.Pits))
	}
	if k.Vars == nil {
		k.Vars = slices.Repeat([]bool{true}, len(sys.Vars))
	}
	if k.Over == nil {
		k.Over = k.Vars
	}
	return k
}

func all(list []bool) bool { return !slices.Contains(list, false) }

// Within reports whether everything known in k is known in other.
func (k Parts) Within(other Parts) bool {
	within := func(in []bool, has func(int) bool) bool {
		return !slices.ContainsFunc(lists.Set(in), func(i int) bool { return !has(i) })
	}
	return within(k.Pits, other.HasPit) && within(k.Vars, other.HasVar)
}

// Reads returns the pits and control variables that the value of x may depend on, apart from its
// Questions.
func Reads(sys *System, x Expr) Parts {
	k := Parts{Pits: make([]bool, len(sys.Pits)), Vars: make([]bool, len(sys.Vars))}
	Walk(x, func(x Expr) bool {
		if sum, ok := x.(Sum); ok {
			for _, p := range sum.Pits {
				k.Pits[p] = true
			}
		}
		if c, ok := x.(Cell); ok && (c.Sort == PitCell || c.Sort == VarCell) {
			list := map[Sort][]bool{PitCell: k.Pits, VarCell: k.Vars}[c.Sort]
			for _, slot := range c.Slots(len(list)) {
				list[slot] = true
			}
		}
		return true
	})
	return k
}

// RegistersRead says which of `last`, `last was` and `origin` some bodies read.
func RegistersRead(bodies ...[]Stmt) (reads [OriginReg + 1]bool) {
	for _, body := range bodies {
		WalkStmts(body, func(s Stmt) {
			for _, x := range Exprs(s) {
				for reg := range reads {
					reads[reg] = reads[reg] || Mentions(x, func(x Expr) bool { c, is := x.(Cell); return is && c.IsRegister(reg) })
				}
			}
		})
	}
	return reads
}

// decide reports whether known parts determine the value of x itself, apart from its
// subexpressions. If x chooses among pits or variables, all of them must be known.
func (k Parts) decide(x Expr) bool {
	switch x := any(x).(type) { // what others are is determined by their subexpressions
	case Cell:
		return k.decideCell(x)
	case Sum:
		return !slices.ContainsFunc(x.Pits, func(p int) bool { return !k.HasPit(p) })
	case Question:
		return k.All()
	case Old:
		return false
	}
	return true
}

func (k Parts) decideCell(x Cell) bool {
	switch {
	case x.Sort == RegisterCell:
		return x.Slot != LastWasReg || all(k.Pits)
	case x.Sort == VarCell:
		return !slices.ContainsFunc(x.Slots(0), func(v int) bool { return !k.HasVar(v) })
	case x.Sort == PitCell && x.Index == nil:
		return k.HasPit(x.Slot)
	case x.Sort == PitCell:
		return all(k.Pits)
	}
	return true
}

// Decide reports whether known parts determine the value of x.
func (k Parts) Decide(x Expr) bool {
	known := true
	Walk(x, func(x Expr) bool {
		known = known && k.decide(x)
		return known
	})
	return known
}

// Weaken returns a condition on known parts that holds in every state in which x does, and in some
// others where unknown parts matter.
func Weaken(x Expr, known Parts) Expr { return loosen(x, known, true) }

// loosen returns a condition on known parts that holds wherever the truth of x is as wanted.
func loosen(x Expr, known Parts, want bool) Expr {
	if known.Decide(x) {
		if want {
			return x
		}
		return Simplify(Not{X: x}, nil)
	}
	if not, is := x.(Not); is {
		return loosen(not.X, known, !want)
	}
	if b, is := x.(Binary); is && (b.Op == And || b.Op == Or) {
		op := And
		if (b.Op == And) != want {
			op = Or
		}
		return Simplify(Binary{Op: op, L: loosen(b.L, known, want), R: loosen(b.R, known, want)}, nil)
	}
	return True
}

// LastResort reports whether the action is legal only where no action is that is no Fallback, and
// its guard is never a fault elsewhere.
func (a *Action) LastResort() bool {
	for _, x := range Conjuncts(a.Guard) {
		switch {
		case x == Expr(NoMove):
			return a.Fallback
		case !NeverFails(x):
			return false
		}
	}
	return false
}
