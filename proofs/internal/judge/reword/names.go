package reword

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// follow lists names of what may follow from a picture, or that have a meaning of their own.
var follow = []string{
	"pit", "house", "store", "ccw", "cw", "ccw_with_stores", "cw_with_stores", "opposite", "behind", "start", "going", "going_as", "first",
	"last", "origin", "mover", "opponent", "none", "true", "false", "empty", "stuck", "finished", "endless", "pass", "player", "number", "bool", "lap", "set",
	"seeds", "index", "total", "next", "before", "min", "max",
}

// rename gives all that the file declares another name. A letter is put before each, later ones in
// the alphabet before earlier names; so no name is still before another that it was before, and a
// pit whose name tells its owner still does.
func (e *edit) rename() {
	if strings.Contains(e.text, "going_as") { // its values are names made of names
		e.refused = true
		return
	}
	declared := e.declared()
	var roots []string
	for name := range declared {
		if r := root(name); !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
	}
	slices.Sort(roots)
	word := func(name string) string {
		if !declared[name] {
			// a pit by its name, which no declaration has as such
			group := strings.TrimRight(name, "0123456789")
			if group == name || !declared[group] {
				return name
			}
		}
		i := slices.Index(roots, root(name))
		letter := string(rune('z' - i%24))
		if c := name[:1]; c == strings.ToUpper(c) {
			letter = strings.ToUpper(letter)
		}
		return letter + "z" + name
	}
	e.out.Word = word
	e.nameAll(word)
	parts := map[string]string{}
	for name, text := range e.out.Parts {
		if head, rest, ok := strings.Cut(text, "\n"); ok && strings.HasSuffix(name, ".csv") {
			text = eachWord(head, word) + "\n" + rest
		}
		parts[name] = text
	}
	e.out.Parts = parts
}

// root returns the part with which names that belong together begin: those of a pit and its owner.
func root(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), "_")
	return strings.TrimRight(name, "0123456789")
}

// declared returns the names that the file declares.
func (e *edit) declared() map[string]bool {
	out := map[string]bool{}
	id := func(list ...ast.Ident) {
		for _, x := range list {
			out[x.Name] = true
		}
	}
	label := func(l *ast.Label) {
		if l != nil && name.MatchString(l.Text) {
			out[l.Text] = true
		}
	}
	ast.Inspect(e.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Variant:
			id(n.Name)
		case *ast.Board:
			if n.Name != nil {
				id(*n.Name)
			}
		case *ast.Param:
			id(n.Name)
		case *ast.Players:
			id(n.Names...)
		case *ast.BoardCell:
			if n.Pit != nil {
				id(n.Pit.Group)
			}
		case *ast.Lap:
			id(n.Name)
		case *ast.Group:
			id(n.Name)
		case *ast.Facing:
			id(n.Name)
			if x, ok := n.Index.(*ast.Name); ok {
				out[x.Name] = true
			}
		case *ast.StateVar:
			id(n.Name)
			id(n.Type.Enum...)
			if n.Var != nil {
				id(*n.Var)
			}
		case *ast.Define:
			id(n.Name)
		case *ast.Procedure:
			id(n.Name)
		case *ast.Formal:
			id(n.Name)
		case *ast.Setup:
			label(n.Label)
		case *ast.Move:
			label(n.Label)
		case *ast.Choice:
			id(n.Name)
		case *ast.Option:
			label(n.Notation)
			label(n.Label)
		case *ast.Ending:
			label(n.Label)
		case *ast.Offer:
			label(n.Verdict.Label)
		case *ast.Finish:
			label(n.Label)
		case *ast.Let:
			id(n.Name)
		case *ast.For:
			id(n.Name)
		case *ast.Quant:
			id(n.Var)
		case *ast.Filter:
			id(n.Var)
		case *ast.Chain:
			id(n.Name)
		case *ast.Position:
			id(n.Name)
		case *ast.Strategy:
			id(n.Name)
		case *ast.Claim:
			id(n.Name)
		}
		return true
	})
	for _, n := range follow {
		delete(out, n)
	}
	return out
}

