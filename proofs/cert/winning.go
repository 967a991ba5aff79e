package cert

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// Winning is the evidence of the states from which a win can be reached, each with a number of
// moves in which it can.
type Winning struct {
	Set
	Moves     []int `json:"moves,omitempty" is:"0..268435456"`
	MostSeeds *int  `json:"mostSeeds,omitempty" is:"0..268435456"` // no start has more
}

// Plan is the evidence that a strategy wins from all states from which a win can be reached, each
// with a number of moves that it never exceeds.
type Plan struct{ Winning }

// NewWinning returns the evidence of the states from which a win can be reached. States with more
// than most seeds are left out, since no start has more; nil means that none are left out.
func NewWinning(sys *rules.System, parts rules.Kept, lemmas []rules.StartOnly, most *int, states []rules.State, moves []int) *Winning {
	c := coder{sys, parts.SpelledOut(sys)}
	list, numbers := c.ordered(states, moves)
	e := &Winning{newSet(c, lemmas), numbers, most}
	e.States = lists.Map(list, c.encode)
	return e
}

// winning checks the states from which a win can be reached.
//
// The set contains the states that are won and is closed under predecessors, except for states with
// more seeds than any start, which occur in no play. So it contains every start that can be won.
// From each of its states some step certainly leads to a state of the set with a smaller number,
// and states with number 0 are won. So every start in it can be won.
type winning struct {
	*backwardSet
	*statement
	player *partial.Player
	found  []rules.State // the starts in the set
}

func (e *Winning) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(winners)
	if !is {
		return st.unfit(e)
	}
	if len(st.sys.OpenParams()) > 0 {
		return reject("such a set is evidence for one value of each parameter only")
	}
	w, err := e.read(ctx, st, r)
	if err != nil {
		return err
	}
	for _, obligation := range []func(context.Context) error{w.holdsAll, w.allWin, w.findStarts} {
		if err := obligation(ctx); err != nil {
			return err
		}
	}
	return w.judge(claim.claim)
}

// check checks that a strategy wins wherever anything wins. The set is as for winning states.
// In addition, from each of its live states the strategy has a step, and every such step leads to a
// state of the set with a smaller number. So every play by the strategy from there wins, whatever
// the values of the open parameters are.
func (e *Plan) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(plan)
	if !is {
		return st.unfit(e)
	}
	w, err := e.read(ctx, st, r)
	if err != nil {
		return err
	}
	if err := w.holdsAll(ctx); err != nil {
		return err
	}
	follower := partial.New(ctx, claim.followed).Player()
	return w.eachWins(ctx, "states of the set, each won or with moves of the strategy only that are nearer to a win", func(at partial.State, number int) error {
		return w.follows(follower, at, number)
	})
}

// read reads the set with its numbers.
func (e *Winning) read(ctx context.Context, st *statement, r *Report) (*winning, error) {
	won, err := st.won()
	if err != nil {
		return nil, err
	}
	b, err := e.readFor(ctx, st, won)
	if err != nil {
		return nil, err
	}
	if len(e.Moves) != len(b.states) {
		return nil, reject("%d numbers of moves for %d states", len(e.Moves), len(b.states))
	}
	if e.MostSeeds != nil {
		if n := mostSeeds(st.sys); n == num.Inf || n > *e.MostSeeds {
			return nil, refuse.Open("how many seeds a start has does not follow from single conditions of the setup")
		}
		b.maxSeeds = *e.MostSeeds
	}
	b.report, b.numbers = r, e.Moves
	r.Trusted = append(r.Trusted, executor)
	return &winning{backwardSet: b, statement: st, player: b.m.Player()}, nil
}

// holdsAll shows that all states from which a win can be reached are in the set.
func (w *winning) holdsAll(ctx context.Context) error {
	for _, obligation := range []func(context.Context) error{w.FindWays, w.checkLemmas, w.allTargets, w.allPredecessors} {
		if err := obligation(ctx); err != nil {
			return err
		}
	}
	w.report.Subject = SubjectUnknown // the claim is also about starts that cannot be won
	return nil
}

