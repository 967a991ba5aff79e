package resolve

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// setValue is a set of pits in order. A member with a condition belongs to it only where that
// holds.
type setValue struct {
	elems []elem
	once  bool // no two members are the same pit, and none is `none`
}

type elem struct {
	pit  rules.Expr
	cond rules.Expr // nil: always
}

func (s setValue) single() (rules.Expr, bool) {
	if len(s.elems) == 1 && s.elems[0].cond == nil {
		return s.elems[0].pit, true
	}
	return nil, false
}

// static returns membership by pit, if it does not depend on the state.
func (s setValue) static(pits int) ([]bool, bool) {
	in := make([]bool, pits)
	for _, e := range s.elems {
		p, ok := constOf(e.pit)
		if !ok || e.cond != nil {
			return nil, false
		}
		if p != rules.None {
			in[p] = true
		}
	}
	return in, true
}

// group is the set of a group's pits, which is made once.
func (e env) group(i int) setValue {
	if e.groups == nil {
		e.builder.groups = map[int]setValue{}
	}
	s, ok := e.groups[i]
	if !ok {
		s = e.distinct(fixedSet(e.sys.Groups[i].Pits))
		e.groups[i] = s
	}
	return setValue{elems: slices.Clip(s.elems), once: s.once}
}

func fixedSet(pits []int) setValue {
	var s setValue
	for _, p := range pits {
		s.elems = append(s.elems, elem{pit: rules.FixedPit(p)})
	}
	return s
}

// asSet accepts a pit as the set of itself.
func (e env) asSet(v value, at diag.Range) setValue {
	switch v.typ.kind {
	case kSet:
		return v.set
	case kPit:
		v.use.place()
		return setValue{elems: []elem{{pit: v.x}}}
	case kList:
		if len(v.list) == 0 {
			return setValue{}
		}
	}
	e.mismatch(at, "a set of pits", v)
	return setValue{}
}

// sets joins several sets.
func (e env) sets(xs []ast.Expr) setValue {
	var s setValue
	for _, x := range xs {
		s = e.union(s, e.asSet(e.expr(x), x.Span()))
	}
	return s
}

// union keeps the order and drops members that are certainly there already.
func (e env) union(s, t setValue) setValue {
	e.spend((len(s.elems) + len(t.elems)) / 16)
	certain := map[int]bool{}
	for _, x := range s.elems {
		if p, ok := constOf(x.pit); ok && x.cond == nil {
			certain[p] = true
		}
	}
	out := setValue{elems: slices.Clip(s.elems)}
	for _, x := range t.elems {
		if p, ok := constOf(x.pit); !ok || !certain[p] {
			out.elems = append(out.elems, x)
		}
	}
	return out
}

// without removes the members of t from s.
func (e env) without(s, t setValue) setValue {
	s = e.distinct(s)
	out := setValue{once: true}
	for _, x := range s.elems {
		if c := simple(rules.Not{X: e.member(x.pit, t)}); c != rules.False {
			out.elems = append(out.elems, elem{x.pit, andCond(x.cond, c)})
		}
	}
	return out
}

// andCond conjoins member conditions, where nil is true.
func andCond(a, b rules.Expr) rules.Expr {
	c := rules.Join(rules.And, orTrue(a), b)
	if c == rules.True {
		return nil
	}
	return c
}

// distinct makes s a set that has each pit once, at its first place, and `none` not at all.
func (e env) distinct(s setValue) setValue {
	if s.once {
		return s
	}
	out := setValue{once: true}
	seen, open := map[int]bool{}, false
	for i, x := range s.elems {
		p, fixed := constOf(x.pit)
		cond := x.cond
		switch {
		case fixed && p == rules.None:
			continue
		case !fixed || open || seen[p]:
			open = open || !fixed
			first := simple(rules.Not{X: e.member(x.pit, setValue{elems: s.elems[:i]})})
			cond = andCond(e.isPit(x.pit), rules.Join(rules.And, first, orTrue(cond)))
		}
		seen[p] = true
		if cond != rules.False {
			out.elems = append(out.elems, elem{x.pit, cond})
		}
	}
	return out
}

// isPit is the condition that pit is not `none`; nil if it never is.
func (e env) isPit(pit rules.Expr) rules.Expr {
	p, fixed := constOf(pit)
	c, cell := pit.(rules.Cell)
	if fixed && p != rules.None || cell && c.Sort == rules.RegisterCell {
		return nil
	}
	return simple(rules.Binary{Op: rules.Ne, L: pit, R: rules.FixedPit(rules.None)})
}

// spread makes s a set of known pits, each with the condition that it is a member.
func (e env) spread(s setValue) setValue {
	out := setValue{once: true}
	for p := range e.sys.Pits {
		pit := rules.FixedPit(p)
		if c := e.member(pit, s); c != rules.False {
			out.elems = append(out.elems, elem{pit, andCond(c, rules.True)})
		}
	}
	return out
}

// members are those that a name can stand for in turn. Where `old` has a meaning they are known
// pits, as the name stands for the same pit behind it.
func (e env) members(s setValue) []elem {
	if e.inStep && slices.ContainsFunc(s.elems, func(m elem) bool { _, ok := constOf(m.pit); return !ok }) {
		return e.spread(s).elems
	}
	return e.distinct(s).elems
}

func orTrue(cond rules.Expr) rules.Expr {
	if cond == nil {
		return rules.True
	}
	return cond
}

