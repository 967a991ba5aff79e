package exec

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// errOpen says that a value is no known number: it is r.open.
var errOpen = errors.New("exec: the value is not known")

// Eval evaluates an expression.
func (r *Run[V]) Eval(x *Expr) (V, error) { return r.value(r.eval(x)) }

// value makes a value of what eval returns.
func (r *Run[V]) value(n int, err error) (V, error) {
	switch err {
	case nil:
		return r.D.Const(n), nil
	case errOpen:
		return r.open, nil
	}
	var none V
	return none, err
}

// given takes a value from the domain, as eval returns it.
func (r *Run[V]) given(v V, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	if n, known := r.D.Number(v); known {
		return n, nil
	}
	r.open = v
	return 0, errOpen
}

// Holds evaluates a condition and reports whether it holds.
func (r *Run[V]) Holds(x *Expr) (bool, error) {
	n, err := r.eval(x)
	if err == errOpen {
		return r.D.Decide(r.open)
	}
	return n != 0, err
}

// eval evaluates an expression to a known number; the error is errOpen for another value. Operands
// are evaluated from left to right, and both sides of an operator even if one decides the result,
// so that all domains have the same fault first. What known numbers come to is said here. The rest
// is left to the domain, as are conditional forms if it may not know which way to go.
func (r *Run[V]) eval(x *Expr) (int, error) {
	switch x.kind {
	case constant:
		return x.n, nil
	case pitCell:
		if r.ints != nil {
			return r.ints.S.Seeds[x.n], nil
		}
		return r.given(r.D.Read(rules.PitCell, x.n))
	case varCell:
		return r.part(rules.VarCell, x.n)
	case localCell, registerCell:
		return r.ofBody(x)
	case chosenPit, chosenVar:
		return r.chosenPart(x)
	case sum:
		return r.sum(x)
	case operator:
		return r.operator(x)
	case junction:
		return r.junction(x)
	case not, lookup, conditional:
		n, err := r.eval(x.X)
		if err != nil && err != errOpen {
			return 0, err
		}
		return unary(r, x, n, err == nil)
	case param:
		return r.given(r.D.Param(x.n))
	case question:
		return r.given(r.D.Ask(rules.Question(x.n)))
	case old:
		return r.given(r.D.Old(x.X))
	}
	return 0, fmt.Errorf("exec: unknown expression %T", x.Of)
}

// unary evaluates what begins with one operand: n, or r.open if that is not known.
func unary[V any](r *Run[V], x *Expr, n int, known bool) (int, error) {
	switch {
	case x.kind == not && known:
		return num.Truth(n == 0), nil
	case x.kind == not:
		return r.given(r.D.Not(r.open), nil)
	case x.kind == lookup && known:
		return r.Entry(x, n)
	case x.kind == lookup:
		return r.given(r.D.Lookup(x, r.open))
	case !known:
		return r.given(r.D.Choose(r.open, x.Right, x.other))
	case n != 0:
		return r.eval(x.Right)
	}
	return r.eval(x.other)
}

// operator evaluates a binary operator that is no junction.
func (r *Run[V]) operator(x *Expr) (int, error) {
	n, err := r.eval(x.X)
	if err != nil && err != errOpen {
		return 0, err
	}
	known, left := err == nil, r.open
	m, err := r.eval(x.Right)
	if known && err == nil {
		if result, none := rules.Apply(x.Op, n, m); none == nil {
			return result, nil
		}
	}
	right, err := r.value(m, err)
	if err != nil {
		return 0, err
	}
	if known {
		left = r.D.Const(n)
	}
	return r.given(r.D.Apply(x, left, right))
}

// junction evaluates the parts that `and` or `or` joins, up to the first that decides: the others
// may have a fault.
func (r *Run[V]) junction(x *Expr) (int, error) {
	stop := x.Op == rules.Or
	for i, part := range x.Parts {
		switch n, err := r.eval(part); {
		case err == errOpen:
			return r.given(joined(r.D, x.Op, r.open, x.Parts[i+1:]))
		case err != nil:
			return 0, err
		case (n != 0) == stop:
			return num.Truth(stop), nil
		}
	}
	return num.Truth(!stop), nil
}

// joined is the rest of a junction from the value v on, which is no known number.
func joined[V any](d Domain[V], op rules.Op, v V, parts []*Expr) (V, error) {
	if len(parts) == 0 {
		return d.Junction(op, v, nil)
	}
	var err error
	for i := 0; i < len(parts) && err == nil; i++ {
		v, err = d.Junction(op, v, parts[i])
	}
	return v, err
}

// Either evaluates yes if holds, and otherwise no. err is that of the condition.
func (r *Run[V]) Either(holds bool, err error, yes, no *Expr) (V, error) {
	switch {
	case err != nil:
		return r.value(0, err)
	case holds:
		return r.Eval(yes)
	}
	return r.Eval(no)
}

// part reads a pit or variable.
func (r *Run[V]) part(sort rules.Sort, slot int) (int, error) {
	switch {
	case r.ints == nil:
		return r.given(r.D.Read(sort, slot))
	case sort == rules.PitCell:
		return r.ints.S.Seeds[slot], nil
	}
	return r.ints.S.Vars[slot], nil
}

var registers = [...]string{rules.LastReg: "last", rules.LastWasReg: "last was", rules.OriginReg: "origin"}

