package editor

import (
	"path"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
)

// Named is a name with all places where it stands, in this text and in others that know it.
type Named struct {
	*bind.Symbol
	At    diag.Range // where it was asked for
	Decls []diag.Range
	Uses  []diag.Range
}

// Name finds what the name at an offset stands for. others are texts that import this one, or that
// are imported from it. In a part with mistakes, a name is what is declared by it elsewhere.
func (t *Text) Name(offset int, others []*Text) *Named {
	s, at := t.Symbols().At(t.Path, offset)
	if s == nil {
		if t.File != nil {
			return nil
		}
		from, to := t.word(offset)
		found := t.Symbols().Declared(string(t.Source[from:to]))
		if len(found) == 0 || found[0].Kind == bind.LocalName {
			return nil
		}
		s, at = found[0], diag.Range{File: t.Path, Start: diag.Pos{Offset: from}, End: diag.Pos{Offset: to}}
	}
	out := &Named{Symbol: s, At: at}
	out.collect(append([]*Text{t}, others...))
	return out
}

// collect finds the places of the symbol in all texts. What is one in any of them is one.
func (n *Named) collect(texts []*Text) {
	known := map[*bind.Symbol]bool{n.Symbol: true}
	n.add(n.Symbol)
	for more := true; more; {
		more = false
		for _, t := range texts {
			for _, s := range t.Symbols().All {
				if !known[s] && s.Name == n.Name && slices.ContainsFunc(s.Decls, func(d diag.Range) bool { return slices.Contains(n.Decls, d) }) {
					known[s], more = true, true
					n.add(s)
				}
			}
		}
	}
	n.Decls, n.Uses = sorted(n.Decls), sorted(n.Uses)
	n.Uses = slices.DeleteFunc(n.Uses, func(r diag.Range) bool { return slices.Contains(n.Decls, r) })
}

func (n *Named) add(s *bind.Symbol) {
	n.Decls, n.Uses = append(n.Decls, s.Decls...), append(n.Uses, s.Uses...)
}

func sorted(list []diag.Range) []diag.Range {
	s := bind.Symbol{Uses: list}
	return s.Places()
}

// Places lists all places of the name.
func (n *Named) Places() []diag.Range { return sorted(slices.Concat(n.Decls, n.Uses)) }

// Imported is the path of the file that an import at an offset names; empty: there is none.
func (t *Text) Imported(offset int) string {
	if t.Root == nil {
		return ""
	}
	for _, i := range t.Root.Imports {
		if r := i.PathAt; r.Start.Offset <= offset && offset <= r.End.Offset {
			name := path.Join(path.Dir(t.Path), i.Path)
			if path.IsAbs(i.Path) {
				name = i.Path
			}
			if _, read := t.Program.Sources[name]; read {
				return name
			}
		}
	}
	return ""
}
