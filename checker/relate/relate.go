// Package relate compares the plays of two Systems, left and right, which may have different rules
// but look alike on the table.
//
// What is visible in a state is the seeds of the paired pits (rules.PairPits) and whether the game
// is over. If it is not, it is also visible who is to move, by the order in which players are
// declared, and whether that player is stuck. If it is over, it is visible how it ended for each
// player. Scores may take the place of boards, or nothing (rules.Agreement). Everything else is
// hidden, such as pits that the question ignores and state variables. It matters only through its
// effects.
//
// Both sides are played together, as one game whose states are pairs that the same moves lead to
// (product.go). Moves are the same if the same is written for them, or if the same is visible after
// them. A play of one side has one counterpart on the other: starts that look alike, and moves with
// the same notation, are rejected (Undecided), and so is a difference behind moves after which the
// same is visible and hidden parts differ. The game refuses a pair from which moves differ, and a
// forward search finds such a pair after the fewest moves. Whether steps can be taken back is
// decided by a game of the left side alone, which refuses a step that cannot (reverse.go).
//
//	relate.go   queries and results
//	side.go     one side: its starts, moves and looks
//	product.go  refinement and equivalence
//	reverse.go  steps that the other side takes back
package relate

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Kind is the question about two Systems.
type Kind int

const (
	Refines    Kind = iota // every play of the left is, as far as visible, a play of the right
	Equivalent             // each refines the other
	Reverses               // every step of the left is taken back by a move of the right
)

// Options limit a search and say how to run it.
type Options struct {
	forward.Options
	Names [2]string // of left and right, for descriptions
	Pairs [][2]int  // the compared pits of left and right; nil: all, as rules.PairPits pairs them
	In    rules.Agreement
	List  int64 // list the states in the Result if there are at most this many; 0: no limit
}

// Result is the result of a search. Its End is Found if there is a Difference, and Undecided if the
// question makes no sense for these rules.
type Result struct {
	limit.End
	States     int64 // pairs of live states reached by the same moves; with Reverses, states of the left
	Steps      int64 // steps compared
	Depth      int   // number of moves to the farthest state or pair
	Difference *Difference
	Listed     [][]rules.State // if none is different: the states of each side, or with Reverses of the left
}

// Difference is a play of each side with the same moves, as far as both have them. The start is nil
// for a side without a start like the other's, or whose plays are not compared.
type Difference struct {
	Starts  [2]*rules.State
	Actions [2][]int
	Kind    rules.Difference
	Side    int    // the side that has the start, move or step that the other lacks
	Moves   int    // number of moves before the difference
	Move    string // its notation
	Other   string // with WrittenDiffers: the notation of the move of the other side
	Looks   [2]Look
}

// Look is what is visible of a state besides the board. Player is the one who is to move or has
// won. If scores are compared, Points has that of each player at the end.
type Look struct {
	Is     rules.Standing
	Player int
	Points []int
}

// Search compares left and right. A limit, or a question that makes no sense, is a result. An error
// is a fault of the rules in play.
func Search(ctx context.Context, left, right *rules.System, kind Kind, opt Options) (*Result, error) {
	s := &search{ctx: ctx, opt: opt, kind: kind, Result: &Result{}}
	err := s.run(left, right)
	err = s.Take(err)
	switch {
	case errors.As(err, new(*space.InfiniteError)):
		s.End = limit.End{Stop: limit.Undecided, Reason: "the starts are not finitely many: " + err.Error()}
	case err != nil && ctx.Err() != nil:
		s.End = limit.Reach(limit.Ending(ctx).With(s.States))
	case err != nil:
		return nil, err
	}
	return s.Result, nil
}

// search is a running search.
type search struct {
	*Result
	ctx   context.Context
	opt   Options
	kind  Kind
	sides [2]*side
}

// undecided returns the error that ends a search because the question makes no sense for these
// rules.
func undecided(format string, args ...any) error {
	return &limit.Early{End: limit.End{Stop: limit.Undecided, Reason: fmt.Sprintf(format, args...)}}
}

func (s *search) run(left, right *rules.System) error {
	ids := map[string]int32{}
	for i, sys := range []*rules.System{left, right} {
		s.sides[i] = newSide(s.ctx, sys, s.opt, i, ids)
	}
	if err := s.comparable(); err != nil {
		return err
	}
	if s.kind == Reverses {
		return s.reverse()
	}
	return s.pairs()
}

