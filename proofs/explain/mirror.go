package explain

import "github.com/mancheck/mancheck/rules"

// mirror exchanges pits. Each branch is computed whether it mirrors another or not: this only tells
// a reader what need not be read twice.
type mirror struct {
	how  string
	pits []int
}

// mirrors marks the branches that are images of a sibling before them.
func (p *planting) mirrors(siblings []*Node) {
	glasses := mirrorsOf(p.sys)
	var mark func(list []*Node)
	mark = func(list []*Node) {
		for i, n := range list {
			for _, before := range list[:i] {
				if m, ok := p.image(glasses, before, n); ok && before.Mirror == 0 {
					n.Mirror, n.How = before.No, m.how
					break
				}
			}
			mark(n.Preds)
		}
	}
	mark(siblings)
}

func (p *planting) image(glasses []mirror, a, b *Node) (mirror, bool) {
	if a.Same > 0 || b.Same > 0 {
		return mirror{}, false
	}
	for _, m := range glasses {
		if p.mapsTo(m, a, b) {
			return m, true
		}
	}
	return mirror{}, false
}

// mapsTo reports whether the mirror takes a, with all that stands below it, to b.
func (p *planting) mapsTo(m mirror, a, b *Node) bool {
	if len(a.Preds) != len(b.Preds) || a.Hidden+b.Hidden > 0 || !m.state(p.sys, a.Board.State).Equal(b.Board.State) {
		return false
	}
	for _, x := range a.Preds {
		found := false
		for _, y := range b.Preds {
			found = found || p.mapsTo(m, x, y)
		}
		if !found {
			return false
		}
	}
	return true
}

// state is the image of a state.
func (m mirror) state(sys *rules.System, s rules.State) rules.State {
	t := s.Clone()
	for p, q := range m.pits {
		t.Seeds[q] = s.Seeds[p]
	}
	for v, x := range sys.Vars {
		if x.Kind == rules.PitVar && s.Vars[v] != rules.None {
			t.Vars[v] = m.pits[s.Vars[v]]
		}
	}
	return t
}

// mirrorsOf lists the ways in which the picture of the board can be turned over.
func mirrorsOf(sys *rules.System) []mirror {
	var list []mirror
	for _, m := range []struct {
		how    string
		lr, ud bool
	}{{"left and right", true, false}, {"top and bottom", false, true}, {"left and right, top and bottom", true, true}} {
		if pits, ok := turned(sys, m.lr, m.ud); ok {
			list = append(list, mirror{m.how, pits})
		}
	}
	return list
}

// turned maps each pit to the one in whose place it comes. A pit that stands alone in its column
// keeps its row.
func turned(sys *rules.System, leftRight, topBottom bool) ([]int, bool) {
	pits := make([]int, len(sys.Pits))
	for r, row := range sys.Picture {
		for k, part := range row {
			for i, p := range part {
				to := place{r, k, i}
				if leftRight {
					to.part, to.pit = len(row)-1-k, len(part)-1-i
				}
				if topBottom {
					to.row = len(sys.Picture) - 1 - r
				}
				q, ok := to.pitIn(sys.Picture, len(part))
				if !ok {
					to.row = r
					if q, ok = to.pitIn(sys.Picture, len(part)); !ok {
						return nil, false
					}
				}
				pits[p] = q
			}
		}
	}
	return pits, true
}

type place struct{ row, part, pit int }

func (at place) pitIn(picture [][][]int, size int) (int, bool) {
	if at.part >= len(picture[at.row]) || len(picture[at.row][at.part]) != size {
		return rules.None, false
	}
	return picture[at.row][at.part][at.pit], true
}
