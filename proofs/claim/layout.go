package claim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// Strategy is a strategy for a claim on what a player can force, laid out: first the positions of
// the claim, and then those that play comes to, the nearest first. If it Prevents, the others
// follow it, and there is only one position, which refutes the claim.
type Strategy struct {
	Claim    *build.Force
	Prevents bool
	Nodes    []StrategyNode
	Roots    int
	Left     int // states of the evidence that are not among the nodes

	in    *interp.Interp
	index map[string]int // of nodes, from 1
	most  int            // nodes
	tells bool           // Next is made, also where there are too many nodes
	// rank returns the rank of a state that comes after one with a rank, and by what the strategy
	// chooses it: the greatest number if it Prevents, else the least. Where the strategy does not
	// come the rank is cert.Never, or -1 if it Prevents.
	rank func(s rules.State, after int) (rank, merit int, err error)
}

// StrategyNode is a state of play by a strategy. Its Rank is the number of moves within which the
// goal is reached, or for which it is prevented, or cert.Never if that is for ever.
type StrategyNode struct {
	State rules.State
	Rank  int
	Own   bool // those who follow the strategy are to move
	Next  []StrategyStep
}

// goesOn reports whether anything follows: the game goes on, and so does what the claim asks.
func (n StrategyNode) goesOn() bool { return n.State.Live() && n.Rank != 0 }

// StrategyStep is a move, in its notation, with the seeds that it moves. To is -1 if what it leads
// to is not laid out.
type StrategyStep struct {
	Move  string
	Moved []interp.Moved
	To    int
}

// ErrNotKept says that a verdict came without the states that it relies on.
var ErrNotKept = errors.New("it has more states than are kept as evidence")

// StrategyOf lays out the strategy that the verdict relies on, up to so many nodes; nil if the
// claim is about something else. Nothing is searched: the states are the evidence, and the
// interpreter plays each move of those laid out again. The error is ErrNotKept, or a rejection
// where a move, or a number, is not as the verdict says.
func StrategyOf(ctx context.Context, r *result.Result, most int) (*Strategy, error) {
	property, err := confirm.PropertyIn(r.Instance, r.System)
	claim, is := property.(*build.Force)
	if err != nil || !is || !r.Conclusive() {
		return nil, nil
	}
	evidence, is := r.Evidence.(*cert.Strategies)
	if !is {
		return nil, ErrNotKept
	}
	run := engines.New(ctx, r.Instance, verdict.Claim{Kind: verdict.Force, Player: claim.Player}, engines.Options{}).On(r.System)
	s := &Strategy{Claim: claim, in: run.In, index: map[string]int{}, most: most, tells: true}
	prevents, states, numbers, err := evidence.Forcing(ctx, r.System)
	if err != nil {
		return nil, err
	}
	s.Prevents, s.rank = prevents, func(at rules.State, _ int) (rank, merit int, err error) {
		holds, err := s.in.Holds(claim.Goal, at, nil)
		i, listed := slices.BinarySearchFunc(states, at, rules.State.Compare)
		switch {
		case holds && prevents:
			rank = -1
		case holds:
		case listed && (!prevents && numbers[i] > 0 || prevents && claim.Within >= 0):
			rank = numbers[i]
		case listed || !prevents || !at.Live():
			rank = cert.Never
		default:
			rank = min(claim.Within, 0) // as many moves as the claim asks for, if it does, have been made
		}
		return rank, rank, err
	}
	list, err := positions(run, &claim.From)
	if err == nil {
		err = s.layOut(ctx, list)
	}
	s.Left = len(states) - lists.Count(s.Nodes, StrategyNode.goesOn)
	return s, err
}

// layOut lays out the strategy from some positions.
func (s *Strategy) layOut(ctx context.Context, list []*position) error {
	from := lists.Map(list, func(p *position) rules.State { return p.state })
	_, _, err := s.lay(from, s.Prevents, cmp.Or(s.Claim.Within+1, cert.Never)) // as if they came after one move more
	s.Roots = len(s.Nodes)
	// Nodes grow in this loop: they are also the queue of the breadth-first walk.
	for n := 0; n < len(s.Nodes) && err == nil; n++ {
		if err = ctx.Err(); err == nil {
			err = s.follow(n)
		}
	}
	return err
}

// lay lays out the states that come after one of this rank or, if those who follow the strategy
// choose, only the best, the first among equals. It returns the number of the first one, and nodes.
func (s *Strategy) lay(states []rules.State, own bool, after int) (first int, nodes []int, err error) {
	ranks, merits, best, end := make([]int, len(states)), make([]int, len(states)), 0, len(states)
	for i, at := range states {
		if ranks[i], merits[i], err = s.rank(at, after); err != nil {
			return 0, nil, err
		}
		if merits[i] != merits[best] && merits[i] > merits[best] == s.Prevents {
			best = i
		}
	}
	switch {
	case end == 0 && (len(s.Nodes) == 0 || !s.Prevents):
		return 0, nil, confirm.Refuse("the strategy goes no further")
	case own && end > 0:
		first, end = best, best+1
	}
	for i := first; i < end && err == nil; i++ {
		n := -1
		if s.Prevents && ranks[i] < after-1 || !s.Prevents && ranks[i] >= after {
			err = confirm.Refuse("the strategy does not show it of %v", states[i])
		} else {
			n, err = s.add(states[i], ranks[i])
		}
		nodes = append(nodes, n)
	}
	return first, nodes, err
}

// add returns the node of a state. The walk is breadth first, so the first rank given for a state
// is the greatest for which the goal has to be prevented from there. If there is no room for a node
// it returns -1, or errStop where nothing is told.
func (s *Strategy) add(at rules.State, rank int) (int, error) {
	key := fmt.Sprint(at)
	if s.index[key] == 0 && len(s.Nodes) >= s.most && !s.tells {
		return -1, errStop
	}
	if s.index[key] == 0 && len(s.Nodes) < s.most {
		s.Nodes = append(s.Nodes, StrategyNode{State: at, Rank: rank, Own: at.Live() && (at.Mover == s.Claim.Player) != s.Prevents})
		s.index[key] = len(s.Nodes)
	}
	return s.index[key] - 1, nil
}

// follow lays out what comes after a node.
func (s *Strategy) follow(n int) error {
	at := s.Nodes[n]
	if !at.goesOn() {
		return nil
	}
	steps, err := s.in.Steps(at.State)
	if err != nil {
		return err
	}
	first, nodes, err := s.lay(lists.Map(steps, func(st interp.Step) rules.State { return st.To }), at.Own, at.Rank)
	for i := 0; i < len(nodes) && err == nil && s.tells; i++ {
		made := StrategyStep{Move: s.in.Notation(steps[first+i].Action, at.State), To: nodes[i]}
		made.Moved, err = s.in.Account(at.State, steps[first+i].Action)
		s.Nodes[n].Next = append(s.Nodes[n].Next, made)
	}
	return err
}
