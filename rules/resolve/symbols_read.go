package resolve

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// SymbolsOf finds what the names of a program stand for, as the resolver reads them, but without
// resolving: so it knows the names in parts that no claim uses, and in texts with mistakes those of
// all parts that have none. Names in what variants share, such as a definition outside of them, are
// one symbol with what they mean in each. Files list imports first and the root last.
func SymbolsOf(files []*ast.File) *Symbols {
	z := newSymbolizer()
	claims := map[string]*Symbol{}
	var decls []ast.Decl
	for i, f := range files {
		for _, d := range f.Decls {
			if c, is := d.(*ast.Claim); is {
				if i < len(files)-1 {
					continue // it is one of the other file
				}
				z.declare(claims, c.Name.Name, c.Name.Range, ClaimSymbol, "", c)
			}
			decls = append(decls, d)
		}
	}
	for _, d := range decls {
		z.declaration(d)
	}
	for _, d := range decls {
		if v, is := d.(*ast.Variant); is {
			z.inVariant(v)
		}
	}
	for _, d := range decls {
		z.read(d)
	}
	boards := map[string]string{}
	for _, n := range z.order {
		if n.board != nil {
			boards[n.of] = n.board.of
		}
	}
	return symbolsOf(z.list, boards, givenIn(decls))
}

// declaration declares what a declaration of a file gives a name to, and what is in a board.
func (z *symbolizer) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.Variant:
		z.declare(z.variants, d.Name.Name, d.Name.Range, VariantSymbol, "", d)
	case *ast.Board:
		if d.Name == nil {
			return
		}
		z.declare(z.boards, d.Name.Name, d.Name.Range, BoardSymbol, "", d)
		n := newNames(d.Name.Name)
		z.ofBoard[n.of] = n
		z.inBoard(n, d)
	case *ast.Position:
		z.declare(z.positions, d.Name.Name, d.Name.Range, PositionSymbol, "", d)
	case *ast.Strategy:
		z.declare(z.strategies, d.Name.Name, d.Name.Range, StrategySymbol, "", d)
	case *ast.Define:
		z.declare(z.defines, d.Name.Name, d.Name.Range, DefinitionSymbol, "", d)
	case *ast.Procedure:
		z.declare(z.defines, d.Name.Name, d.Name.Range, ProcedureSymbol, "", d)
	}
}

// inVariant declares the names of a variant.
func (z *symbolizer) inVariant(v *ast.Variant) {
	n := newNames(v.Name.Name)
	z.of[n.of] = n
	z.order = append(z.order, n)
	for _, item := range v.Items {
		switch d := item.(type) {
		case *ast.Param:
			z.declare(n.values, d.Name.Name, d.Name.Range, ParamSymbol, n.of, d)
		case *ast.Players:
			z.declarePlayers(n, d)
		case *ast.Board:
			if d.Name != nil {
				n.board = z.ofBoard[d.Name.Name]
			}
			z.inBoard(n, d)
		case *ast.StateVar:
			z.declare(n.values, d.Name.Name, d.Name.Range, VariableSymbol, n.of, d)
			for i := range d.Type.Enum {
				z.declare(n.enums, d.Type.Enum[i].Name, d.Type.Enum[i].Range, ValueSymbol, n.of, d)
			}
		case *ast.Define:
			z.declare(n.values, d.Name.Name, d.Name.Range, DefinitionSymbol, n.of, d)
		case *ast.Procedure:
			z.declare(n.values, d.Name.Name, d.Name.Range, ProcedureSymbol, n.of, d)
		}
	}
}

func (z *symbolizer) declarePlayers(n *names, d *ast.Players) {
	for _, name := range d.Names {
		z.declare(n.players, name.Name, name.Range, PlayerSymbol, n.of, d)
	}
}

// inBoard declares the names of a board.
func (z *symbolizer) inBoard(n *names, b *ast.Board) {
	for _, p := range b.Params {
		z.declare(n.values, p.Name.Name, p.Name.Range, ParamSymbol, n.of, p)
	}
	if b.Players != nil {
		z.declarePlayers(n, b.Players)
	}
	for _, c := range b.Picture {
		if c.Pit != nil {
			z.declare(n.values, c.Pit.Group.Name, c.Pit.Group.Range, PitsSymbol, n.of, c.Pit)
			n.numbered[c.Pit.Group.Name] = n.numbered[c.Pit.Group.Name] || c.Pit.From != nil
		}
	}
	for _, line := range b.Lines {
		switch l := line.(type) {
		case *ast.Lap:
			z.declare(n.values, l.Name.Name, l.Name.Range, LapSymbol, n.of, l)
		case *ast.Group:
			z.declare(n.values, l.Name.Name, l.Name.Range, GroupSymbol, n.of, l)
		case *ast.Facing:
			z.declare(n.values, l.Name.Name, l.Name.Range, RelationSymbol, n.of, l)
		}
	}
}

