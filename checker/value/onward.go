package value

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
)

// A line that follows a table may come back to a state: that each move keeps the value does not
// bring play on. Then a way is looked for from there by moves that keep it, to where fewer seeds
// are in play. Who wins something can force such a way, so there is one.

// mostOnward bounds the states that are looked at.
const mostOnward = 1 << 18

// stage is a state on a way.
type stage struct {
	key          []uint64
	value, mover int // what play is worth to the player to move
	over         bool
	before       int // the number of the stage before
	action       int
}

// onward finds the shortest such way; it is nil if there is none. It fails with errRepeats if
// tables do not know all moves, or it takes too long.
func (r *root) onward(key []uint64, value, mover int) ([]stage, error) {
	stages, seen := []stage{{key: slices.Clone(key), value: value, mover: mover}}, map[string]bool{pack.Text(key): true}
	var p ply
	for at := 0; at < len(stages); at++ {
		from := stages[at]
		if err := r.listFor(&p, from.key, from.mover, -1); err != nil {
			return nil, err
		}
		inPlay := r.inPlay(from.key)
		for i := range p.moves {
			m := &p.moves[i]
			if m.lo < m.hi || len(stages) > mostOnward {
				return nil, errRepeats
			}
			if m.lo < from.value {
				continue
			}
			next := stage{over: m.over, before: at, action: int(p.steps.Actions[m.step])}
			next.key = slices.Clone(r.stepKey(&p, m))
			if next.value, next.mover = from.value-m.gain, from.mover; !m.same {
				next.value, next.mover = -next.value, 1-from.mover
			}
			if m.over || m.inPlay < inPlay {
				return wayTo(stages, next), nil
			}
			if name := pack.Text(next.key); !seen[name] {
				seen[name] = true
				stages = append(stages, next)
			}
		}
	}
	return nil, nil
}

// wayTo lists the stages after the first one that lead to the last.
func wayTo(stages []stage, last stage) []stage {
	way := []stage{last}
	for i := last.before; i > 0; i = stages[i].before {
		way = append(way, stages[i])
	}
	slices.Reverse(way)
	return way
}
