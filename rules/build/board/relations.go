package board

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// relation declares the pairs of one line. Several lines may add to the same relation.
func (b *drawing) relation(f *ast.Facing) {
	r, ok := b.relationNamed(f.Name)
	if !ok {
		return
	}
	for _, pair := range b.pairs(f) {
		b.relate(f, r, pair[0], pair[1])
		if !f.OneWay {
			b.relate(f, r, pair[1], pair[0])
		}
	}
}

// relationNamed finds or adds a relation. ok is false if the name is taken.
func (b *drawing) relationNamed(name ast.Ident) (*rules.Relation, bool) {
	x := b.g.Bound.Symbol(name.Name)
	if i, made := b.g.Made[x]; made {
		if x.Kind != bind.RelationName {
			return nil, false
		}
		return &b.g.Sys.Relations[i], true
	}
	b.g.Make(x, bind.RelationName, len(b.g.Sys.Relations))
	b.g.Sys.Relations = append(b.g.Sys.Relations, b.g.EmptyRelation(name.Name))
	return &b.g.Sys.Relations[len(b.g.Sys.Relations)-1], true
}

// pairs lists the pairs that a line declares. There is one, or, if the index is a free name, one
// for each number for which both pits exist.
func (b *drawing) pairs(f *ast.Facing) [][2]int {
	var index bind.Ref
	if n, is := f.Index.(*ast.Name); is {
		index = b.g.Bound.Ref(n, false)
	}
	if index.Kind != bind.LocalName {
		p, q := b.end(&f.Group, f.Index), b.end(&f.Other, f.Expr)
		if p == rules.None || q == rules.None {
			return nil
		}
		return [][2]int{{p, q}}
	}
	b.g.Drawn(f.Group)
	if f.Expr != nil {
		b.g.Drawn(f.Other)
	}
	var out [][2]int
	for p, pit := range b.g.Sys.Pits {
		if pit.Group != f.Group.Name || !b.g.Bracketed[pit.Group] {
			continue
		}
		if q := b.counterpart(f, index.Symbol, pit.Index); q != rules.None {
			out = append(out, [2]int{p, q})
		}
	}
	return out
}

// end returns one pit of a pair: a pit with a number, or a single one.
func (b *drawing) end(name *ast.Ident, number ast.Expr) int {
	if number != nil {
		return b.g.PitAt(*name, b.fixed.ConstInt(number), name.Range.To(number.Span()))
	}
	pit, _ := term.ConstOf(term.AsPit(b.fixed, b.fixed.Name(name, name.Range), name.Range))
	return pit
}

// counterpart returns the pit on the right of a line for one value of its index, or rules.None if
// there is no such pit.
func (b *drawing) counterpart(f *ast.Facing, index *bind.Symbol, i int) int {
	if f.Expr == nil {
		return b.end(&f.Other, nil)
	}
	sub := b.fixed.With(index, term.Number(rules.Number(i)))
	j := sub.ConstInt(f.Expr)
	return slices.IndexFunc(b.g.Sys.Pits, func(p rules.Pit) bool { return p.Group == f.Other.Name && p.Index == j })
}

// relate makes a relation lead from p to q. It reports a pit from which the relation leads
// elsewhere.
func (b *drawing) relate(f *ast.Facing, r *rules.Relation, p, q int) {
	if old := r.To[p]; old != rules.None && old != q {
		b.g.Run.Diags.Errorf(diag.BadRelation, f.Range, "`%s(%s)` is both `%s` and `%s`",
			r.Name, b.g.Sys.Pits[p].Name, b.g.Sys.Pits[old].Name, b.g.Sys.Pits[q].Name)
		return
	}
	r.To[p] = q
}
