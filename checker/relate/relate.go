// Package relate compares the plays of two Systems, left and right, which may have different rules
// but look alike on the table.
//
// Visible in a state are the counts of the paired pits (rules.PairPits); whether the game is over;
// if not, whether the player to move is stuck, and which player that is, by the order in which they
// are declared; and if it is, how it ended for each. A move is identified by its notation.
// Everything else, such as pits that the question ignores or control variables, is hidden, and
// matters only through its effects.
//
// A play of one side has at most one counterpart on the other, since starts that look alike and
// moves with the same notation are rejected (Undecided). So a breadth-first search over pairs of
// states reached by the same moves decides the question: pair.go continues from every pair as long
// as both sides look alike, and the first difference it finds is after the fewest moves. reverse.go
// searches the left side alone, and checks the right for every step.
//
//	relate.go   queries and results
//	side.go     one side: its starts, moves and looks
//	pair.go     refinement and equivalence
//	reverse.go  steps that the other side takes back
//	look.go     how a game stands where sides differ
package relate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// Kind is the question about two Systems.
type Kind int

const (
	Refines    Kind = iota // every play of the left is one of the right, as far as visible
	Equivalent             // and the other way round
	Reverses               // every step of the left is taken back by a move of the right
)

// Options limits a search. The zero value has no limits.
type Options struct {
	MaxStates int64          // pairs, or states; 0: no limit
	MaxMemory int64          // bytes; 0: no limit
	Names     [2]string      // of left and right, for the description of what is not decided
	Pairs     [][2]int       // pits of left and right that are compared; nil: all, as rules.PairPits pairs them
	Observer  func(Progress) // called after each level; may be nil
}

// Progress says how far a search has got.
type Progress struct {
	Depth  int // moves from the starts
	States int64
	Open   int64 // of these, not examined yet
}

// Stop says why a search ended.
type Stop int

const (
	Holds Stop = iota
	Differs
	StateLimit
	MemoryLimit
	Interrupted
	Undecided // the question does not apply to these rules
)

// Result is the result of a search.
type Result struct {
	Stop       Stop
	Reason     string    // why the question is Undecided
	Hit        limit.Hit // the limit that ended it
	States     int64     // pairs of live states reached by the same moves; with Reverses, states of the left
	Steps      int64     // steps compared
	Depth      int       // moves to the farthest of these
	Difference *Difference
}

// Difference is a play of each side with the same moves, as far as they are possible. The start is
// nil for a side that has no start that looks like the other's, or whose plays are not compared.
type Difference struct {
	Starts  [2]*rules.State
	Actions [2][]int
	Kind    DifferenceKind
	Side    int    // which has the start, the move or the step that the other has not
	Moves   int    // before the difference
	Move    string // its notation
	Looks   [2]Look
}

// DifferenceKind says in what two sides differ.
type DifferenceKind int

const (
	LonelyStart  DifferenceKind = iota // a start that the other side has not
	LonelyMove                         // a move that is legal on one side alone
	BoardsDiffer                       // after a move
	LooksDiffer                        // after a move: who is to move, or how the game ended
	NotTakenBack                       // a step that no move of the other side takes back
)

// Look is what is seen of a state besides the board. Player is the number of who is to move, or has
// won.
type Look struct {
	Is     Stand
	Player int
}

// Stand says how a game stands.
type Stand int

const (
	ToMove Stand = iota
	GoesOn
	NeverEnds
	Over
	Won
	Lost
	Drawn
	WonBy
	NobodyWon
)

// Search compares left and right. A limit or a question that does not apply is a result; an error
// is one in the rules met in play.
func Search(ctx context.Context, left, right *rules.System, kind Kind, opt Options) (*Result, error) {
	s := &search{ctx: ctx, opt: opt, kind: kind, Result: &Result{}}
	err := s.run(left, right)
	var over *stopped
	var infinite *space.InfiniteError
	switch {
	case errors.As(err, &over):
		s.Stop, s.Reason, s.Hit = over.stop, over.reason, over.hit
	case errors.As(err, &infinite):
		s.Stop, s.Reason = Undecided, "the starts are not finitely many: "+err.Error()
	case err != nil && ctx.Err() != nil:
		s.Stop, s.Hit = Interrupted, limit.Ending(ctx).With(s.States)
	case err != nil:
		return nil, err
	}
	return s.Result, nil
}

// search is a running search. Its states are numbered in order of discovery.
type search struct {
	*Result
	ctx     context.Context
	opt     Options
	kind    Kind
	sides   [2]*side
	set     *pack.Set
	key     []uint64
	parents []parent
}

// parent is the origin of a pair: a pair and the action of each side, or, without actions, the
// number of a start of each.
type parent struct {
	pair    int
	actions [2]int32
}

const noParent = -1

// stopped is the reason why a search ended. It is passed as an error.
type stopped struct {
	stop   Stop
	reason string
	hit    limit.Hit
}

func (s *stopped) Error() string { return "the comparison has ended" }

func undecided(format string, args ...any) error {
	return &stopped{stop: Undecided, reason: fmt.Sprintf(format, args...)}
}