// ofBody reads a local or register. The registers of the last sowing have no value before the first
// one. The error for what cannot be read is a mistake in the System, not a fault of the rules.
func (r *Run[V]) ofBody(x *Expr) (int, error) {
	switch {
	case x.kind == localCell && x.n < len(r.Locals):
		return r.given(r.Locals[x.n], nil)
	case x.kind == localCell:
		return 0, errors.New("exec: a local outside the body that it belongs to")
	case x.n == rules.MoverReg:
		return r.given(r.S.Mover, nil)
	case x.n == rules.OutcomeReg:
		return r.given(r.S.Outcome, nil)
	case x.n > rules.OriginReg:
		return 0, fmt.Errorf("exec: register %d cannot be read", x.n)
	case r.Sown.Set[x.n] && r.ints != nil:
		return r.ints.Sown.Values[x.n], nil
	case r.Sown.Set[x.n]:
		return r.given(r.Sown.Values[x.n], nil)
	}
	return 0, r.D.Fault(diag.NoValue, r.Place(x.At()), func() (string, string) {
		return fmt.Sprintf("`%s` has no value: nothing was sown yet", registers[x.n]), ""
	})
}

// sum counts the seeds in some pits.
func (r *Run[V]) sum(x *Expr) (int, error) {
	n, ok := 0, r.ints != nil
	for i := 0; i < len(x.list) && ok; i++ {
		n, ok = num.Add(n, r.ints.S.Seeds[x.list[i]])
	}
	if ok {
		return n, nil
	}
	return r.given(r.D.Sum(x.list))
}

// chosenPart reads the pit or variable that an index chooses, which Pick may not know.
func (r *Run[V]) chosenPart(x *Expr) (int, error) {
	n, err := r.eval(x.X)
	if err == errOpen {
		index, known := r.open, false
		if n, known, err = r.D.Pick(index); err == nil && !known {
			return r.given(r.D.ReadAny(x.sort(), index))
		}
	}
	if err == nil {
		n, err = r.chosen(x, n)
	}
	if err != nil {
		return 0, err
	}
	return r.part(x.sort(), n)
}

// chosen returns the pit or variable that the value n of an index chooses.
func (r *Run[V]) chosen(x *Expr, n int) (int, error) {
	switch {
	case x.list == nil && n == rules.None:
		return 0, nonePit(r, x.X, x.At())
	case x.list == nil:
		return n, exists(r, n, x)
	case n >= 0 && n < len(x.list) && x.list[n] >= 0:
		return x.list[n], nil
	case n == rules.None:
		return 0, r.D.Fault(diag.NonePit, r.Place(x.At()), func() (string, string) {
			return "`none` chooses no variable" + which(r.Sys, ": ", x.X), ""
		})
	}
	return 0, r.D.Fault(diag.NoValue, r.Place(x.At()), func() (string, string) {
		return "there is no such variable" + which(r.Sys, " for ", x.X), ""
	})
}

// nonePit returns the fault for `none` in the place of a pit. It names the expression, unless that
// is just `none`.
func nonePit[V any](r *Run[V], x *Expr, at diag.Range) error {
	return r.D.Fault(diag.NonePit, r.Place(at), func() (string, string) {
		if x.kind == constant {
			return "`none` is used as a pit", ""
		}
		return "`none` is used as a pit" + which(r.Sys, ": ", x), ""
	})
}

// which is an expression behind some words, for a message. It is empty if the rules do not write it
// so.
func which(sys *rules.System, words string, x *Expr) string {
	if text := rules.Wording(sys, x.Of); text != "" {
		return words + text
	}
	return ""
}

// Entry returns the entry of x.Table for a known pit.
func (r *Run[V]) Entry(x *Expr, pit int) (int, error) {
	if err := exists(r, pit, x); err != nil {
		return 0, err
	}
	v, ok := x.Table.Entry(pit)
	if !ok {
		return 0, nonePit(r, x.X, x.At())
	}
	return v, nil
}

// Known returns the number that v is. The error is the domain's if it cannot determine the number.
func (r *Run[V]) Known(v V) (int, error) {
	n, known, err := r.D.Pick(v)
	if err == nil && !known {
		err = r.D.Vague(v)
	}
	return n, err
}

// known evaluates an expression that must give a known number.
func (r *Run[V]) known(x *Expr) (int, error) {
	n, err := r.eval(x)
	if err == errOpen {
		return r.Known(r.open)
	}
	return n, err
}

// pitOrNone evaluates an expression that must give a known pit, or `none`.
func (r *Run[V]) pitOrNone(x *Expr) (int, error) {
	p, err := r.known(x)
	if err == nil && (p < rules.None || p >= len(r.Sys.Pits)) {
		err = noPit(r, p, x, diag.Range{})
	}
	return p, err
}

// exists returns a fault if the operand of x has a value that is neither a pit nor None. This
// occurs in no state, since the domains of variables have no such values; but formulas follow paths
// that no state takes.
func exists[V any](r *Run[V], pit int, x *Expr) error {
	if pit >= rules.None && pit < len(r.Sys.Pits) {
		return nil
	}
	return noPit(r, pit, x.X, x.At())
}

// noPit returns the fault for a number that is no pit.
func noPit[V any](r *Run[V], pit int, x *Expr, at diag.Range) error {
	return r.D.Fault(diag.NoValue, r.Place(at), func() (string, string) {
		return fmt.Sprintf("there is no pit %d", pit) + which(r.Sys, ": ", x), ""
	})
}

// pit evaluates an expression that must give a known pit.
func (r *Run[V]) pit(x *Expr) (int, error) {
	p, err := r.pitOrNone(x)
	if err == nil && p == rules.None {
		err = nonePit(r, x, diag.Range{})
	}
	return p, err
}