// won returns the condition that somebody has won. The checker handles only games in which the
// outcome alone says so, and in which reactions at most end the game when a start is laid out.
func (st *statement) won() (rules.Expr, error) {
	if len(st.sys.GoingOn()) > 0 {
		return nil, refuse.Open("what a reaction does to a start is not looked at")
	}
	won := rules.False
	for i, o := range st.sys.Outcomes {
		switch o.Kind {
		case rules.WinOutcome:
			if st.changesBoard(i) {
				return nil, refuse.Open("what an ending does to a start is not looked at")
			}
			won = rules.Join(rules.Or, won, rules.HasOutcome(i))
		case rules.EndOutcome:
			if st.sys.Scores != nil && len(st.sys.Players) > 1 {
				return nil, refuse.Open("scores say who has won")
			}
		case rules.LoseOutcome, rules.DrawOutcome, rules.EndlessOutcome:
		}
	}
	return won, nil
}

// changesBoard reports whether a reaction may do more than end the game with this outcome.
func (st *statement) changesBoard(outcome int) bool {
	for _, by := range st.sys.EachReaction() {
		if _, plain := by.Plain(); !plain && rules.EffectsOf(by.Body).MayEnd(st.sys, outcome) {
			return true
		}
	}
	return false
}

// mostSeeds returns a bound on the seeds of a start, or num.Inf if it finds none. It uses
// conditions of the setup that some pits, or all, hold exactly or at most a number.
func mostSeeds(sys *rules.System) int {
	most, each := num.Inf, make([]int, len(sys.Pits)) // each has the bound for each pit
	for p := range lists.Marked(sys.Start.Free) {
		each[p] = num.Inf
	}
	for _, c := range rules.Conjuncts(sys.Start.Cond) {
		b, is := c.(rules.Binary)
		if !is || b.Op != rules.Eq && b.Op != rules.Le {
			continue
		}
		n, known := b.R.(rules.Const)
		pits := pitsOf(sys, b.L)
		if !known || n.Value < 0 || pits == nil {
			continue
		}
		if p := slices.Index(pits, true); p >= 0 && !slices.Contains(pits[p+1:], true) {
			each[p] = n.Value
		}
		if !slices.ContainsFunc(lists.Set(sys.Start.Free), func(p int) bool { return !pits[p] }) { // all that have any
			most = min(most, n.Value)
		}
	}
	if all, bounded := num.Sum(each); bounded {
		most = min(most, all)
	}
	return most
}

// eachWins calls live for each live state of the set with its number. It fails unless the finished
// states are won and have number 0.
func (w *winning) eachWins(ctx context.Context, what string, live func(at partial.State, number int) error) error {
	err := w.each(ctx, func(i int, at partial.State) error {
		if at.Live() {
			return live(at, w.numbers[i])
		}
		v, err := w.m.Eval(w.target, at, nil)
		if holds, decided := v.Holds(); err != nil || !decided || !holds || w.numbers[i] != 0 {
			return reject("the state %s of the set is not won", w.m.Text(at))
		}
		return nil
	})
	w.report.checked(what, len(w.states))
	return err
}

// nearer reports whether a state is in the set with a smaller number than this one.
func (w *winning) nearer(to partial.State, number int) (bool, error) {
	i, err := w.place(to)
	return i >= 0 && w.numbers[i] < number, err
}

// allWin shows that a win can be reached from each state.
func (w *winning) allWin(ctx context.Context) error {
	return w.eachWins(ctx, "states of the set, each won or with a move to one that is nearer to a win", w.wins)
}

// wins looks for one action that certainly leads nearer to a win. An action whose result depends on
// unknown parts is passed over.
func (w *winning) wins(at partial.State, number int) error {
	for action := range w.backwardSet.sys.Actions {
		if w.backwardSet.sys.Actions[action].Mover != at.Mover {
			continue
		}
		to, legal, err := w.player.Sure(at, action)
		if err != nil || !legal {
			continue // another action may be certain
		}
		if is, err := w.nearer(to, number); is && err == nil {
			return nil
		}
	}
	return reject("no move certainly leads from %s to a state of the set with less than %d moves to a win", w.m.Text(at), number)
}

