package editor

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/vet"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build"
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
		if !t.Diags.HasErrors() {
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

// CanRename finds what the name at an offset stands for, to be renamed. The error says why it
// cannot be.
func (t *Text) CanRename(offset int, others []*Text) (*Named, error) {
	texts := append([]*Text{t}, others...)
	for _, x := range texts {
		if x.Diags.Outside().HasErrors() {
			return nil, fmt.Errorf("%s has mistakes: which names are meant there is not known", x.Path)
		}
	}
	n := t.Name(offset, others)
	switch i := slices.IndexFunc(texts, func(x *Text) bool { return n != nil && x.perhaps(n.Name) }); {
	case i >= 0:
		return nil, fmt.Errorf("a claim of %s has mistakes: whether it means this `%s` is not known", texts[i].Path, n.Name)
	case n == nil:
		return nil, fmt.Errorf("there is no name here that could be changed")
	case n.Implied():
		return nil, fmt.Errorf("`%s` is declared nowhere: it follows from the picture of the board", n.Name)
	case !dsl.IsName(n.Name):
		return nil, fmt.Errorf("`%s` is a text, and no name", n.Name)
	}
	return n, nil
}

// perhaps reports whether a claim with mistakes of syntax has a name, or that of a pit of it.
func (t *Text) perhaps(name string) bool {
	for _, f := range t.Program.Files {
		broken := lists.Filter(ast.All[*ast.Claim](f), func(c *ast.Claim) bool { return c.Mistakes != nil })
		for _, k := range dsl.Tokens(f.Path, f.Source) {
			word := strings.Trim(k.Text, `"`)
			if (word == name || strings.TrimRight(word, "0123456789") == name) && slices.ContainsFunc(broken, func(c *ast.Claim) bool { return c.Range.Holds(k.Range) }) {
				return true
			}
		}
	}
	return false
}

// Rename gives a name another one, in all texts. After that all games and claims have to be what
// they were, but for the name: the resolver is asked. read reads the files that are not changed.
func (t *Text) Rename(ctx context.Context, offset int, name string, others []*Text, read func(path string) ([]byte, error)) ([]diag.Edit, error) {
	n, err := t.CanRename(offset, others)
	switch {
	case err != nil:
		return nil, err
	case dsl.IsReserved(name):
		return nil, fmt.Errorf("`%s` is a word of the language, and cannot be a name", name)
	case !dsl.IsName(name):
		return nil, fmt.Errorf("`%s` is no name: one begins with a letter, and has letters, digits and `_`", name)
	case name == n.Name:
		return nil, nil
	}
	var edits []diag.Edit
	changed := map[string][]diag.Edit{}
	for _, place := range n.Places() {
		e := diag.Edit{Range: place, Text: name}
		edits = append(edits, e)
		changed[place.File] = append(changed[place.File], e)
	}
	texts := append([]*Text{t}, others...)
	sources := map[string][]byte{}
	for _, x := range texts {
		for path, src := range x.Program.Sources {
			if changed[path] != nil {
				sources[path] = diag.Apply(src, changed[path])
			}
		}
	}
	open := func(path string) ([]byte, error) {
		if src, is := sources[path]; is {
			return src, nil
		}
		return read(path)
	}
	for _, x := range texts {
		after := Read(ctx, x.Path, open)
		if err := same(ctx, x, after, n.Name, name); err != nil {
			return nil, err
		}
	}
	return edits, nil
}

// same fails unless a text means the same after a name was changed.
func same(ctx context.Context, before, after *Text, old, name string) error {
	was, open, bad := before.meaning(ctx)
	if bad.HasErrors() {
		return fmt.Errorf("%s has mistakes: which names are meant there is not known", before.Path)
	}
	is, still, wrong := after.meaning(ctx)
	if len(still) > len(open) { // a claim with mistakes keeps them
		wrong = append(wrong, still...)
	}
	if i := slices.IndexFunc(wrong, isError); i >= 0 {
		return fmt.Errorf("`%s` cannot be the name: %s: %s", name, wrong[i].Range, wrong[i].Message)
	}
	// What nothing plays is not resolved, as a board that no variant of the file has.
	if len(was) != len(is) || len(open) != len(still) || !before.Symbols().Alike(after.Symbols()) {
		return fmt.Errorf("`%s` cannot be the name: it is taken", name)
	}
	for i := range was {
		if !slices.EqualFunc(identifier.FindAllString(was[i], -1), identifier.FindAllString(is[i], -1), func(a, b string) bool { return renamed(a, b, old, name) }) {
			return fmt.Errorf("`%s` cannot be the name: the rules or claims of %s would not mean the same, since something follows from the names or another name hides it", name, before.Path)
		}
	}
	return nil
}

func isError(d diag.Diagnostic) bool { return d.Severity == diag.Error }

// meaning is what the games and the first instances of the claims of a text are, in canonical
// words. open has the mistakes of claims, and wrong those of the rules.
func (t *Text) meaning(ctx context.Context) (out []string, open, wrong diag.List) {
	t.checking.Lock()
	defer t.checking.Unlock()
	if t.File == nil || t.Diags.Outside().HasErrors() {
		return nil, nil, t.Diags
	}
	t.Within(ctx)
	defer t.Within(t.base)
	for _, v := range t.File.Unit.Variants {
		sys, more := t.File.Unit.System(v, nil)
		if wrong = append(wrong, more...); !more.HasErrors() {
			out = append(out, string(sys.Canonical()))
		}
	}
	items, mistakes := t.File.ItemsOf(nil, vet.First)
	open = lists.Filter(mistakes, isError)
	for _, i := range items {
		if i.Instance == nil {
			continue
		}
		for _, one := range sizes(i.Instance) {
			out = append(out, i.Claim, one.Asserts(), string(one.System.Canonical()))
		}
	}
	t.File.Unit.Forget()
	return out, open, wrong
}

// sizes lists an instance, or in the place of one about every size those of the two least sizes:
// its digest is of a text with all names, and another one after any change of a name.
func sizes(i *build.Instance) []*build.Instance {
	if i.Size == "" {
		return []*build.Instance{i}
	}
	least, next, err := i.AtSizes(i.Least())
	if err != nil {
		return nil // the same as before, or else the numbers of the lists differ
	}
	return []*build.Instance{least, next}
}

// identifier matches the words and the single signs of a canonical text.
var identifier = regexp.MustCompile(`[_\pL\p{Nd}]+|[^ \n]`)

// renamed reports whether one word is the other with the new name. A pit's has a number behind it.
func renamed(a, b, old, name string) bool {
	number, was := strings.CutPrefix(a, old)
	same, is := strings.CutPrefix(b, name)
	return a == b || was && is && number == same && strings.Trim(number, "0123456789") == ""
}
