package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

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

// call resolves a call of a procedure: the arguments become locals, and the statements are carried
// out in a scope that knows no other names bound at the call.
func (e *body) call(s *ast.CallStmt) []rules.Stmt {
	call := s.Call.(*ast.Call)
	index, ok := e.callee(call)
	if !ok {
		return nil
	}
	p := e.procs[index]
	if len(call.Args) != len(p.Params) {
		e.diags.Errorf(diag.Arity, s.Range, "`%s` takes %s, here are %d", p.Name.Name, plural(len(p.Params), "argument"), len(call.Args))
		return nil
	}
	inner := *e
	inner.locals, inner.visible, inner.callable = nil, p.defs, index
	out := []rules.Stmt{}
	n := len(*e.diags)
	for i, f := range p.Params {
		inner.receive(p, f.Name.Name, e.argument(f, call.Args[i]), call.Args[i].Span(), &out)
	}
	if len(*e.diags) > n {
		return nil
	}
	e.misplaced(p.Body, e.stage)
	out = append(out, inner.block(p.Body)...)
	e.sown, e.lap = inner.sown, inner.lap
	// Mistakes are in the text of the procedure; a note leads to the call.
	for i := n; i < len(*e.diags); i++ {
		x := &(*e.diags)[i]
		x.Notes = append(x.Notes, diag.Note{Range: s.Range, Message: "as the procedure `" + p.Name.Name + "` reads here"})
	}
	return out
}

// callee finds the procedure that a call names, which must be one before the place of the call.
func (e *body) callee(call *ast.Call) (index int, ok bool) {
	name, at := call.Func.Name, call.Func.Range
	ent, known := e.names[name]
	_, function := functions[name]
	switch {
	case call.Along != nil:
		e.diags.Errorf(diag.Misplaced, call.Along.Span(), "a procedure goes along no lap")
	case e.find(name) != nil:
		e.diags.Errorf(diag.Type, at, "`%s` is a local name here, and no procedure", name)
	case known && ent.kind == entProcedure && ent.index >= e.callable:
		d := e.diags.Errorf(diag.Circular, call.Range, "`%s` cannot be called here: a procedure calls only those before it", name)
		d.Notes = append(d.Notes, diag.Note{Range: e.procs[ent.index].Name.Range, Message: "declared here"})
	case known && ent.kind == entProcedure:
		return ent.index, true
	case known || function:
		d := e.diags.Errorf(diag.Type, at, "`%s` is no procedure: a value alone is no statement", name)
		d.WithHelp("`x = …` sets a variable; behind `written` a part that is a call stands in brackets")
	default:
		var names []string
		for _, p := range e.procs[:e.callable] {
			names = append(names, p.Name.Name)
		}
		suggest(e.diags.Errorf(diag.Unknown, at, "unknown procedure `%s`", name), name, names)
	}
	return 0, false
}

// receive binds a parameter to the value of its argument, as `let` does. What is known before play
// stays known, unless the procedure sets the parameter.
func (e *body) receive(p procedure, name string, v value, at diag.Range, out *[]rules.Stmt) {
	switch v.typ.kind {
	case kBad:
		e.bind(name, bad)
		return
	case kSet:
		e.bind(name, value{typ: v.typ, set: e.settleSet(v.set, out)})
		return
	case kLap:
		e.bind(name, e.settleLap(v, at, out))
		return
	}
	if _, known := constOf(v.x); known && !p.sets(name) {
		e.bind(name, value{typ: v.typ, x: v.x})
		return
	}
	slot := e.newSlot(v.typ)
	*out = append(*out, rules.SetLocal(slot, v.x))
	e.locals = &local{name: name, value: value{typ: v.typ}, slot: slot, outer: e.locals}
}

// sets reports whether a statement of the procedure sets a name.
func (p procedure) sets(name string) bool {
	for _, s := range ast.All[*ast.Assign](p.Procedure) {
		if to, _ := s.Variable(); to.Name == name {
			return true
		}
	}
	return false
}

// procedures lists those that statements of v may call, by name. Of two with one name, which is a
// mistake, it has the last.
func (u *Unit) procedures(v *ast.Variant) map[string]*ast.Procedure {
	out := map[string]*ast.Procedure{}
	for _, d := range u.Defines {
		if p, ok := d.(*ast.Procedure); ok {
			out[p.Name.Name] = p
		}
	}
	for _, item := range v.Items {
		if p, ok := item.(*ast.Procedure); ok {
			out[p.Name.Name] = p
		}
	}
	return out
}

// carriedOut lists the places in a part of a variant where a statement of type N is carried out:
// the statements, and calls of procedures that have some. A call is listed once for each, but no
// more than twice.
func carriedOut[N ast.Stmt](u *Unit, v *ast.Variant, root ast.Node) []ast.Node {
	procs, times := u.procedures(v), map[*ast.Procedure]int{}
	var places func(ast.Node) []ast.Node
	places = func(root ast.Node) []ast.Node {
		var out []ast.Node
		ast.Inspect(root, func(n ast.Node) bool {
			if _, is := n.(N); is {
				out = append(out, n)
			}
			call, is := n.(*ast.CallStmt)
			if !is {
				return true
			}
			p := procs[call.Call.(*ast.Call).Func.Name]
			if p == nil {
				return true
			}
			if _, known := times[p]; !known {
				times[p] = 0 // in a circle, which is a mistake, it counts once
				times[p] = min(2, len(places(p)))
			}
			for range times[p] {
				out = append(out, n)
			}
			return true
		})
		return out
	}
	return places(root)
}
