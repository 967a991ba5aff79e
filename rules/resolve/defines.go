package resolve

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// maxDefines bounds the definitions and procedures of one variant. Each may use the ones before it,
// so they may nest as deep.
const maxDefines = 1000

// ownWords lists names, besides those of functions, that have a meaning of their own and cannot
// name a definition or a procedure.
var ownWords = []string{"pit", "lap", "bool", "set", "outcome", "stuck", "finished", "endless", "start"}

// defines declares the definitions and procedures of the files, then those of the variant. Each may
// use those declared before it.
func (s *scope) defines() {
	var list []ast.Node
	for _, d := range s.unit.Defines {
		list = append(list, d)
	}
	for _, item := range s.variant.Items {
		list = append(list, item)
	}
	for _, n := range list {
		if len(s.defs)+len(s.procs) > maxDefines {
			s.diags.Errorf(diag.TooBig, n.Span(), "more than %d definitions and procedures for one variant", maxDefines)
			return
		}
		switch d := n.(type) {
		case *ast.Define:
			s.define(d)
		case *ast.Procedure:
			s.procedure(d)
		}
	}
}

// define declares one definition. Its expression is read where it is used.
func (s *scope) define(d *ast.Define) {
	s.ownName(d.Name, d.Params, "definition")
	s.declare(d.Name, entity{kind: entDefine, index: len(s.defs)})
	s.defs = append(s.defs, d)
}

// ownName reports a name that no definition or procedure can have, and parameters of one name.
func (s *scope) ownName(name ast.Ident, params []ast.Formal, kind string) {
	if _, function := functions[name.Name]; function || slices.Contains(ownWords, name.Name) {
		s.diags.Errorf(diag.Duplicate, name.Range, "`%s` has a meaning of its own and cannot name a %s", name.Name, kind)
	}
	for i, p := range params {
		same := func(q ast.Formal) bool { return q.Name.Name == p.Name.Name }
		if slices.ContainsFunc(params[:i], same) {
			s.diags.Errorf(diag.Duplicate, p.Name.Range, "`%s` is a parameter of this %s already", p.Name.Name, kind)
		}
	}
}

// procedure is a procedure of a variant, with what it may use: the definitions and procedures
// before it.
type procedure struct {
	*ast.Procedure
	defs int // the number of definitions before it
}

// procedure declares one procedure. Its statements are read where it is called.
func (s *scope) procedure(p *ast.Procedure) {
	s.ownName(p.Name, p.Params, "procedure")
	s.declare(p.Name, entity{kind: entProcedure, index: len(s.procs)})
	s.procs = append(s.procs, procedure{p, len(s.defs)})
}

// defined resolves the use of a definition: its expression with the arguments for its parameters.
// Names bound where it is used are not visible inside it, apart from the arguments.
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
	// Mistakes are in the text of the definition; a note leads to its use.
	for i := n; i < len(*e.diags); i++ {
		x := &(*e.diags)[i]
		x.Notes = append(x.Notes, diag.Note{Range: at.Span(), Message: "as the definition `" + d.Name.Name + "` reads here"})
	}
	return out
}

// later reports the use of a definition in itself or in an earlier one.
func (s *scope) later(index int, at ast.Node) {
	name := s.defs[index].Name
	d := s.diags.Errorf(diag.Circular, at.Span(), "`%s` cannot be used here: a definition uses only those before it", name.Name)
	d.Notes = append(d.Notes, diag.Note{Range: name.Range, Message: "defined here"})
}

// argument resolves an argument and converts it to the sort of its parameter.
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
