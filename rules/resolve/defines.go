package resolve

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
)

// defined resolves the use of a definition: its expression with the arguments for its parameters.
// Names bound where it is used are not visible inside it, apart from the arguments.
func (e env) defined(ref bind.Ref, args []ast.Expr, at diag.Range) value {
	d := e.bound.Define(ref.Symbol)
	if len(args) != len(d.Params) {
		e.diags.Errorf(diag.Arity, at, "`%s` takes %s, here are %d", d.Name.Name, plural(len(d.Params), "argument"), len(args))
		return bad
	}
	inner := e
	inner.locals, inner.ranking = nil, false
	n := len(*e.diags)
	for i, p := range d.Params {
		inner.bind(d.Formals[i], e.argument(p, args[i]))
	}
	if len(*e.diags) > n {
		return bad
	}
	out := inner.expr(d.Value)
	e.noteUse(n, at, "definition", d.Name.Name)
	return out
}

// noteUse adds the place where a definition or procedure is used to the mistakes from number n on,
// which are in its text.
func (r *run) noteUse(n int, at diag.Range, kind, name string) {
	for i := n; i < len(*r.diags); i++ {
		x := &(*r.diags)[i]
		x.Notes = append(slices.Clip(x.Notes), diag.Note{Range: at, Message: "as the " + kind + " `" + name + "` reads here"})
	}
}

// argument resolves an argument and converts it to the sort of its parameter.
func (e env) argument(p ast.Formal, x ast.Expr) value {
	t, ok := e.sort(&p.Sort)
	if !ok {
		return bad
	}
	v, at := e.expr(x), x.Span()
	switch t.kind {
	case kPit:
		if v.typ.kind == kPit {
			return v
		}
		return pitValue(e.asPit(v, at))
	case kSet:
		return value{typ: t, set: e.asSet(v, at), owner: v.owner}
	case kLap:
		if v.typ.kind != kLap {
			e.mismatch(at, "a lap", v)
			return bad
		}
		return v
	}
	if t.kind == kPlayer {
		t.nobody = v.typ.nobody || isNone(v)
	}
	return value{typ: t, x: e.asType(t, v, at)}
}

// sorts lists the sorts of parameters that exist in every variant. State variables with named
// values are sorts, too.
var sorts = []struct {
	name string
	kind kind
}{{"number", kInt}, {"bool", kBool}, {"pit", kPit}, {"player", kPlayer}, {"lap", kLap}, {"set", kSet}}

// sort returns the type that a sort stands for.
func (s *scope) sort(of *ast.Sort) (typ, bool) {
	var names []string
	for _, own := range sorts {
		if own.name == of.Name {
			return typ{kind: own.kind}, true
		}
		names = append(names, own.name)
	}
	if ent, ok := s.made[s.bound.Symbol(of.Name)]; ok && ent.kind == entVar && s.vars[ent.index].typ.kind == kEnum {
		return s.vars[ent.index].typ, true
	}
	for _, v := range s.vars {
		if v.typ.kind == kEnum {
			names = append(names, v.name)
		}
	}
	d := s.diags.Errorf(diag.Unknown, of.Range, "`%s` is no sort", of.Name)
	d.WithHelp("a sort is `%s`, or a state variable with values in braces", strings.Join(names[:len(sorts)], "`, `"))
	bind.Suggest(d, of.Name, names)
	return typ{}, false
}
