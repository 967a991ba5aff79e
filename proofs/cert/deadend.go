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
type NoDeadEnd struct {
	Ranks [][][]int `json:"ranks,omitempty" len:"1.." is:"-1099511627776..1099511627776"`
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
	for mover := range st.sys.Players {
		if err := st.provides(mover); err != nil {
			return err
		}
	}
	loops, err := 0, error(nil)
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

// provides fails unless a live state in which a player is to move has a legal action.
//
// A condition that ends the game is false in each live state, if the game does not go on after it or
// after a later one: the state is then the one in which it was evaluated.
func (st *statement) provides(mover int) error {
	var over []rules.Expr
	for i := len(st.sys.Reactions) - 1; i >= 0; i-- {
		r := &st.sys.Reactions[i]
		if st.goesOn(r) {
			break
		}
		if !r.AtTurnEnd {
			over = append(over, r.By[mover].When)
		}
	}
	at := flow.NoMove(st.sys, mover, over)
	if at.Impossible() {
		return nil
	}
	for i := range st.sys.Actions {
		if a := &st.sys.Actions[i]; a.Mover == mover && a.Fallback && at.Allows(a) {
			return nil
		}
	}
	return reject("nothing in the rules excludes that the game is not over and %s has no move", st.player(mover))
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
