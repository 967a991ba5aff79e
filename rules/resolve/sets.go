package resolve

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// place is the kind of text that an expression stands in. It decides which words have a meaning
// there.
type place int

const (
	inDeclaration place = iota // parameters, boards: nothing of the state is known
	inSetup
	inGuard // guards, endings, scores: the state, but no sowing
	inBody
	inClaim
)

// sets resolves sets of pits and the seeds in them. What it allows depends on the place of the
// expression.
type sets struct {
	*scope
	place place
	step  *ghosts // of the step that a claim is about; nil: `old` has no meaning
}

// group returns the pits of a group as a set. It is made once for each group, because groups may be
// large and are used often.
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

// union appends the members of t to s, except those that are certainly in s.
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

// without returns the members of s that are not in t.
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

// distinct returns s with each pit once, where it occurs first, and without `none`. If it is known
// only in play whether two members are the same, the later one gets the condition that it is not.
func (e sets) distinct(s setValue) setValue {
	if s.once {
		return s
	}
	out := setValue{once: true}
	// open means that a member before this one is not a known pit.
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

// isPit returns the condition that pit is not `none`, or nil if it never is. A register
// is never `none`, because reading it before it holds a pit is a fault.
func (e sets) isPit(pit rules.Expr) rules.Expr {
	p, fixed := constOf(pit)
	c, cell := pit.(rules.Cell)
	if fixed && p != rules.None || cell && c.Sort == rules.RegisterCell {
		return nil
	}
	return simple(rules.Binary{Op: rules.Ne, L: pit, R: rules.FixedPit(rules.None)})
}

// spread returns s as a set of known pits, each with the condition that it is a member.
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

// members lists the values of a name that goes through s. If `old` has a meaning they are known
// pits, because the name must stand for the same pit in both states.
func (e sets) members(s setValue) []elem {
	if e.step != nil && slices.ContainsFunc(s.elems, func(m elem) bool { _, ok := constOf(m.pit); return !ok }) {
		return e.spread(s).elems
	}
	return e.distinct(s).elems
}

// member returns the condition that pit is in s.
func (e sets) member(pit rules.Expr, s setValue) rules.Expr {
	e.spend((len(s.elems) + len(e.sys.Pits)) / 64)
	if p, known := constOf(pit); known {
		if is, ok := s.has(p); ok {
			return rules.Truth(is)
		}
	} else if in, ok := s.static(len(e.sys.Pits)); ok {
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

// seedsOf returns the number of seeds in a pit. In a setup that makes the number of seeds at the
// start free, even if simplification drops the condition that asks for it.
func (e sets) seedsOf(pit rules.Expr, at diag.Range) rules.Expr {
	if p, ok := constOf(pit); ok && p != rules.None && e.place == inSetup {
		e.sys.Start.Free[p] = true
	}
	return simple(seedsAt(pit, at))
}

// total returns the number of seeds in all pits of s.
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
	sum := rules.Number(0)
	for _, x := range e.distinct(s).elems {
		n := e.seedsOf(x.pit, diag.Range{})
		sum = rules.Join(rules.Add, sum, simple(rules.Cond{If: orTrue(x.cond), Then: n, Else: rules.Number(0)}))
	}
	return sum
}

// ownedBy returns the condition that owner owns pit or, with their, that another player does.
func (e sets) ownedBy(pit, owner rules.Expr, their bool) rules.Expr {
	e.spend(len(e.sys.Players) * len(e.sys.Pits) / 64)
	if p, known := constOf(pit); known {
		if player, known := constOf(owner); known {
			return rules.Truth(p >= 0 && player >= 0 && e.sys.Pits[p].Owner != rules.None && (e.sys.Pits[p].Owner == player) != their)
		}
	}
	cond := rules.False
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

// byOwner turns a set that has exactly one pit for each player into that pit, by cases. owner is
// the player that decides.
func (e sets) byOwner(s setValue, owner rules.Expr) (rules.Expr, bool) {
	if _, known := constOf(owner); known || len(s.elems) == 0 || e.place == inDeclaration {
		return nil, false
	}
	pit := rules.FixedPit(rules.None)
	for player := range e.sys.Players {
		var mine []rules.Expr
		for _, m := range s.elems {
			at := func(x rules.Expr) (rules.Const, bool) {
				return rules.Const{Value: player, Type: rules.PlayerType}, reflect.DeepEqual(x, owner)
			}
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
