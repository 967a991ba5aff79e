package proofs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Answer is what a strategy says of one state.
type Answer = enumerate.Answer

// forced claims that a player can force something.
type forced struct {
	usual
	*resolve.Force
}

func (k forced) about() verdict.Claim { return verdict.Claim{Kind: verdict.Force, Player: k.Player} }

func (k forced) ofPlays() bool { return k.From.From == nil }

// again checks the strategy, if there is one; otherwise it finds out again who can force what.
func (k forced) again(q question) (*enumerate.Opinion, error) {
	r, g := q.r, q.plays()
	if r.Strategy == nil || r.System != q.sys {
		return k.playedAgain(q, g)
	}
	shows, most, err := g.Strategy(k.Force, r.Strategy, r.Status == Refuted)
	if err != nil {
		return nil, err
	}
	if !shows {
		return nil, refuse("the strategy does not show it")
	}
	out := &enumerate.Opinion{Holds: r.Status == Proved, Starts: len(most), States: len(r.Strategy)}
	return out, k.told(q, most)
}

// certified checks the strategy, and what the verdict tells of it.
func (k forced) certified(q question, report *cert.Report) error {
	var moves []int
	for _, p := range report.Positions {
		n := p.Moves
		if n == cert.Never {
			n = value.Never
		}
		if q.r.Status == Proved || n >= 0 {
			moves = append(moves, n)
		}
	}
	if q.r.Strategy == nil {
		return k.told(q, moves)
	}
	_, err := k.again(q)
	return err
}

func (k forced) playedAgain(q question, g *enumerate.Graph) (*enumerate.Opinion, error) {
	moves, err := g.Force(k.Force)
	if err != nil {
		return nil, err
	}
	out := &enumerate.Opinion{Holds: true, Starts: len(moves), States: len(moves)}
	for _, n := range moves {
		out.Holds = out.Holds && k.soon(n)
	}
	if !q.same(out) {
		return out, nil
	}
	return out, k.told(q, moves)
}

// told checks what a verdict tells besides the verdict.
func (k forced) told(q question, moves []int) error {
	if found := k.finds(q.r.Status, moves); !verdict.Same(q.r.Found, found) {
		return refuse("by playing all plays %s", say.Finding(q.sys, found))
	}
	if t := q.r.Trace; t != nil {
		if _, _, err := replayIn(q.ctx, q.sys, t).states(false); err != nil {
			return rejected(err)
		}
	}
	return nil
}

// finds says in how many moves the goal is forced, given that number for each position.
func (k forced) finds(s Status, moves []int) verdict.Finding {
	if s == Refuted {
		return verdict.Prevented{Player: k.Player, Within: k.Within}
	}
	f := verdict.Forced{Player: k.Player, Moves: slices.Max(moves), Positions: len(moves)}
	if f.Moves == 0 {
		f.Positions = 0
	}
	return f
}

// soon reports whether a number of moves is as few as claimed.
func (k forced) soon(moves int) bool {
	return moves != value.Never && (k.Within < 0 || moves <= k.Within)
}

// decide looks from which states the goal can be forced.
func (k forced) decide(d *decision) (*Result, error) {
	if !d.wants(Forward) {
		return nil, d.refuses(verdict.AboutForce)
	}
	list, err := d.positions(&k.From)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, noStart(d.sys)
	}
	from := make([]rules.State, len(list))
	for i, p := range list {
		from[i] = p.state
	}
	f, err := value.Force(d.ctx, d.sys, forward.From(from...), k.Player, k.Goal, d.forwardOptions(d.opt.MaxStates))
	if err != nil {
		return nil, err
	}
	if f.Stop != forward.Exhausted {
		return nil, d.limit(f.Stop, f.Hit, f.Stats)
	}
	return k.found(d, list, f)
}

