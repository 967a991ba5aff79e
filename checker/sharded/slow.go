package sharded

import (
	"errors"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// slow is the rules of a System, played by the reference interpreter.
type slow struct {
	game.Rules
	in *interp.Interp
}

// On implements game.Rules.
func (s slow) On(c *pack.Codec) (game.Game, error) {
	return &slowGame{player: s.in.Player(), in: s.in, codec: c, flat: pack.NewFlat(s.in.System()), key: make([]uint64, c.Words())}, nil
}

// slowGame plays packed states.
type slowGame struct {
	in     *interp.Interp
	player *interp.Player
	codec  *pack.Codec
	flat   *pack.Flat
	key    []uint64
}

// state returns the state with a key.
func (g *slowGame) state(key []uint64) rules.State {
	g.codec.Unpack(key, g.flat)
	return g.flat.State(g.in.System())
}

// Expand implements game.Game.
func (g *slowGame) Expand(key []uint64, out *pack.Batch) error {
	steps, err := g.player.Steps(g.state(key))
	if err != nil {
		return err
	}
	for i, s := range steps {
		g.flat.Set(s.To)
		if err := g.codec.Pack(g.flat, g.key); err != nil {
			return err
		}
		out.Keys, out.Actions = append(out.Keys, g.key...), append(out.Actions, int32(s.Action))
		if i%pack.CheckEvery == pack.CheckEvery-1 && out.Check != nil {
			if err := out.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// CanMove implements game.Game.
func (g *slowGame) CanMove(key []uint64) (bool, error) {
	st := g.state(key)
	if !st.Live() {
		return false, nil
	}
	return g.in.CanMove(st)
}

// holds reports whether a condition holds in the state with a key.
func (g *slowGame) holds(x rules.Expr, key []uint64) (bool, error) {
	return g.in.Holds(x, g.state(key), nil)
}

// valueless reports whether an error says that a condition has no value.
func valueless(err error) bool {
	return errors.As(err, new(*interp.UndefinedError)) || errors.As(err, new(*interp.RuleError))
}
