package bind

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// scope has the names that a variant, or a board that variants share, gives a meaning.
type scope struct {
	of       string
	table    *table
	names    [spaces]map[string]*Symbol
	numbered map[string]int // groups whose pits have numbers, with the digits of these
	late     bool           // `go on` names values that are not known before the board
	players  bool           // it has a line of players, in the place of that of the board
	board    *scope         // of the shared board that the variant names
	diags    *diag.List     // gets names that are declared twice; nil: nobody asks
}

func newScope(of string, t *table, diags *diag.List) *scope {
	s := &scope{of: of, table: t, numbered: map[string]int{}, diags: diags}
	for i := range s.names {
		s.names[i] = map[string]*Symbol{}
	}
	return s
}

// space is one of the sets of names of a scope.
type space int

const (
	byValues   space = iota // what may stand in an expression, but for the next two
	byEnums                 // values of enumerations
	byImplied               // what the picture of the board implies
	byOutcomes              // labels of outcomes
	byMoves                 // labels of moves and options
	byChoices               // names chosen in moves, which strategies may name
	strays                  // names that stand for nothing
	spaces
)

// find looks a name up in one of the spaces, also in that of the shared board.
func (s *scope) find(in space, name string) *Symbol {
	for ; s != nil; s = s.board {
		if found := s.names[in][name]; found != nil {
			return found
		}
	}
	return nil
}

// value finds what a name stands for in an expression: what is declared, then what is implied, then
// a value of an enumeration.
func (s *scope) value(p *Program, name string) *Symbol {
	if x := s.find(byValues, name); x != nil && !(x.Kind == PlayerName && s.players && s.names[byValues][name] == nil) {
		return x
	}
	return cmp.Or(p.symbol(DefinitionName, name), p.symbol(ProcedureName, name), s.find(byImplied, name), s.find(byEnums, name))
}

// all lists the names of spaces, for suggestions.
func (s *scope) all(in ...space) []string {
	var names []string
	for ; s != nil; s = s.board {
		for _, space := range in {
			names = slices.AppendSeq(names, maps.Keys(s.names[space]))
		}
	}
	return names
}

// declare gives a name a meaning among the values. A second meaning is reported, but for laps and
// relations, of which several lines may declare one.
func (s *scope) declare(kind Kind, name *ast.Ident, node ast.Node) *Symbol {
	old := s.names[byValues][name.Name]
	// A parameter or the players may take the place of the board's, whose text then means them.
	lent := s.board.find(byValues, name.Name)
	replaces := lent != nil && lent.Kind == kind && (kind == ParamName || kind == PlayerName)
	if old == nil && !replaces {
		old = lent
	}
	if old != nil && s.diags != nil && !(kind == old.Kind && (kind == LapName || kind == RelationName)) && !(kind == PitsName && old.Kind == PitsName) {
		d := s.diags.Errorf(diag.Duplicate, name.Range, "`%s` is declared already, as %s", name.Name, old.Kind.Article())
		if d.WithHelp("a name stands for one thing: choose another one"); old.Kind == PlayerName {
			d.WithHelp("the pits of a player have his name in lower case: those of `South` are `south`")
		}
		if len(old.Decls) > 0 {
			d.Notes = append(d.Notes, diag.Note{Range: old.Decls[0], Message: "declared here"})
		}
	}
	made := s.table.declare(s.names[byValues], name.Name, &Symbol{Name: name.Name, Kind: kind, Of: s.of, Node: node}, name.Range)
	if replaces {
		made.join(lent)
	}
	return made
}

// stray returns the symbol of a name that stands for nothing.
func (s *scope) stray(name string) *Symbol {
	if s.names[strays][name] == nil {
		s.names[strays][name] = s.table.add(&Symbol{Name: name, Of: s.of})
	}
	return s.names[strays][name]
}

// drawn adds the names of a board: its pits, then what its lines declare.
func (s *scope) drawn(b *ast.Board) {
	for _, c := range b.Picture {
		if c.Pit == nil {
			continue
		}
		s.declare(PitsName, &c.Pit.Group, c.Pit)
		if name := c.Pit.Group.Name; c.Pit.From != nil && s.numbered[name] == 0 {
			s.numbered[name] = c.Pit.Width()
		}
	}
	for _, line := range b.Lines {
		switch l := line.(type) {
		case *ast.Lap:
			s.declare(LapName, &l.Name, l)
		case *ast.Group:
			s.declare(GroupName, &l.Name, l)
		case *ast.Facing:
			s.relation(l)
		}
	}
}

