package interp

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// unset marks a pit of the running body that is not known yet: nothing was sown.
const unset = rules.None - 1

// frame is all that an expression can speak of.
type frame struct {
	in      *Interp
	s       *rules.State
	old     *rules.State // the state before the step; nil if there is none
	known   *rules.Parts // what may be read of s; nil: everything
	open    []int        // values of open parameters by parameter; nil if they have none
	locals  []int
	last    int
	lastWas int
	origin  int
	at      diag.Range // of the statement under way: serves expressions that have no place of their own
}

// Eval evaluates an expression of a claim in s. Old speaks of the state old, which may be nil if x has no
// Old. Truth values are 0 and 1.
func (in *Interp) Eval(x rules.Expr, s rules.State, old *rules.State) (int, error) {
	f := frame{in: in, s: &s, old: old, last: unset, origin: unset}
	return f.eval(x)
}

// HiddenError says that an expression reads a part of the state that is not known.
type HiddenError struct{ Part string }

func (e *HiddenError) Error() string {
	return fmt.Sprintf("a condition reads `%s`, which was left out of the state", e.Part)
}

// HoldsOn evaluates a condition of a claim in a state of which only some parts are known. Where the evaluation comes to another part
// it fails with a *HiddenError.
func (in *Interp) HoldsOn(x rules.Expr, s rules.State, known rules.Parts) (bool, error) {
	f := frame{in: in, s: &s, known: &known, last: unset, origin: unset}
	return f.holds(x)
}

// Holds evaluates a condition of a claim.
func (in *Interp) Holds(x rules.Expr, s rules.State, old *rules.State) (bool, error) {
	v, err := in.Eval(x, s, old)
	return v != 0, err
}

func (f *frame) holds(x rules.Expr) (bool, error) {
	v, err := f.eval(x)
	return v != 0, err
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *frame) eval(x rules.Expr) (int, error) {
	switch x := x.(type) {
	case rules.Const:
		return x.Value, nil
	case rules.Seeds:
		pit, err := f.pit(x.Pit, x.At)
		if err != nil {
			return 0, err
		}
		return f.s.Seeds[pit], f.mayRead(pit)
	case rules.Sum:
		if err := f.mayRead(x.Pits...); err != nil {
			return 0, err
		}
		return f.total(x.Pits)
	case rules.VarRef:
		i, err := f.variable(x.Table, x.Index, x.At)
		if err != nil {
			return 0, err
		}
		if f.known != nil && !f.known.HasVar(i) {
			return 0, &HiddenError{f.in.sys.Vars[i].Name}
		}
		return f.s.Vars[i], nil
	case rules.Not:
		v, err := f.holds(x.X)
		return truth(!v), err
	case rules.Binary:
		return f.binary(x)
	case rules.Cond:
		return f.cond(x)
	case rules.Mover:
		return f.s.Mover, nil
	case rules.OpenParam:
		return f.openParam(x)
	case rules.Neighbour, rules.OppositeOf, rules.IndexOf, rules.In:
		return f.ofPit(x)
	case rules.Local, rules.Last, rules.LastWas, rules.Origin:
		return f.ofBody(x)
	}
	return f.ofState(x)
}

// mayRead fails if the seeds of one of the pits are not known.
func (f *frame) mayRead(pits ...int) error {
	if f.known == nil {
		return nil
	}
	for _, p := range pits {
		if !f.known.HasPit(p) {
			return &HiddenError{f.in.sys.Pits[p].Name}
		}
	}
	return nil
}

func (f *frame) total(pits []int) (int, error) {
	n := 0
	for _, p := range pits {
		var ok bool
		if n, ok = num.Add(n, f.s.Seeds[p]); !ok {
			return 0, f.in.sys.ManySeeds()
		}
	}
	return n, nil
}

func (f *frame) cond(x rules.Cond) (int, error) {
	yes, err := f.holds(x.If)
	if err != nil {
		return 0, err
	}
	if yes {
		return f.eval(x.Then)
	}
	return f.eval(x.Else)
}

