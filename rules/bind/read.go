package bind

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// reader finds the references of the names in a text about one variant. It is copied where local
// names are added.
type reader struct {
	v       *Variant // nil: no variant is meant, and only the index of symbols is filled
	in      *scope
	program *Program
	found   *usage
	locals  *bound
	claim   bool // outcomes and positions have names here
	ranking bool // choices of moves have names here
	own     bool // the text is a part of the variant
	before  int  // the number of definitions and procedures that may be used
}

// usage is what a text uses of what matters to the game.
type usage struct {
	implied map[string]bool
	shared  map[*Symbol]bool // definitions and procedures
}

func newUsage() *usage { return &usage{map[string]bool{}, map[*Symbol]bool{}} }

// bound is a local name, linked to those around it.
type bound struct {
	symbol *Symbol
	outer  *bound
}

func (b *bound) find(name string) *Symbol {
	for ; b != nil; b = b.outer {
		if b.symbol.Name == name {
			return b.symbol
		}
	}
	return nil
}

// bind makes a local name that is known in a stretch of the text.
func (r *reader) bind(name *ast.Ident, node ast.Node, within diag.Range) {
	t := r.program.table
	s := t.add(&Symbol{Name: name.Name, Kind: LocalName, Node: node, Decls: []diag.Range{name.Range}, within: within})
	r.note(name, Ref{Kind: LocalName, Symbol: s, Name: name.Name})
	r.locals = &bound{s, r.locals}
	r.v.noPit(name.Name, name.Range, LocalName)
}

// note keeps the reference of a name.
func (r *reader) note(n ast.Node, ref Ref) {
	switch {
	case r.v == nil:
	case r.claim:
		r.v.asked[n] = ref
	default:
		r.v.refs[n] = ref
	}
}

// use notes that the name n stands for a symbol.
func (r *reader) use(n ast.Node, s *Symbol, at diag.Range) {
	r.note(n, Ref{Kind: s.Kind, Symbol: s, Name: s.Name})
	if s.Implied() && s.Name == allPits {
		return
	}
	r.program.table.use(s, at)
	if r.found == nil {
		return
	}
	switch {
	case s.Kind == DefinitionName || s.Kind == ProcedureName:
		r.found.shared[s] = true
	case s.Implied():
		r.found.implied[s.Name] = true
	}
}

// unknown keeps a mistake as the reference of a name. In the variant's own text it is one of the
// variant's.
func (r *reader) unknown(n ast.Node, name string, d *diag.Diagnostic) {
	r.note(n, Ref{Kind: Unknown, Name: name, Mistake: d})
	if d.Code == diag.Unknown {
		r.program.table.use(r.in.stray(name), d.Range)
	}
	if r.own && r.v != nil && r.v.Board != nil { // without a board most names would be unknown
		r.v.Mistakes = append(r.v.Mistakes, *d)
	}
}

// node reads a part of the tree.
func (r reader) node(n ast.Node) {
	if n == nil || reflect.ValueOf(n).IsNil() {
		return
	}
	if !r.binder(n) && !r.naming(n) && !r.playing(n) && !r.asking(n) {
		r.inner(n)
	}
}

// inner reads the parts of a node. Statements of one list are a block, in which a `let` is known to
// those after it, but not to those of the block behind `else`.
func (r reader) inner(n ast.Node) {
	block := map[ast.Node]bool{}
	blocks := ast.Blocks(n)
	for i, list := range blocks {
		in, end := r, n.Span().End
		if i+1 < len(blocks) && len(blocks[i+1]) > 0 {
			end = blocks[i+1][0].Span().Start
		}
		for _, s := range list {
			block[s] = true
			in.node(s)
			if l, is := s.(*ast.Let); is {
				within := behind(l, n)
				within.End = end
				in.bind(&l.Name, l, within)
			}
		}
	}
	for _, c := range children(n) {
		if !block[c] {
			r.node(c)
		}
	}
}

// body reads statements in a block of their own.
func (r reader) body(at ast.At, list []ast.Stmt) { r.inner(&ast.Procedure{At: at, Body: list}) }

