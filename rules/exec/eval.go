package exec

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Expr is an expression that was read once to be evaluated often. What a domain needs of it is
// exported.
type Expr struct {
	Of    rules.Expr   // what was read
	Op    rules.Op     // of a binary operator
	Table *rules.Table // of a lookup

	sort        rules.Sort // of a cell, with its slot or index x
	slot        int
	list        []int   // the pits of a sum; the variables that an index chooses from, nil if it chooses a pit
	X, Right, z *Expr   // operands in the order of the text
	Parts       []*Expr // of a chain of one `and` or `or`, which has no X
}

// ReadExpr reads an expression; nil if there is none.
func ReadExpr(x rules.Expr) *Expr {
	e := &Expr{Of: x}
	switch x := x.(type) {
	case nil:
		return nil
	case rules.Const, rules.OpenParam, rules.Question:
	case rules.Cell:
		e.sort, e.slot, e.list, e.X = x.Sort, x.Slot, x.Table, ReadExpr(x.Index)
	case rules.Sum:
		e.list = x.Pits
	case rules.Lookup:
		e.Table, e.X = x.Table, ReadExpr(x.X)
	case rules.Not:
		e.X = ReadExpr(x.X)
	case rules.Binary:
		if e.Op = x.Op; x.Op == rules.And || x.Op == rules.Or {
			e.Parts = chain(x)
		} else {
			e.X, e.Right = ReadExpr(x.L), ReadExpr(x.R)
		}
	case rules.Cond:
		e.X, e.Right, e.z = ReadExpr(x.If), ReadExpr(x.Then), ReadExpr(x.Else)
	case rules.Old:
		e.X = ReadExpr(x.X)
	}
	return e
}

// constant returns the number that is always the value. Of no expression it is 0.
func (e *Expr) constant() (n int, is bool) {
	if e == nil {
		return 0, true
	}
	c, is := e.Of.(rules.Const)
	return c.Value, is
}

// At is the place of a fault.
func (e *Expr) At() diag.Range {
	if c, is := e.Of.(rules.Cell); is {
		return c.At
	}
	if l, is := e.Of.(rules.Lookup); is {
		return l.At
	}
	b, _ := e.Of.(rules.Binary)
	return b.At
}

// chain reads the parts that one operator joins. Setups and guards are long chains, nested to the
// left.
func chain(x rules.Binary) []*Expr {
	if inner, is := x.L.(rules.Binary); is && inner.Op == x.Op {
		return append(chain(inner), ReadExpr(x.R))
	}
	return []*Expr{ReadExpr(x.L), ReadExpr(x.R)}
}

// errOpen says that a value is no known number: it is r.open.
var errOpen = errors.New("exec: the value is not known")

// Eval evaluates an expression.
func (r *Run[V]) Eval(x *Expr) (V, error) {
	n, err := r.eval(x)
	switch err {
	case nil:
		return r.D.Const(n), nil
	case errOpen:
		return r.open, nil
	}
	return fail[V](err)
}

// eval evaluates an expression to a known number; the error is errOpen for another value. Operands
// are evaluated from left to right, and both sides of an operator even if one decides the result,
// so that all domains have the same fault first. What known numbers come to is said here. The rest
// is left to the domain, as are conditional forms if it may not know which way to go.
func (r *Run[V]) eval(x *Expr) (int, error) {
	switch of := x.Of.(type) {
	case rules.Const:
		return of.Value, nil
	case rules.OpenParam:
		return r.given(r.D.Param(of.Param))
	case rules.Cell:
		return r.cell(x)
	case rules.Sum:
		return r.sum(x)
	case rules.Lookup:
		return r.lookup(x)
	case rules.Not:
		n, err := r.eval(x.X)
		switch err {
		case nil:
			return num.Truth(n == 0), nil
		case errOpen:
			return r.given(r.D.Not(r.open), nil)
		}
		return 0, err
	case rules.Binary:
		if x.Parts != nil {
			return r.junction(x)
		}
		return r.binary(x)
	case rules.Cond:
		return r.branch(x)
	case rules.Question:
		return r.given(r.D.Ask(of))
	case rules.Old:
		return r.given(r.D.Old(x.X))
	}
	return 0, fmt.Errorf("exec: unknown expression %T", x.Of)
}