// ofPit evaluates what the board says about a pit. The neighbour and the opposite of none are none, which is in no set.
func (f *frame) ofPit(x rules.Expr) (int, error) {
	if x, ok := x.(rules.IndexOf); ok {
		pit, err := f.pit(x.Pit, x.At)
		if err != nil {
			return 0, err
		}
		return f.in.sys.Pits[pit].Index, nil
	}
	pit, err := f.eval(rules.Children(x)[0])
	if in, ok := x.(rules.In); ok {
		return truth(pit != rules.None && in.Set[pit]), err
	}
	if err != nil || pit == rules.None {
		return rules.None, err
	}
	switch x := x.(type) {
	case rules.Neighbour:
		if lap := &f.in.sys.Laps[x.Lap]; x.Back {
			return lap.Prev[pit], nil
		} else {
			return lap.Next[pit], nil
		}
	default:
		return f.in.sys.Opposite[pit], nil
	}
}

// ofBody evaluates what only a running body knows.
func (f *frame) ofBody(x rules.Expr) (int, error) {
	switch x := x.(type) {
	case rules.Last:
		return f.sown("last", f.last, f.last, x.At)
	case rules.LastWas:
		return f.sown("last was", f.last, f.lastWas, x.At)
	case rules.Origin:
		return f.sown("origin", f.origin, f.origin, x.At)
	case rules.Local:
		if x.Slot < len(f.locals) {
			return f.locals[x.Slot], nil
		}
	}
	return 0, fmt.Errorf("%T outside the body that it belongs to", x)
}

// sown gives v, which has a meaning only after a sowing that has set pit.
func (f *frame) sown(what string, pit, v int, at diag.Range) (int, error) {
	if pit == unset {
		return 0, fault(diag.NoValue, f.place(at), "`%s` has no value: nothing was sown yet", what)
	}
	return v, nil
}

// ofState evaluates what claims say about whole states.
func (f *frame) ofState(x rules.Expr) (int, error) {
	switch x := x.(type) {
	case rules.HasOutcome:
		return truth(f.s.Outcome == x.Outcome), nil
	case rules.IsStuck:
		can, err := f.in.CanMove(*f.s)
		return truth(f.s.Live() && !can), err
	case rules.IsStart:
		if f.known != nil && !f.known.All() {
			return 0, &HiddenError{"start"}
		}
		s := *f.s
		s.Vars = f.in.sys.WithoutGhosts(s.Vars)
		is, err := f.in.IsStart(s)
		return truth(is), err
	case rules.Old:
		if f.old == nil {
			return 0, errors.New("`old` without a state before the step")
		}
		return f.in.Eval(x.X, *f.old, nil)
	}
	return 0, fmt.Errorf("unknown expression %T", x)
}

func (f *frame) openParam(x rules.OpenParam) (int, error) {
	if f.open == nil {
		return 0, undefined("parameter `%s` has no value", f.in.sys.Params[x.Param].Name)
	}
	return f.open[x.Param], nil
}

// pit evaluates an expression that must give a pit.
func (f *frame) pit(x rules.Expr, at diag.Range) (int, error) {
	pit, err := f.eval(x)
	if err == nil && pit == rules.None {
		err = nonePit(f.place(at), f.in.sys, x)
	}
	return pit, err
}

// variable finds the control variable that an index chooses.
func (f *frame) variable(table []int, index rules.Expr, at diag.Range) (int, error) {
	if index == nil {
		return table[0], nil
	}
	i, err := f.eval(index)
	if err != nil {
		return 0, err
	}
	if i == rules.None {
		return 0, fault(diag.NonePit, f.place(at), "`none` chooses no variable: %s", rules.ExprString(f.in.sys, index))
	}
	if i >= len(table) || table[i] < 0 {
		return 0, fault(diag.NoValue, f.place(at), "there is no such variable for %s", rules.ExprString(f.in.sys, index))
	}
	return table[i], nil
}

func (f *frame) place(at diag.Range) diag.Range {
	if at.IsZero() {
		return f.at
	}
	return at
}

func (f *frame) binary(x rules.Binary) (int, error) {
	l, err := f.eval(x.L)
	if err != nil {
		return 0, err
	}
	switch {
	case x.Op == rules.Or && l != 0:
		return 1, nil
	case x.Op == rules.And && l == 0:
		return 0, nil
	}
	r, err := f.eval(x.R)
	if err != nil {
		return 0, err
	}
	v, err := rules.Apply(x.Op, l, r)
	switch err {
	case nil:
		return v, nil
	case num.ErrZero:
		return 0, fault(diag.DivZero, f.place(x.At), "division by zero: %s is 0", rules.ExprString(f.in.sys, x.R))
	}
	return 0, rules.BeyondRange(f.place(x.At), rules.ExprString(f.in.sys, x))
}
