package symmetry

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// candidates yields permutations that may be symmetries, each once, without the identity.
func candidates(sys *rules.System) iter.Seq[Symmetry] {
	return func(yield func(Symmetry) bool) {
		seen := map[string]bool{}
		for _, pits := range append(fromLaps(sys), fromPicture(sys)...) {
			for _, players := range permutations(len(sys.Players)) {
				s, ok := complete(sys, pits, players)
				key := fmt.Sprint(s)
				if !ok || seen[key] || s.isIdentity() {
					continue
				}
				if seen[key] = true; !yield(s) {
					return
				}
			}
		}
	}
}

// mostPermuted bounds the lists all of whose permutations are tried.
const mostPermuted = 4

// permutations lists the permutations of n things, or only the identity if they are many.
func permutations(n int) [][]int {
	if n > mostPermuted {
		return [][]int{num.Run(0, n)}
	}
	if n == 0 {
		return [][]int{nil}
	}
	var list [][]int
	for _, p := range permutations(n - 1) {
		for at := range n {
			list = append(list, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return list
}

// fromLaps lists the permutations of the pits that map laps to laps. The image of one pit and those
// of the laps determine the images of all pits that are on laps with it. The others stay where they
// are, or are exchanged in reverse order.
func fromLaps(sys *rules.System) [][]int {
	list := [][]int{num.Run(0, len(sys.Pits))}
	if len(sys.Laps) == 0 {
		return list
	}
	first := sys.Laps[0].Pits[0]
	for _, laps := range permutations(len(sys.Laps)) {
		for image := range sys.Pits {
			pits := slices.Repeat([]int{rules.None}, len(sys.Pits))
			if !propagate(sys, laps, pits, first, image) {
				continue
			}
			var off, free []int
			for p := range sys.Pits {
				if pits[p] == rules.None {
					off = append(off, p)
				}
				if !slices.Contains(pits, p) {
					free = append(free, p)
				}
			}
			for range 2 {
				pits = slices.Clone(pits)
				for i, p := range off {
					pits[p] = free[i]
				}
				list = append(list, pits)
				slices.Reverse(free)
			}
		}
	}
	return list
}

// propagate sets the image of a pit, and of all pits that this determines, and reports whether they
// are different.
func propagate(sys *rules.System, laps, pits []int, p, image int) bool {
	if pits[p] != rules.None {
		return pits[p] == image
	}
	if slices.Contains(pits, image) {
		return false
	}
	pits[p] = image
	for l, to := range laps {
		a, b := &sys.Laps[l], &sys.Laps[to]
		for _, near := range [][2]int{{a.Next[p], b.Next[image]}, {a.Prev[p], b.Prev[image]}} {
			if (near[0] == rules.None) != (near[1] == rules.None) {
				return false
			}
			if near[0] != rules.None && !propagate(sys, laps, pits, near[0], near[1]) {
				return false
			}
		}
	}
	return true
}

// fromPicture lists the reflections of the board as it lies on the table.
func fromPicture(sys *rules.System) [][]int {
	var list [][]int
	for _, upDown := range []bool{false, true} {
		for _, leftRight := range []bool{false, true} {
			if pits, ok := sys.Reflection(leftRight, upDown); ok {
				list = append(list, pits)
			}
		}
	}
	return list
}

// complete finds the images of variables and outcomes.
func complete(sys *rules.System, pits, players []int) (Symmetry, bool) {
	s := Symmetry{Renaming: rules.Renaming{Pits: pits, Players: players}}
	for i := range sys.Vars {
		j, ok := imageOfVar(sys, s, i)
		if !ok {
			return s, false
		}
		s.Vars = append(s.Vars, j)
	}
	for _, o := range sys.Outcomes {
		if o.Kind == rules.WinOutcome && len(sys.Players) > 1 {
			o.Winner = players[o.Winner]
		}
		j := slices.IndexFunc(sys.Outcomes, func(x rules.Outcome) bool {
			return x.Label == o.Label && x.Kind == o.Kind && (o.Kind != rules.WinOutcome || x.Winner == o.Winner)
		})
		if j < 0 || slices.Contains(s.Outcomes, j) {
			return s, false
		}
		s.Outcomes = append(s.Outcomes, j)
	}
	// Different variables must have different images.
	return s, slices.Equal(slices.Sorted(slices.Values(s.Vars)), num.Run(0, len(sys.Vars)))
}

// imageOfVar returns the variable that a variable becomes: one for each player is that for the
// image of its player, any other stays itself.
func imageOfVar(sys *rules.System, s Symmetry, i int) (int, bool) {
	x, j := &sys.Vars[i], i
	for p, name := range sys.Players {
		if head, is := strings.CutSuffix(x.Name, "("+name+")"); is && name != "" {
			image := head + "(" + sys.Players[s.Players[p]] + ")"
			j = slices.IndexFunc(sys.Vars, func(y rules.Var) bool { return y.Name == image })
		}
	}
	if j < 0 || sys.Vars[j].Type != x.Type || sys.Vars[j].Ghost != x.Ghost || s.Value(x.Type, x.Init) != sys.Vars[j].Init {
		return j, false
	}
	domain := lists.Map(x.Domain, func(v int) int { return s.Value(x.Type, v) })
	slices.Sort(domain)
	return j, slices.Equal(domain, sys.Vars[j].Domain)
}
