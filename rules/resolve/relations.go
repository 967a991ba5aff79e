package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
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
	x := b.bound.Symbol(name.Name)
	if e, ok := b.made[x]; ok {
		return &b.sys.Relations[e.index], e.kind == entRelation
	}
	b.make(x, entity{kind: entRelation, index: len(b.sys.Relations)})
	return b.newRelation(name.Name), true
}

// pairs lists the pairs that a line declares. There is one, or, if the index is a free name, one
// for each number for which both pits exist.
func (b *drawing) pairs(f *ast.Facing) [][2]int {
	var index bind.Ref
	if n, is := f.Index.(*ast.Name); is {
		index = b.bound.Ref(n, false)
	}
	if index.Kind != bind.LocalName {
		p, q := b.end(&f.Group, f.Index), b.end(&f.Other, f.Expr)
		if p == rules.None || q == rules.None {
			return nil
		}
		return [][2]int{{p, q}}
	}
	b.drawn(f.Group)
	if f.Expr != nil {
		b.drawn(f.Other)
	}
	var out [][2]int
	for p, pit := range b.sys.Pits {
		if pit.Group != f.Group.Name || !b.bracketed[pit.Group] {
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
		return b.pitAt(*name, b.fixed.constInt(number), name.Range.To(number.Span()))
	}
	pit, _ := constOf(b.fixed.asPit(b.fixed.name(name, name.Range), name.Range))
	return pit
}

// counterpart returns the pit on the right of a line for one value of its index, or rules.None if
// there is no such pit.
func (b *drawing) counterpart(f *ast.Facing, index *bind.Symbol, i int) int {
	if f.Expr == nil {
		return b.end(&f.Other, nil)
	}
	sub := b.fixed.with(index, number(rules.Number(i)))
	j := sub.constInt(f.Expr)
	for q, pit := range b.sys.Pits {
		if pit.Group == f.Other.Name && pit.Index == j {
			return q
		}
	}
	return rules.None
}

// relate makes a relation lead from p to q. It reports a pit from which the relation leads
// elsewhere.
func (b *drawing) relate(f *ast.Facing, r *rules.Relation, p, q int) {
	if old := r.To[p]; old != rules.None && old != q {
		b.diags.Errorf(diag.BadRelation, f.Range, "`%s(%s)` is both `%s` and `%s`",
			r.Name, b.sys.Pits[p].Name, b.sys.Pits[old].Name, b.sys.Pits[q].Name)
		return
	}
	r.To[p] = q
}
