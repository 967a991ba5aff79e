package term

import (
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// place is the kind of text that an expression stands in. It decides which words have a meaning
// there.
type place int

const (
	InDeclaration place = iota // parameters, boards: nothing of the state is known
	InSetup
	InGuard // guards, endings, scores: the state, but no sowing
	InBody
	InClaim
)

// group returns the pits of a group as a set. It is made once for each group, because groups may be
// large and are used often.
func group(e Env, i int) PitSet {
	s, ok := e.Game.Groups[i]
	if !ok {
		s = Distinct(e, fixedSet(e.Game.Sys.Groups[i].Pits))
		e.Game.Groups[i] = s
	}
	return PitSet{Elems: slices.Clip(s.Elems), once: s.once}
}

// union appends the members of t to s, except those that are certainly in s.
func union(e Env, s, t PitSet) PitSet {
	e.Game.Run.Spend((len(s.Elems) + len(t.Elems)) / 16)
	certain := map[int]bool{}
	for _, x := range s.Elems {
		if p, ok := ConstOf(x.Pit); ok && x.Cond == rules.True {
			certain[p] = true
		}
	}
	out := PitSet{Elems: slices.Clip(s.Elems)}
	for _, x := range t.Elems {
		if p, ok := ConstOf(x.Pit); !ok || !certain[p] {
			out.Elems = append(out.Elems, x)
		}
	}
	return out
}

// without returns the members of s that are not in t.
func without(e Env, s, t PitSet) PitSet {
	return Distinct(e, s).where(func(pit rules.Expr) rules.Expr { return Simple(rules.Not{X: Member(e, pit, t)}) })
}

// where returns the members of s for which a condition holds.
func (s PitSet) where(cond func(pit rules.Expr) rules.Expr) PitSet {
	out := PitSet{once: s.once}
	for _, m := range s.Elems {
		if c := cond(m.Pit); c != rules.False {
			out.Elems = append(out.Elems, elem{m.Pit, rules.Join(rules.And, m.Cond, c)})
		}
	}
	return out
}

// Distinct returns s with each pit once, where it occurs first, and without `none`. If it is known
// only in play whether two members are the same, the later one gets the condition that it is not.
func Distinct(e Env, s PitSet) PitSet {
	if s.once {
		return s
	}
	out := PitSet{once: true}
	// open means that a member before this one is not a known pit.
	seen, open := map[int]bool{}, false
	for i, x := range s.Elems {
		p, fixed := ConstOf(x.Pit)
		cond := x.Cond
		switch {
		case fixed && p == rules.None:
			continue
		case !fixed || open || seen[p]:
			open = open || !fixed
			first := Simple(rules.Not{X: Member(e, x.Pit, PitSet{Elems: s.Elems[:i]})})
			cond = rules.Join(rules.And, IsPit(x.Pit), rules.Join(rules.And, first, cond))
		}
		seen[p] = true
		if cond != rules.False {
			out.Elems = append(out.Elems, elem{x.Pit, cond})
		}
	}
	return out
}

// IsPit returns the condition that pit is not `none`. A register never is, because reading it
// before it holds a pit is a fault.
func IsPit(pit rules.Expr) rules.Expr {
	p, fixed := ConstOf(pit)
	c, cell := pit.(rules.Cell)
	if fixed && p != rules.None || cell && c.Sort == rules.RegisterCell {
		return rules.True
	}
	return Simple(rules.Binary{Op: rules.Ne, L: pit, R: rules.FixedPit(rules.None)})
}

// members lists the values of a name that goes through s. If `old` has a meaning they are known
// pits, because the name must stand for the same pit in both states.
func members(e Env, s PitSet) []elem {
	if e.Step != nil && slices.ContainsFunc(s.Elems, func(m elem) bool { _, ok := ConstOf(m.Pit); return !ok }) {
		all := fixedSet(num.Run(0, len(e.Game.Sys.Pits)))
		return all.where(func(pit rules.Expr) rules.Expr { return Member(e, pit, s) }).Elems
	}
	return Distinct(e, s).Elems
}

// Member returns the condition that pit is in s.
func Member(e Env, pit rules.Expr, s PitSet) rules.Expr {
	e.Game.Run.Spend((len(s.Elems) + len(e.Game.Sys.Pits)) / 64)
	if in, ok := s.Static(len(e.Game.Sys.Pits)); ok {
		if p, known := ConstOf(pit); known {
			return rules.Truth(p != rules.None && in[p])
		}
		return Simple(rules.In(pit, in))
	}
	any := rules.False
	for _, x := range s.Elems {
		is := rules.Expr(rules.Binary{Op: rules.Eq, L: pit, R: x.Pit})
		if IsPit(pit) != rules.True {
			is = rules.Join(rules.And, IsPit(x.Pit), is)
		}
		any = rules.Join(rules.Or, any, Simple(rules.Binary{Op: rules.And, L: x.Cond, R: is}))
	}
	return any
}

// seedsOf returns the number of seeds in a pit. In a setup that makes the number of seeds at the
// start free, even if simplification drops the condition that asks for it.
func seedsOf(e Env, pit rules.Expr, at diag.Range) rules.Expr {
	if p, ok := ConstOf(pit); ok && p != rules.None && e.Place == InSetup {
		e.Game.Sys.Start.Free[p] = true
	}
	return Simple(SeedsAt(pit, at))
}

// total returns the number of seeds in all pits of s.
func total(e Env, s PitSet) rules.Expr {
	if in, ok := s.Static(len(e.Game.Sys.Pits)); ok {
		var pits []int
		for p := range lists.Marked(in) {
			pits = append(pits, p)
			seedsOf(e, rules.FixedPit(p), diag.Range{})
		}
		if len(pits) == 0 {
			return rules.Number(0)
		}
		return rules.Sum{Pits: pits}
	}
	sum := rules.Number(0)
	for _, x := range Distinct(e, s).Elems {
		n := seedsOf(e, x.Pit, diag.Range{})
		sum = rules.Join(rules.Add, sum, Simple(rules.Cond{If: x.Cond, Then: n, Else: rules.Number(0)}))
	}
	return sum
}

// ownedBy returns the condition that owner owns pit or, with their, that another player does.
func ownedBy(e Env, pit, owner rules.Expr, their bool) rules.Expr {
	e.Game.Run.Spend(len(e.Game.Sys.Players) * len(e.Game.Sys.Pits) / 64)
	if p, known := ConstOf(pit); known {
		if player, known := ConstOf(owner); known {
			return rules.Truth(p >= 0 && player >= 0 && e.Game.Sys.Pits[p].Owner != rules.None && (e.Game.Sys.Pits[p].Owner == player) != their)
		}
	}
	cond := rules.False
	for player := range e.Game.Sys.Players {
		in := make([]bool, len(e.Game.Sys.Pits))
		for i, p := range e.Game.Sys.Pits {
			in[i] = p.Owner != rules.None && (p.Owner == player) != their
		}
		is := rules.Binary{Op: rules.Eq, L: owner, R: rules.FixedPlayer(player)}
		cond = Simple(rules.Binary{
			Op: rules.Or, L: cond,
			R: rules.Binary{Op: rules.And, L: is, R: rules.In(pit, in)},
		})
	}
	return cond
}

// byOwner turns a set that has exactly one pit for each player into that pit, by cases. owner is
// the player that decides.
func byOwner(e Env, s PitSet, owner rules.Expr) (rules.Expr, bool) {
	if _, known := ConstOf(owner); known || len(s.Elems) == 0 || e.Place == InDeclaration {
		return nil, false
	}
	pit := rules.FixedPit(rules.None)
	for player := range e.Game.Sys.Players {
		var mine []rules.Expr
		for _, m := range s.Elems {
			at := func(x rules.Expr) (rules.Const, bool) {
				return rules.Const{Value: player, Type: rules.PlayerType}, reflect.DeepEqual(x, owner)
			}
			if rules.Simplify(m.Cond, at) == rules.True {
				mine = append(mine, m.Pit)
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