// comparable rejects Systems whose states can never look alike.
func (s *search) comparable() error {
	l, r := s.sides[0], s.sides[1]
	switch {
	case s.kind != Reverses && len(l.sys.Players) != len(r.sys.Players):
		return undecided("%s and %s have different numbers of players", l.title, r.title)
	case len(l.sys.OpenParams())+len(r.sys.OpenParams()) > 0:
		return undecided("some parameter has no value")
	}
	return s.pair(l, r)
}

// pair determines the compared pits.
func (s *search) pair(l, r *side) error {
	pairs := s.opt.Pairs
	if pairs == nil {
		var unpaired [2][]int
		pairs, unpaired = rules.PairPits(l.sys, r.sys, [2][]bool{})
		for i, list := range unpaired {
			if len(list) > 0 {
				return undecided("`%s` of %s has no counterpart", s.sides[i].sys.Pits[list[0]].Name, s.sides[i].title)
			}
		}
	}
	for _, p := range pairs {
		l.shown, r.shown = append(l.shown, p[0]), append(r.shown, p[1])
	}
	return nil
}

// play searches the states of a game from these starts. parts splits a state of the game into those
// of the sides that are played.
func (s *search) play(r game.Rules, starts []rules.State, parts func(rules.State) []rules.State) error {
	opts := s.opt.Options
	// Symmetries of one side need not be symmetries of the other.
	opts.Whole = true
	res, err := forward.SearchGame(s.ctx, r, forward.From(starts...), forward.Query{States: true, MostListed: s.opt.List}, opts)
	if fault := (*forward.PlayError)(nil); errors.As(err, &fault) {
		fault.Trace.Start = parts(fault.Trace.Start)[0]
		return err
	}
	if err != nil {
		return err
	}
	s.States, s.Steps, s.Depth = res.Stats.States, res.Stats.Transitions, res.Stats.Depth
	switch res.Stop {
	case limit.Complete:
		s.Listed = lists.Map(res.States, parts)
		return nil
	case limit.Found:
		return s.refused(res, parts(res.Trace.Start))
	default:
		return &limit.Early{End: res.End}
	}
}

// unlike is why a game refuses a state: one side lacks a move of the other, or what is visible
// after both moves differs.
type unlike struct {
	is      rules.Difference
	actions [2]int  // the moves; rules.None for a side without one
	looks   [2]Look // after both moves
	other   string  // what is written for the other move, if that is the difference
}

func (u *unlike) Error() string { return "the sides differ" }

// refused turns the refusal of a state into a Difference, and ends the search. starts are the
// starts of the play to the state, one for each side that is played.
func (s *search) refused(res *forward.Result, starts []rules.State) error {
	u := (*unlike)(nil)
	if !errors.As(res.Refusal, &u) {
		return res.Refusal
	}
	d := &Difference{Kind: u.is, Looks: u.looks, Other: u.other}
	moves := len(res.Trace.Actions)
	if u.actions[0] != rules.None {
		moves-- // the last one is refused
	}
	for i, start := range starts {
		d.Starts[i] = &start
		s.sides[i].from = start
	}
	for _, a := range res.Trace.Actions[:moves] {
		steps, err := s.same(a, len(starts))
		if err != nil {
			return err
		}
		for i, st := range steps {
			d.Actions[i] = append(d.Actions[i], st.Action)
			s.sides[i].from = st.To
		}
	}
	for i, last := range u.actions[:len(starts)] {
		if last != rules.None {
			d.Actions[i] = append(d.Actions[i], last)
		}
	}
	if u.actions[0] == rules.None {
		d.Side = 1
	}
	side := s.sides[d.Side]
	d.Moves, d.Move = moves, side.in.Notation(u.actions[d.Side], side.from)
	s.Difference = d
	return &limit.Early{End: limit.End{Stop: limit.Found}}
}

// same returns the step of an action of the left from where the sides are and, if both are played,
// the same move of the right.
func (s *search) same(action, played int) ([]interp.Step, error) {
	left := s.sides[0]
	to, _, err := left.in.Do(left.from, action)
	steps := []interp.Step{{Action: action, To: to}}
	if err != nil || played == 1 {
		return steps, err
	}
	mark, err := left.mark(steps[0])
	if err != nil {
		return nil, err
	}
	right, err := s.sides[1].marked(mark)
	if err == nil && s.kind == Equivalent { // the play is one of the right with another counterpart
		_, err = left.marked(mark)
	}
	return append(steps, right), err
}
