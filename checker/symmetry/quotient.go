package symmetry

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
)

// Quotient is a game whose states are the least of each orbit. They stand for all states of it.
type Quotient struct {
	game.Rules
	Group
}

// Identity implements game.Rules.
func (q *Quotient) Identity() []byte { return fmt.Appendf(q.Rules.Identity(), "%v\n", q.Members) }

// On implements game.Rules.
func (q *Quotient) On(codec *pack.Codec) (game.Game, error) {
	g, err := q.Rules.On(codec)
	return &leastGame{g, q.Reducer(codec)}, err
}

// Close adds to a set of actions the images of its members.
func (g Group) Close(actions []bool) {
	for changed := true; changed; {
		changed = false
		for _, m := range g.Members {
			for a, b := range m.Actions {
				if actions[a] && !actions[b] {
					actions[b], changed = true, true
				}
			}
		}
	}
}

// leastGame is a Quotient on packed states. It is game.Classes.
type leastGame struct {
	game.Game
	*Reducer
}

// Expand implements game.Game.
func (g *leastGame) Expand(key []uint64, out *pack.Batch) error {
	from := len(out.Keys)
	err := g.Game.Expand(key, out)
	g.Represent(out.Keys[from:])
	return err
}

// Whole implements game.Classes.
func (g *leastGame) Whole() game.Game { return g.Game }
