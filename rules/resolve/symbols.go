package resolve

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
)

// SymbolKind is the kind of thing that has a name.
type SymbolKind int

const (
	VariantSymbol SymbolKind = iota
	BoardSymbol
	PositionSymbol
	StrategySymbol
	ClaimSymbol
	ParamSymbol
	PlayerSymbol
	PitsSymbol // pits of the picture
	GroupSymbol
	LapSymbol
	RelationSymbol
	VariableSymbol
	ValueSymbol // of an enumeration
	DefinitionSymbol
	ProcedureSymbol
	OutcomeSymbol
	MoveSymbol    // the label of moves
	LocalSymbol   // bound by `let`, `choose`, a loop, a quantifier, or as a parameter
	ImpliedSymbol // declared nowhere: it follows from the picture, or is a mistake
)

// String is the kind in words.
func (k SymbolKind) String() string {
	return [...]string{
		"variant", "board", "position", "strategy", "claim", "parameter", "player", "pits", "group", "lap", "relation",
		"variable", "value", "definition", "procedure", "outcome", "move", "local name", "name",
	}[k]
}

// Symbol is what has a name, with all places where the name stands. What the text makes one is one:
// a name in a definition that variants share is the same in all of them.
type Symbol struct {
	Name  string
	Kind  SymbolKind
	Of    string   // the variant or board that it belongs to; may be empty
	Node  ast.Node // the first declaration; nil if it is implied
	Decls []diag.Range
	Uses  []diag.Range
	sets  int // uses that give it a value

	within diag.Range // of a local: where it is known
	same   *Symbol    // another symbol that was found to be the same
}

// Read reports whether something uses the name, besides giving it a value.
func (s *Symbol) Read() bool { return len(s.Uses) > s.sets }

// Set reports whether something gives it a value, besides its declaration.
func (s *Symbol) Set() bool { return s.sets > 0 }

// Places lists the places where the name is declared or used, in the order of files and text.
func (s *Symbol) Places() []diag.Range {
	all := slices.Concat(s.Decls, s.Uses)
	slices.SortFunc(all, compareRanges)
	return slices.Compact(all)
}

func compareRanges(a, b diag.Range) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start.Offset, b.Start.Offset), cmp.Compare(a.End.Offset, b.End.Offset))
}

// Symbols has the names of a program.
type Symbols struct {
	All    []*Symbol
	at     map[string][]occurrence // by file, in the order of the text
	boards map[string]string       // by variant: the shared board that it names
}

type occurrence struct {
	place  diag.Range
	symbol *Symbol
}

// At finds the symbol whose name stands at an offset, and the place of that name.
func (s *Symbols) At(file string, offset int) (*Symbol, diag.Range) {
	list := s.at[file]
	i := sort.Search(len(list), func(i int) bool { return list[i].place.End.Offset >= offset })
	// Where two names meet, as in `a|b`, the second one counts.
	for _, o := range slices.Backward(list[min(i, len(list)):min(i+2, len(list))]) {
		if o.place.Start.Offset <= offset && offset <= o.place.End.Offset {
			return o.symbol, o.place
		}
	}
	return nil, diag.Range{}
}

// In lists the symbols that have a name in a file, with each of its places, in order.
func (s *Symbols) In(file string) func(yield func(*Symbol, diag.Range) bool) {
	return func(yield func(*Symbol, diag.Range) bool) {
		for _, o := range s.at[file] {
			if !yield(o.symbol, o.place) {
				return
			}
		}
	}
}

// Alike reports whether the names of two programs, which differ in their spelling only, stand for
// the same things: two places have one symbol in the one if and only if they have one in the other.
func (s *Symbols) Alike(other *Symbols) bool {
	there, back := map[*Symbol]*Symbol{}, map[*Symbol]*Symbol{}
	for file, list := range s.at {
		if len(other.at[file]) != len(list) {
			return false
		}
		for i, o := range list {
			a, b := o.symbol.root(), other.at[file][i].symbol.root()
			if was, met := there[a]; met && was != b {
				return false
			}
			if was, met := back[b]; met && was != a {
				return false
			}
			there[a], back[b] = b, a
		}
	}
	return len(s.at) == len(other.at)
}

