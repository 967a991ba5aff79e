package resolve

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// place is the kind of text an expression stands in; it decides which words have a meaning.
type place int

const (
	inDeclaration place = iota // parameters, boards: nothing of the state is known
	inSetup
	inGuard // guards, endings, scores: the state, but no sowing
	inBody
	inClaim
)

// sets are the sets of pits, and the seeds in them, as the place of an expression allows.
type sets struct {
	*scope
	place place
	step  *ghosts // of the step that the claim speaks of; nil: `old` has no meaning
}

// group is the set of a group's pits, which is made once.
func (e sets) group(i int) setValue {
	if e.groups == nil {
		e.scope.groups = map[int]setValue{}
	}
	s, ok := e.groups[i]
	if !ok {
		s = e.distinct(fixedSet(e.sys.Groups[i].Pits))
		e.groups[i] = s
	}
	return setValue{elems: slices.Clip(s.elems), once: s.once}
}

// union keeps the order and drops members that are certainly there already.
func (e sets) union(s, t setValue) setValue {
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
func (e sets) without(s, t setValue) setValue {
	s = e.distinct(s)
	out := setValue{once: true}
	for _, x := range s.elems {
		if c := simple(rules.Not{X: e.member(x.pit, t)}); c != rules.False {
			out.elems = append(out.elems, elem{x.pit, andCond(x.cond, c)})
		}
	}
	return out
}

// distinct makes s a set that has each pit once, at its first place, and `none` not at all.
func (e sets) distinct(s setValue) setValue {
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
func (e sets) isPit(pit rules.Expr) rules.Expr {
	p, fixed := constOf(pit)
	c, cell := pit.(rules.Cell)
	if fixed && p != rules.None || cell && c.Sort == rules.RegisterCell {
		return nil
	}
	return simple(rules.Binary{Op: rules.Ne, L: pit, R: rules.FixedPit(rules.None)})
}

// spread makes s a set of known pits, each with the condition that it is a member.
func (e sets) spread(s setValue) setValue {
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
func (e sets) members(s setValue) []elem {
	if e.step != nil && slices.ContainsFunc(s.elems, func(m elem) bool { _, ok := constOf(m.pit); return !ok }) {
		return e.spread(s).elems
	}
	return e.distinct(s).elems
}

// member is the condition that pit is in s.
func (e sets) member(pit rules.Expr, s setValue) rules.Expr {
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

// seedsOf is the number of seeds in a pit. A setup that asks for it speaks of the pit, whatever
// comes of the condition.
func (e sets) seedsOf(pit rules.Expr, at diag.Range) rules.Expr {
	if p, ok := constOf(pit); ok && p != rules.None && e.place == inSetup {
		e.sys.Start.Free[p] = true
	}
	return simple(seedsAt(pit, at))
}

// total is the number of seeds in s.
func (e sets) total(s setValue) rules.Expr {
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

// ownedBy is the condition that the owner owns pit; for their, that another player does.
func (e sets) ownedBy(pit, owner rules.Expr, their bool) rules.Expr {
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

// byOwner makes a set with one pit for each player into that pit. owner is the player that decides.
func (e sets) byOwner(s setValue, owner rules.Expr) (rules.Expr, bool) {
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
