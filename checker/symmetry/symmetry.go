// Package symmetry finds permutations of the board under which the rules do not change, such as the
// reflections of a board without sides, or the exchange of both players together with their rows.
//
// A symmetry maps plays to plays. So a search for states that it maps to such states needs to store
// only one state of each orbit: the least of its images. Candidates come from the laps and from the
// picture of the board; each is verified by comparing the kernel's text of every action, reaction
// and lap with its image (text.go). A candidate that the comparison cannot decide is dropped. The
// comparison knows that sums, conjunctions and the like do not depend on their order, and nothing
// else, so a symmetry may be missed but none is wrong.
//
//	symmetry.go   symmetries, groups of them
//	candidates.go permutations that may be symmetries
//	text.go       the text of the rules after a permutation
//	least.go      images of packed states, and the least of them
package symmetry

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Symmetry is a permutation of the parts of a System under which its rules do not change.
type Symmetry struct {
	rules.Renaming
	Actions []int // the image of every action; of several with the same effect, any
}

// Group is a group of symmetries of a System, without the identity.
type Group struct {
	Sys     *rules.System
	Members []Symmetry
}

// Order returns the number of symmetries, including the identity.
func (g Group) Order() int { return len(g.Members) + 1 }

// mostPits bounds the boards that are searched for symmetries, and mostMembers the groups.
const (
	mostPits    = 128
	mostMembers = 63
)

// Find returns the symmetries of the System that are found from its board. Once the context is done
// it finds none.
func Find(ctx context.Context, sys *rules.System) Group {
	g := Group{Sys: sys}
	if len(sys.Pits) > mostPits {
		return g
	}
	plain, ok := newTexts(sys)
	if !ok {
		return g
	}
	for s := range candidates(sys) {
		if ctx.Err() != nil {
			return Group{Sys: sys}
		}
		if len(g.Members) == mostMembers {
			break
		}
		if plain.same(&s) {
			g.Members = append(g.Members, s)
		}
	}
	return g.closed()
}

// closed returns g if it is a group, and otherwise none. The candidates are a group up to the limit
// of their number, so that what is left of them is one as well.
func (g Group) closed() Group {
	for _, a := range g.Members {
		for _, b := range g.Members {
			if ab := a.after(b); !ab.isIdentity() && !slices.ContainsFunc(g.Members, ab.equal) {
				return Group{Sys: g.Sys}
			}
		}
	}
	return g
}

// Keeping returns the symmetries in g that map the starts to starts and do not change these
// conditions, and whose image of what is kept is kept.
func (g Group) Keeping(kept rules.Parts, conditions ...rules.Expr) Group {
	id := identity(g.Sys)
	return Group{Sys: g.Sys, Members: lists.Filter(g.Members, func(s Symmetry) bool {
		return s.Keeps(kept) && sameStart(g.Sys, s, id) && sameExprs(g.Sys, s, id, conditions)
	})}
}

// Keeps reports whether the image of what is kept is kept.
func (s Symmetry) Keeps(kept rules.Parts) bool {
	for p, q := range s.Pits {
		if kept.HasPit(p) != kept.HasPit(q) {
			return false
		}
	}
	for v, w := range s.Vars {
		if kept.HasVar(v) != kept.HasVar(w) {
			return false
		}
	}
	return true
}

// Image returns the image of a state.
func (s Symmetry) Image(sys *rules.System, st rules.State) rules.State {
	to := st.Clone()
	for p, q := range s.Pits {
		to.Seeds[q] = st.Seeds[p]
	}
	for v, w := range s.Vars {
		to.Vars[w] = s.Value(sys.Vars[v].Type, st.Vars[v])
	}
	if to.Mover = st.Mover; st.Mover != rules.None {
		to.Mover = s.Players[st.Mover]
	}
	if to.Outcome = st.Outcome; !st.Live() {
		to.Outcome = s.Outcomes[st.Outcome]
	}
	return to
}

func identity(sys *rules.System) Symmetry {
	return Symmetry{Renaming: rules.Renaming{Pits: num.Run(0, len(sys.Pits)), Players: num.Run(0, len(sys.Players)), Vars: num.Run(0, len(sys.Vars)), Outcomes: num.Run(0, len(sys.Outcomes))}}
}

// after returns the composition of t and then s.
func (s Symmetry) after(t Symmetry) Symmetry {
	return Symmetry{Renaming: rules.Renaming{
		Pits: compose(s.Pits, t.Pits), Players: compose(s.Players, t.Players),
		Vars: compose(s.Vars, t.Vars), Outcomes: compose(s.Outcomes, t.Outcomes),
	}}
}

func compose(a, b []int) []int {
	return lists.Map(b, func(x int) int { return a[x] })
}

// IsInvolution reports whether the image of the image of each state is the state itself.
func (s Symmetry) IsInvolution() bool { return s.after(s).isIdentity() }

// equal reports whether s and t map states alike.
func (s Symmetry) equal(t Symmetry) bool {
	return slices.Equal(s.Pits, t.Pits) && slices.Equal(s.Players, t.Players) && slices.Equal(s.Vars, t.Vars) && slices.Equal(s.Outcomes, t.Outcomes)
}

func (s Symmetry) isIdentity() bool {
	moves := func(list []int) bool { return !slices.Equal(list, num.Run(0, len(list))) }
	return !slices.ContainsFunc([][]int{s.Pits, s.Players, s.Vars, s.Outcomes}, moves)
}
