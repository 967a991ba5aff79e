package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// A pit is a place, and stands for its seeds only beside a number. Two pits side by side are
// compared as places if one of them is found in play, and are a mistake otherwise.

// operand is a side of an operator or an argument of a function.
type operand struct {
	value
	at diag.Range
}

// onePit tells whether a value is a pit or a set that stands for one.
func (e env) onePit(v value) bool {
	if v.typ.kind != kSet {
		return v.typ.kind == kPit
	}
	_, single := v.set.single()
	_, owned := e.byOwner(v.set, e.ownerOf(v))
	return single || owned
}

// numbers resolves both operands to numbers. pattern is how their seeds are joined.
func (e env) numbers(l, r operand, pattern string) (rules.Expr, rules.Expr) {
	if e.onePit(l.value) && e.onePit(r.value) {
		e.twoPits(l, r, pattern)
		return rules.Number(0), rules.Number(0)
	}
	return e.asInt(l.value, l.at), e.asInt(r.value, r.at)
}

// twoPits reports pits that are joined as if they were numbers.
func (e env) twoPits(l, r operand, pattern string) {
	seeds := func(o operand) string { return "seeds(" + e.unit.text(o.at) + ")" }
	e.diags.Errorf(diag.TwoPits, l.at.To(r.at), "these are two pits, and a pit is a place").
		WithHelp("write `%s`", fmt.Sprintf(pattern, seeds(l), seeds(r)))
}

// samePlace is whether two pits are, or are not, the same place.
func (e env) samePlace(op rules.Op, l, r operand) rules.Expr {
	if l.spelled && r.spelled {
		e.twoPits(l, r, "%s "+op.String()+" %s")
		return rules.False
	}
	return simple(rules.Binary{Op: op, L: e.asPit(l.value, l.at), R: e.asPit(r.value, r.at)})
}

// letUse counts what the name of a pit is used for in the rules.
type letUse struct{ numbers, places int }

// letUse is the count for a `let` of a pit, over all actions.
func (b *builder) letUse(s *ast.Let, v value) *letUse {
	if v.typ.kind != kPit {
		return nil
	}
	if b.lets == nil {
		b.lets = map[*ast.Let]*letUse{}
	}
	if b.lets[s] == nil {
		b.lets[s] = &letUse{}
	}
	return b.lets[s]
}

// remark tells of names for pits that are used only as numbers. The seeds are those of the moment
// of use, and not those of the `let`.
func (b *builder) remark() {
	if b.unit.Remarks == nil {
		return
	}
	for s, u := range b.lets {
		if u.numbers > 0 && u.places == 0 {
			b.unit.Remarks.Warnf(diag.PlaceAsNumber, s.Name.Range, "`%s` is a place, and is used only as a number", s.Name.Name).
				WithHelp("for the seeds that lie there now write `let %s = seeds(%s)`", s.Name.Name, b.unit.text(s.Value.Span()))
		}
	}
}
