package cert

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/flow"
)

// NoDeadEnd is the evidence that the text of the rules provides for each state without a move, and
// that each loop ends. Ranks has ranks as Ranked does; each round of a loop lowers one of them.
// Follows is the variable, if there is one, that holds the pit from which a player has to go on.
type NoDeadEnd struct {
	Follows string    `json:"follows,omitempty"`
	Ranks   [][][]int `json:"ranks,omitempty" len:"1.." is:"-1099511627776..1099511627776"`
}

// check checks that no live state is stuck, and that no move or reaction runs for ever.
func (e *NoDeadEnd) check(_ context.Context, st *statement, r *Report) error {
	_, meant := st.plain.(*build.NeverStuck)
	switch _, is := st.says.(never); {
	case !is || !meant:
		return st.unfit(e)
	case assignsSeeds(st.sys):
		return reject("the rules assign to a pit")
	}
	for _, rank := range e.Ranks {
		if err := isRank(st.sys, rank); err != nil {
			return err
		}
	}
	list, err := st.lives(e.Follows)
	if err != nil {
		return err
	}
	for _, at := range list {
		if !at.HasMove() {
			return reject("nothing in the rules excludes that the game is not over and %s has no move", playerName(st.sys, at.Mover))
		}
	}
	loops := 0
	for _, b := range Bodies(st.sys) {
		flow.Loops(st.sys, b, func(l flow.Loop) {
			if loops++; err == nil && !slices.ContainsFunc(e.Ranks, func(rank [][]int) bool { return lowers(rank, l) }) {
				err = reject("no rank shows that the loop in %s ends", l.At)
			}
		})
	}
	if err != nil {
		return err
	}
	r.Subject = SomeSubject
	r.checked("players, and what happens where they have no move", len(st.sys.Players))
	if loops > 0 {
		r.checked("loops, each round of which lowers a rank", loops)
	}
	return nil
}

// OverAtOnce is the evidence that the rules end the game in each state that satisfies the target,
// before anybody moves. Follows is as for NoDeadEnd.
type OverAtOnce struct {
	Follows string `json:"follows,omitempty"`
}

// check checks that no finished state satisfies the target, and no live one.
func (e *OverAtOnce) check(_ context.Context, st *statement, r *Report) error {
	never, is := st.says.(never)
	if !is {
		return st.unfit(e)
	}
	target := rules.OrValueless(never.target)
	for outcome := range st.sys.Outcomes {
		at := flow.Over(st.sys, outcome)
		if at.Suppose(target, true); !at.Impossible() {
			return reject("a state with the outcome %s may satisfy the target", st.sys.Outcomes[outcome].Label)
		}
	}
	list, err := st.lives(e.Follows)
	if err != nil {
		return err
	}
	for _, at := range list {
		at.Suppose(target, true)
		if !at.OverIfNoMove() {
			return reject("nothing in the rules excludes that the game goes on in such a state, and %s is to move", playerName(st.sys, at.Mover))
		}
	}
	r.checked("players, and what ends the game where they are to move", len(st.sys.Players))
	return nil
}

// lives returns what is known of all live states: a place for each player to move, or for each mode
// of a variable.
func (st *statement) lives(follows string) ([]*flow.Place, error) {
	if follows == "" {
		return flow.Lives(st.sys), nil
	}
	v := slices.IndexFunc(st.sys.Vars, func(v rules.Var) bool { return v.Name == follows })
	if v < 0 || st.sys.Vars[v].Type != rules.PitType {
		return nil, reject("there is no variable `%s` that holds a pit", follows)
	}
	modes := flow.Explore(st.sys, v)
	if modes == nil {
		return nil, reject("there is too much to follow")
	}
	return modes.Lives(), nil
}

// lowers reports whether each round of a loop lowers a rank.
func lowers(rank flow.Rank, l flow.Loop) bool {
	same, raised := rank.FallsIn(l)
	return !same && raised == nil
}

// playerName names a player, who has no name in a solitaire.
func playerName(sys *rules.System, n int) string {
	if len(sys.Players) == 1 {
		return "the player"
	}
	return sys.Players[n]
}