// binder reads a node that gives local names to what is in it.
func (r reader) binder(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.Let:
		r.node(x.Value) // the name is bound by the block around it
	case *ast.For:
		r.node(x.Set)
		r.bind(&x.Name, x, behind(x.Set, x))
		r.body(x.At, x.Body)
	case *ast.Quant:
		r.node(x.Set)
		r.bind(&x.Var, x, behind(x.Set, x))
		r.node(x.Body)
	case *ast.Filter:
		r.node(x.Set)
		r.bind(&x.Var, x, behind(x.Set, x))
		r.node(x.Where)
	case *ast.StateVar:
		r.node(x.Each)
		r.node(&x.Type)
		if x.Var != nil {
			r.bind(x.Var, x, behind(&x.Type, x))
		}
		r.node(x.Init)
	case *ast.Chain:
		r.node(x.From)
		r.node(x.Along)
		r.bind(&x.Name, x, x.Range)
		r.node(x.While)
		r.node(x.Into)
	case *ast.Move:
		r.move(x)
	case *ast.Facing:
		r.facing(x)
	case *ast.Define, *ast.Procedure: // read for themselves
	default:
		return false
	}
	return true
}

// behind is what of a node stands behind a part of it.
func behind(part, of ast.Node) diag.Range {
	return diag.Range{File: of.Span().File, Start: part.Span().End, End: of.Span().End}
}

// formals binds the parameters of a definition or procedure, which knows no other local names.
func (r *reader) formals(list []ast.Formal, of ast.Node) (out []*Symbol) {
	r.locals = nil
	for i := range list {
		s := &list[i].Sort
		if x := r.in.find(byValues, s.Name); x != nil && !slices.Contains(sorts, s.Name) {
			r.use(s, x, s.Range)
		}
	}
	for i := range list {
		r.bind(&list[i].Name, of, of.Span())
		out = append(out, r.locals.symbol)
	}
	return out
}

// move reads a move. A choice is known to what stands after its set. One of the name of a state
// variable is kept there, and the body reads it from there.
func (r reader) move(m *ast.Move) {
	r.node(m.When)
	in, body := r, r
	for _, ch := range m.Choices {
		in.node(ch.Set)
		in.node(ch.Later)
		name := ch.Name.Name
		r.program.table.given[ch.Name.Range] = true
		in.bind(&ch.Name, ch, behind(&ch.Name, m))
		s := in.locals.symbol
		if v := r.in.find(byValues, name); v != nil && v.Kind == VariableName {
			s.Of, s.Decls, s.Uses = v.Of, nil, []diag.Range{ch.Name.Range}
			v.join(s)
		} else {
			body.locals = &bound{s, body.locals}
			if known := r.in.names[byChoices][name]; known == nil {
				r.in.names[byChoices][name] = s
			} else if r.program.ranked(name) {
				known.join(s)
			}
		}
		in.node(ch.Where)
	}
	for _, w := range m.Written {
		in.node(w)
	}
	body.body(m.At, m.Body)
}

// ranked reports whether a strategy may name the choices of this name of several moves.
func (p *Program) ranked(name string) bool {
	return slices.ContainsFunc(p.Strategies, func(s *ast.Strategy) bool {
		return slices.ContainsFunc(ast.All[*ast.Name](s.Rank), func(n *ast.Name) bool { return n.Name == name })
	})
}

// facing reads a line that relates pits. A name in the first index that is no parameter is bound by
// the line.
func (r reader) facing(f *ast.Facing) {
	r.pits(&f.Group, f.Index != nil)
	r.pits(&f.Other, f.Expr != nil)
	if i, is := f.Index.(*ast.Name); is {
		if s := r.in.find(byValues, i.Name); s == nil || s.Kind != ParamName {
			t := r.program.table
			s := t.add(&Symbol{Name: i.Name, Kind: LocalName, Node: f, Decls: []diag.Range{i.Range}, within: f.Range})
			r.note(i, Ref{Kind: LocalName, Symbol: s, Name: i.Name})
			r.locals = &bound{s, r.locals}
			r.node(f.Expr)
			return
		}
	}
	r.node(f.Index)
	r.node(f.Expr)
}

// pits reads the name of pits before brackets, or without them a name that stands alone.
func (r reader) pits(name *ast.Ident, brackets bool) {
	if !brackets {
		r.name(name, name.Name, name.Range)
		return
	}
	if s := r.in.find(byValues, name.Name); s != nil && s.Kind == PitsName {
		r.use(name, s, name.Range)
	}
}

// children lists the nodes directly in a node.
func children(n ast.Node) []ast.Node {
	var list []ast.Node
	ast.Inspect(n, func(m ast.Node) bool {
		if m == n {
			return true
		}
		list = append(list, m)
		return false
	})
	return list
}
