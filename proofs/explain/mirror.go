package explain

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// mirror is a reflection of the board. Every branch of a tree is computed, whether it mirrors
// another one or not: mirrors only tell a reader what need not be read twice.
type mirror struct {
	reflection string // the sides that it exchanges
	pits       []int  // by pit: its image
}

// mirrors marks the branches that are images of an earlier sibling.
func (p *planting) mirrors(siblings []*Node) {
	glasses := mirrorsOf(p.sys)
	var mark func(list []*Node)
	mark = func(list []*Node) {
		for i, n := range list {
			for _, before := range list[:i] {
				if m := p.image(glasses, before, n); m.pits != nil && before.Mirror == 0 {
					n.Mirror, n.How = before.No, m.reflection
					break
				}
			}
			mark(n.Preds)
		}
	}
	mark(siblings)
}

// image returns a mirror of which one node is the image of the other, if there is one.
func (p *planting) image(glasses []mirror, a, b *Node) mirror {
	return lists.Find(glasses, func(m mirror) bool { return a.Same <= 0 && b.Same <= 0 && p.mapsTo(m, a, b) })
}

// mapsTo reports whether the mirror maps a, with everything below it, to b.
func (p *planting) mapsTo(m mirror, a, b *Node) bool {
	if len(a.Preds) != len(b.Preds) || a.Hidden+b.Hidden > 0 || !m.state(p.sys, a.Board.State).Equal(b.Board.State) {
		return false
	}
	return !slices.ContainsFunc(a.Preds, func(x *Node) bool {
		return !slices.ContainsFunc(b.Preds, func(y *Node) bool { return p.mapsTo(m, x, y) })
	})
}

// state returns the image of a state.
func (m mirror) state(sys *rules.System, s rules.State) rules.State {
	t := s.Clone()
	for p, q := range m.pits {
		t.Seeds[q] = s.Seeds[p]
	}
	for v, x := range sys.Vars {
		if x.Type == rules.PitType && s.Vars[v] != rules.None {
			t.Vars[v] = m.pits[s.Vars[v]]
		}
	}
	return t
}

// mirrorsOf returns the reflections of the board's picture.
func mirrorsOf(sys *rules.System) []mirror {
	var list []mirror
	for _, m := range []struct {
		how    string
		lr, ud bool
	}{{"left and right", true, false}, {"top and bottom", false, true}, {"left and right, top and bottom", true, true}} {
		if pits, ok := sys.Reflection(m.lr, m.ud); ok {
			list = append(list, mirror{m.how, pits})
		}
	}
	return list
}