// about is the reading of a text about one variant or, if it names none, about any of them.
func (z *symbolizer) about(of *ast.Ident) reading {
	r := reading{in: z.order}
	if of != nil {
		z.one(z.variants, *of)
		if n := z.of[of.Name]; n != nil {
			r.in = []*names{n}
		}
	}
	return r
}

// read notes the names in a declaration.
func (z *symbolizer) read(d ast.Decl) {
	switch d := d.(type) {
	case *ast.Variant:
		r := reading{in: []*names{z.of[d.Name.Name]}}
		z.labels(r, d)
		for _, item := range d.Items {
			z.node(r, item)
		}
	case *ast.Board:
		if d.Name != nil {
			z.board(reading{in: z.shownOn(z.ofBoard[d.Name.Name])}, d)
		}
	case *ast.Position:
		r := z.about(d.Of)
		r.claim = true
		z.node(r, d.Where)
		z.settings(r, d.With)
	case *ast.Strategy:
		r := z.about(d.Of)
		r.ranking = true
		z.label(r, byMoves, d.By)
		z.node(r, d.Rank)
	case *ast.Claim:
		r := z.about(d.Of)
		r.claim = true
		for _, c := range d.Clauses {
			z.node(r, c)
		}
		z.node(r, d.Property)
	default:
		z.node(reading{in: z.order}, d)
	}
}

// shownOn lists a board with the variants that name it: their parameters may have names there.
func (z *symbolizer) shownOn(board *names) []*names {
	list := []*names{board}
	for _, n := range z.order {
		if n.board == board {
			list = append(list, n)
		}
	}
	return list
}

// labels declares the labels of a variant's moves and outcomes, and the choices of its moves.
func (z *symbolizer) labels(r reading, v *ast.Variant) {
	n := r.in[0]
	declare := func(space map[string]*Symbol, l *ast.Label, kind SymbolKind, node ast.Node) {
		if l != nil {
			z.declare(space, l.Text, inside(l), kind, n.of, node)
		}
	}
	ast.Inspect(v, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.Move:
			declare(n.moves, x.Label, MoveSymbol, x)
		case *ast.Option:
			declare(n.moves, x.Label, MoveSymbol, x)
		case *ast.Ending:
			declare(n.outcomes, x.Label, OutcomeSymbol, x)
		case *ast.Finish:
			declare(n.outcomes, x.Label, OutcomeSymbol, x)
		case *ast.Offer:
			declare(n.outcomes, x.Verdict.Label, OutcomeSymbol, x)
		}
		return true
	})
}

// label notes the use of a label.
func (z *symbolizer) label(r reading, space func(*names) map[string]*Symbol, l *ast.Label) {
	if l != nil {
		z.use(r.everywhere(space, l.Text), inside(l))
	}
}

// board notes the names in a board, which belong to it or to the variant around it.
func (z *symbolizer) board(r reading, b *ast.Board) {
	for _, n := range children(b) {
		if s, is := n.(*ast.Setting); is && b.Name != nil {
			z.use([]*Symbol{z.ofBoard[b.Name.Name].find(byValues, s.Name.Name)}, s.Name.Range)
			z.node(r, s.Value)
			continue
		}
		if id, is := n.(*ast.Ident); is {
			if !b.Drawn {
				z.one(z.boards, *id)
			}
			continue
		}
		z.node(r, n)
	}
}

// settings notes the names in settings of variables and parameters.
func (z *symbolizer) settings(r reading, list []ast.Setting) {
	for i := range list {
		s := &list[i]
		z.value(r, s.Name.Name, s.Name.Range)
		z.node(r, s.Index)
		z.node(r, s.Value)
	}
}

// node notes the names in a part of the tree.
func (z *symbolizer) node(r reading, n ast.Node) {
	if n == nil || reflect.ValueOf(n).IsNil() {
		return
	}
	if z.binder(r, n) || z.named(r, n) {
		return
	}
	z.inner(r, n)
}

// inner notes the names in the parts of a node. Statements of one list are a block, in which a
// `let` is known to those after it.
func (z *symbolizer) inner(r reading, n ast.Node) {
	block := map[ast.Node]bool{}
	for _, list := range lists(n) {
		in := r
		for _, s := range list {
			block[s] = true
			z.node(in, s)
			if l, is := s.(*ast.Let); is {
				in = z.bind(in, l.Name, l, behind(l, n))
			}
		}
	}
	for _, c := range children(n) {
		if !block[c] {
			z.node(r, c)
		}
	}
}