// found is the verdict, shown from the position in which the goal takes most moves.
func (k forced) found(d *decision, list []*seenPosition, f *value.Forced) (*Result, error) {
	at, most := list[0], -1
	var moves []int
	for _, p := range list {
		n, _ := f.Moves(p.state)
		if moves = append(moves, n); n > most {
			at, most = p, n
		}
	}
	status := Proved
	if !k.soon(most) {
		status = Refuted
	}
	r := d.result(status, Forward, k.finds(status, moves))
	r.Stats = forwardStats(f.Stats)
	s := &strategist{decision: d, claim: k, forced: f, prevents: status == Refuted, in: map[string]int{}}
	from := list
	if s.prevents {
		from = []*seenPosition{at}
	}
	if err := s.from(from); err != nil && !errors.Is(err, errStop) {
		return nil, err
	} else if err == nil {
		r.Strategy = s.answers
	}
	d.strategy(r, k)
	actions, err := s.play(at.state)
	if err != nil {
		return nil, err
	}
	r.Trace, err = d.play(at.from, append(at.moves, actions...))
	return r, err
}

// strategist writes down a strategy: that of the player, or (prevents) that of the others.
type strategist struct {
	*decision
	claim    forced
	forced   *value.Forced
	prevents bool
	in       map[string]int // by state: its place in answers
	answers  []Answer
}

// from adds the states that play by the strategy comes to. It fails with errStop if there are more
// than are kept.
func (s *strategist) from(list []*seenPosition) error {
	for _, p := range list {
		n, _ := s.forced.Moves(p.state)
		if s.prevents && s.claim.Within >= 0 {
			n = s.claim.Within
		}
		if _, err := s.add(p.state, n); err != nil {
			return err
		}
	}
	for i := 0; i < len(s.answers); i++ {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if s.answers[i].Moves == 0 {
			continue
		}
		next, err := s.next(s.answers[i])
		if err != nil {
			return err
		}
		a := &s.answers[i]
		a.Action = -1
		if s.chooses(a.State) && len(next) > 0 {
			a.Action = next[0].Action
		}
		for _, st := range next {
			if err := s.after(a.Moves, st.To); err != nil {
				return err
			}
			a = &s.answers[i]
		}
	}
	return nil
}

// after adds a state that is one move behind one with so many moves.
func (s *strategist) after(moves int, to rules.State) error {
	n, _ := s.forced.Moves(to)
	if s.prevents {
		if n = value.Never; moves != value.Never {
			n = moves - 1
		}
	}
	_, err := s.add(to, n)
	return err
}

// add notes a state. Breadth first, the first number of moves that a counter-strategy has to last
// is the greatest.
func (s *strategist) add(st rules.State, moves int) (isNew bool, err error) {
	key := fmt.Sprint(st)
	if _, known := s.in[key]; known {
		return false, nil
	}
	most := s.opt.MaxEvidence
	if most == 0 {
		most = MostCertified
	}
	if int64(len(s.answers)) >= most {
		return false, errStop
	}
	s.in[key] = len(s.answers)
	s.answers = append(s.answers, Answer{State: st, Moves: moves, Action: -1})
	return true, nil
}

// chooses reports whether the strategy makes the moves of a state.
func (s *strategist) chooses(st rules.State) bool {
	return st.Live() && (st.Mover == s.claim.Player) != s.prevents
}

// next lists the steps of a state that the strategy allows: all of the other side's, or its own
// best one.
func (s *strategist) next(a Answer) ([]interp.Step, error) {
	steps, err := s.decision.in.Steps(a.State)
	if err != nil || len(steps) == 0 || !s.chooses(a.State) {
		return steps, err
	}
	return []interp.Step{s.pick(steps, s.prevents)}, nil
}

// pick is the step after which the goal takes most moves, or fewest.
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

// play is a play in which both sides do what is best for them. It ends when the goal is reached,
// when it can no longer be reached in time, or where it comes back to an earlier state.
func (s *strategist) play(st rules.State) ([]int, error) {
	var actions []int
	seen := map[string]bool{}
	for !seen[fmt.Sprint(st)] {
		seen[fmt.Sprint(st)] = true
		n, _ := s.forced.Moves(st)
		if n == 0 || s.claim.Within >= 0 && len(actions) == s.claim.Within {
			break
		}
		steps, err := s.decision.in.Steps(st)
		if err != nil || len(steps) == 0 {
			return actions, err
		}
		step := s.pick(steps, st.Mover != s.claim.Player)
		actions = append(actions, step.Action)
		st = step.To
	}
	return actions, nil
}
