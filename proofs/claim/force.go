package claim

import (
	"context"
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
	s := &strategist{Run: run, claim: k, forced: f, prevents: status == verdict.Refuted, most: limitsOf(run).Kept, in: map[string]bool{}}
	from := list
	if s.prevents {
		from = []*position{at} // one position refutes the claim
	}
	switch err := s.from(from); {
	case errors.Is(err, errStop) && run.Opt.MaxEvidence > 0:
	case errors.Is(err, errStop):
		r.None = fmt.Sprintf("the strategy that shows it is not written down: it has more than %d states", s.most)
	case err != nil:
		return nil, err
	default:
		r.Evidence = s.evidence()
	}
	actions, err := s.play(at.state)
	if err != nil {
		return nil, err
	}
	r.Trace, err = run.Play(at.from, append(at.moves, actions...))
	return r, err
}

// strategist writes down a strategy: that of the player for reaching the goal, or, with prevents,
// that of the other players for preventing it.
type strategist struct {
	*engines.Run
	claim    forced
	forced   *value.Forced
	prevents bool
	most     int             // states
	in       map[string]bool // those of answers, by their text
	answers  []answer
}

// answer is a state with the number of moves in which the goal is reached from there, at most, or
// for which it is prevented.
type answer struct {
	state rules.State
	moves int
}

// from adds the states that play by the strategy can reach from the positions. It returns errStop
// if there are more than may be kept.
func (s *strategist) from(list []*position) error {
	for _, p := range list {
		n, _ := s.forced.Moves(p.state)
		// The goal may be reachable later than the claim says, so the counter-strategy has to last
		// only for the claimed number of moves.
		if s.prevents && s.claim.Within >= 0 {
			n = s.claim.Within
		}
		if err := s.add(p.state, n); err != nil {
			return err
		}
	}
	// answers grows in this loop: it is also the queue of the breadth-first walk.
	for i := 0; i < len(s.answers); i++ {
		a := s.answers[i]
		if err := s.Ctx.Err(); err != nil {
			return err
		}
		if a.moves == 0 {
			continue
		}
		next, err := s.next(a.state)
		if err != nil {
			return err
		}
		for _, st := range next {
			if err := s.after(a.moves, st.To); err != nil {
				return err
			}
		}
	}
	return nil
}

// after adds the state that a move leads to, from a state whose answer has the given number of
// moves. A counter-strategy has one move less to last, or goes on for ever.
func (s *strategist) after(moves int, to rules.State) error {
	n, _ := s.forced.Moves(to)
	if s.prevents {
		if n = value.Never; moves != value.Never {
			n = moves - 1
		}
	}
	return s.add(to, n)
}

// add appends an answer for a state that has none. The walk is breadth first, so the first number
// of moves given for a state is the greatest that a counter-strategy has to last from there.
func (s *strategist) add(st rules.State, moves int) error {
	key := fmt.Sprint(st)
	if s.in[key] {
		return nil
	}
	if len(s.answers) >= s.most {
		return errStop
	}
	s.in[key] = true
	s.answers = append(s.answers, answer{st, moves})
	return nil
}

// evidence makes a certificate of the strategy. It leaves out states in which play is over, the
// goal is reached, or the counter-strategy has lasted as long as the claim asks.
func (s *strategist) evidence() cert.Evidence {
	play := cert.Followed{Shows: cert.Forces}
	if s.prevents {
		play.Shows = cert.Prevents
	}
	for _, a := range s.answers {
		if !a.state.Live() || a.moves == 0 {
			continue
		}
		n := a.moves
		if n == value.Never {
			n = 0
		}
		play.States, play.Numbers = append(play.States, a.state), append(play.Numbers, n)
	}
	return cert.NewStrategies(s.Sys, rules.Kept{}, play)
}

// chooses reports whether the strategy makes the move in a state, rather than the other side.
func (s *strategist) chooses(st rules.State) bool {
	return st.Live() && (st.Mover == s.claim.Player) != s.prevents
}

// next lists the steps from a state that play by the strategy allows: all moves of the other side,
// or its own best one.
func (s *strategist) next(st rules.State) ([]interp.Step, error) {
	steps, err := s.In.Steps(st)
	if err != nil || len(steps) == 0 || !s.chooses(st) {
		return steps, err
	}
	return []interp.Step{s.pick(steps, s.prevents)}, nil
}

// pick returns the step after which the goal takes most moves, or fewest. Among equals it takes the
// first, so that strategies are the same in every run.
func (s *strategist) pick(steps []interp.Step, most bool) interp.Step {
	best, at := steps[0], -1
	for _, st := range steps {
		n, _ := s.forced.Moves(st.To)
		if at < 0 || n != at && n > at == most {
			best, at = st, n
		}
	}
	return best
}

// play returns the actions of a play in which each side plays its best. The play ends when the goal
// is reached, when it can no longer be reached in time, or when a state occurs again.
func (s *strategist) play(st rules.State) ([]int, error) {
	var actions []int
	seen := map[string]bool{}
	for !seen[fmt.Sprint(st)] {
		seen[fmt.Sprint(st)] = true
		n, _ := s.forced.Moves(st)
		if n == 0 || s.claim.Within >= 0 && len(actions) == s.claim.Within {
			break
		}
		steps, err := s.In.Steps(st)
		if err != nil || len(steps) == 0 {
			return actions, err
		}
		step := s.pick(steps, st.Mover != s.claim.Player)
		actions = append(actions, step.Action)
		st = step.To
	}
	return actions, nil
}

// Strategy returns how many states the strategy has that shows a verdict on what can be forced, and
// its moves if there are no more states than most; is is false if there is none.
func Strategy(r *result.Result, most int) (states int, moves []cert.Choice, is bool) {
	p, err := confirm.PropertyIn(r.Instance, r.System)
	force, is := p.(*build.Force)
	by, has := r.Evidence.(*cert.Strategies)
	if err != nil || !is || !has {
		return 0, nil, false
	}
	if states = cert.Size(by); states <= most {
		moves, _ = by.Choices(context.Background(), r.System, force, (r.Status == verdict.Proved) != r.Instance.Negated)
	}
	return states, moves, true
}
