package cert

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/proofs/cert/internal/flow"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// NoDeadEnd is the evidence that the text of the rules provides for each state without a move, and
// that each loop ends. Ranks has ranks as Ranked does; each round of a loop lowers one of them.
// Follows is the variable, if there is one, that holds the pit from which a player has to go on.
type NoDeadEnd struct {
	Follows string    `json:"follows,omitempty"`
	Ranks   [][][]int `json:"ranks,omitempty" len:"1.." is:"-1099511627776..1099511627776"`
}

// OverAtOnce is the evidence that the rules end the game in each state that satisfies the target,
// before anybody moves. Follows is as for NoDeadEnd.
type OverAtOnce struct {
	Follows string `json:"follows,omitempty"`
}

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
		if st.forbidsAll(at) {
			at.SupposeNoMove()
		}
		if !at.Impossible() {
			return reject("nothing in the rules excludes that the game goes on in such a state, and %s is to move", st.player(at.Mover))
		}
	}
	r.checked("players, and what ends the game where they are to move", len(st.sys.Players))
	return nil
}

// forbidsAll reports whether a player has no move but fallbacks at a place.
func (st *statement) forbidsAll(at *flow.Place) bool {
	return !slices.ContainsFunc(st.sys.Actions, func(a rules.Action) bool { return !a.Fallback && !at.Forbids(&a) })
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
		if err := st.isRank(rank); err != nil {
			return err
		}
	}
	list, err := st.lives(e.Follows)
	if err != nil {
		return err
	}
	for _, at := range list {
		if err := st.provides(at); err != nil {
			return err
		}
	}
	loops := 0
	for _, b := range bodies(st.sys) {
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

// provides fails unless a live state of a place has a legal action.
func (st *statement) provides(at *flow.Place) error {
	at.SupposeNoMove()
	for i := range st.sys.Actions { // the guards of these are false, or they would be moves
		if a := &st.sys.Actions[i]; a.Mover == at.Mover && !a.Fallback && a.Guard != nil && at.LegalByGuard(a) {
			at.Suppose(a.Guard, false)
		}
	}
	if at.Impossible() {
		return nil
	}
	for i := range st.sys.Actions {
		if a := &st.sys.Actions[i]; a.Mover == at.Mover && a.Fallback && at.Allows(a) {
			return nil
		}
	}
	return reject("nothing in the rules excludes that the game is not over and %s has no move", st.player(at.Mover))
}

// lives returns what is known of all live states: a place for each player to move, or for each mode
// of a variable.
func (st *statement) lives(follows string) (list []*flow.Place, err error) {
	if follows == "" {
		for mover := range st.sys.Players {
			list = append(list, flow.Live(st.sys, mover))
		}
	} else {
		v := slices.IndexFunc(st.sys.Vars, func(v rules.Var) bool { return v.Name == follows })
		if v < 0 || st.sys.Vars[v].Type != rules.PitType {
			return nil, reject("there is no variable `%s` that holds a pit", follows)
		}
		modes := flow.Explore(st.sys, v)
		if modes == nil {
			return nil, reject("there is too much to follow")
		}
		list = modes.Live()
	}
	for _, at := range list {
		st.supposeNotOver(at)
	}
	return list, nil
}

// supposeNotOver adds what is false in live states. A condition that ends the game is, if the game
// does not go on after it or after a later one: the state is then the one in which it was evaluated.
func (st *statement) supposeNotOver(at *flow.Place) {
	for i := len(st.sys.Reactions) - 1; i >= 0; i-- {
		r := &st.sys.Reactions[i]
		if st.goesOn(r) {
			return
		}
		if !r.AtTurnEnd {
			at.Suppose(r.By[at.Mover].When, false)
		}
	}
}

// goesOn reports whether the game may go on after a reaction.
func (st *statement) goesOn(r *rules.Reaction) bool {
	for mover := range r.By {
		if !flow.Ends(st.sys, flow.ForMover(&r.By[mover], mover)) {
			return true
		}
	}
	return false
}

// lowers reports whether each round of a loop lowers a rank.
func lowers(rank flow.Rank, l flow.Loop) bool {
	same, raised := rank.FallsIn(l)
	return !same && raised == nil
}

// player names a player, who has no name in a solitaire.
func (st *statement) player(n int) string {
	if len(st.sys.Players) == 1 {
		return "the player"
	}
	return st.sys.Players[n]
}
