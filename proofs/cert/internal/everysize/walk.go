package everysize

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// always and never report whether a sowing skips a pit in any state.
func always(s *rules.Sow, p int) bool { return s.SkipIf != nil && s.SkipIf[p] == rules.True }

func never(s *rules.Sow, p int) bool {
	return s.SkipIf == nil || s.SkipIf[p] == nil || s.SkipIf[p] == rules.False
}

// onlyLast reports whether a pit takes only the last seed.
func onlyLast(s *rules.Sow, p int) bool { return s.OnlyLast != nil && s.OnlyLast[p] }

// walk lists the pits outside the sinks into which a sowing from a pit may drop seeds before a seed
// has come to a sink, in the order in which it comes to them.
func walk(sys *rules.System, s *rules.Sow, from int, sinks []bool) (met []int) {
	lap := &sys.Laps[s.Lap]
	seen := make([]bool, len(sys.Pits))
	for p := lap.Next[from]; p != rules.None && !seen[p]; p = lap.Next[p] {
		seen[p] = true
		switch {
		case always(s, p):
		case !sinks[p]:
			met = append(met, p)
		case never(s, p) && !onlyLast(s, p):
			return met
		}
	}
	return met
}

// sources lists the pits that a sowing may be from. One from the first pit of a seam has copies
// from the pits that are inserted there: these come to the second pit of the seam on the lap, and
// then go on as from there.
func (f *falling) sources(s *rules.Sow) (pits []int, ok bool) {
	pits, ok = valuesOf(f.sys, s.Source)
	if len(pits) == 1 {
		for i, seam := range f.seams {
			if pits[0] == seam.X && f.order[i] == forth {
				pits = append(pits, seam.Y)
			}
		}
	}
	return pits, ok
}

// order says in which direction sowings pass a seam.
type order int

const (
	unknown order = iota
	forth         // from X to Y
	back
)

// passes finds out in which direction the sowings of the rules pass each seam. It is the same for
// all of them, and they skip none of its pits.
func (f *falling) passes(all []body) (why string) {
	f.order = make([]order, len(f.seams))
	for i := range all {
		rules.WalkStmts(all[i].stmts, func(s rules.Stmt) {
			if sow, is := s.(rules.Sow); is && why == "" {
				for k := range f.seams {
					why = cmp.Or(why, f.pass(&all[i], &sow, k))
				}
			}
		})
	}
	for k, seam := range f.seams {
		if why == "" && f.order[k] == unknown {
			why = "no move sows past `" + f.pit(seam.X) + "` and `" + f.pit(seam.Y) + "`, between which the board grows"
		}
	}
	return why
}

// pass notes in which direction a sowing passes a seam.
func (f *falling) pass(b *body, s *rules.Sow, seam int) (why string) {
	x, y := f.seams[seam].X, f.seams[seam].Y
	lap := &f.sys.Laps[s.Lap]
	if !slices.Contains(lap.Pits, x) && !slices.Contains(lap.Pits, y) {
		return ""
	}
	way := unknown
	switch forward, backward := lap.Next[x] == y, lap.Next[y] == x; {
	case forward && !backward:
		way = forth
	case backward && !forward:
		way = back
	}
	if way == unknown {
		return b.why("sows along `%s`, on which `%s` and `%s` are no neighbours, where the board grows", lap.Name, f.pit(x), f.pit(y))
	}
	if f.order[seam] != unknown && f.order[seam] != way {
		return b.why("sows past `%s` and `%s` in one direction, and another move in the other one", f.pit(x), f.pit(y))
	}
	for _, p := range []int{x, y} {
		if !never(s, p) || onlyLast(s, p) {
			return b.why("may not drop a seed into `%s`, where the board grows", f.pit(p))
		}
	}
	f.order[seam] = way
	return ""
}

// ends returns the pits of a seam in the order in which sowings come to them.
func (f *falling) ends(seam int) (u, w int) {
	s := f.seams[seam]
	if f.order[seam] == back {
		return s.Y, s.X
	}
	return s.X, s.Y
}
