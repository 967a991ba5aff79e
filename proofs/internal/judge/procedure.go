package judge

import (
	"github.com/mancheck/mancheck/dsl/ast"
)

// perform carries out a procedure: its parameters are locals with the values of the arguments, and
// it knows no other name that is bound where it is called.
func (e *scope) perform(s *ast.CallStmt) flow {
	call, p := s.Call.(*ast.Call), called(e.g.defs, s)
	before := false // it is declared before what is read here
	for _, d := range e.g.defs {
		if d == e.def {
			break
		}
		before = before || d == ast.Node(p)
	}
	switch {
	case p == nil || !before || call.Along != nil || e.find(call.Func.Name) != nil:
		wrongf("%s is no procedure here", call.Func.Name)
	case len(call.Args) != len(p.Params):
		wrongf("%s takes %d arguments", p.Name.Name, len(p.Params))
	}
	in := *e
	in.def, in.names = p, nil
	for i, f := range p.Params {
		v := e.argument(f.Sort.Name, call.Args[i])
		if v.kind == setKind {
			v = setOf(pits(v.set))
		}
		in.names = &local{name: f.Name.Name, v: v, outer: in.names}
	}
	return in.block(p.Body)
}

// called is the procedure that a call names, wherever that stands; nil if there is none.
func called(defs []ast.Node, s *ast.CallStmt) *ast.Procedure {
	for _, d := range defs {
		if p, is := d.(*ast.Procedure); is && p.Name.Name == s.Call.(*ast.Call).Func.Name {
			return p
		}
	}
	return nil
}

// carries lists the nodes of a type in a part of a variant and in all procedures that are called
// from there.
func carries[N ast.Node](defs []ast.Node, root ast.Node) []N {
	seen := map[*ast.Procedure]bool{}
	var out []N
	var look func(ast.Node)
	look = func(root ast.Node) {
		out = append(out, ast.All[N](root)...)
		for _, s := range ast.All[*ast.CallStmt](root) {
			if p := called(defs, s); p != nil && !seen[p] {
				seen[p] = true
				look(p)
			}
		}
	}
	look(root)
	return out
}
