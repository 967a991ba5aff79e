// Package game defines what a search plays: a game of packed states.
//
// The simplest Rules are those of a System, as it is. Others are made of these: of two Systems that
// are played side by side (package relate), for example. A search cannot tell them apart.
package game

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
)

// Rules is a game, for states that are packed in any way.
type Rules interface {
	// Shape returns the System that says what a state is made of: pits, variables, players and
	// outcomes. Steps are by its actions.
	Shape() *rules.System

	// Identity is a text that is different for different rules.
	Identity() []byte

	// Seeds returns the most seeds in the states that are reached from a start, itself included:
	// for how many each pit needs room, and how many there are in all; num.Inf is too many to
	// say. With fixed all states have as many.
	Seeds(start rules.State) (pit, all int, fixed bool)

	// Keeps returns the parts of a state that a codec packs. Neither steps nor what is asked
	// depends on the others, which are empty or have their initial values.
	Keeps() rules.Parts

	// On returns the game on the states that a codec of the Shape packs. It belongs to one
	// goroutine.
	On(codec *pack.Codec) (Game, error)
}

// Game plays packed states.
type Game interface {
	// Expand appends the successors of a state to a batch, with the actions that lead to them, in
	// the order of the actions. A finished state has none. What was appended means nothing after
	// an error, which is a fault of the rules, a *Refusal, or that of the batch's Check.
	Expand(key []uint64, out *pack.Batch) error

	// CanMove reports whether a state is live and has a legal move.
	CanMove(key []uint64) (bool, error)
}

// Classes is a Game each of whose states stands for a class of states of another one, in which as
// many steps lead to equal classes.
type Classes interface {
	Game

	// Whole is the game of all the states.
	Whole() Game

	// Size returns how many states the one with this key stands for, itself included.
	Size(key []uint64) int

	// Members appends the keys of these states, itself first.
	Members(key, into []uint64) []uint64

	// Represent replaces keys of the whole game by those of the states that stand for them.
	Represent(keys []uint64)
}

// Refusal is the error of a game for a state in which it finds what it was made to look for. It
// ends a search like a goal.
type Refusal struct {
	Action int   // the step that is refused, or rules.None
	Why    error // for those who made the game
}

func (r *Refusal) Error() string { return r.Why.Error() }

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Why }

// single is the rules of one System.
type single struct {
	ctx context.Context
	sys *rules.System
}

// Of returns the rules of a System. The context ends moves that take long.
func Of(ctx context.Context, sys *rules.System) Rules { return single{ctx, sys} }

func (s single) Shape() *rules.System { return s.sys }

func (s single) Identity() []byte { return s.Shape().Canonical() }

func (s single) Seeds(start rules.State) (pit, all int, fixed bool) {
	n := start.Total()
	return n, n, true
}

func (s single) Keeps() rules.Parts { return rules.Parts{} }

func (s single) On(codec *pack.Codec) (Game, error) {
	return residual.New(s.ctx, s.sys, codec), nil
}

// Sliced returns the rules of a System on the parts of its states that determine every play and
// these expressions.
func Sliced(ctx context.Context, sys *rules.System, read ...rules.Expr) Rules {
	return Keeping(Of(ctx, sys), slice.Keep(ctx, sys, read...).Parts)
}

// kept is a game on parts of the states.
type kept struct {
	Rules
	parts rules.Parts
}

// Keeping returns a game whose states have only these parts of the states of another one. Nothing
// else may affect its steps (package slice).
func Keeping(r Rules, parts rules.Parts) Rules { return kept{r, parts} }

func (k kept) Keeps() rules.Parts { return k.parts }

func (k kept) Identity() []byte { return fmt.Appendf(k.Rules.Identity(), "keeps %v\n", k.parts) }