// Visible lists the symbols that may be named at an offset of a file: those of the files, those of
// the variant around it or, outside of variants, of all of them, and the locals that are known
// there.
func (s *Symbols) Visible(file string, offset int, variant string) []*Symbol {
	var out []*Symbol
	for _, x := range s.All {
		switch {
		case x.Kind == LocalSymbol:
			if w := x.within; w.File != file || offset < w.Start.Offset || offset > w.End.Offset {
				continue
			}
		case variant != "" && x.Of != "" && x.Of != variant && x.Of != s.boards[variant]:
			continue
		}
		out = append(out, x)
	}
	return out
}

// Declared finds the symbols that are declared with a name.
func (s *Symbols) Declared(name string) []*Symbol {
	return slices.DeleteFunc(slices.Clone(s.All), func(x *Symbol) bool { return x.Name != name || len(x.Decls) == 0 })
}

// root is the symbol that stands for all that were found to be the same.
func (s *Symbol) root() *Symbol {
	for s.same != nil {
		s = s.same
	}
	return s
}

// join makes two symbols one. The one that is declared stands for both.
func (s *Symbol) join(t *Symbol) *Symbol {
	a, b := s.root(), t.root()
	if a == b {
		return a
	}
	if len(a.Decls) == 0 && len(b.Decls) > 0 || a.Kind == ImpliedSymbol {
		a, b = b, a
	}
	a.Decls, a.Uses = append(a.Decls, b.Decls...), append(a.Uses, b.Uses...)
	if a.Of != b.Of {
		a.Of = ""
	}
	b.same = a
	return a
}

// symbolsOf makes the index of symbols that are complete. given has the places where a name is
// given a value.
func symbolsOf(list []*Symbol, boards map[string]string, given map[diag.Range]bool) *Symbols {
	out := &Symbols{at: map[string][]occurrence{}, boards: boards}
	for _, s := range list {
		if s.same != nil || len(s.Decls)+len(s.Uses) == 0 {
			continue
		}
		// The picture declares its pits, and names them.
		s.Uses = slices.DeleteFunc(s.Uses, func(r diag.Range) bool { return slices.Contains(s.Decls, r) })
		for _, r := range s.Uses {
			s.sets += num.Truth(given[r])
		}
		out.All = append(out.All, s)
		for _, r := range s.Places() {
			out.at[r.File] = append(out.at[r.File], occurrence{r, s})
		}
	}
	for _, list := range out.at {
		slices.SortStableFunc(list, func(a, b occurrence) int { return compareRanges(a.place, b.place) })
	}
	return out
}

// front is the first n bytes of a name, which are ASCII or end at a character.
func front(r diag.Range, name string, n int) diag.Range {
	r.End = r.Start
	r.End.Offset += n
	r.End.Column += len([]rune(name[:n]))
	return r
}

// inside is the text of a quoted label without its quotes.
func inside(l *ast.Label) diag.Range {
	r := l.Range
	if l.Quoted && r.End.Offset-r.Start.Offset >= 2 {
		r.Start.Offset, r.Start.Column = r.Start.Offset+1, r.Start.Column+1
		r.End.Offset, r.End.Column = r.End.Offset-1, r.End.Column-1
	}
	return r
}

// pitNumber splits the name of a pit such as hole03 into its group and its number.
func pitNumber(name string) (group string, ok bool) {
	group = strings.TrimRight(name, "0123456789")
	return group, group != "" && group != name
}

// IsFunction reports whether a name is that of a function of the language.
func IsFunction(name string) bool { return functions[name] != 0 }

// Functions lists the names of the functions of the language.
func Functions() []string { return slices.Sorted(maps.Keys(functions)) }