// binder notes the names in a node that gives local names to what is in it.
func (z *symbolizer) binder(r reading, n ast.Node) bool {
	switch x := n.(type) {
	case *ast.Let:
		z.node(r, x.Value) // the name is bound by the block around it
	case *ast.For:
		z.node(r, x.Set)
		in := z.bind(r, x.Name, x, behind(x.Set, x))
		z.inner(in, &ast.Procedure{At: x.At, Body: x.Body})
	case *ast.Quant:
		z.node(r, x.Set)
		z.node(z.bind(r, x.Var, x, behind(x.Set, x)), x.Body)
	case *ast.Filter:
		z.node(r, x.Set)
		z.node(z.bind(r, x.Var, x, behind(x.Set, x)), x.Where)
	case *ast.Chain:
		for _, part := range []ast.Expr{x.From, x.Along} {
			z.node(r, part)
		}
		in := z.bind(r, x.Name, x, x.Range)
		z.node(in, x.While)
		z.node(in, x.Into)
	case *ast.Define:
		z.node(z.formals(r, x.Params, x), x.Value)
	case *ast.Procedure:
		z.inner(z.formals(r, x.Params, x), &ast.Procedure{At: x.At, Body: x.Body})
	case *ast.Move:
		z.move(r, x)
	case *ast.Facing:
		z.facing(r, x)
	default:
		return false
	}
	return true
}

// behind is what of a node stands behind a part of it.
func behind(part, of ast.Node) diag.Range {
	return diag.Range{File: of.Span().File, Start: part.Span().End, End: of.Span().End}
}

// formals binds the parameters of a definition or procedure.
func (z *symbolizer) formals(r reading, list []ast.Formal, of ast.Node) reading {
	out := r
	out.locals = nil
	for i := range list {
		z.sort(r, list[i].Sort.Name, list[i].Sort.Range)
		out = z.bind(out, list[i].Name, of, of.Span())
	}
	return out
}

// sort notes the use of a name as a sort or a type, where it is not one of the language.
func (z *symbolizer) sort(r reading, name string, at diag.Range) {
	if !slices.Contains([]string{"number", "bool", "pit", "player", "lap", "set"}, name) {
		z.value(r, name, at)
	}
}

// move notes the names in a move. A choice is known to what stands after its set. One of the name
// of a state variable is kept there, so it is no local name.
func (z *symbolizer) move(r reading, m *ast.Move) {
	z.node(r, m.When)
	in := r
	for _, ch := range m.Choices {
		z.node(in, ch.Set)
		z.node(in, ch.Later)
		name := ch.Name.Name
		if v := r.in[0].find(byValues, name); v != nil {
			z.use([]*Symbol{v}, ch.Name.Range)
		} else {
			in = z.bind(in, ch.Name, ch, behind(&ch.Name, m))
			known := r.in[0].choices
			if known[name] == nil {
				known[name] = in.locals.symbol
			} else if z.ranked(name) {
				known[name].join(in.locals.symbol)
			}
		}
		z.node(in, ch.Where)
	}
	for _, w := range m.Written {
		z.node(in, w)
	}
	z.inner(in, &ast.Procedure{At: m.At, Body: m.Body})
}

// facing notes the names in a line that relates pits. A free name in the first index is bound by
// it.
func (z *symbolizer) facing(r reading, f *ast.Facing) {
	z.value(r, f.Group.Name, f.Group.Range)
	z.value(r, f.Other.Name, f.Other.Range)
	if i, is := f.Index.(*ast.Name); is {
		if s := r.in[0].find(byValues, i.Name); s == nil || s.Kind != ParamSymbol {
			z.node(z.bind(r, ast.Ident{At: i.At, Name: i.Name}, f, f.Range), f.Expr)
			return
		}
	}
	z.node(r, f.Index)
	z.node(r, f.Expr)
}

