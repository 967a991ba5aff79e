package bind

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

// maxDefines bounds the definitions and procedures of one variant. Each may use the ones before it,
// so they may nest as deep.
const maxDefines = 1000

// bind declares the names of all variants and boards, and then reads all texts for each variant
// that they are about.
func (p *Program) bind() {
	shared := map[string]*scope{}
	for _, b := range p.Boards {
		s := newScope(b.Name.Name, p.table, nil)
		s.drawn(b)
		s.lent(b)
		shared[s.of] = s
	}
	boards := map[string]string{}
	for _, v := range p.Variants {
		v.declare(shared)
		if v.own.board != nil {
			boards[v.Name.Name] = v.own.board.of
		}
	}
	for _, v := range p.Variants {
		v.read()
	}
	for _, b := range p.Boards {
		if !slices.ContainsFunc(p.Variants, func(v *Variant) bool { return v.Board == b }) {
			s := shared[b.Name.Name]
			s.implies(b, len(lentPlayers(b)))
			p.nobody(s).boardItems(b)
		}
	}
	if len(p.Variants) == 0 {
		p.readDeclarations(p.nobody(newScope("", p.table, nil)))
	}
	p.Symbols = p.table.index(boards)
}

// lent declares the parameters and players that a board has for its variants.
func (s *scope) lent(b *ast.Board) {
	for _, p := range b.Params {
		s.declare(ParamName, &p.Name, p)
	}
	for i := range lentPlayers(b) {
		s.declare(PlayerName, &b.Players.Names[i], b.Players)
	}
}

func lentPlayers(b *ast.Board) []ast.Ident {
	if b.Players == nil {
		return nil
	}
	return b.Players.Names
}

// nobody reads text that is about no variant, for the index of symbols.
func (p *Program) nobody(in *scope) reader {
	return reader{in: in, program: p, before: len(p.Defines)}
}

// declare gives the names of a variant their meanings.
func (v *Variant) declare(shared map[string]*scope) {
	t := v.program.table
	s := newScope(v.Name.Name, t, &v.Mistakes)
	v.own = s
	v.withBoard(shared)
	v.definitions()
	for _, item := range v.Source.Items {
		switch d := item.(type) {
		case *ast.Param:
			s.declare(ParamName, &d.Name, d)
		case *ast.Players:
			s.players = true
			for i := range d.Names {
				s.declare(PlayerName, &d.Names[i], d)
			}
		}
	}
	if v.Board != nil {
		if s.board == nil {
			s.drawn(v.Board)
		}
		s.implies(v.Board, v.players())
	}
	for _, x := range ast.Items[*ast.StateVar](v.Source) {
		s.variable(x)
	}
	s.labels(v.Source)
	for _, p := range v.calls() {
		s.labels(p)
	}
	// The values of the variables of `go on` are known only with the board.
	s.late = slices.ContainsFunc(ast.Items[*ast.Move](v.Variant), func(m *ast.Move) bool { return len(CarriedOut[*ast.GoOn](v, m)) > 0 })
}

// players counts the players of the variant.
func (v *Variant) players() int {
	return lists.Sum(ast.Items[*ast.Players](v.Variant), func(p *ast.Players) int { return len(p.Names) })
}

// definitions declares the definitions and procedures of the files, then those of the variant.
func (v *Variant) definitions() {
	list := lists.Map(v.program.Defines, func(d ast.Decl) ast.Node { return d })
	list = append(list, lists.Map(v.Source.Items, func(item ast.Item) ast.Node { return item })...)
	for i, n := range list {
		if len(v.Defines) > maxDefines {
			v.Mistakes.Errorf(diag.TooBig, n.Span(), "more than %d definitions and procedures for one variant", maxDefines)
			return
		}
		if d := definitionOf(n); d != nil {
			v.defined(d, i >= len(v.program.Defines))
		}
	}
}

