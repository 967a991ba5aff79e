package value

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
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
	for seen := map[string]int{}; ; {
		at := pack.Text(key)
		if i, again := seen[at]; again {
			if !exact || r.lookup.tables == nil {
				return errRepeats
			}
			way, err := r.onward(key, value, mover)
			switch {
			case err != nil:
				return err
			case way == nil && value == side(mover)*r.margin.constant: // nothing is won any more
				f.Line.Endless = true
				return nil
			case way == nil:
				return errNoMove
			}
			f.Line.Actions = append(f.Line.Actions[:i], lists.Map(way, func(s stage) int { return s.action })...)
			last := way[len(way)-1]
			if last.over {
				return nil
			}
			copy(key, last.key)
			value, mover = last.value, last.mover
			continue
		}
		seen[at] = len(f.Line.Actions)
		name := r.nameOf(key)
		k := r.table.find(name, 0, 0)
		if err := r.listFor(&p, key, mover, int(k.step)); err != nil {
			r.actions = slices.Concat(f.Line.Actions, r.actions)
			return err
		}
		least := value
		if !exact && mover != keeper {
			least = math.MinInt
		}
		m, err := keeps(&p, least, r.follow)
		if err != nil {
			r.actions = slices.Concat(f.Line.Actions, r.actions)
			return err
		}
		f.Line.Actions = append(f.Line.Actions, int(p.steps.Actions[m.step]))
		if m.over {
			return nil
		}
		copy(key, r.stepKey(&p, m))
		if value -= m.gain; !m.same {
			value, mover = -value, 1-mover
		}
	}
}

// replay plays a line from a state by the reference interpreter, and fails if it is not worth what
// was found: that would be a fault of the search.
func (l *Line) replay(ctx context.Context, sys *rules.System, st rules.State, p Payoff, want int) error {
	j, err := newJudge(ctx, sys, p)
	if err != nil {
		return err
	}
	in := interp.New(sys).Within(ctx)
	for _, action := range l.Actions {
		to, legal, err := in.Do(st, action)
		switch {
		case err != nil:
			return err
		case !legal:
			return fmt.Errorf("internal error: best play has a move that is not legal: %s in %v", in.Notation(action, st), st)
		}
		st = to
	}
	worth := j.of
	if l.Endless {
		if p.Endless == NoValue {
			return errors.New("internal error: best play goes on for ever, and nothing says what that is worth")
		}
		worth = j.endless
	}
	got, err := worth(st)
	if err != nil || got != paid(want) || st.Live() != l.Endless {
		return fmt.Errorf("internal error: best play is worth %d to %d (%v), and the value found is %d", got.lo, got.hi, err, want)
	}
	return nil
}

// listFor lists the moves of a state. If that fails, r.actions lead to where it did.
func (r *root) listFor(p *ply, key []uint64, mover, first int) error {
	r.seeker.actions = r.seeker.actions[:0]
	err := r.list(p, key, mover, first, math.MinInt, math.MaxInt)
	r.actions = r.seeker.actions
	return err
}

// keeps finds a move that is worth at least the value of the position, most promising ones first.
// It asks follow what a move is worth.
func keeps(p *ply, value int, follow func(p *ply, m *move, alpha, beta int) (int, error)) (*move, error) {
	slices.SortStableFunc(p.moves, func(a, b move) int { return b.promise - a.promise })
	for i := range p.moves {
		m := &p.moves[i]
		if m.hi < value {
			continue
		}
		if m.lo >= value {
			return m, nil
		}
		v, err := follow(p, m, value-1, value)
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
	if err := r.listFor(&p, r.key, r.st.Mover, -1); err != nil {
		return err
	}
	for i := range p.moves {
		m := &p.moves[i]
		ask := func(alpha, beta int) (int, error) { return r.follow(&p, m, alpha, beta) }
		if err := r.close(&m.lo, &m.hi, r.lo, ask, func() {}); err != nil {
			return err
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
