package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// either returns the value of a conditional expression x. Its sort does not depend on the
// condition: where one branch is a number, a pit in the other one stands for its seeds.
func (e laps) either(x *ast.Cond, b branches) value {
	l, r := b.l, b.r
	switch lk, rk := l.typ.kind, r.typ.kind; {
	case lk == kBad || rk == kBad:
		return bad
	case lk == kInt && isPitLike(r.value) || rk == kInt && isPitLike(l.value):
		return number(b.choose(e.asInt(l.value, l.at), e.asInt(r.value, r.at)))
	case e.place == inSetup && isSet(l.value) && isSet(r.value):
		e.diags.Errorf(diag.Misplaced, x.Range, "in a setup a conditional expression is a number or a condition, and this one is a pit or a set").
			WithHelp("write a condition for each case: `E = 1 if C else F = 1`")
		return bad
	case e.onePit(l.value) && e.onePit(r.value):
		return e.eitherPit(b)
	case isSet(l.value) && isSet(r.value):
		return e.eitherSet(b)
	case lk == kLap && rk == kLap:
		return e.eitherLap(b)
	case lk == kEnumName && rk == kEnumName:
		return value{typ: typ{kind: kEnumName}, either: &b}
	case lk == kEnumName && rk == kEnum:
		return value{typ: r.typ, x: b.choose(e.asEnum(r.typ, l.value, l.at), r.x)}
	case (isNone(l.value) || lk == kPlayer) && (isNone(r.value) || rk == kPlayer):
		t := typ{kind: kPlayer, nobody: l.typ.nobody || r.typ.nobody || lk != rk}
		return value{typ: t, x: b.choose(e.asType(somebody, l.value, l.at), e.asType(somebody, r.value, r.at))}
	case l.x == nil || lk == kLap:
		e.mismatch(l.at, "a value", l.value)
		return bad
	}
	before := len(*e.diags)
	out := value{typ: l.typ, x: b.choose(l.x, e.asType(l.typ, r.value, r.at))}
	if len(*e.diags) > before {
		e.looseHelp(&(*e.diags)[before], x)
		return bad
	}
	return out
}

// looseHelp explains a mistake that comes of an operator before a conditional expression, which is
// a part of its first branch.
func (e laps) looseHelp(d *diag.Diagnostic, x *ast.Cond) {
	switch then := x.Then.(type) {
	case *ast.Binary:
		d.WithHelp("`if` takes in all that stands before it: put `%s if … else …` in parentheses", e.source(then.R.Span()))
	case *ast.EachCmp:
		d.WithHelp("`if` takes in all that stands before it: put `%s if … else …` in parentheses", e.source(then.R.Span()))
	}
}

// eitherPit is one of two pits. It is no pit that is written out, whatever is known of the
// condition.
func (e laps) eitherPit(b branches) value {
	l, r := b.l, b.r
	out := pitValue(b.choose(e.asPit(l.value, l.at), e.asPit(r.value, r.at)))
	if l.held != nil || r.held != nil {
		out.held = b.choose(e.asInt(l.value, l.at), e.asInt(r.value, r.at))
	}
	return out
}

// isSet reports whether v is a pit, a set, or empty braces.
func isSet(v value) bool {
	return isPitLike(v) || v.typ.kind == kList && len(v.list) == 0
}

// eitherSet has the members of one set where the condition holds, and those of the other elsewhere,
// each in its order.
func (e laps) eitherSet(b branches) value {
	out := value{typ: typ{kind: kSet}, set: setValue{once: true}}
	add := func(o operand, cond rules.Expr) {
		for _, m := range e.distinct(e.asSet(o.value, o.at)).elems {
			if c := andCond(cond, orTrue(m.cond)); c != rules.False {
				out.set.elems = append(out.set.elems, elem{m.pit, c})
			}
		}
	}
	add(b.l, b.cond)
	add(b.r, simple(rules.Not{X: b.cond}))
	return out
}

// eitherLap is one of two laps. Which one is known only in play, whatever is known of the
// condition.
func (e laps) eitherLap(b branches) value {
	l, r := b.l, b.r
	out := value{typ: l.typ, x: b.choose(e.lapName(l.value), e.lapName(r.value))}
	byName := func(v value) bool { return v.x != nil && v.cases == nil }
	if byName(l.value) && byName(r.value) || e.mover == anyMover && (byName(l.value) || byName(r.value)) {
		return out
	}
	out.cases = []lapCase{}
	add := func(o operand, cond rules.Expr) {
		for _, c := range e.casesOf(o.value, o.at) {
			if is := rules.Join(rules.And, cond, orTrue(c.cond)); is != rules.False {
				out.cases = append(out.cases, lapCase{is, c.lap})
			}
		}
	}
	add(l, b.cond)
	add(r, simple(rules.Not{X: b.cond}))
	return out
}
