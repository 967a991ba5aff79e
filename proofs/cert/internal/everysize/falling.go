package everysize

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// Falling is a rank of states: first the number of seeds outside the sinks, and then the sum of the
// heights of the pits in which these are.
type Falling struct {
	Sinks   []bool // by pit
	Heights []int  // by pit; those of sinks mean nothing
}

// Check reports why a step may neither end the game nor lower the rank, on this board or a larger
// one, whose inserted pits have the heights of Grown. It returns nothing if each step does.
func (r Falling) Check(sys *rules.System, seams []family.Seam) (why string) {
	if why := r.seams(sys, seams); why != "" {
		return why
	}
	f := &falling{Falling: r, sys: sys, own: rules.None}
	for i, b := range moves(sys) {
		if why := f.clear(&b, seams); why != "" {
			return why
		}
		if why := f.falls(&b, b.stmts); why != "" {
			return why
		}
		for _, s := range seams {
			if !family.ActionNames(&sys.Actions[i], s.X) {
				continue
			}
			// The move of an inserted pit is like that of its neighbour nearer to a sink.
			as := &falling{Falling: r, sys: sys, own: s.X, put: r.near(s)}
			if why := as.falls(&b, b.stmts); why != "" {
				return why + ", as there is such a move for each pit between `" + f.pit(s.X) + "` and `" + f.pit(s.Y) + "`"
			}
		}
	}
	for _, b := range reactions(sys) {
		if why := f.calm(&b, b.stmts); why != "" && !stops(b.stmts) {
			return why
		}
	}
	return ""
}

// near returns the pit of a seam that is nearer to a sink.
func (r Falling) near(s family.Seam) int {
	if r.Heights[s.X] < r.Heights[s.Y] {
		return s.X
	}
	return s.Y
}

// seams returns why an inserted pit has no height between those of its neighbours.
func (r Falling) seams(sys *rules.System, seams []family.Seam) (why string) {
	if why := notIn(sys, seams, r.Sinks); why != "" {
		return why
	}
	for _, s := range seams {
		x, y := sys.Pits[s.X].Name, sys.Pits[s.Y].Name
		if r.Heights[s.X] == r.Heights[s.Y] {
			return fmt.Sprintf("neither of `%s` and `%s`, between which the board grows, is nearer to where seeds leave play", x, y)
		}
		for i := range sys.Laps {
			if l := &sys.Laps[i]; l.Next[s.X] == s.Y && l.Next[s.Y] == s.X {
				return fmt.Sprintf("on `%s` each of `%s` and `%s` comes after the other one", l.Name, x, y)
			}
		}
	}
	return ""
}

// falling checks bodies. In that of the move for a pit between two others, put stands for own.
type falling struct {
	Falling
	sys      *rules.System
	own, put int
}

func (f *falling) pit(p int) string { return f.sys.Pits[p].Name }

// at returns the pit that an expression always is, or None.
func (f *falling) at(x rules.Expr) int {
	p := pitOf(x)
	if p != rules.None && p == f.own {
		return f.put
	}
	return p
}

// clear returns why a sowing may not drop a seed where the board grows.
func (f *falling) clear(b *body, seams []family.Seam) (why string) {
	rules.WalkStmts(b.stmts, func(s rules.Stmt) {
		sow, is := s.(rules.Sow)
		if !is {
			return
		}
		for _, seam := range seams {
			for _, p := range []int{seam.X, seam.Y} {
				if !takes(&sow, p) {
					why = b.why("may not drop a seed into `%s`, where the board grows", f.pit(p))
				}
			}
		}
	})
	return why
}

// calm returns why statements may raise the rank.
func (f *falling) calm(b *body, list []rules.Stmt) (why string) {
	rules.WalkStmts(list, func(s rules.Stmt) { why = cmp.Or(why, f.calmly(b, s)) })
	return why
}

// calmly returns why a statement may itself raise the rank, apart from what is in its blocks.
func (f *falling) calmly(b *body, s rules.Stmt) (why string) {
	switch s := s.(type) {
	case rules.Set:
		switch {
		case s.To.IsRegister(rules.RankReg):
			return b.why("prefers some moves to others")
		case s.To.Sort == rules.PitCell:
			return b.why("assigns to a pit")
		}
	case rules.Transfer:
		if !f.isSink(f.at(s.Into)) {
			return b.why("moves seeds into a pit that is sown from, or that is not always the same")
		}
	case rules.Sow:
		return b.why("sows")
	case rules.While:
		return b.why("has a loop, or sows on from where the last seed fell")
	case rules.If, rules.Stop:
	default:
		return b.unknown()
	}
	return ""
}

