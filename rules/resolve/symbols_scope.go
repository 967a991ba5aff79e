package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// names has what a variant, or a board that variants share, gives names to.
type names struct {
	of       string
	values   map[string]*Symbol // but for players, which have names of their own, all of one space
	players  map[string]*Symbol
	enums    map[string]*Symbol
	outcomes map[string]*Symbol
	moves    map[string]*Symbol
	choices  map[string]*Symbol // of all its moves, which strategies may name
	implied  map[string]*Symbol
	numbered map[string]bool // groups whose pits have numbers
	board    *names          // of the shared board that the variant names
}

func newNames(of string) *names {
	n := &names{of: of, numbered: map[string]bool{}}
	for _, m := range []*map[string]*Symbol{&n.values, &n.players, &n.enums, &n.outcomes, &n.moves, &n.choices, &n.implied} {
		*m = map[string]*Symbol{}
	}
	return n
}

// find looks a name up in one of the spaces, also in that of the shared board.
func (n *names) find(space func(*names) map[string]*Symbol, name string) *Symbol {
	for ; n != nil; n = n.board {
		if s := space(n)[name]; s != nil {
			return s
		}
	}
	return nil
}

func byValues(n *names) map[string]*Symbol   { return n.values }
func byPlayers(n *names) map[string]*Symbol  { return n.players }
func byEnums(n *names) map[string]*Symbol    { return n.enums }
func byOutcomes(n *names) map[string]*Symbol { return n.outcomes }
func byMoves(n *names) map[string]*Symbol    { return n.moves }
func byChoices(n *names) map[string]*Symbol  { return n.choices }

// hasNumbers reports whether pits of a group are named with numbers.
func (n *names) hasNumbers(group string) bool {
	for ; n != nil; n = n.board {
		if n.numbered[group] {
			return true
		}
	}
	return false
}

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

// reading is where names are looked up at one place of the text.
type reading struct {
	in      []*names // of all variants that the text may be about
	locals  *bound
	claim   bool // outcomes and positions have names here
	ranking bool // choices of moves have names here
}

// symbolizer collects the symbols of a program.
type symbolizer struct {
	list       []*Symbol
	variants   map[string]*Symbol
	boards     map[string]*Symbol
	positions  map[string]*Symbol
	strategies map[string]*Symbol
	defines    map[string]*Symbol // those outside of variants
	of         map[string]*names  // by variant
	ofBoard    map[string]*names  // by board
	order      []*names           // of variants
}

func newSymbolizer() *symbolizer {
	return &symbolizer{
		variants: map[string]*Symbol{}, boards: map[string]*Symbol{}, positions: map[string]*Symbol{}, strategies: map[string]*Symbol{},
		defines: map[string]*Symbol{}, of: map[string]*names{}, ofBoard: map[string]*names{},
	}
}

// declare adds a declaration of a name to a space. A second one, as of laps of several players, is
// another place of the first.
func (z *symbolizer) declare(space map[string]*Symbol, name string, at diag.Range, kind SymbolKind, of string, node ast.Node) *Symbol {
	s := space[name]
	if s == nil {
		s = &Symbol{Name: name, Kind: kind, Of: of, Node: node}
		space[name] = s
		z.list = append(z.list, s)
	}
	s.Decls = append(s.Decls, at)
	return s
}

// bind makes a local name that is known in a stretch of the text.
func (z *symbolizer) bind(r reading, name ast.Ident, node ast.Node, within diag.Range) reading {
	s := z.declare(map[string]*Symbol{}, name.Name, name.Range, LocalSymbol, "", node)
	s.within = within
	r.locals = &bound{s, r.locals}
	return r
}

// use notes that a name stands for symbols, which are one then.
func (z *symbolizer) use(found []*Symbol, at diag.Range) {
	found = slices.DeleteFunc(found, func(s *Symbol) bool { return s == nil })
	if len(found) == 0 {
		return
	}
	first := found[0].root()
	for _, s := range found[1:] {
		first = first.join(s)
	}
	first.Uses = append(first.Uses, at)
}