// named notes the names in a node that names something in a way of its own.
func (z *symbolizer) named(r reading, n ast.Node) bool {
	switch x := n.(type) {
	case *ast.Name:
		z.name(r, x.Name, x.Range)
	case *ast.Text:
		z.use(r.everywhere(byOutcomes, x.Value), inside(&ast.Label{At: x.At, Quoted: true}))
	case *ast.IndexExpr:
		z.value(r, x.Group.Name, x.Group.Range)
		z.node(r, x.Index)
	case *ast.PitRange:
		z.value(r, x.Group.Name, x.Group.Range)
		z.node(r, x.From)
		z.node(r, x.To)
	case *ast.Call:
		if functions[x.Func.Name] == 0 || z.callable(r, x.Func.Name) {
			z.value(r, x.Func.Name, x.Func.Range)
		}
		for _, a := range x.Args {
			z.node(r, a)
		}
		z.node(r, x.Along)
	case *ast.Of:
		z.name(r, x.Group.Name, x.Group.Range)
		z.node(r, x.Player)
	case *ast.Setting:
		z.settings(r, []ast.Setting{*x})
	case *ast.Board:
		z.board(r, x)
	case *ast.Each:
		z.value(r, x.Name, x.Range)
	case *ast.Who:
		z.player(r, x.Name, x.Range)
	case *ast.ForAll:
		z.value(r, x.Name.Name, x.Name.Range)
		z.node(r, x.From)
	case *ast.ForSome:
		z.value(r, x.Name.Name, x.Name.Range)
	case *ast.ParamRange:
		z.value(r, x.Name.Name, x.Name.Range)
		z.node(r, x.Lo)
		z.node(r, x.Hi)
	case *ast.Following:
		z.one(z.strategies, x.Strategy)
	case *ast.StartingAt:
		z.one(z.positions, x.Position)
	case *ast.StrategyWins:
		z.one(z.strategies, x.Strategy)
	case *ast.Place:
		z.one(z.positions, x.Name)
	case *ast.VarType:
		z.varType(r, x)
	default:
		return z.playing(r, n) || z.byLabel(r, n)
	}
	return true
}

// varType notes the names in a type of state variables. Its values are declared already.
func (z *symbolizer) varType(r reading, t *ast.VarType) {
	if n := t.Name(); n != nil {
		z.sort(r, n.Name, n.Range)
		return
	}
	z.node(r, t.Lo)
	z.node(r, t.Hi)
}

// playing notes the names in a node that names players.
func (z *symbolizer) playing(r reading, n ast.Node) bool {
	var named []*ast.Ident
	switch x := n.(type) {
	case *ast.Owner:
		named = []*ast.Ident{&x.Player}
	case *ast.Lap:
		named = []*ast.Ident{x.Of}
		if x.Reverse != nil {
			z.value(r, x.Reverse.Name, x.Reverse.Range)
		}
	case *ast.ScorePart:
		named = []*ast.Ident{&x.Player}
	case *ast.Wins:
		named = []*ast.Ident{&x.Player}
	case *ast.Force:
		named = []*ast.Ident{&x.Player}
	case *ast.Value:
		named = []*ast.Ident{x.Player}
	case *ast.Winner:
		named = []*ast.Ident{x.Player}
	default:
		return false
	}
	for _, p := range named {
		if p != nil {
			z.player(r, p.Name, p.Range)
		}
	}
	z.inner(r, n)
	return true
}

// byLabel notes the names in a node that names moves by their label, or another variant.
func (z *symbolizer) byLabel(r reading, n ast.Node) bool {
	switch x := n.(type) {
	case *ast.StepTo:
		z.label(r, byMoves, x.By)
	case *ast.EveryStep:
		z.label(r, byMoves, x.By)
	case *ast.Relation:
		z.relation(r, x)
		return true
	default:
		return false
	}
	z.inner(r, n)
	return true
}

// relation notes the names in a claim about another variant. What the two have in common is matched
// by name, so it is one.
func (z *symbolizer) relation(r reading, x *ast.Relation) {
	z.one(z.variants, x.Other)
	other := z.of[x.Other.Name]
	if other == nil {
		return
	}
	for _, n := range r.in {
		for _, space := range []func(*names) map[string]*Symbol{byValues, byPlayers, byEnums, byOutcomes, byMoves} {
			z.match(n, other, space)
		}
	}
	both := r
	both.in = append([]*names{other}, r.in...)
	for i := range x.Settings {
		s := &x.Settings[i]
		z.use([]*Symbol{other.find(byValues, s.Name.Name)}, s.Name.Range)
		z.node(r, s.Value)
	}
	for _, name := range x.Ignoring {
		z.use(both.everywhere(byValues, name.Name), name.Range)
	}
}

// match makes the names that two variants have in common one.
func (z *symbolizer) match(a, b *names, space func(*names) map[string]*Symbol) {
	for at := a; at != nil; at = at.board {
		for name, s := range space(at) {
			if t := b.find(space, name); t != nil {
				s.join(t)
			}
		}
	}
}

// ranked reports whether a strategy may name the choices of this name of several moves.
func (z *symbolizer) ranked(name string) bool {
	for _, s := range z.strategies {
		for _, n := range ast.All[*ast.Name](s.Node.(*ast.Strategy).Rank) {
			if n.Name == name {
				return true
			}
		}
	}
	return false
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

// lists has the lists of statements that a node has.
func lists(n ast.Node) (out [][]ast.Stmt) {
	v := reflect.Indirect(reflect.ValueOf(n))
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		if list, is := v.Field(i).Interface().([]ast.Stmt); is {
			out = append(out, list)
		}
	}
	return out
}
