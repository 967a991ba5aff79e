package forward

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// player turns paths of packed states into plays.
type player struct {
	*base
	codec   *pack.Codec
	steps   pack.Batch
	game    game.Game
	classes game.Classes // nil unless the path is of states that stand for their orbits
	key     []uint64
}

func newPlayer(b *base, r game.Rules, c *pack.Codec) (*player, error) {
	g, err := r.On(c)
	p := &player{base: b, codec: c, game: g}
	if classes, is := g.(game.Classes); is {
		p.classes, p.game = classes, classes.Whole()
	}
	return p, err
}

// play returns the play along a path of keys that begins with a start.
func (p *player) play(path [][]uint64) (*Trace, error) {
	start, err := p.startOf(path[0])
	if err != nil {
		return nil, err
	}
	actions, err := p.actionsAlong(path)
	return &Trace{Start: start, Actions: actions}, err
}

// lasso returns the infinite play with this path to a state of the cycle, with which the cycle
// begins and ends.
func (p *player) lasso(path, cycle [][]uint64) (*Lasso, error) {
	stem, err := p.play(path)
	if err != nil {
		return nil, err
	}
	round, err := p.actionsAlong(cycle)
	return &Lasso{Stem: *stem, Cycle: round}, err
}

// actionsAlong returns the first action for each step of a path. If the path is of states that
// stand for orbits, the play begins with the first of them and continues with other members of
// their orbits.
func (p *player) actionsAlong(path [][]uint64) ([]int, error) {
	actions := []int{}
	from := slices.Clone(path[0])
	for k := 1; k < len(path); k++ {
		a, to, err := p.actionBetween(from, path[k])
		if err != nil {
			return nil, err
		}
		actions = append(actions, a)
		copy(from, to)
	}
	return actions, nil
}

var errFound = errors.New("found")

// startOf returns the start with this key, with all its parts. If the stored state lacks some, the
// starts are listed again to find the first that is stored with this key.
func (p *player) startOf(key []uint64) (start rules.State, err error) {
	flat, packed := pack.NewFlat(p.sys), make([]uint64, len(key))
	if p.rules.Keeps().All() {
		p.codec.Unpack(key, flat)
		return flat.State(p.sys), nil
	}
	err = p.starts(p.ctx, func(st rules.State) error {
		flat.Set(st)
		if err := p.codec.Pack(flat, packed); err != nil || !slices.Equal(packed, key) {
			return err
		}
		start = st.Clone()
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return start, nil
	case err == nil:
		err = errors.New("the starts changed while they were searched")
	}
	return start, err
}

// actionBetween returns the first action that leads from one state to the other or to a member of
// its orbit, and that state.
func (p *player) actionBetween(from, to []uint64) (int, []uint64, error) {
	p.steps.Reset()
	if err := p.game.Expand(from, &p.steps); err != nil {
		return 0, nil, err
	}
	for i, a := range p.steps.Actions {
		key := p.steps.Keys[i*len(to) : (i+1)*len(to)]
		p.key = append(p.key[:0], key...)
		if p.classes != nil {
			p.classes.Represent(p.key)
		}
		if slices.Equal(p.key, to) {
			return int(a), key, nil
		}
	}
	return 0, nil, fmt.Errorf("no step from state %x to state %x", from, to)
}

// traceTo returns a play to a state of the level at depth.
func (s *search) traceTo(key []uint64, depth int) (*Trace, error) {
	path, err := s.keysTo(key, depth)
	if err != nil {
		return nil, err
	}
	return s.player.play(path)
}

// keysTo returns the keys of a play to a state of the level at depth. It goes back through the
// levels: the state before is one of the previous level with a step to it. Of several it takes the
// one with the least key, so the play does not depend on the order of states.
func (s *search) keysTo(key []uint64, depth int) ([][]uint64, error) {
	path := [][]uint64{key}
	for d := depth - 1; d >= 0; d-- {
		before, err := s.before(path[len(path)-1], d)
		if err != nil {
			return nil, err
		}
		path = append(path, before)
	}
	slices.Reverse(path)
	return path, nil
}

// before returns the first state of a level, in the order of keys, with a step to this one.
func (s *search) before(to []uint64, depth int) ([]uint64, error) {
	pieces := s.states.Pieces(depth)
	s.run(len(pieces), s.sizes[depth], func(w *worker, i int) {
		w.buffer = s.states.Read(w.number, pieces[i], w.buffer)
		w.stepTo(w.buffer, to)
	})
	if err := s.failure(); err != nil {
		return nil, err
	}
	if s.quit.Load() {
		return nil, s.cancelled(s.total.Load())
	}
	fault, hit := s.ends()
	switch {
	case fault != nil:
		return nil, fault.fault
	case hit == nil:
		return nil, fmt.Errorf("no step of level %d leads to state %x", depth, to)
	}
	return hit.Key, nil
}

// stepTo looks for states with a step to the state with key to, and notes them as hits.
func (w *worker) stepTo(keys, to []uint64) {
	words := w.words
	for i := 0; i < len(keys); i += words {
		key := keys[i : i+words]
		w.steps.Reset()
		if err := w.game.Expand(key, &w.steps); err != nil {
			w.note(Find{Key: key, fault: err})
			continue
		}
		for j := 0; j < len(w.steps.Keys); j += words {
			if slices.Equal(w.steps.Keys[j:j+words], to) {
				w.note(Find{Key: key})
				break
			}
		}
	}
}
