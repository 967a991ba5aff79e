package exec

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Eval evaluates an expression. Operands are evaluated from left to right, and both sides of an
// operator even if one decides the result, so that all domains have the same fault first.
// Conditional forms are left to the domain, which may not know which way to go.
func (r *Run[V]) Eval(x rules.Expr) (V, error) {
	switch x := x.(type) {
	case rules.Const:
		return r.D.Const(x.Value), nil
	case rules.OpenParam:
		return r.D.Param(x.Param)
	case rules.Cell:
		return r.cell(x)
	case rules.Sum:
		return r.D.Sum(x.Pits)
	case rules.Lookup:
		v, err := r.Eval(x.X)
		if err != nil {
			return v, err
		}
		return r.D.Lookup(x, v)
	case rules.Not:
		v, err := r.Eval(x.X)
		if err != nil {
			return v, err
		}
		return r.D.Not(v), nil
	case rules.Binary:
		return r.binary(x)
	case rules.Cond:
		return r.D.Choose(x)
	case rules.Question:
		return r.D.Ask(x)
	case rules.Old:
		return r.D.Old(x.X)
	}
	return fail[V](fmt.Errorf("exec: unknown expression %T", x))
}

// fail returns no value and an error.
func fail[V any](err error) (V, error) {
	var none V
	return none, err
}

// Holds evaluates a condition and reports whether it holds.
func (r *Run[V]) Holds(x rules.Expr) (bool, error) {
	v, err := r.Eval(x)
	if err != nil {
		return false, err
	}
	return r.D.Decide(v)
}

// binary evaluates a binary operator. `and` and `or` are conditional: their right side may have a
// fault where the left one decides.
func (r *Run[V]) binary(x rules.Binary) (V, error) {
	if x.Op == rules.And || x.Op == rules.Or {
		return r.D.Junction(x)
	}
	left, err := r.Eval(x.L)
	if err != nil {
		return left, err
	}
	right, err := r.Eval(x.R)
	if err != nil {
		return right, err
	}
	return r.D.Apply(x, left, right)
}

// ShortCircuit is Junction for domains that decide the left side.
func (r *Run[V]) ShortCircuit(x rules.Binary) (V, error) {
	holds, err := r.chain(&x)
	return r.D.Const(num.Truth(holds)), err
}

// chain evaluates the parts that one operator joins, up to the first that decides. Setups and
// guards are long chains, nested to the left, so the recursion is only along the nesting.
func (r *Run[V]) chain(x *rules.Binary) (holds bool, err error) {
	if inner, ok := x.L.(rules.Binary); ok && inner.Op == x.Op {
		holds, err = r.chain(&inner)
	} else {
		holds, err = r.Holds(x.L)
	}
	if err != nil || holds == (x.Op == rules.Or) {
		return holds, err
	}
	return r.Holds(x.R)
}

// Branch is Choose for domains that decide the condition.
func (r *Run[V]) Branch(x rules.Cond) (V, error) {
	holds, err := r.Holds(x.If)
	switch {
	case err != nil:
		return fail[V](err)
	case holds:
		return r.Eval(x.Then)
	}
	return r.Eval(x.Else)
}

// cell reads a cell. The error for a local or register that cannot be read is a mistake in the
// System, not a fault of the rules.
func (r *Run[V]) cell(c rules.Cell) (V, error) {
	switch c.Sort {
	case rules.LocalCell:
		if c.Slot < len(r.Locals) {
			return r.Locals[c.Slot], nil
		}
		return fail[V](fmt.Errorf("exec: a local outside the body that it belongs to"))
	case rules.RegisterCell:
		return r.register(c)
	}
	slot, index, known, err := r.slot(c)
	switch {
	case err != nil:
		return fail[V](err)
	case !known:
		return r.D.ReadAny(c, index)
	}
	return r.D.Read(c.Sort, slot)
}

var registers = [...]string{rules.LastReg: "last", rules.LastWasReg: "last was", rules.OriginReg: "origin"}

