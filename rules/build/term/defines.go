package term

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// readDefinition resolves the use of a definition: its expression with the arguments for its
// parameters. Names bound where it is used are not visible inside it, apart from the arguments.
func readDefinition(e Env, ref bind.Ref, args []ast.Expr, at diag.Range) Value {
	d := e.Game.Bound.Definition(ref.Symbol)
	if len(args) != len(d.Params) {
		return e.mistake(diag.Arity, at, "`%s` takes %s, here are %d", d.Name.Name, Plural(len(d.Params), "argument"), len(args))
	}
	n := len(*e.Game.Run.Diags)
	given := make([]Value, 0, mostKnown)
	for i, p := range d.Params {
		given = append(given, Argument(e, p, args[i]))
	}
	if len(*e.Game.Run.Diags) > n {
		return Bad
	}
	u, fixed := useOf(e, ref.Symbol, given)
	if v, known := e.Game.values[u]; known && fixed {
		return v
	}
	inner := e
	inner.Locals, inner.Ranking = nil, false
	for i := range given {
		inner.Bind(d.Formals[i], given[i])
	}
	out := inner.Expr(d.Value)
	if _, known := ConstOf(out.X); known && fixed && len(*e.Game.Run.Diags) == n {
		e.Game.values[u] = out
	}
	e.Game.Run.NoteUse(n, at, "definition", d.Name.Name)
	return out
}

// use is a use of a definition with arguments that are known before play. Its value is found once
// if it is known, too.
type use struct {
	of            *bind.Symbol
	place         place
	mover         int
	reacts, falls bool
	sown          bool
	lap           SownAlong
	args          [mostKnown]rules.Const
}

// mostKnown is how many arguments a use has at most.
const mostKnown = 3

// useOf returns the use of a definition with these arguments. ok is false if one is not known
// before play or is no single value, and outside guards and bodies, where a name may get another
// value.
func useOf(e Env, of *bind.Symbol, given []Value) (u use, ok bool) {
	if e.Place != InGuard && e.Place != InBody || len(given) > mostKnown {
		return use{}, false
	}
	u = use{of: of, place: e.Place, mover: e.Mover, reacts: e.Reacts, falls: e.Falls, sown: e.Sown, lap: e.Lap}
	for i := range given {
		if u.args[i], ok = given[i].X.(rules.Const); !ok {
			return use{}, false
		}
	}
	return u, len(given) > 0
}

// NoteUse adds the place where a definition or procedure is used to the mistakes from number n on,
// which are in its text.
func (r *Run) NoteUse(n int, at diag.Range, kind, name string) {
	for i := n; i < len(*r.Diags); i++ {
		x := &(*r.Diags)[i]
		x.Notes = append(slices.Clip(x.Notes), diag.Note{Range: at, Message: "as the " + kind + " `" + name + "` reads here"})
	}
}

// Argument resolves an argument and converts it to the sort of its parameter.
func Argument(e Env, p ast.Formal, x ast.Expr) Value {
	t, ok := e.Game.sort(&p.Sort)
	if !ok {
		return Bad
	}
	v, at := e.Expr(x), x.Span()
	switch t.Kind {
	case PitKind:
		if v.Type.Kind == PitKind {
			return v
		}
		return PitValue(AsPit(e, v, at))
	case SetKind:
		return Value{Type: t, Set: AsSet(e, v, at), owner: v.owner}
	case LapKind:
		if v.Type.Kind != LapKind {
			e.Game.Run.Mismatch(at, "a lap", v)
			return Bad
		}
		return v
	}
	if t.Kind == PlayerKind {
		t.Nobody = v.Type.Nobody || IsNone(v)
	}
	return Value{Type: t, X: AsType(e, t, v, at)}
}

// sorts lists the sorts of parameters that exist in every variant. State variables with named
// values are sorts, too.
var sorts = []struct {
	name string
	kind kind
}{{"number", IntKind}, {"bool", BoolKind}, {"pit", PitKind}, {"player", PlayerKind}, {"lap", LapKind}, {"set", SetKind}}

// sort returns the type that a sort stands for.
func (s *Scope) sort(of *ast.Sort) (Type, bool) {
	var names []string
	for _, own := range sorts {
		if own.name == of.Name {
			return Type{Kind: own.kind}, true
		}
		names = append(names, own.name)
	}
	if v := s.Variable(s.Bound.Symbol(of.Name)); v != nil && v.Type.Kind == EnumKind {
		return v.Type, true
	}
	for _, v := range s.Vars {
		if v.Type.Kind == EnumKind {
			names = append(names, v.Name)
		}
	}
	d := s.Run.Diags.Errorf(diag.Unknown, of.Range, "`%s` is no sort", of.Name)
	d.WithHelp("a sort is `%s`, or a state variable with values in braces", strings.Join(names[:len(sorts)], "`, `"))
	bind.Suggest(d, of.Name, names)
	return Type{}, false
}
