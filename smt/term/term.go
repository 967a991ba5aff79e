// Package term builds formulas of linear integer arithmetic with conditionals: the language in
// which a System is put to any solver.
//
// Terms are shared: a Builder returns the same pointer for the same term, so formulas are graphs,
// and comparing terms is comparing pointers. The constructors fold constants and drop neutral
// arguments, since most of a rule is decided before play. Multiplication is by constants only;
// division is left to the caller, who writes s = q*k + r.
//
// Terms stand for integers of any size. The Value of one lies in the range of package num; a larger
// constant or factor is built from several (sum.go), so that a formula is exact whatever numbers
// occur in it.
package term

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// Sort is the type of a term.
type Sort int

const (
	Bool Sort = iota
	Int
)

// Op is the operator of a term.
type Op int

const (
	Const Op = iota // Value; a Bool's is 0 or 1
	Var             // Name
	Not
	And // any number of arguments
	Or
	Eq // of two terms of one sort
	Le
	Lt
	Add // any number of arguments
	Mul // Value times Args[0]
	Ite // Args[0] ? Args[1] : Args[2]
)

// Term is a node of a formula. Terms are made by a Builder and never change.
type Term struct {
	Op    Op
	Sort  Sort
	Value int
	Name  string
	Args  []*Term
	ID    int // in order of creation: arguments before the terms that use them
}

// IsConst reports whether t is a constant, and returns its value.
func (t *Term) IsConst() (int, bool) { return t.Value, t.Op == Const }

// IsTrue reports whether t is the constant true.
func (t *Term) IsTrue() bool { return t.Op == Const && t.Sort == Bool && t.Value != 0 }

// IsFalse reports whether t is the constant false.
func (t *Term) IsFalse() bool { return t.Op == Const && t.Sort == Bool && t.Value == 0 }

// Builder makes terms. It is not safe for use by several goroutines.
type Builder struct {
	base  *Builder // which has the terms before those of terms; may be nil
	size  int      // terms, with those of base
	terms map[string]*Term
	key   []byte // of the last term requested: kept to reuse its memory
	fresh int
}

// NewBuilder makes an empty Builder.
func NewBuilder() *Builder { return &Builder{terms: map[string]*Term{}} }

// Fork returns a Builder that goes on from b: it has the terms of b, and those that it makes have
// the identities that b would give them. From then on b must not make terms. Several goroutines may
// use one fork each.
func (b *Builder) Fork() *Builder {
	return &Builder{base: b, size: b.size, terms: map[string]*Term{}, fresh: b.fresh}
}

// Size is the number of terms.
func (b *Builder) Size() int { return b.size }

func (b *Builder) make(t Term) *Term {
	key := append(b.key[:0], byte(t.Op), byte(t.Sort))
	key = binary.AppendVarint(key, int64(t.Value))
	for _, a := range t.Args {
		key = binary.AppendUvarint(key, uint64(a.ID))
	}
	b.key = append(key, t.Name...)
	for at := b; at != nil; at = at.base {
		if old, ok := at.terms[string(b.key)]; ok {
			return old
		}
	}
	t.ID = b.size
	b.size++
	b.terms[string(b.key)] = &t
	return &t
}

// Int is an integer constant.
func (b *Builder) Int(n int) *Term { return b.make(Term{Op: Const, Sort: Int, Value: n}) }

// Bool is a truth value.
func (b *Builder) Bool(v bool) *Term {
	return b.make(Term{Op: Const, Sort: Bool, Value: num.Truth(v)})
}

// True is the true constant.
func (b *Builder) True() *Term { return b.Bool(true) }

// False is the false constant.
func (b *Builder) False() *Term { return b.Bool(false) }

// Var is the variable with this name and sort. Names must be valid in SMT-LIB: letters, digits and
// . _ ! $ @.
func (b *Builder) Var(name string, s Sort) *Term { return b.make(Term{Op: Var, Sort: s, Name: name}) }

// Fresh is a variable that no other term uses; its name begins with prefix.
func (b *Builder) Fresh(prefix string, s Sort) *Term {
	b.fresh++
	return b.Var(fmt.Sprintf("%s!%d", prefix, b.fresh), s)
}

// Not negates.
func (b *Builder) Not(x *Term) *Term {
	switch {
	case x.Op == Const:
		return b.Bool(x.Value == 0)
	case x.Op == Not:
		return x.Args[0]
	case x.Op == Le: // not a<=b is b<a
		return b.Lt(x.Args[1], x.Args[0])
	case x.Op == Lt:
		return b.Le(x.Args[1], x.Args[0])
	}
	return b.make(Term{Op: Not, Sort: Bool, Args: []*Term{x}})
}

// And is true if all xs are; of none it is true.
func (b *Builder) And(xs ...*Term) *Term { return b.junction(And, xs) }

// Or is true if one of xs is; of none it is false.
func (b *Builder) Or(xs ...*Term) *Term { return b.junction(Or, xs) }

