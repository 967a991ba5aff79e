package value

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// tell finds the line, and the values of the moves if they are asked for.
func (r *root) tell(f *Found) error {
	if err := r.line(f); err != nil || !r.opts.Moves {
		return err
	}
	return r.values(f)
}

// errNoMove says that no move keeps a value, which would be a fault of the search.
var errNoMove = errors.New("internal error: no move keeps the value")

// line plays moves that keep the value to the end. If only the winner is known, the winner's moves
// keep the win, and the other player's are those of greatest promise.
func (r *root) line(f *Found) error {
	key, value, mover := slices.Clone(r.key), r.lo, r.st.Mover
	exact, keeper := r.lo == r.hi, mover
	if !exact && r.lo+r.bank <= 0 {
		value, keeper = r.hi, 1-mover
	}
	var p ply
	for seen := map[string]bool{}; ; {
		at := fmt.Sprint(key)
		if seen[at] {
			return errRepeats
		}
		seen[at] = true
		k := r.table.find(r.nameOf(key))
		if err := r.list(&p, key, mover, k.step()); err != nil {
			return err
		}
		least := value
		if !exact && mover != keeper {
			least = math.MinInt
		}
		m, err := r.keeps(&p, least)
		if err != nil {
			return err
		}
		f.Line.Actions = append(f.Line.Actions, int(p.steps.Actions[m.step]))
		if m.over {
			return nil
		}
		copy(key, p.steps.Keys[m.step*len(key):])
		if value -= m.gain; !m.same {
			value, mover = -value, 1-mover
		}
	}
}

// nameOf returns the name of a state's position.
func (r *root) nameOf(key []uint64) []uint64 {
	names, _ := r.names(key, nil, nil)
	return names
}

// keeps finds a move that is worth at least the value of the position, most promising ones first.
func (r *root) keeps(p *ply, value int) (*move, error) {
	slices.SortStableFunc(p.moves, func(a, b move) int { return b.promise - a.promise })
	for i := range p.moves {
		m := &p.moves[i]
		if m.hi < value {
			continue
		}
		if m.lo >= value {
			return m, nil
		}
		v, err := r.follow(0, p, m, value-1, value)
		if err != nil {
			return nil, err
		}
		if v >= value {
			return m, nil
		}
	}
	return nil, errNoMove
}

// values finds what each move is worth.
func (r *root) values(f *Found) error {
	var p ply
	if err := r.list(&p, r.key, r.st.Mover, -1); err != nil {
		return err
	}
	for i := range p.moves {
		m := &p.moves[i]
		guess := r.lo
		for m.lo < m.hi && !(r.signed && (m.lo+r.bank > 0 || m.hi+r.bank < 0)) {
			guess = min(max(guess, m.lo+1), m.hi)
			v, err := r.follow(0, &p, m, guess-1, guess)
			if err != nil {
				return err
			}
			if v < guess {
				m.hi, guess = v, v
			} else {
				m.lo, guess = v, v+1
			}
		}
		lo, hi := r.forFirst(m.lo, m.hi)
		action := int(p.steps.Actions[i])
		to, _, err := r.in.Do(r.st, action)
		if err != nil {
			return err
		}
		f.Moves = append(f.Moves, MoveValue{action, to, lo, hi})
	}
	return nil
}