// given takes a value from the domain.
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

// fail returns no value and an error.
func fail[V any](err error) (V, error) {
	var none V
	return none, err
}

// Holds evaluates a condition and reports whether it holds.
func (r *Run[V]) Holds(x *Expr) (bool, error) {
	n, err := r.eval(x)
	if err == errOpen {
		return r.D.Decide(r.open)
	}
	return n != 0, err
}

// binary evaluates a binary operator.
func (r *Run[V]) binary(x *Expr) (int, error) {
	left, err := r.eval(x.X)
	if err != nil {
		l := r.open
		if err == errOpen {
			v, err := r.Eval(x.Right)
			if err != nil {
				return 0, err
			}
			return r.given(r.D.Apply(x, l, v))
		}
		return 0, err
	}
	right, err := r.eval(x.Right)
	switch err {
	case nil:
		if n, err := rules.Apply(x.Op, left, right); err == nil {
			return n, nil
		}
		return r.given(r.D.Apply(x, r.D.Const(left), r.D.Const(right)))
	case errOpen:
		return r.given(r.D.Apply(x, r.D.Const(left), r.open))
	}
	return 0, err
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

// branch evaluates one of two expressions.
func (r *Run[V]) branch(x *Expr) (int, error) {
	n, err := r.eval(x.X)
	switch {
	case err == errOpen:
		return r.given(r.D.Choose(r.open, x.Right, x.z))
	case err != nil:
		return 0, err
	case n != 0:
		return r.eval(x.Right)
	}
	return r.eval(x.z)
}

// Either evaluates yes if holds, and otherwise no. err is that of the condition.
func (r *Run[V]) Either(holds bool, err error, yes, no *Expr) (V, error) {
	switch {
	case err != nil:
		return fail[V](err)
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

// cell reads a cell. The registers of the last sowing have no value before the first one. The error
// for a local or register that cannot be read is a mistake in the System, not a fault of the rules.
func (r *Run[V]) cell(x *Expr) (int, error) {
	switch {
	case x.sort == rules.LocalCell && x.slot < len(r.Locals):
		if r.ints != nil {
			return r.ints.Locals[x.slot], nil
		}
		return r.given(r.Locals[x.slot], nil)
	case x.sort == rules.LocalCell:
		return 0, errors.New("exec: a local outside the body that it belongs to")
	case x.sort != rules.RegisterCell && x.X != nil:
		return r.chosenPart(x)
	case x.sort != rules.RegisterCell:
		return r.part(x.sort, x.slot)
	case x.slot == rules.MoverReg:
		return r.given(r.S.Mover, nil)
	case x.slot == rules.OutcomeReg:
		return r.given(r.S.Outcome, nil)
	case x.slot > rules.OriginReg:
		return 0, fmt.Errorf("exec: register %d cannot be read", x.slot)
	case r.Sown.Set[x.slot]:
		return r.given(r.Sown.Values[x.slot], nil)
	}
	return 0, r.D.Fault(diag.NoValue, r.Place(x.At()), func() (string, string) {
		return fmt.Sprintf("`%s` has no value: nothing was sown yet", registers[x.slot]), ""
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
			return r.given(r.D.ReadAny(x.sort, index))
		}
	}
	if err == nil {
		n, err = r.chosen(x, n)
	}
	if err != nil {
		return 0, err
	}
	return r.part(x.sort, n)
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
		if _, plain := x.constant(); plain {
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

// lookup looks up what the board says of a pit.
func (r *Run[V]) lookup(x *Expr) (int, error) {
	pit, err := r.eval(x.X)
	switch err {
	case nil:
		return r.Entry(x, pit)
	case errOpen:
		return r.given(r.D.Lookup(x, r.open))
	}
	return 0, err
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
