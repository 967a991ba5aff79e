package forward

import (
	"context"
	"math"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Winning lists the starts from which some play ends with one of the wanted outcomes.
type Winning struct {
	Stop   Stop // Exhausted: the list is complete; otherwise there is none, and Reason says why
	Reason string
	Stats  Stats
	Starts []WinningStart // in the order of the starts
}

// WinningStart is a start from which some play wins, with the fewest moves needed.
type WinningStart struct {
	State rules.State
	Moves int
}

// WinningStarts finds the starts that can reach a state finished with one of these outcomes. It
// explores the graph of all reachable states, then goes backward from all such states at once,
// breadth first.
func WinningStarts(ctx context.Context, sys *rules.System, starts Starts, outcomes []int, opts Options) (*Winning, error) {
	s, r, err := exploreGraph(ctx, sys, starts, opts)
	if err != nil {
		return nil, err
	}
	w := &Winning{Stop: r.Stop, Reason: r.Reason, Stats: r.Stats}
	if r.Stop != Exhausted {
		return w, nil
	}
	moves := s.movesTo(s.finishedWith(outcomes))
	err = s.eachStart(func(st rules.State, i int) error {
		if moves[i] != farAway && !w.lists(st) {
			w.Starts = append(w.Starts, WinningStart{State: st.Clone(), Moves: int(moves[i])})
		}
		return nil
	})
	if err != nil && ctx.Err() != nil {
		w.Stop, w.Reason, w.Starts, err = Cancelled, s.cancelled().Error(), nil, nil
	}
	return w, err
}

// lists reports whether a start is in the list already. That happens only if it is finished:
// several distributions may end as the same state before the first move.
func (w *Winning) lists(st rules.State) bool {
	return !st.Live() && slices.ContainsFunc(w.Starts, func(o WinningStart) bool { return o.State.Equal(st) })
}

// finishedWith lists the states that are finished with one of these outcomes.
func (s *search) finishedWith(outcomes []int) []uint32 {
	wanted := make([]bool, len(s.sys.Outcomes))
	for _, o := range outcomes {
		wanted[o] = true
	}
	var list []uint32
	flat := pack.NewFlat(s.sys)
	for i := range s.set.Len() {
		if s.codec.Unpack(s.set.At(i), flat); flat.Outcome >= 0 && wanted[flat.Outcome] {
			list = append(list, uint32(i))
		}
	}
	return list
}

// farAway is the distance of a state from which no play reaches the targets.
const farAway = math.MaxInt32

// movesTo returns for every state the fewest moves to one of the targets.
func (s *search) movesTo(targets []uint32) []int32 {
	moves := make([]int32, s.set.Len())
	for i := range moves {
		moves[i] = farAway
	}
	for _, i := range targets {
		moves[i] = 0
	}
	back := s.edges.reversed(len(moves))
	for queue := targets; len(queue) > 0; queue = queue[1:] {
		for _, i := range back.of(int(queue[0])) {
			if moves[i] == farAway {
				moves[i] = moves[queue[0]] + 1
				queue = append(queue, i)
			}
		}
	}
	return moves
}
