package everysize

import (
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

// falling is a running check.
type falling struct {
	Falling
	sys   *rules.System
	seams []family.Seam
	order []order // by seam
}

// Check reports why a step may neither end the game nor lower the rank, on this board or a larger
// one, whose inserted pits have the heights of Grown. It returns nothing if each step does.
func (r Falling) Check(sys *rules.System, seams []family.Seam) (why string) {
	f := &falling{Falling: r, sys: sys, seams: seams}
	all := bodies(sys)
	if why := notIn(sys, seams, r.Sinks); why != "" {
		return why
	}
	if why := f.passes(all); why != "" {
		return why
	}
	for i := range seams {
		if u, w := f.ends(i); r.Heights[u] <= r.Heights[w] {
			return fmt.Sprintf("seeds go from `%s` to `%s`, which is not nearer to where they leave play", f.pit(u), f.pit(w))
		}
	}
	for i := range all {
		b := &all[i]
		switch does := f.list(b, b.stmts); {
		case does.is == raises:
			return does.why
		case does.is == calm && !b.after:
			return b.why("may sow nothing")
		case does.is == falls && b.after:
			return b.why("sows")
		}
	}
	return ""
}

func (f *falling) pit(p int) string { return f.sys.Pits[p].Name }

// effect is what a statement does to the rank where the game goes on after it.
type effect struct {
	is  int
	why string // it may raise the rank
}

const (
	calm   int = iota // it does not raise it
	falls             // it lowers it
	over              // the game does not go on
	raises            // it may raise it
)

// list returns the effect of a list of statements. One of them falls, or none.
func (f *falling) list(b *body, list []rules.Stmt) effect {
	all := effect{is: calm}
	for _, s := range list {
		switch e := f.stmt(b, s); {
		case e.is == over:
			return e
		case all.is == raises || e.is == calm:
		case e.is == falls && all.is == falls:
			all = effect{raises, b.why("sows more than once")}
		default:
			all = e
		}
	}
	return all
}

func (f *falling) stmt(b *body, s rules.Stmt) effect {
	switch s := s.(type) {
	case rules.Stop:
		return effect{is: over}
	case rules.Set:
		if s.To.IsRegister(rules.RankReg) {
			return effect{raises, b.why("prefers some moves to others")}
		}
		if assigns(s) {
			return effect{raises, b.why("assigns to a pit")}
		}
		return effect{is: calm}
	case rules.Transfer:
		if into := pitOf(s.Into); into == rules.None || !f.Sinks[into] {
			return effect{raises, b.why("moves seeds into a pit that is sown from, or that is not always the same")}
		}
		return effect{is: calm}
	case rules.If:
		return f.branches(b, f.list(b, s.Then), f.list(b, s.Else))
	case rules.Sow:
		if why := f.sow(b, &s); why != "" {
			return effect{raises, why}
		}
		return effect{is: falls}
	case rules.While:
		return effect{raises, b.why("has a loop, or sows on from where the last seed fell")}
	}
	panic(fmt.Sprintf("everysize: unknown %T", s))
}

// branches returns the effect of a choice. A branch after which the game is over does not matter.
func (f *falling) branches(b *body, yes, no effect) effect {
	switch {
	case yes.is == over || no.is == raises:
		return no
	case no.is == over || yes.is == raises || yes.is == no.is:
		return yes
	}
	return effect{raises, b.why("sows only under a condition")}
}

// sow returns why a sowing may not lower the rank.
func (f *falling) sow(b *body, s *rules.Sow) (why string) {
	switch {
	case s.OriginFirst || s.StartAt != nil:
		return b.why("does not begin to sow in the next pit")
	case len(s.Drop) > 0:
		return b.why("does something after each seed")
	}
	pits, ok := f.sources(s)
	if !ok {
		return b.why("sows from a pit that is neither fixed nor the value of a variable")
	}
	for _, p := range pits {
		if f.Sinks[p] {
			return b.why("sows from `%s`, which is not to lose seeds", f.pit(p))
		}
		for _, q := range walk(f.sys, s, p, f.Sinks) {
			if f.Heights[q] >= f.Heights[p] {
				return b.why("may sow from `%s` into `%s`, which is not nearer to where seeds leave play", f.pit(p), f.pit(q))
			}
		}
	}
	return ""
}

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

// Grown returns the rank on the board of a greater size. An inserted pit comes after all that are
// as low as the pit of its seam that sowings come to later. There must be nothing against the rank
// on the smaller board.
func (r Falling) Grown(f *family.Family, size int) Falling {
	to, pits := f.Images(size)
	c := &falling{Falling: r, sys: f.Base, seams: f.Seams}
	c.passes(bodies(f.Base))
	g := Falling{make([]bool, pits), make([]int, pits)}
	old := make([]bool, pits)
	for p, q := range to {
		g.Sinks[q], g.Heights[q], old[q] = r.Sinks[p], r.Heights[p], true
	}
	for i, s := range f.Seams {
		u, w := c.ends(i)
		more := s.Grows * (size - f.At)
		floor := g.Heights[to[w]]
		for p, is := range old {
			if is && g.Heights[p] > floor {
				g.Heights[p] += more
			}
		}
		step := (to[u] - to[w]) / (more + 1) // the inserted pits lie between the two
		for k := 1; k <= more; k++ {
			e := to[w] + k*step
			g.Heights[e], old[e] = floor+k, true
		}
	}
	return g
}
