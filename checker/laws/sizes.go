package laws

import (
	"bytes"
	"errors"
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
	"github.com/mancheck/mancheck/rules/family"
)

// Heights proposes a rank for boards of every size: sinks are pits that are never sown from, and
// each other pit is higher than those into which a sowing from there drops seeds before one has
// come to a sink. The pits of stretches, which may grow, are no sinks. rank is nil if there is no
// such rank.
func Heights(sys *rules.System, stretches []family.Stretch) (sinks []bool, rank []int) {
	sinks = slices.Repeat([]bool{true}, len(sys.Pits))
	for _, s := range stretches {
		for p := s.First; p <= s.Last; p++ {
			sinks[p] = false
		}
	}
	eachBody(sys, func(run body) {
		run(func(s rules.Stmt, e *abstract.Env) {
			if sow, is := s.(rules.Sow); is {
				for _, p := range e.Pits(sow.Source) {
					sinks[p] = false
				}
			}
		})
	})
	edges, ok := Ways(sys, sinks)
	edges = slices.DeleteFunc(edges, func(e Edge) bool { return !e.Strict })
	rank, left := heights(len(sys.Pits), edges)
	if !ok || left > 0 {
		return sinks, nil
	}
	return sinks, rank
}

// Ways lists the ways that seeds may go outside sinks, as far as a sowing has not come to the first
// sink that takes any seed. It fails if a sowing begins elsewhere than behind its source.
func Ways(sys *rules.System, sinks []bool) (all []Edge, ok bool) {
	ok = true
	eachBody(sys, func(run body) {
		var edges []Edge
		begins := true
		goesOn := run(func(s rules.Stmt, e *abstract.Env) {
			sow, sows := s.(rules.Sow)
			begins = begins && sow.StartAt == nil && !sow.OriginFirst
			from, into := e.Moves(s)
			for _, a := range from {
				if sows {
					edges = append(edges, untilSink(sys, &sow, a, sinks)...)
					continue
				}
				for _, b := range into {
					if a != b && !sinks[b] {
						edges = append(edges, Edge{a, b, false})
					}
				}
			}
		})
		if goesOn {
			all, ok = append(all, edges...), ok && begins
		}
	})
	return all, ok
}

// untilSink lists the ways of the seeds of a sowing up to the first sink that takes any seed.
func untilSink(sys *rules.System, s *rules.Sow, from int, sinks []bool) (ways []Edge) {
	lap := &sys.Laps[s.Lap]
	p := lap.Next[from]
	for range lap.Pits {
		if p == rules.None {
			break
		}
		var skip rules.Expr
		if s.SkipIf != nil {
			skip = s.SkipIf[p]
		}
		switch {
		case skip == rules.True:
		case !sinks[p]:
			ways = append(ways, Edge{from, p, true})
		case (skip == nil || skip == rules.False) && (s.OnlyLast == nil || !s.OnlyLast[p]):
			return ways
		}
		p = lap.Next[p]
	}
	return ways
}

// mostPlaces bounds the places that are tried for the seams of a board.
const mostPlaces = 256

// Seams goes through places where the board of a System may be taken to grow: the first pit of a
// seam in each of the stretches that grow. Those near the middle of the stretches come first. next
// is the System of the next size: if there are places where that is the System with pits inserted,
// others are left out. The error, if there is no place, says why.
func Seams(base, next *rules.System, stretches []family.Stretch, size string, at int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		text := next.Canonical()
		var others [][]int
		err := errors.New("a stretch of pits that grows has no two pits")
		fits := false
		for _, xs := range places(stretches) {
			switch made, cannot := grown(base, next, size, at, xs); {
			case cannot != nil:
				err = cannot
			case bytes.Equal(made.Canonical(), text):
				if fits = true; !yield(xs, nil) {
					return
				}
			default:
				others = append(others, xs)
			}
		}
		switch {
		case fits:
		case len(others) > 0:
			yield(others[0], nil)
		default:
			yield(nil, err)
		}
	}
}

// places lists first pits of seams in each of the stretches.
func places(stretches []family.Stretch) [][]int {
	all := [][]int{nil}
	for _, s := range stretches {
		var more [][]int
		for _, xs := range all {
			for _, x := range fromMiddle(s) {
				more = append(more, append(slices.Clone(xs), x))
			}
		}
		all = more[:min(len(more), mostPlaces)]
	}
	return all
}

// grown returns the System of the next size as the one with pits inserted behind some.
func grown(base, next *rules.System, size string, at int, xs []int) (*rules.System, error) {
	f, err := family.New(base, next, size, at, xs)
	if err != nil {
		return nil, err
	}
	return f.System(at + 1)
}

// fromMiddle lists the first pits of the seams that there may be in a stretch.
func fromMiddle(s family.Stretch) []int {
	xs := num.Run(s.First, s.Last-s.First)
	slices.SortStableFunc(xs, func(a, b int) int { return aside(s, a) - aside(s, b) })
	return xs
}

// aside is how far a seam is from the middle of its stretch.
func aside(s family.Stretch, x int) int {
	d := 2*x + 1 - s.First - s.Last
	return max(d, -d)
}