// junction flattens, sorts and removes repetitions; x and not x decide it.
func (b *Builder) junction(op Op, xs []*Term) *Term {
	neutral := b.Bool(op == And)
	var flat []*Term
	for _, x := range xs {
		switch {
		case x == neutral:
		case x.Op == Const:
			return x
		case x.Op == op:
			flat = append(flat, x.Args...)
		default:
			flat = append(flat, x)
		}
	}
	slices.SortFunc(flat, func(x, y *Term) int { return cmp.Compare(x.ID, y.ID) })
	flat = slices.Compact(flat)
	for _, x := range flat {
		if x.Op == Not && slices.Contains(flat, x.Args[0]) {
			return b.Not(neutral)
		}
	}
	switch len(flat) {
	case 0:
		return neutral
	case 1:
		return flat[0]
	}
	return b.make(Term{Op: op, Sort: Bool, Args: flat})
}

// Implies is x -> y.
func (b *Builder) Implies(x, y *Term) *Term { return b.Or(b.Not(x), y) }

// Eq is equality, of numbers or of truth values.
func (b *Builder) Eq(x, y *Term) *Term {
	if x == y || x.Op == Const && y.Op == Const {
		return b.Bool(x.Value == y.Value)
	}
	if x.Sort == Bool {
		for _, p := range [][2]*Term{{x, y}, {y, x}} {
			if p[0].IsTrue() {
				return p[1]
			}
			if p[0].IsFalse() {
				return b.Not(p[1])
			}
		}
	}
	if x.ID > y.ID {
		x, y = y, x
	}
	return b.make(Term{Op: Eq, Sort: Bool, Args: []*Term{x, y}})
}

// Ne is the negation of Eq.
func (b *Builder) Ne(x, y *Term) *Term { return b.Not(b.Eq(x, y)) }

// Le is x <= y.
func (b *Builder) Le(x, y *Term) *Term { return b.order(Le, x, y, x.Value <= y.Value) }

// Lt is x < y.
func (b *Builder) Lt(x, y *Term) *Term { return b.order(Lt, x, y, x.Value < y.Value) }

// order compares x and y. Where they are constants, or the same, their values decide.
func (b *Builder) order(op Op, x, y *Term, holds bool) *Term {
	if x == y || x.Op == Const && y.Op == Const {
		return b.Bool(holds)
	}
	return b.make(Term{Op: op, Sort: Bool, Args: []*Term{x, y}})
}

// Ge is x >= y, Gt is x > y.
func (b *Builder) Ge(x, y *Term) *Term { return b.Le(y, x) }
func (b *Builder) Gt(x, y *Term) *Term { return b.Lt(y, x) }

// Add sums: it collects constants and equal terms.
func (b *Builder) Add(xs ...*Term) *Term {
	sum := sum{b: b, factor: map[*Term]int{}}
	for _, x := range xs {
		switch {
		case x.Op == Add:
			for _, y := range x.Args {
				sum.add(1, y)
			}
		case x.Op == Mul && x.Args[0].Op == Add:
			for _, y := range x.Args[0].Args {
				sum.add(x.Value, y)
			}
		default:
			sum.add(1, x)
		}
	}
	return sum.term()
}

// Mul is k times x.
func (b *Builder) Mul(k int, x *Term) *Term {
	switch {
	case k == 0:
		return b.Int(0)
	case x.Op == Const:
		if v, ok := num.Mul(k, x.Value); ok {
			return b.Int(v)
		}
		return b.Add(b.constants(product(k, x.Value))...)
	case x.Op == Mul:
		if kk, ok := num.Mul(k, x.Value); ok {
			return b.Mul(kk, x.Args[0])
		}
	case x.Op == Add:
		args := lists.Map(x.Args, func(y *Term) *Term { return b.Mul(k, y) })
		return b.Add(args...)
	}
	return b.times(k, x)
}

// times is k times x, which is no constant, as it stands.
func (b *Builder) times(k int, x *Term) *Term {
	if k == 1 {
		return x
	}
	return b.make(Term{Op: Mul, Sort: Int, Value: k, Args: []*Term{x}})
}

// Sub is x - y.
func (b *Builder) Sub(x, y *Term) *Term { return b.Add(x, b.Mul(-1, y)) }

// Ite is x where c holds and otherwise y, of either sort.
func (b *Builder) Ite(c, x, y *Term) *Term {
	switch {
	case c.IsTrue() || x == y:
		return x
	case c.IsFalse():
		return y
	case c.Op == Not:
		return b.Ite(c.Args[0], y, x)
	}
	if x.Sort == Bool {
		switch {
		case x.IsTrue():
			return b.Or(c, y)
		case x.IsFalse():
			return b.And(b.Not(c), y)
		case y.IsTrue():
			return b.Or(b.Not(c), x)
		case y.IsFalse():
			return b.And(c, x)
		}
	}
	return b.make(Term{Op: Ite, Sort: x.Sort, Args: []*Term{c, x, y}})
}