func (f *falling) isSink(p int) bool { return p != rules.None && f.Sinks[p] }

// falls returns why statements may not lower the rank although the game goes on after them. One of
// them lowers it, or ends the game, and the others do not raise it.
func (f *falling) falls(b *body, list []rules.Stmt) (why string) {
	why = b.why("may sow nothing")
	raises := -1
	for i, s := range list {
		switch {
		case f.calm(b, list[i:i+1]) != "" && raises >= 0:
			return b.why("sows or moves seeds after it has sown")
		case f.calm(b, list[i:i+1]) != "":
			raises = i
		case f.fallsBy(b, s) == "":
			why = ""
		}
	}
	if raises >= 0 {
		return f.fallsBy(b, list[raises])
	}
	return why
}

// fallsBy is falls for a single statement.
func (f *falling) fallsBy(b *body, s rules.Stmt) (why string) {
	switch s := s.(type) {
	case rules.If:
		return cmp.Or(f.falls(b, s.Then), f.falls(b, s.Else))
	case rules.Sow:
		return f.sow(b, &s)
	case rules.Stop:
		return ""
	case rules.Set, rules.Transfer, rules.While:
		return cmp.Or(f.calmly(b, s), b.why("may sow nothing"))
	default:
		return b.unknown()
	}
}

// stops reports whether the game is over after statements.
func stops(list []rules.Stmt) bool {
	return slices.ContainsFunc(list, func(s rules.Stmt) bool {
		if s, is := s.(rules.If); is {
			return stops(s.Then) && stops(s.Else)
		}
		_, is := s.(rules.Stop)
		return is
	})
}

// sow returns why a sowing may not lower the rank.
func (f *falling) sow(b *body, s *rules.Sow) (why string) {
	from := f.at(s.Source)
	switch {
	case s.OriginFirst || s.StartAt != nil:
		return b.why("does not begin to sow in the next pit")
	case len(s.Drop) > 0:
		return b.why("does something after each seed")
	case from == rules.None:
		return b.why("sows from a pit that is not always the same")
	case f.Sinks[from]:
		return b.why("sows from `%s`, where seeds are to stay", f.pit(from))
	}
	next := f.sys.Laps[s.Lap].Next
	p := next[from]
	for range f.sys.Pits {
		switch {
		case p == rules.None || f.Sinks[p] && takes(s, p):
			return ""
		case !f.Sinks[p] && !skips(s, p) && f.Heights[p] >= f.Heights[from]:
			return b.why("may sow from `%s` into `%s`, which is not nearer to where seeds leave play", f.pit(from), f.pit(p))
		}
		p = next[p]
	}
	return b.why("may sow from `%s` without end", f.pit(from))
}

// takes reports whether a pit takes every seed of a sowing that comes to it, and skips whether it
// takes none.
func takes(s *rules.Sow, p int) bool {
	return (s.SkipIf == nil || s.SkipIf[p] == nil) && (s.OnlyLast == nil || !s.OnlyLast[p])
}

func skips(s *rules.Sow, p int) bool { return s.SkipIf != nil && s.SkipIf[p] == rules.True }

// Levels returns the rank as weights of the pits at two levels.
func (r Falling) Levels() [][]int {
	levels := [][]int{make([]int, len(r.Sinks)), slices.Clone(r.Heights)}
	for p, sink := range r.Sinks {
		if sink {
			levels[1][p] = 0
		} else {
			levels[0][p] = 1
		}
	}
	return levels
}

// Grown returns the rank on the board of a greater size. An inserted pit is higher than the lower
// one of its neighbours, and than all that are as low.
func (r Falling) Grown(f *family.Family, size int) Falling {
	to, pits := f.Images(size)
	g := Falling{make([]bool, pits), make([]int, pits)}
	placed := make([]bool, pits)
	for p, q := range to {
		g.Sinks[q], g.Heights[q], placed[q] = r.Sinks[p], r.Heights[p], true
	}
	for _, s := range f.Seams {
		more := s.Grows * (size - f.At)
		e, step := to[s.X], 1
		if r.near(s) == s.Y {
			e, step = to[s.Y], -1
		}
		floor := g.Heights[e]
		for p, is := range placed {
			if is && g.Heights[p] > floor {
				g.Heights[p] += more
			}
		}
		for k := 1; k <= more; k++ {
			e += step
			g.Heights[e], placed[e] = floor+k, true
		}
	}
	return g
}