// defined declares a definition or a procedure. It reports a name that none can have, and
// parameters of one name.
func (v *Variant) defined(d *Definition, own bool) {
	if name := d.Name.Name; IsFunction(name) || slices.Contains(ownWords, name) {
		v.Mistakes.Errorf(diag.Duplicate, d.Name.Range, "`%s` has a meaning of its own and cannot name a %s", name, d.Kind)
	}
	for i, p := range d.Params {
		if slices.ContainsFunc(d.Params[:i], func(q ast.Formal) bool { return q.Name.Name == p.Name.Name }) {
			v.Mistakes.Errorf(diag.Duplicate, p.Name.Range, "`%s` is a parameter of this %s already", p.Name.Name, d.Kind)
		}
	}
	d.index = len(v.Defines)
	v.Defines = append(v.Defines, d)
	if own {
		d.Symbol = v.own.declare(d.Kind, d.Name, d.Node)
		return
	}
	d.Symbol = v.program.symbol(d.Kind, d.Name.Name)
	if v.own.names[byValues][d.Name.Name] == nil {
		v.own.names[byValues][d.Name.Name] = d.Symbol
	}
}

// calls lists the procedures of the files that the variant calls, also through others.
func (v *Variant) calls() (list []ast.Node) {
	for roots := []ast.Node{v.Source}; len(roots) > 0; roots = roots[1:] {
		for _, c := range ast.All[*ast.CallStmt](roots[0]) {
			name := c.Call.(*ast.Call).Func.Name
			p := lists.Find(v.program.Defines, func(d ast.Decl) bool {
				p, is := d.(*ast.Procedure)
				return is && p.Name.Name == name
			})
			if p != nil && !slices.Contains(list, ast.Node(p)) {
				list, roots = append(list, p), append(roots, p)
			}
		}
	}
	return list
}

// labels declares the labels of moves and outcomes.
func (s *scope) labels(v ast.Node) {
	declare := func(in space, l *ast.Label, kind Kind, node ast.Node) {
		if l != nil {
			s.table.declare(s.names[in], l.Text, &Symbol{Name: l.Text, Kind: kind, Of: s.of, Node: node}, inside(l))
		}
	}
	verdict := func(v *ast.Verdict, node ast.Node) {
		switch {
		case v.Label != nil:
			declare(byOutcomes, v.Label, OutcomeName, node)
		case v.Player != nil:
			s.unlabelled("win")
		default:
			s.unlabelled(v.Kind.String())
		}
	}
	ast.Inspect(v, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Move:
			declare(byMoves, x.Label, MoveName, x)
		case *ast.Option:
			declare(byMoves, x.Label, MoveName, x)
		case *ast.Ending:
			verdict(&x.Verdict, x)
		case *ast.Finish:
			verdict(&x.Verdict, x)
		case *ast.Offer:
			verdict(&x.Verdict, x)
		}
		return true
	})
	s.unlabelled("endless")
}

// unlabelled adds an outcome that is called by a word of the language.
func (s *scope) unlabelled(word string) {
	if s.names[byOutcomes][word] == nil {
		s.names[byOutcomes][word] = s.table.add(&Symbol{Name: word, Kind: OutcomeName, Of: s.of})
	}
}

// read reads the text of the variant, and all that may be read for it.
func (v *Variant) read() {
	p := v.program
	base := reader{v: v, in: v.own, program: p, found: newUsage(), before: len(v.Defines)}
	v.shared = map[*Symbol]*usage{}
	for _, d := range v.Defines {
		r := base
		r.found, r.before = newUsage(), d.index
		d.Formals = r.formals(d.Params, d.Node)
		r.inner(d.Node)
		v.shared[d.Symbol] = r.found
		if d.Kind == DefinitionName { // it may be used in claims, too
			r.found, r.claim = nil, true
			r.inner(d.Node)
		}
	}
	own := base
	own.own = true
	for _, item := range v.Source.Items {
		own.node(item)
		if s, is := item.(*ast.Setup); is {
			p.table.setup(s)
		}
	}
	if v.own.board != nil {
		own.boardItems(v.Board)
	}
	v.uses = v.usedIn(base.found)
	asked := base
	asked.found = nil
	p.readDeclarations(asked)
	v.names()
	v.Mistakes.Sort()
}