// relation declares a relation, which cannot have the name of a function.
func (s *scope) relation(l *ast.Facing) {
	if _, taken := functions[l.Name.Name]; taken && s.diags != nil {
		s.diags.Errorf(diag.Duplicate, l.Name.Range, "`%s` is a function of the language and cannot name a relation", l.Name.Name)
	}
	s.declare(RelationName, &l.Name, l)
}

// variable declares a state variable with the names of its values.
func (s *scope) variable(d *ast.StateVar) {
	if d.Name.Name == "outcome" && s.diags != nil { // the word for how the game ended, in states that are written out
		s.diags.Errorf(diag.Duplicate, d.Name.Range, "`outcome` has a meaning of its own and cannot name a variable")
	}
	s.declare(VariableName, &d.Name, d)
	for i := range d.Type.Enum {
		n := &d.Type.Enum[i]
		s.table.declare(s.names[byEnums], n.Name, &Symbol{Name: n.Name, Kind: ValueName, Of: s.of, Node: d}, n.Range)
	}
}

// functions lists the language's functions with the number of their arguments. -1 means one or
// more.
var functions = map[string]int{
	"total": -1, "seeds": 1, "index": 1, "next": 1, "before": 1, "min": 2, "max": 2,
}

// Arguments returns the number of arguments of a function of the language; -1 means one or more.
func Arguments(function string) int { return functions[function] }

// IsFunction reports whether a name is that of a function of the language.
func IsFunction(name string) bool { return functions[name] != 0 }

// Functions lists the names of the functions of the language.
func Functions() []string { return slices.Sorted(maps.Keys(functions)) }

// sorts lists the sorts of parameters that exist in every variant. State variables with named
// values are sorts, too.
var sorts = []string{"number", "bool", "pit", "player", "lap", "set"}

// words lists the names in the tree that are words of the language. Those of claims hide what a
// variant declares by these names.
var (
	words      = []string{"", "true", "false", "none", "empty", "last", "origin", "mover", "opponent", "player"}
	claimWords = []string{"stuck", "finished", "start"}
)

// ownWords lists names, besides those of functions, that have a meaning of their own and cannot
// name a definition or a procedure.
var ownWords = []string{"pit", "lap", "bool", "set", "outcome", "stuck", "finished", "endless", "start"}

// callable reports whether things of the kind are called.
func (k Kind) callable() bool {
	return k == VariableName || k == DefinitionName || k == ProcedureName || k == RelationName
}

// What the picture of a board implies, as far as the text shows it. Whether two rows are equally
// long, and who owns which rows, may depend on parameters, so a name may be implied that has no
// meaning on some board. It stands for nothing else there.

// allPits is the group of all pits, which every board has.
const allPits = "pit"

// implies adds what the picture implies to the scope of a variant.
func (s *scope) implies(b *ast.Board, players int) {
	add := func(kind Kind, names ...string) {
		for _, name := range names {
			s.names[byImplied][name] = s.table.add(&Symbol{Name: name, Kind: kind, Of: s.of})
		}
	}
	add(GroupName, allPits)
	rows, stores, numbered, single := s.rows(b)
	if numbered {
		add(GroupName, "house")
	}
	if single {
		add(GroupName, "store")
	}
	switch {
	case rows == 2:
		add(LapName, "ccw", "cw")
		if stores {
			add(LapName, "ccw_with_stores", "cw_with_stores")
		}
		add(RelationName, "opposite")
	case rows > 2 && players > 1:
		add(LapName, "ccw", "cw")
		add(RelationName, "opposite", "behind")
	}
}

// rows counts the rows that have pits with brackets. stores says whether there are pits without at
// the ends of these rows; numbered and single, whether there are pits of either kind at all.
func (s *scope) rows(b *ast.Board) (rows int, stores, numbered, single bool) {
	for _, row := range b.Rows() {
		ends, has := false, false
		for i, part := range row.Parts {
			for j := range part {
				_, brackets := s.hasNumbers(part[j].Group.Name)
				has = has || brackets
				numbered, single = numbered || brackets, single || !brackets
				ends = ends || !brackets && len(row.Parts) > 1 && (i == 0 || i == len(row.Parts)-1)
			}
		}
		if has {
			rows++
			stores = stores || ends
		}
	}
	return rows, stores, numbered, single
}

// hasNumbers reports whether pits of a group are named with numbers, and of how many digits at
// least.
func (s *scope) hasNumbers(group string) (width int, ok bool) {
	for ; s != nil; s = s.board {
		if width, ok = s.numbered[group]; ok {
			return width, true
		}
	}
	return 0, false
}
