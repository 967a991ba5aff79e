package claim

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// position is a position that a claim is about, with what is known of its value.
type position struct {
	state         rules.State
	from          rules.State // the start or the named position, and the moves from there
	moves         []int
	verdict.Worth                   // to the first player
	best          []string          // in their notation; nil if that is not known, or not asked for
	after         []value.MoveValue // of all moves, if the best ones are asked for
	line          *value.Line
	open          *value.Line // a play to an open end, on which what is asked for depends
}

// positions lists the different positions that a claim is about: for each start, or for the named
// position, the one after the moves of the claim.
func positions(run *engines.Run, p *build.Place) ([]*position, error) {
	var list []*position
	add := func(from rules.State) error {
		if most := run.UpTo(mostPositions); int64(len(list)) == most {
			return run.Unknown(verdict.Forward, verdict.ManyPositions.Of(int(most)))
		}
		at := &position{from: from.Clone()}
		moves, st, err := follow(run, from, p)
		if at.state, at.moves = st, moves; err != nil {
			return err
		}
		// Different starts may lead to the same position.
		if !slices.ContainsFunc(list, func(q *position) bool { return q.state.Equal(at.state) }) {
			list = append(list, at)
		}
		return nil
	}
	if p.From == nil {
		return list, run.Startless(run.Starts()(run.Ctx, add))
	}
	st, err := run.In.Start(*p.From)
	if err != nil {
		return nil, err
	}
	return list, add(st)
}

// mostPositions bounds the positions that one claim may ask about, since each needs a search of its
// own.
const mostPositions = 10_000

// follow makes the moves of a place. A move that is not legal is reported as a mistake in the text
// of the claim.
func follow(run *engines.Run, from rules.State, p *build.Place) (moves []int, to rules.State, err error) {
	t, err := run.In.Replay(from, p.After)
	if no, is := errors.AsType[*interp.MoveError](err); is {
		return nil, from, diag.Errorf(diag.BadClause, p.At, "%s", no.Error())
	}
	if err != nil {
		return nil, from, err
	}
	if n := cameBack(t); n > 0 {
		return nil, from, diag.Errorf(diag.BadClause, p.At, "move %d comes back to an earlier position, and the rules say what follows then", n).
			WithHelp("a claim about what a position is worth begins a play there; leave out the moves before it")
	}
	_, moves, err = confirm.ReplayIn(run.Ctx, run.Sys, t).States(false)
	return moves, t.End(), err
}

// cameBack returns the number of the first move that comes back to an earlier position although the
// System has a rule about that. It is 0 if none does.
func cameBack(t *rules.Trace) int {
	if t.System.Repetition == nil {
		return 0
	}
	states := t.States()
	for n, s := range states {
		same := func(before rules.State) bool {
			return slices.Equal(before.Seeds, s.Seeds) && slices.Equal(before.Vars, s.Vars)
		}
		if slices.ContainsFunc(states[:n], func(before rules.State) bool { return same(before) && (!s.Live() || before.Mover == s.Mover) }) {
			return n
		}
	}
	return 0
}