// register reads a register. The registers of the last sowing have no value before the first one.
func (r *Run[V]) register(c rules.Cell) (V, error) {
	switch c.Slot {
	case rules.LastReg, rules.LastWasReg, rules.OriginReg:
		if r.sown.Set[c.Slot] {
			return r.sown.Values[c.Slot], nil
		}
		return fail[V](r.D.Fault(diag.NoValue, r.Place(c.At), func() (string, string) {
			return fmt.Sprintf("`%s` has no value: nothing was sown yet", registers[c.Slot]), ""
		}))
	case rules.MoverReg:
		return r.S.Mover, nil
	case rules.OutcomeReg:
		return r.S.Outcome, nil
	}
	return fail[V](fmt.Errorf("exec: register %d cannot be read", c.Slot))
}

// slot returns the slot of a cell. If an index chooses it, and Pick does not know the index, known
// is false and the index is returned.
func (r *Run[V]) slot(c rules.Cell) (slot int, index V, known bool, err error) {
	if c.Index == nil {
		return c.Slot, index, true, nil
	}
	if index, err = r.Eval(c.Index); err != nil {
		return 0, index, false, err
	}
	n, known, err := r.D.Pick(index)
	if err == nil && known {
		n, err = r.chosen(c, n)
	}
	return n, index, known, err
}

// chosen returns the pit or variable that the value n of an index chooses.
func (r *Run[V]) chosen(c rules.Cell, n int) (int, error) {
	switch {
	case c.Table == nil && n == rules.None:
		return 0, r.nonePit(c.Index, c.At)
	case c.Table == nil:
		return n, r.exists(n, c.Index, c.At)
	case n >= 0 && n < len(c.Table) && c.Table[n] >= 0:
		return c.Table[n], nil
	case n == rules.None:
		return 0, r.D.Fault(diag.NonePit, r.Place(c.At), func() (string, string) {
			return "`none` chooses no variable" + which(r.Sys, ": ", c.Index), ""
		})
	}
	return 0, r.D.Fault(diag.NoValue, r.Place(c.At), func() (string, string) {
		return "there is no such variable" + which(r.Sys, " for ", c.Index), ""
	})
}

// nonePit returns the fault for `none` in the place of a pit. It names the expression, unless that
// is just `none`.
func (r *Run[V]) nonePit(x rules.Expr, at diag.Range) error {
	return r.D.Fault(diag.NonePit, r.Place(at), func() (string, string) {
		if _, plain := x.(rules.Const); plain {
			return "`none` is used as a pit", ""
		}
		return "`none` is used as a pit" + which(r.Sys, ": ", x), ""
	})
}

// which is an expression behind some words, for a message. It is empty if the rules do not write it
// so.
func which(sys *rules.System, words string, x rules.Expr) string {
	if text := rules.Wording(sys, x); text != "" {
		return words + text
	}
	return ""
}

// Entry returns the entry of x.Table for a known pit.
func (r *Run[V]) Entry(x rules.Lookup, pit int) (int, error) {
	if err := r.exists(pit, x.X, x.At); err != nil {
		return 0, err
	}
	v, ok := x.Table.Entry(pit)
	if !ok {
		return 0, r.nonePit(x.X, x.At)
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

// PitOrNone evaluates an expression that must give a known pit, or `none`.
func (r *Run[V]) PitOrNone(x rules.Expr) (int, error) {
	v, err := r.Eval(x)
	if err != nil {
		return 0, err
	}
	p, err := r.Known(v)
	if err != nil {
		return 0, err
	}
	return p, r.exists(p, x, diag.Range{})
}

// exists returns a fault if x has a value that is neither a pit nor None. This occurs in no state,
// since the domains of variables have no such values; but formulas follow paths that no state
// takes.
func (r *Run[V]) exists(pit int, x rules.Expr, at diag.Range) error {
	if pit >= rules.None && pit < len(r.Sys.Pits) {
		return nil
	}
	return r.D.Fault(diag.NoValue, r.Place(at), func() (string, string) {
		return fmt.Sprintf("there is no pit %d", pit) + which(r.Sys, ": ", x), ""
	})
}

// Pit evaluates an expression that must give a known pit.
func (r *Run[V]) Pit(x rules.Expr) (int, error) {
	p, err := r.PitOrNone(x)
	if err == nil && p == rules.None {
		err = r.nonePit(x, diag.Range{})
	}
	return p, err
}
