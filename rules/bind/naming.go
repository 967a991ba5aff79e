package bind

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
)

// naming reads a node that is a name of its own, or names something before its other parts.
func (r reader) naming(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.Name:
		r.name(x, x.Name, x.Range)
	case *ast.Text:
		r.label(x, &ast.Label{At: x.At, Text: x.Value, Quoted: true}, byOutcomes)
		if r.claim && r.in.find(byOutcomes, x.Value) == nil {
			r.unknown(x, x.Value, r.unknownName(x.Value, x.Range))
		}
	case *ast.IndexExpr:
		r.pits(&x.Group, true)
		r.node(x.Index)
	case *ast.PitRange:
		r.pits(&x.Group, x.From != nil)
		r.node(x.From)
		r.node(x.To)
	case *ast.Call:
		r.call(x)
	case *ast.CallStmt:
		r.callee(x.Call.(*ast.Call))
	case *ast.Of:
		r.name(&x.Group, x.Group.Name, x.Group.Range)
		r.node(x.Player)
	case *ast.Assign:
		r.assign(x)
	case *ast.Setting:
		r.setting(x)
	case *ast.Board:
		r.board(x)
	case *ast.Each:
		if x.Name != "player" {
			r.name(x, x.Name, x.Range)
		}
	case *ast.VarType:
		r.varType(x)
	default:
		return false
	}
	return true
}

// name reads a name that stands for a value. Local names hide words, and words hide names of the
// variant.
func (r reader) name(n ast.Node, name string, at diag.Range) {
	if s := r.locals.find(name); s != nil {
		r.use(n, s, at)
		return
	}
	if slices.Contains(words, name) || r.claim && slices.Contains(claimWords, name) {
		r.note(n, Ref{Kind: WordName, Name: name})
		return
	}
	r.value(n, name, at)
}

// value reads a name that no local name and no word hides. The place of a pit's name, as hole03, is
// that of its group: only that is written anywhere else.
func (r reader) value(n ast.Node, name string, at diag.Range) {
	if r.ranking {
		if s := r.in.find(byChoices, name); s != nil {
			r.use(n, s, at)
			return
		}
	}
	if s := r.in.value(r.program, name); s != nil && s.Kind != ValueName {
		r.circular(n, s, at)
		return
	}
	if groups := r.in.pitNamed(name); len(groups) > 0 {
		r.pit(n, name, groups, at)
		return
	}
	if s := r.in.find(byEnums, name); s != nil {
		r.use(n, s, at)
		return
	}
	if name == "repeated" {
		r.note(n, Ref{Kind: WordName, Name: name})
		return
	}
	if r.claim {
		if s := cmp.Or(r.in.find(byOutcomes, name), r.program.symbol(PositionName, name)); s != nil {
			r.use(n, s, at)
			return
		}
	}
	if r.in.late { // a variable of `go on`, or a value of it
		r.note(n, Ref{Kind: ValueName, Name: name})
		r.program.table.use(r.in.stray(name), at)
		return
	}
	r.unknown(n, name, r.unknownName(name, at))
}

// circular reads the name of something that is declared. A definition uses only those before it.
func (r reader) circular(n ast.Node, s *Symbol, at diag.Range) {
	if d := r.v.Definition(s); d != nil && d.index >= r.before && s.Kind == DefinitionName {
		r.program.table.use(s, at)
		r.unknown(n, s.Name, mistake(diag.Circular, at, "`%s` cannot be used here: a definition uses only those before it", s.Name).
			WithNote(d.Name.Range, "defined here"))
		return
	}
	r.use(n, s, at)
}

// call reads a call of a function, definition, relation, or a variable for each player or pit. A
// local name hides what can be called, and cannot be called itself.
func (r reader) call(x *ast.Call) {
	name := x.Func.Name
	s := r.in.value(r.program, name)
	switch hidden := r.locals.find(name) != nil; {
	case s != nil && s.Kind.callable() && !hidden:
		r.circular(&x.Func, s, x.Func.Range)
	case IsFunction(name):
		r.note(&x.Func, Ref{Kind: FunctionName, Name: name})
	default:
		r.unknown(&x.Func, name, r.unknownFunction(name, x.Func.Range))
	}
	r.arguments(x)
}

// arguments reads what stands in the brackets of a call.
func (r reader) arguments(x *ast.Call) {
	for _, a := range x.Args {
		r.node(a)
	}
	r.node(x.Along)
}

