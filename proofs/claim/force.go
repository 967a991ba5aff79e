package claim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// forced claims that a player can force a goal, perhaps within a number of moves, whatever the
// others play.
type forced struct {
	usual
	*build.Force
}

func (k forced) about() verdict.Claim { return verdict.Claim{Kind: verdict.Force, Player: k.Player} }

// OfPlays reports whether the positions come from the starts rather than being named in the claim.
func (k forced) OfPlays() bool { return k.From.From == nil }

// Again declines: only the strategy shows it.
func (k forced) Again(q confirm.Question) (*enumerate.Opinion, error) { return q.ByStrategies() }

// Certified compares the numbers of moves with those of the certificate, and replays the play
// shown. The certificate uses another number for a goal that is never reached.
func (k forced) Certified(q confirm.Question, report *cert.Report) error {
	var moves []int
	for _, p := range report.Positions {
		n := p.Moves
		if n == cert.Never {
			n = value.Never
		}
		if q.Result.Status == verdict.Proved || n >= 0 {
			moves = append(moves, n)
		}
	}
	if found := k.finds(q.Result.Status, moves); !verdict.Same(q.Result.Found, found) {
		return confirm.Refuse("by the strategy %s", say.Finding(q.Sys, found))
	}
	if t := q.Result.Trace; t != nil {
		if _, _, err := confirm.ReplayIn(q.Ctx, q.Sys, t).States(false); err != nil {
			return confirm.Rejection(err)
		}
	}
	return nil
}

// finds returns what is found, given in how many moves the goal is forced from each position. With
// several positions it is the greatest number.
func (k forced) finds(s verdict.Status, moves []int) verdict.Finding {
	if s == verdict.Refuted {
		return verdict.Prevented{Player: k.Player, Within: k.Within}
	}
	f := verdict.Forced{Player: k.Player, Moves: slices.Max(moves), Positions: len(moves)}
	if f.Moves == 0 {
		f.Positions = 0
	}
	return f
}

// soon reports whether the goal is forced, and in as few moves as claimed. A negative Within means
// any number.
func (k forced) soon(moves int) bool {
	return moves != value.Never && (k.Within < 0 || moves <= k.Within)
}

// decide solves the game on the states reachable from the positions, for all positions in one
// search.
func (k forced) decide(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.Force)
	}
	list, err := positions(run, &k.From)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, noStart(run.Sys)
	}
	from := lists.Map(list, func(p *position) rules.State { return p.state })
	f, err := value.Force(run.Ctx, run.Sys, forward.From(from...), k.Player, k.Goal, run.ForwardOptions())
	if err != nil {
		return nil, err
	}
	if f.Stop != limit.Complete {
		return nil, run.Ended(f.End, f.Stats)
	}
	return k.found(run, list, f)
}

// found returns the verdict, with the strategy that shows it and a play from the position in which
// the goal takes most moves.
func (k forced) found(run *engines.Run, list []*position, f *value.Forced) (*result.Result, error) {
	at, most := list[0], -1
	var moves []int
	for _, p := range list {
		n, _ := f.Moves(p.state)
		if moves = append(moves, n); n > most {
			at, most = p, n
		}
	}
	status := verdict.Is(k.soon(most))
	r := run.Result(status, verdict.Forward, k.finds(status, moves))
	r.Stats = engines.ForwardStats(f.Stats)
	s := &Strategy{Claim: k.Force, Prevents: status == verdict.Refuted, in: run.In, index: map[string]int{}, most: limitsOf(run).Kept}
	s.rank = func(to rules.State, after int) (rank, merit int, err error) {
		n, _ := f.Moves(to)
		n = min(n, cert.Never)
		switch {
		case !s.Prevents || k.Within < 0 && n == cert.Never:
			return n, n, nil
		case k.Within >= 0 && n >= after: // it has to last only for the claimed number of moves
			return after - 1, n, nil
		}
		return -1, n, nil
	}
	from := list
	if s.Prevents {
		from = []*position{at} // one position refutes the claim
	}
	switch err := s.layOut(run.Ctx, from); {
	case errors.Is(err, errStop) && run.Opt.MaxEvidence > 0:
	case errors.Is(err, errStop):
		r.None = fmt.Sprintf("the strategy that shows it is not written down: it has more than %d states", s.most)
	case err != nil:
		return nil, err
	default:
		r.Evidence = s.evidence(run.Sys)
	}
	actions, err := k.play(run, f, at.state)
	if err != nil {
		return nil, err
	}
	r.Trace, err = run.Play(at.from, append(at.moves, actions...))
	return r, err
}

// evidence makes a certificate of the strategy. It leaves out states in which play is over, the
// goal is reached, or the counter-strategy has lasted as long as the claim asks.
func (s *Strategy) evidence(sys *rules.System) cert.Evidence {
	play := cert.Followed{Shows: cert.Forces}
	if s.Prevents {
		play.Shows = cert.Prevents
	}
	for _, n := range lists.Filter(s.Nodes, StrategyNode.goesOn) {
		if n.Rank == cert.Never {
			n.Rank = 0
		}
		play.States, play.Numbers = append(play.States, n.State), append(play.Numbers, n.Rank)
	}
	return cert.NewStrategies(sys, rules.Kept{}, play)
}

// pick returns the step after which the goal takes most moves, or fewest. Among equals it takes the
// first, so that strategies are the same in every run.
func pick(f *value.Forced, steps []interp.Step, most bool) interp.Step {
	best, at := steps[0], -1
	for _, st := range steps {
		n, _ := f.Moves(st.To)
		if at < 0 || n != at && n > at == most {
			best, at = st, n
		}
	}
	return best
}

// play returns the actions of a play in which each side plays its best. The play ends when the goal
// is reached, when it can no longer be reached in time, or when a state occurs again.
func (k forced) play(run *engines.Run, f *value.Forced, st rules.State) ([]int, error) {
	var actions []int
	seen := map[string]bool{}
	for !seen[fmt.Sprint(st)] {
		seen[fmt.Sprint(st)] = true
		n, _ := f.Moves(st)
		if n == 0 || k.Within >= 0 && len(actions) == k.Within {
			break
		}
		steps, err := run.In.Steps(st)
		if err != nil || len(steps) == 0 {
			return actions, err
		}
		step := pick(f, steps, st.Mover != k.Player)
		actions = append(actions, step.Action)
		st = step.To
	}
	return actions, nil
}
