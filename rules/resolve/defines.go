package resolve

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// maxDefines bounds the definitions that one variant may use: each may nest in the next.
const maxDefines = 1000

// ownWords are names with a meaning of their own besides the functions, which no definition takes.
var ownWords = []string{"pit", "lap", "bool", "set", "outcome", "stuck", "finished", "endless", "start"}

// defines declares the definitions of the files and then those of the variant. A definition may use
// those before it.
func (s *scope) defines() {
	list := slices.Clone(s.unit.Defines)
	for _, item := range s.variant.Items {
		if d, ok := item.(*ast.Define); ok {
			list = append(list, d)
		}
	}
	for _, d := range list {
		if len(s.defs) == maxDefines {
			s.diags.Errorf(diag.TooBig, d.Range, "more than %d definitions for one variant", maxDefines)
			return
		}
		s.define(d)
	}
}

func (s *scope) define(d *ast.Define) {
	if _, function := functions[d.Name.Name]; function || slices.Contains(ownWords, d.Name.Name) {
		s.diags.Errorf(diag.Duplicate, d.Name.Range, "`%s` has a meaning of its own and cannot name a definition", d.Name.Name)
	}
	for i, p := range d.Params {
		same := func(q ast.Formal) bool { return q.Name.Name == p.Name.Name }
		if slices.ContainsFunc(d.Params[:i], same) {
			s.diags.Errorf(diag.Duplicate, p.Name.Range, "`%s` is a parameter of this definition already", p.Name.Name)
		}
	}
	s.declare(d.Name, entity{kind: entDefine, index: len(s.defs)})
	s.defs = append(s.defs, d)
}

// defined is what a definition stands for here: its expression, read with the arguments in the
// place of its parameters and without the names that are bound here.
func (e env) defined(index int, args []ast.Expr, at ast.Node) value {
	d := e.defs[index]
	if index >= e.visible {
		e.later(index, at)
		return bad
	}
	if len(args) != len(d.Params) {
		e.diags.Errorf(diag.Arity, at.Span(), "`%s` takes %s, here are %d", d.Name.Name, plural(len(d.Params), "argument"), len(args))
		return bad
	}
	inner := e
	inner.locals, inner.visible = nil, index
	n := len(*e.diags)
	for i, p := range d.Params {
		inner = inner.with(p.Name.Name, e.argument(p, args[i]))
	}
	if len(*e.diags) > n {
		return bad
	}
	out := inner.expr(d.Value)
	for i := n; i < len(*e.diags); i++ {
		x := &(*e.diags)[i]
		x.Notes = append(x.Notes, diag.Note{Range: at.Span(), Message: "as the definition `" + d.Name.Name + "` reads here"})
	}
	return out
}

// later reports a definition that is used in itself or in one before it.
func (s *scope) later(index int, at ast.Node) {
	name := s.defs[index].Name
	d := s.diags.Errorf(diag.Circular, at.Span(), "`%s` cannot be used here: a definition uses only those before it", name.Name)
	d.Notes = append(d.Notes, diag.Note{Range: name.Range, Message: "defined here"})
}

// argument is the value of an argument, which is of the sort of its parameter.
func (e env) argument(p ast.Formal, x ast.Expr) value {
	t, ok := e.sort(p.Sort)
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
	return value{typ: t, x: e.asType(t, v, at)}
}

// sorts are the types of parameters that every variant has, by their names.
var sorts = []struct {
	name string
	kind kind
}{{"number", kInt}, {"bool", kBool}, {"pit", kPit}, {"player", kPlayer}, {"lap", kLap}, {"set", kSet}}

// sort is the type that a sort names.
func (s *scope) sort(of ast.Sort) (typ, bool) {
	var names []string
	for _, own := range sorts {
		if own.name == of.Name {
			return typ{kind: own.kind}, true
		}
		names = append(names, own.name)
	}
	if ent, ok := s.names[of.Name]; ok && ent.kind == entVar && s.vars[ent.index].typ.kind == kEnum {
		return s.vars[ent.index].typ, true
	}
	for _, v := range s.vars {
		if v.typ.kind == kEnum {
			names = append(names, v.name)
		}
	}
	d := s.diags.Errorf(diag.Unknown, of.Range, "`%s` is no sort", of.Name)
	d.WithHelp("a sort is `%s`, or a state variable with values in braces", strings.Join(names[:len(sorts)], "`, `"))
	suggest(d, of.Name, names)
	return typ{}, false
}