// callee reads a call as a statement, which names a procedure that is declared before.
func (r reader) callee(x *ast.Call) {
	name, at := x.Func.Name, x.Func.Range
	s := r.in.value(r.program, name)
	local := r.locals.find(name)
	switch {
	case local != nil:
		r.use(&x.Func, local, at)
	case s != nil && s.Kind == ProcedureName:
		r.procedure(x, s)
	case s != nil && s.Kind != ValueName:
		r.use(&x.Func, s, at)
	case IsFunction(name):
		r.note(&x.Func, Ref{Kind: FunctionName, Name: name})
	default:
		d := mistake(diag.Unknown, at, "unknown procedure `%s`", name)
		Suggest(d.WithHelp("%s", cmp.Or(spell.Foreign("function", name), "declare it above: `procedure "+name+" { … }`")), name, r.v.procedures(r.before))
		r.unknown(&x.Func, name, d)
	}
	r.arguments(x)
}

// procedures lists the names of those among the first n definitions.
func (v *Variant) procedures(n int) []string {
	if v == nil {
		return nil
	}
	list := lists.Filter(v.Defines[:n], func(d *Definition) bool { return d.Kind == ProcedureName })
	return lists.Map(list, func(d *Definition) string { return d.Name.Name })
}

// procedure reads the name of a procedure that is called.
func (r reader) procedure(x *ast.Call, s *Symbol) {
	if d := r.v.Definition(s); d != nil && d.index >= r.before {
		r.program.table.use(s, x.Func.Range)
		r.unknown(&x.Func, s.Name, mistake(diag.Circular, x.Range, "`%s` cannot be called here: a procedure calls only those before it", s.Name).
			WithNote(d.Name.Range, "declared here"))
		return
	}
	r.use(&x.Func, s, x.Func.Range)
}

// assign reads an assignment. What is set is a local name or one that is declared.
func (r reader) assign(x *ast.Assign) {
	switch t := x.Target.(type) {
	case *ast.Name:
		r.target(t, t.Name, t.Range)
	case *ast.Call:
		r.target(&t.Func, t.Func.Name, t.Func.Range)
		r.arguments(t)
	default:
		r.node(x.Target)
	}
	r.node(x.Value)
}

func (r reader) target(n ast.Node, name string, at diag.Range) {
	r.program.table.given[at] = true
	if s := r.locals.find(name); s != nil {
		r.use(n, s, at)
	} else if s := r.in.value(r.program, name); s != nil && s.Kind != ValueName {
		r.use(n, s, at)
	} else if groups := r.in.pitNamed(name); len(groups) > 0 {
		r.pit(n, name, groups, at)
	} else if r.in.late {
		r.note(n, Ref{Kind: ValueName, Name: name})
	} else {
		d := r.unknownName(name, at)
		d.Help = cmp.Or(d.Help, "a variable is declared in the variant, `state "+name+" : 0..9 = 0`, and a local where it begins, `let "+name+" = E`")
		r.unknown(n, name, d)
	}
}

// setting reads `x = E` or `x(i) = E` of a position or a claim.
func (r reader) setting(s *ast.Setting) {
	r.program.table.given[s.Name.Range] = true
	if s.Name.Name == "mover" {
		r.note(&s.Name, Ref{Kind: WordName, Name: "mover"})
	} else {
		r.name(&s.Name, s.Name.Name, s.Name.Range)
	}
	r.node(s.Index)
	r.node(s.Value)
}

// board reads a board that is drawn in a variant, or the name of one that is shared.
func (r reader) board(b *ast.Board) {
	for _, n := range children(b) {
		switch n := n.(type) {
		case *ast.Ident:
			if s := r.program.symbol(BoardName, n.Name); s != nil && !b.Drawn {
				r.use(n, s, n.Range)
			}
		case *ast.Setting:
			r.program.table.given[n.Name.Range] = true
			if s := r.in.board.find(byValues, n.Name.Name); s != nil {
				r.use(&n.Name, s, n.Name.Range)
			}
			r.node(n.Value)
		default:
			r.node(n)
		}
	}
}

// varType reads a type of state variables. The names of its values are declared already.
func (r reader) varType(t *ast.VarType) {
	n, is := t.Lo.(*ast.Name)
	if is && t.Hi == nil {
		if n.Name == "bool" || n.Name == "lap" {
			r.note(n, Ref{Kind: WordName, Name: n.Name})
		} else if s := r.in.value(r.program, n.Name); s != nil {
			r.use(n, s, n.Range)
		}
		return
	}
	r.node(t.Lo)
	r.node(t.Hi)
}
