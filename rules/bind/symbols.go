package bind

import (
	"cmp"
	"slices"
	"sort"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

// Symbol is what has a name, with all places where the name stands. What the text makes one is one:
// a name in a definition that variants share is the same in all of them.
type Symbol struct {
	Name  string
	Kind  Kind     // Unknown if it is declared nowhere and nothing implies it
	Of    string   // the variant or board that it belongs to; may be empty
	Node  ast.Node // the first declaration; nil if the picture of a board implies it
	Decls []diag.Range
	Uses  []diag.Range

	sets   int        // uses that give it a value
	within diag.Range // of a local: where it is known
	same   *Symbol    // another symbol that was found to be the same
}

// Implied reports whether the name is declared nowhere.
func (s *Symbol) Implied() bool { return len(s.Decls) == 0 }

// Read reports whether something uses the name, besides giving it a value.
func (s *Symbol) Read() bool { return len(s.Uses) > s.sets }

// Set reports whether something gives it a value, besides its declaration.
func (s *Symbol) Set() bool { return s.sets > 0 }

// Places lists the places where the name is declared or used, in the order of files and text.
func (s *Symbol) Places() []diag.Range {
	return sorted(slices.Concat(s.Decls, s.Uses))
}

func compareRanges(a, b diag.Range) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start.Offset, b.Start.Offset), cmp.Compare(a.End.Offset, b.End.Offset))
}

// Root is the symbol that stands for all that were found to be the same.
func (s *Symbol) Root() *Symbol {
	for s.same != nil {
		s = s.same
	}
	return s
}

// join makes two symbols one. The one that is declared stands for both.
func (s *Symbol) join(t *Symbol) {
	a, b := s.Root(), t.Root()
	if a == b {
		return
	}
	if a.Implied() && !b.Implied() || a.Kind == Unknown {
		a, b = b, a
	}
	a.Decls, a.Uses = append(a.Decls, b.Decls...), append(a.Uses, b.Uses...)
	if a.Of != b.Of {
		a.Of = ""
	}
	b.same = a
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
			a, b := o.symbol.Root(), other.at[file][i].symbol.Root()
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
		case x.Kind == LocalName:
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
	return slices.DeleteFunc(slices.Clone(s.All), func(x *Symbol) bool { return x.Name != name || x.Implied() })
}

// table collects the symbols of a program.
type table struct {
	list  []*Symbol
	files map[string]*Symbol // declarations of the files, by kind and name
	given map[diag.Range]bool
}

// declare adds a place where a symbol is declared. A second one, as of laps of several players, is
// another place of the first.
func (t *table) declare(space map[string]*Symbol, key string, s *Symbol, at diag.Range) *Symbol {
	if old := space[key]; old != nil {
		s = old
	} else {
		space[key] = s
		t.list = append(t.list, s)
	}
	s.Decls = append(s.Decls, at)
	return s
}

// add adds a symbol that is implied.
func (t *table) add(s *Symbol) *Symbol {
	t.list = append(t.list, s)
	return s
}

// use notes that a name stands for a symbol. At one place of text that variants share it may stand
// for a symbol of each, which are one then.
func (t *table) use(s *Symbol, at diag.Range) {
	r := s.Root()
	r.Uses = append(r.Uses, at)
}

// index makes the index of the symbols. boards has the shared boards of variants.
func (t *table) index(boards map[string]string) *Symbols {
	t.unite()
	out := &Symbols{at: map[string][]occurrence{}, boards: boards}
	for _, s := range t.list {
		if s.same != nil || len(s.Decls)+len(s.Uses) == 0 {
			continue
		}
		// The picture declares its pits, and names them. Shared text is read more than once.
		s.Decls = sorted(s.Decls)
		s.Uses = slices.DeleteFunc(sorted(s.Uses), func(r diag.Range) bool { return slices.Contains(s.Decls, r) })
		s.sets = lists.Count(s.Uses, func(r diag.Range) bool { return t.given[r] })
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

func sorted(list []diag.Range) []diag.Range {
	list = slices.Clone(list)
	slices.SortStableFunc(list, compareRanges)
	return slices.Compact(list)
}

// unite makes the symbols one that stand at one place.
func (t *table) unite() {
	first := map[diag.Range]*Symbol{}
	for _, s := range t.list {
		if s.same != nil {
			continue
		}
		for _, r := range s.Places() {
			if other, met := first[r]; !met {
				first[r] = s
			} else if other.Root() != s.Root() {
				other.join(s)
			}
		}
	}
}