// everywhere looks a name up in a space of all variants that the text may be about.
func (r reading) everywhere(space func(*names) map[string]*Symbol, name string) []*Symbol {
	var found []*Symbol
	for _, n := range r.in {
		found = append(found, n.find(space, name))
	}
	return found
}

// claimWords have a meaning of their own in claims.
var claimWords = []string{"stuck", "finished", "start"}

// name notes the use of a name as a value: a local name, or one of the variant.
func (z *symbolizer) name(r reading, name string, at diag.Range) {
	if s := r.locals.find(name); s != nil {
		z.use([]*Symbol{s}, at)
		return
	}
	if r.claim && slices.Contains(claimWords, name) || name == "pit" {
		return
	}
	if slices.Contains(ownWords, name) && !z.declared(r, name) {
		return
	}
	z.value(r, name, at)
}

// value notes the use of a name that no local name hides. The place of a pit's name, as hole03, is
// that of its group: only that is written anywhere else.
func (z *symbolizer) value(r reading, name string, at diag.Range) {
	if isWord(name) || functions[name] != 0 && !z.declared(r, name) {
		return
	}
	if len(r.in) == 0 { // there is no variant: the file is to be imported
		r.in = []*names{nil}
	}
	group, number := pitNumber(name)
	var found, groups []*Symbol
	for _, n := range r.in {
		switch s := z.valueOf(n, name, r); {
		case s != nil:
			found = append(found, s)
		case number && n.hasNumbers(group):
			groups = append(groups, n.find(byValues, group))
		case n != nil:
			found = append(found, z.impliedBy(n, name))
		}
	}
	if len(groups) > 0 {
		z.use(groups, front(at, name, len(group)))
		return
	}
	z.use(found, at)
}

// declared reports whether a name means something to a variant that the text may be about.
func (z *symbolizer) declared(r reading, name string) bool {
	return slices.ContainsFunc(r.in, func(n *names) bool { return z.valueOf(n, name, r) != nil })
}

// callable reports whether such a name can be called.
func (z *symbolizer) callable(r reading, name string) bool {
	return slices.ContainsFunc(r.in, func(n *names) bool {
		s := z.valueOf(n, name, r)
		return s != nil && (s.Kind == VariableSymbol || s.Kind == DefinitionSymbol || s.Kind == ProcedureSymbol || s.Kind == RelationSymbol)
	})
}

// valueOf is what a name means for one variant.
func (z *symbolizer) valueOf(n *names, name string, r reading) *Symbol {
	spaces := []func(*names) map[string]*Symbol{byValues, byPlayers, byEnums}
	if r.ranking {
		if s, own := n.find(byChoices, name), n.find(byValues, name); s != nil && own != nil {
			return s.join(own)
		}
		spaces = append(spaces, byChoices)
	}
	if r.claim {
		spaces = append(spaces, byOutcomes)
	}
	for i, space := range spaces {
		if s := n.find(space, name); s != nil {
			return s
		}
		if i == 0 && z.defines[name] != nil {
			return z.defines[name]
		}
	}
	if r.claim {
		return z.positions[name]
	}
	return nil
}

// impliedBy is the symbol of a name that is declared nowhere.
func (z *symbolizer) impliedBy(n *names, name string) *Symbol {
	s := n.implied[name]
	if s == nil {
		s = &Symbol{Name: name, Kind: ImpliedSymbol, Of: n.of}
		n.implied[name] = s
		z.list = append(z.list, s)
	}
	return s
}

// isWord reports whether a name in the tree is a word of the language.
func isWord(name string) bool {
	return slices.Contains([]string{"", "true", "false", "none", "empty", "last", "origin", "mover", "opponent", "player"}, name)
}

// player notes the use of a player's name.
func (z *symbolizer) player(r reading, name string, at diag.Range) {
	z.use(r.everywhere(byPlayers, name), at)
}

// one notes the use of a name in a space of the files.
func (z *symbolizer) one(space map[string]*Symbol, name ast.Ident) {
	z.use([]*Symbol{space[name.Name]}, name.Range)
}