func (s *search) run(left, right *rules.System) error {
	for i, sys := range []*rules.System{left, right} {
		side, err := newSide(s.ctx, sys, s.opt.Names[i])
		if err != nil {
			return err
		}
		s.sides[i] = side
	}
	if err := s.comparable(); err != nil {
		return err
	}
	if s.kind == Reverses {
		return s.reverse()
	}
	return s.pairs()
}

// comparable rejects Systems whose states cannot look alike.
func (s *search) comparable() error {
	l, r := s.sides[0], s.sides[1]
	switch {
	case s.kind != Reverses && len(l.sys.Players) != len(r.sys.Players):
		return undecided("%s and %s have different numbers of players", l.name, r.name)
	case len(l.sys.OpenParams())+len(r.sys.OpenParams()) > 0:
		return undecided("some parameter has no value")
	}
	return s.pair(l, r)
}

// pair determines which pits are compared.
func (s *search) pair(l, r *side) error {
	pairs := s.opt.Pairs
	if pairs == nil {
		if len(l.sys.Laps) == 0 || len(r.sys.Laps) == 0 || len(l.sys.Laps[0].Pits) != len(r.sys.Laps[0].Pits) {
			return undecided("the first laps of %s and %s are not equally long", l.name, r.name)
		}
		var unpaired [2][]int
		pairs, unpaired = rules.PairPits(l.sys, r.sys, [2][]bool{})
		for i, list := range unpaired {
			if len(list) > 0 {
				return undecided("`%s` of %s has no counterpart", s.sides[i].sys.Pits[list[0]].Name, s.sides[i].name)
			}
		}
	}
	for _, p := range pairs {
		l.shown, r.shown = append(l.shown, p[0]), append(r.shown, p[1])
	}
	return nil
}

// newSet makes the set of states found, with keys of the given number of words.
func (s *search) newSet(words int) {
	s.set = pack.NewSet(words, pack.Limits{Bytes: s.opt.MaxMemory, Keys: s.opt.MaxStates})
	s.key = make([]uint64, words)
}

// insert stores a state of each side, or of the left one alone, unless it is known.
func (s *search) insert(from parent, states ...*pack.Flat) error {
	key := s.key
	for i, f := range states {
		if err := s.sides[i].codec.Pack(f, key); err != nil {
			return err
		}
		key = key[s.sides[i].codec.Words():]
	}
	_, isNew, err := s.set.Insert(s.key)
	switch {
	case errors.Is(err, pack.ErrMany):
		return &stopped{stop: StateLimit, hit: limit.Hit{Kind: limit.States, Most: s.opt.MaxStates, Found: s.States}}
	case errors.Is(err, pack.ErrFull), s.opt.MaxMemory > 0 && s.set.Bytes()+int64(cap(s.parents))*parentBytes > s.opt.MaxMemory:
		return &stopped{stop: MemoryLimit, hit: limit.Hit{Kind: limit.Memory, Most: s.opt.MaxMemory, Found: int64(s.set.Len())}}
	case isNew && err == nil:
		s.parents = append(s.parents, from)
		s.States++
	}
	return err
}

const parentBytes = 16

// load makes state i the current one.
func (s *search) load(i int) {
	key := s.set.At(i)
	for _, side := range s.sides {
		if side.codec != nil {
			side.codec.Unpack(key, side.from)
			key = key[side.codec.Words():]
		}
	}
}

// levels examines all states in order of discovery.
func (s *search) levels(expand func(i int) error) error {
	for from := 0; from < s.set.Len(); {
		to := s.set.Len()
		for ; from < to; from++ {
			if from%1024 == 0 && s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			if err := expand(from); err != nil {
				return err
			}
		}
		if s.opt.Observer != nil {
			s.opt.Observer(Progress{Depth: s.Depth, States: s.States, Open: int64(s.set.Len() - from)})
		}
		if from < s.set.Len() {
			s.Depth++
		}
	}
	return nil
}

// moves returns the number of moves that lead to a state.
func (s *search) moves(i int) int {
	n := 0
	for ; s.parents[i].pair != noParent; i = s.parents[i].pair {
		n++
	}
	return n
}

// play returns the actions of one side that lead to a state, and the number of the start.
func (s *search) play(i, side int) (start int, actions []int) {
	for ; s.parents[i].pair != noParent; i = s.parents[i].pair {
		actions = append(actions, int(s.parents[i].actions[side]))
	}
	slices.Reverse(actions)
	return int(s.parents[i].actions[side]), actions
}

// differ ends the search with a difference: plays to a state with, for each side, a last action or
// none.
func (s *search) differ(i int, last [2]int, d Difference) error {
	d.Moves = s.moves(i)
	for side := range s.sides {
		if s.kind == Reverses && side == 1 {
			break
		}
		start, actions := s.play(i, side)
		d.Starts[side] = &s.sides[side].starts[start]
		if d.Actions[side] = actions; last[side] >= 0 {
			d.Actions[side] = append(d.Actions[side], last[side])
		}
	}
	s.Difference = &d
	return &stopped{stop: Differs}
}

// fault adds to an error in the rules of the left side the play that leads to it. Errors of the
// right are unchanged: its plays belong to another System than the claim's.
func (s *search) fault(i int, at *side, err error) error {
	if at != s.sides[0] {
		return err
	}
	start, actions := s.play(i, 0)
	return &forward.PlayError{Fault: err, Trace: forward.Trace{Start: at.starts[start], Actions: actions}}
}