// follows shows that the strategy has a move from a state, and that all of its moves lead nearer to
// a win.
func (w *winning) follows(follower *partial.Player, at partial.State, number int) error {
	steps, err := follower.Steps(at)
	if err != nil {
		return refuse.LeftOut(err, "a move of the strategy from %s", w.m.Text(at))
	}
	if len(steps) == 0 {
		return reject("the strategy has no move in the state %s of the set", w.m.Text(at))
	}
	for _, step := range steps {
		is, err := w.nearer(step.To, number)
		if err != nil {
			return refuse.LeftOut(err, "a move of the strategy from %s", w.m.Text(at))
		}
		if !is {
			return reject("the strategy leads from %s to %s, which is no state of the set with less than %d moves to a win", w.m.Text(at), w.m.Text(step.To), number)
		}
	}
	return nil
}

// findStarts finds the starts that agree with a state of the set.
func (w *winning) findStarts(ctx context.Context) error {
	seen := map[string]bool{}
	all := whole(w.backwardSet.sys)
	for i, s := range w.states {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !w.laidOut(s) {
			continue
		}
		err := w.eachBoard(ctx, s, func(raw partial.State) error {
			st, err := w.m.Settle(raw)
			if err != nil {
				return refuse.LeftOut(err, "the start %s", w.m.Text(raw))
			}
			if st.Outcome != s.Outcome || st.Mover != s.Mover {
				return nil // this board settles to another outcome
			}
			key, err := w.m.AppendKey(nil, st, all.kept)
			if err != nil {
				return refuse.LeftOut(err, "the start %s", w.m.Text(raw))
			}
			if seen[string(key)] {
				return nil
			}
			seen[string(key)] = true
			start, err := known(st)
			w.found = append(w.found, start)
			return err
		})
		if err != nil {
			return err
		}
	}
	w.report.checked("starts that agree with a state of the set", len(w.found))
	return nil
}

// laidOut reports whether the parts of a state that no setup chooses are as in every start.
func (w *winning) laidOut(s rules.State) bool {
	sys := w.backwardSet.sys
	if s.Live() && s.Mover != sys.Start.Mover {
		return false
	}
	for v, kept := range w.kept.VarsOf(s.Outcome) {
		if kept && s.Vars[v] != sys.Vars[v].Init {
			return false
		}
	}
	for p, kept := range w.kept.Pits {
		if kept && !sys.Start.Free[p] && s.Seeds[p] != 0 {
			return false
		}
	}
	return true
}

// eachBoard lists the boards of the setup that agree with the kept pits of a state.
func (w *winning) eachBoard(ctx context.Context, s rules.State, yield func(partial.State) error) error {
	base, open := w.m.Empty(), slices.Clone(w.backwardSet.sys.Start.Free)
	for p := range lists.Marked(w.kept.Pits) {
		base.Seeds[p], open[p] = partial.Known(s.Seeds[p]), false
	}
	return boards(ctx, w.m, open, base, w.statement.tries, yield)
}

// judge compares the starts found with the claim.
func (w *winning) judge(claim build.Property) error {
	is, err := w.isTrue(claim)
	if err == nil && is != w.proves {
		return reject("%d starts can be won, and the verdict does not follow", len(w.found))
	}
	return err
}

// isTrue reports whether the claim is true of the starts found, which it adds to the report.
func (w *winning) isTrue(claim build.Property) (bool, error) {
	if c, is := claim.(*build.Count); is {
		where := exec.ReadExpr(c.Where)
		for _, s := range w.found {
			in, err := w.decided(where, w.m.Exactly(s), nil)
			if err != nil {
				return false, err
			}
			if in {
				w.report.Found = append(w.report.Found, s)
			}
		}
		v, err := rules.Apply(c.Op, len(w.report.Found), c.Value)
		return v != 0, err
	}
	w.report.Found = w.found
	return build.EachListed(claim.(*build.WinningStarts).List, len(w.found), func(x rules.Expr, i int) (bool, error) {
		return w.decided(exec.ReadExpr(x), w.m.Exactly(w.found[i]), nil)
	})
}