// boardItems reads a board that variants share.
func (r reader) boardItems(b *ast.Board) {
	for _, n := range children(b) {
		if _, name := n.(*ast.Ident); !name {
			r.node(n)
		}
	}
	if b.Setup != nil {
		r.program.table.setup(b.Setup)
	}
}

// setup notes the variables that the conditions of a setup give a value.
func (t *table) setup(s *ast.Setup) {
	for _, c := range s.Conds {
		if b, is := c.(*ast.Binary); is && b.Op == "=" {
			name, _ := (&ast.Assign{Target: b.L}).Variable()
			t.given[name.Range] = true
		}
	}
}

// usedIn lists the implied laps and relations that a text uses, also by the definitions and
// procedures that it uses.
func (v *Variant) usedIn(found *usage) map[string]bool {
	all, seen := map[string]bool{}, map[*Symbol]bool{}
	var add func(found *usage)
	add = func(found *usage) {
		for name := range found.implied {
			all[name] = true
		}
		for s := range found.shared {
			if inner := v.shared[s]; inner != nil && !seen[s] {
				seen[s] = true
				add(inner)
			}
		}
	}
	add(found)
	return all
}

// readDeclarations reads the positions, strategies and claims that are about the variant of r.
func (p *Program) readDeclarations(r reader) {
	about := func(of *ast.Ident) bool {
		if of == nil {
			return true
		}
		r.one(VariantName, of)
		return r.v != nil && r.v.Name.Name == of.Name
	}
	for _, d := range p.Positions {
		if about(d.Of) {
			in := r
			in.claim = true
			in.node(d.Where)
			for i := range d.With {
				in.node(&d.With[i])
			}
		}
	}
	for _, d := range p.Strategies {
		if about(d.Of) {
			in := r
			in.ranking, in.found = true, newUsage()
			in.label(d.By, d.By, byMoves)
			in.node(d.Rank)
			if r.v != nil {
				r.v.ranks[d] = in.found
			}
		}
	}
	for _, d := range p.Claims {
		if about(d.Of) {
			r.asked(d)
		}
	}
	if r.v == nil {
		for _, d := range p.Defines {
			r.formals(definitionOf(d).Params, d)
			r.inner(d)
		}
	}
}

// asked reads what a claim asks for.
func (r reader) asked(c *ast.Claim) {
	r.claim, r.found = true, nil
	for _, clause := range c.Clauses {
		r.node(clause)
		if f, is := clause.(*ast.ForBoards); is {
			r.columns(f)
		}
	}
	r.node(c.Property)
}

// Ask binds a claim about the variant that is not in the files.
func (v *Variant) Ask(c *ast.Claim) {
	reader{v: v, in: v.own, program: v.program, before: len(v.Defines)}.asked(c)
}

// columns binds the names of the columns of a file of boards that are neither pits nor declared. A
// claim may use their numbers.
func (r *reader) columns(f *ast.ForBoards) {
	for _, name := range Columns(f) {
		if r.v == nil || r.in.value(r.program, name) != nil || len(r.in.pitNamed(name)) > 0 {
			continue
		}
		s := r.program.table.add(&Symbol{Name: name, Kind: LocalName, Node: f})
		if r.v.columns[f] == nil {
			r.v.columns[f] = map[string]*Symbol{}
		}
		r.v.columns[f][name] = s
		r.locals = &bound{s, r.locals}
	}
}

// Columns lists the names in the first line of a file of boards.
func Columns(f *ast.ForBoards) []string {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(f.Text, []byte("\uFEFF"))))
	r.TrimLeadingSpace = true
	head, err := r.Read()
	if err != nil {
		return nil
	}
	return lists.Map(head, strings.TrimSpace)
}