var name = regexp.MustCompile(`^[A-Za-z]\w*$`)

// nameAll replaces every name in the tree.
func (e *edit) nameAll(word func(string) string) {
	put := func(n ast.Node, old string) {
		if by := word(old); by != old {
			e.replace(n, by)
		}
	}
	ast.Inspect(e.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			put(n, n.Name)
		case *ast.Name:
			put(n, n.Name)
		case *ast.Subject:
			put(n, n.Name)
		case *ast.Each:
			put(n, n.Name)
		case *ast.Who:
			put(n, n.Name)
		case *ast.Sort:
			put(n, n.Name)
		case *ast.Text:
			if by := word(n.Value); by != n.Value {
				e.replace(n, `"`+by+`"`)
			}
		case *ast.Place:
			e.notations(n.After, word)
		case *ast.Best:
			e.notations(n.Moves, word)
		case *ast.Label:
			switch by := word(n.Text); {
			case by == n.Text:
			case n.Quoted:
				e.replace(n, `"`+by+`"`)
			default:
				e.replace(n, by)
			}
		}
		return true
	})
}

// notations are written by words. The labels in them are visited after this, and what is replaced
// first stays.
func (e *edit) notations(list []*ast.Label, word func(string) string) {
	for _, l := range list {
		if by := eachWord(l.Text, word); by != l.Text && l.Quoted {
			e.replace(l, `"`+by+`"`)
		}
	}
}

// shadow gives what quantifiers and loops stand for the names that definitions and procedures use
// for other things, where the text around does not. Names that are bound where one is used are not
// known in it.
func (e *edit) shadow() {
	stretches := map[string]bool{} // no name may be that of a pit in one
	each(e, func(r *ast.PitRange) { stretches[r.Group.Name] = r.From != nil || stretches[r.Group.Name] })
	var used []string // by definitions and procedures, and no words of the language
	uses := func(n ast.Node, bound map[string]bool) {
		for _, n := range ast.All[*ast.Name](n) {
			if !bound[n.Name] && !stretches[strings.TrimRight(n.Name, "0123456789")] && !slices.Contains(follow, n.Name) && !slices.Contains(used, n.Name) {
				used = append(used, n.Name)
			}
		}
	}
	each(e, func(d *ast.Define) { uses(d.Value, bound(d)) })
	each(e, func(p *ast.Procedure) { uses(p, bound(p)) })
	slices.Sort(used)
	each(e, func(q *ast.Quant) { e.take(&q.Var, q.Body, used) })
	each(e, func(f *ast.Filter) { e.take(&f.Var, f.Where, used) })
	each(e, func(f *ast.For) {
		for _, s := range f.Body {
			if len(ast.All[*ast.Let](s))+len(ast.All[*ast.For](s))+len(ast.All[*ast.Chain](s)) > 0 {
				return
			}
		}
		if len(f.Body) > 0 {
			e.take(&f.Name, f, used)
		}
	})
}

// take renames a bound name within a node, if a definition or procedure is used in it and there is
// a name that nothing else there has.
func (e *edit) take(bound *ast.Ident, in ast.Node, used []string) {
	calls := 0
	taken := map[string]bool{}
	again := false // the name is bound once more within
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			taken[n.Name] = true
		case *ast.Ident:
			taken[n.Name] = true
			again = again || n != bound && n.Name == bound.Name
		}
		return true
	})
	for _, c := range e.changes { // what is bound within has another name by now
		r := in.Span()
		again = again || r.Start.Offset <= c.from && c.to <= r.End.Offset
	}
	each(e, func(d *ast.Define) {
		if taken[d.Name.Name] {
			calls++
		}
	})
	each(e, func(p *ast.Procedure) {
		if taken[p.Name.Name] {
			calls++
		}
	})
	if calls == 0 || again {
		return
	}
	for _, by := range used {
		if taken[by] {
			continue
		}
		e.replace(bound, by)
		ast.Inspect(in, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok && x.Name == bound.Name {
				e.replace(x, by)
			}
			return true
		})
		return
	}
}
