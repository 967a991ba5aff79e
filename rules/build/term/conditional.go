package term

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// either returns the value of a conditional expression x. Its sort does not depend on the
// condition: where one branch is a number, a pit in the other one stands for its seeds.
func either(e Env, x *ast.Cond, b branches) Value {
	l, r := b.l, b.r
	switch lk, rk := l.Type.Kind, r.Type.Kind; {
	case lk == BadKind || rk == BadKind:
		return Bad
	case lk == IntKind && isPitLike(r.Value) || rk == IntKind && isPitLike(l.Value):
		return Number(b.choose(asInt(e, l.Value, l.at), asInt(e, r.Value, r.at)))
	case e.Place == InSetup && isSet(l.Value) && isSet(r.Value):
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "in a setup a conditional expression is a number or a condition, and this one is a pit or a set").
			WithHelp("write a condition for each case: `E = 1 if C else F = 1`")
		return Bad
	case OnePit(e, l.Value) && OnePit(e, r.Value):
		return eitherPit(e, b)
	case isSet(l.Value) && isSet(r.Value):
		return eitherSet(e, b)
	case lk == LapKind && rk == LapKind:
		return eitherLap(e, b)
	case lk == EnumNameKind && rk == EnumNameKind:
		return Value{Type: Type{Kind: EnumNameKind}, Either: &b}
	case lk == EnumNameKind && rk == EnumKind:
		return Value{Type: r.Type, X: b.choose(asEnum(e, r.Type, l.Value, l.at), r.X)}
	case (IsNone(l.Value) || lk == PlayerKind) && (IsNone(r.Value) || rk == PlayerKind):
		t := Type{Kind: PlayerKind, Nobody: l.Type.Nobody || r.Type.Nobody || lk != rk}
		return Value{Type: t, X: b.choose(AsType(e, somebody, l.Value, l.at), AsType(e, somebody, r.Value, r.at))}
	case l.X == nil || lk == LapKind:
		e.Game.Run.Mismatch(l.at, "a value", l.Value)
		return Bad
	}
	before := len(*e.Game.Run.Diags)
	out := Value{Type: l.Type, X: b.choose(l.X, AsType(e, l.Type, r.Value, r.at))}
	if len(*e.Game.Run.Diags) > before {
		looseHelp(e, &(*e.Game.Run.Diags)[before], x)
		return Bad
	}
	return out
}

// looseHelp explains a mistake that comes of an operator before a conditional expression, which is
// a part of its first branch.
func looseHelp(e Env, d *diag.Diagnostic, x *ast.Cond) {
	switch then := x.Then.(type) {
	case *ast.Binary:
		d.WithHelp("`if` takes in all that stands before it: put `%s if … else …` in parentheses", e.Game.Source(then.R.Span()))
	case *ast.EachCmp:
		d.WithHelp("`if` takes in all that stands before it: put `%s if … else …` in parentheses", e.Game.Source(then.R.Span()))
	}
}

// eitherPit is one of two pits. It is no pit that is written out, whatever is known of the
// condition.
func eitherPit(e Env, b branches) Value {
	l, r := b.l, b.r
	out := PitValue(b.choose(AsPit(e, l.Value, l.at), AsPit(e, r.Value, r.at)))
	if l.held != nil || r.held != nil {
		out.held = b.choose(asInt(e, l.Value, l.at), asInt(e, r.Value, r.at))
	}
	return out
}

// isSet reports whether v is a pit, a set, or empty braces.
func isSet(v Value) bool {
	return isPitLike(v) || v.Type.Kind == ListKind && len(v.List) == 0
}

// eitherSet has the members of one set where the condition holds, and those of the other elsewhere,
// each in its order.
func eitherSet(e Env, b branches) Value {
	out := Value{Type: Type{Kind: SetKind}, Set: PitSet{once: true}}
	add := func(o operand, cond rules.Expr) {
		for _, m := range Distinct(e, AsSet(e, o.Value, o.at)).Elems {
			if c := rules.Join(rules.And, cond, m.Cond); c != rules.False {
				out.Set.Elems = append(out.Set.Elems, elem{m.Pit, c})
			}
		}
	}
	add(b.l, b.cond)
	add(b.r, Simple(rules.Not{X: b.cond}))
	return out
}

// eitherLap is one of two laps. Which one is known only in play, whatever is known of the
// condition.
func eitherLap(e Env, b branches) Value {
	l, r := b.l, b.r
	out := Value{Type: l.Type, X: b.choose(lapName(e, l.Value), lapName(e, r.Value))}
	byName := func(v Value) bool { return v.X != nil && v.Cases == nil }
	if byName(l.Value) && byName(r.Value) || e.Mover == anyMover && (byName(l.Value) || byName(r.Value)) {
		return out
	}
	out.Cases = []LapCase{}
	add := func(o operand, cond rules.Expr) {
		for _, c := range CasesOf(e, o.Value, o.at) {
			if is := rules.Join(rules.And, cond, c.Cond); is != rules.False {
				out.Cases = append(out.Cases, LapCase{is, c.Lap})
			}
		}
	}
	add(l, b.cond)
	add(r, Simple(rules.Not{X: b.cond}))
	return out
}