// member is the condition that pit is in s.
func (e env) member(pit rules.Expr, s setValue) rules.Expr {
	e.spend((len(s.elems) + len(e.sys.Pits)) / 64)
	if in, ok := s.static(len(e.sys.Pits)); ok {
		return simple(rules.In(pit, in))
	}
	any := rules.False
	for _, x := range s.elems {
		is := rules.Expr(rules.Binary{Op: rules.Eq, L: pit, R: x.pit})
		if some := e.isPit(x.pit); some != nil && e.isPit(pit) != nil {
			is = rules.Join(rules.And, some, is)
		}
		if x.cond != nil {
			is = rules.Binary{Op: rules.And, L: x.cond, R: is}
		}
		any = rules.Join(rules.Or, any, simple(is))
	}
	return any
}

// total is the number of seeds in s.
func (e env) total(s setValue) rules.Expr {
	if in, ok := s.static(len(e.sys.Pits)); ok {
		var pits []int
		for p, is := range in {
			if is {
				pits = append(pits, p)
			}
		}
		if len(pits) == 0 {
			return rules.Number(0)
		}
		for _, p := range pits {
			e.seedsOf(rules.FixedPit(p), diag.Range{})
		}
		return rules.Sum{Pits: pits}
	}
	sum := rules.Expr(rules.Number(0))
	for _, x := range e.distinct(s).elems {
		n := e.seedsOf(x.pit, diag.Range{})
		sum = rules.Join(rules.Add, sum, simple(rules.Cond{If: orTrue(x.cond), Then: n, Else: rules.Number(0)}))
	}
	return sum
}

// owned is `my G`, `their G` or `G of P`.
func (e env) owned(x *ast.Of) value {
	owner, ok := e.owner(x)
	if !ok {
		return bad
	}
	if ent, ok := e.names[x.Group.Name]; ok && ent.kind == entLap && e.find(x.Group.Name) == nil {
		return e.ownLap(x, owner)
	}
	g := e.expr(&ast.Name{At: x.Group.At, Name: x.Group.Name})
	if g.typ.kind == kBad {
		return bad
	}
	s := e.asSet(g, x.Group.Range)
	out := setValue{once: s.once}
	for _, m := range s.elems {
		if c := e.ownedBy(m.pit, owner, x.Their); c != rules.False {
			out.elems = append(out.elems, elem{m.pit, andCond(m.cond, c)})
		}
	}
	return value{typ: typ{kind: kSet}, set: out, owner: owner, spelled: true}
}

// owner is the player that `my`, `their` or `of` speaks of.
func (e env) owner(x *ast.Of) (rules.Expr, bool) {
	word := "`my` and `their` have"
	if x.Player != nil {
		word = "`of` has"
	}
	switch {
	case !e.twoPlayers():
		e.diags.Errorf(diag.Misplaced, x.Range, "%s no meaning in a solitaire", word).
			WithHelp("declare the players with `player South, North`")
		return nil, false
	case e.place == inDeclaration && !e.ownersKnown:
		e.diags.Errorf(diag.Misplaced, x.Range, "%s no meaning here: it is not known yet who owns which pits", word)
		return nil, false
	case x.Player != nil:
		v := e.expr(x.Player)
		n := len(*e.diags)
		p := e.asType(typ{kind: kPlayer}, v, x.Player.Span())
		return simple(p), v.typ.kind == kPlayer && len(*e.diags) == n
	case e.place == inDeclaration || e.place == inSetup:
		e.diags.Errorf(diag.Misplaced, x.Range, "%s no meaning here: nobody is to move", word)
		return nil, false
	case e.mover != anyMover:
		return rules.FixedPlayer(e.mover), true
	}
	return rules.Mover, true
}

// ownedBy is the condition that the owner owns pit; for their, that another player does.
func (e env) ownedBy(pit, owner rules.Expr, their bool) rules.Expr {
	cond := rules.False
	e.spend(len(e.sys.Players) * len(e.sys.Pits) / 64)
	for player := range e.sys.Players {
		in := make([]bool, len(e.sys.Pits))
		for i, p := range e.sys.Pits {
			in[i] = p.Owner != rules.None && (p.Owner == player) != their
		}
		is := rules.Binary{Op: rules.Eq, L: owner, R: rules.FixedPlayer(player)}
		cond = simple(rules.Binary{
			Op: rules.Or, L: cond,
			R: rules.Binary{Op: rules.And, L: is, R: rules.In(pit, in)},
		})
	}
	return cond
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byOwner makes a set with one pit for each player into that pit. owner is the player that decides.
func (e env) byOwner(s setValue, owner rules.Expr) (rules.Expr, bool) {
	if _, known := constOf(owner); known || len(s.elems) == 0 || e.place == inDeclaration {
		return nil, false
	}
	pit := rules.Expr(rules.FixedPit(rules.None))
	for player := range e.sys.Players {
		var mine []rules.Expr
		for _, m := range s.elems {
			at := func(x rules.Expr) (rules.Const, bool) { return rules.FixedPlayer(player), reflect.DeepEqual(x, owner) }
			if m.cond == nil || rules.Simplify(m.cond, at) == rules.True {
				mine = append(mine, m.pit)
			}
		}
		if len(mine) != 1 {
			return nil, false
		}
		is := rules.Binary{Op: rules.Eq, L: owner, R: rules.FixedPlayer(player)}
		pit = rules.Cond{If: is, Then: mine[0], Else: pit}
	}
	return pit, true
}
