package claim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// forced claims that a player can force something.
type forced struct {
	usual
	*resolve.Force
}

func (k forced) about() verdict.Claim { return verdict.Claim{Kind: verdict.Force, Player: k.Player} }

func (k forced) OfPlays() bool { return k.From.From == nil }

// Again checks the strategy, if there is one; otherwise it finds out again who can force what.
func (k forced) Again(q confirm.Question) (*enumerate.Opinion, error) {
	r, g := q.Result, q.Plays()
	if r.Strategy == nil || r.System != q.Sys {
		return k.playedAgain(q, g)
	}
	shows, most, err := g.Strategy(k.Force, r.Strategy, r.Status == verdict.Refuted)
	if err != nil {
		return nil, err
	}
	if !shows {
		return nil, confirm.Refuse("the strategy does not show it")
	}
	out := &enumerate.Opinion{Holds: r.Status == verdict.Proved, Starts: len(most), States: len(r.Strategy)}
	return out, k.confirms(q, most)
}

// Certified checks the strategy, and what the verdict tells of it.
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
	if q.Result.Strategy == nil {
		return k.confirms(q, moves)
	}
	_, err := k.Again(q)
	return err
}

func (k forced) playedAgain(q confirm.Question, g *enumerate.Graph) (*enumerate.Opinion, error) {
	moves, err := g.Force(k.Force)
	if err != nil {
		return nil, err
	}
	out := &enumerate.Opinion{Holds: true, Starts: len(moves), States: len(moves)}
	for _, n := range moves {
		out.Holds = out.Holds && k.soon(n)
	}
	if !q.Same(out) {
		return out, nil
	}
	return out, k.confirms(q, moves)
}

// confirms checks what a verdict tells besides the verdict.
func (k forced) confirms(q confirm.Question, moves []int) error {
	if found := k.finds(q.Result.Status, moves); !verdict.Same(q.Result.Found, found) {
		return confirm.Refuse("by playing all plays %s", say.Finding(q.Sys, found))
	}
	if t := q.Result.Trace; t != nil {
		if _, _, err := confirm.ReplayIn(q.Ctx, q.Sys, t).States(false); err != nil {
			return confirm.Rejection(err)
		}
	}
	return nil
}

// finds says in how many moves the goal is forced, given that number for each position.
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

// soon reports whether a number of moves is as few as claimed.
func (k forced) soon(moves int) bool {
	return moves != value.Never && (k.Within < 0 || moves <= k.Within)
}

// decide looks from which states the goal can be forced.
func (k forced) decide(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.AboutForce)
	}
	list, err := positions(run, &k.From)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, noStart(run.Sys)
	}
	from := make([]rules.State, len(list))
	for i, p := range list {
		from[i] = p.state
	}
	f, err := value.Force(run.Ctx, run.Sys, forward.From(from...), k.Player, k.Goal, run.ForwardOptions())
	if err != nil {
		return nil, err
	}
	if f.Stop != limit.Complete {
		return nil, run.Ended(f.End, f.Stats)
	}
	return k.found(run, list, f)
}

// found is the verdict, shown from the position in which the goal takes most moves.
func (k forced) found(run *engines.Run, list []*position, f *value.Forced) (*result.Result, error) {
	at, most := list[0], -1
	var moves []int
	for _, p := range list {
		n, _ := f.Moves(p.state)
		if moves = append(moves, n); n > most {
			at, most = p, n
		}
	}
	status := verdict.Proved
	if !k.soon(most) {
		status = verdict.Refuted
	}
	r := run.Result(status, verdict.Forward, k.finds(status, moves))
	r.Stats = engines.ForwardStats(f.Stats)
	s := &strategist{Run: run, claim: k, forced: f, prevents: status == verdict.Refuted, in: map[string]bool{}}
	from := list
	if s.prevents {
		from = []*position{at}
	}
	if err := s.from(from); err != nil && !errors.Is(err, errStop) {
		return nil, err
	} else if err == nil {
		r.Strategy = s.answers
	}
	k.evidence(run, r)
	actions, err := s.play(at.state)
	if err != nil {
		return nil, err
	}
	r.Trace, err = run.Play(at.from, append(at.moves, actions...))
	return r, err
}

// evidence makes the strategy of a verdict about what can be forced its evidence.
func (k forced) evidence(run *engines.Run, r *result.Result) {
	switch {
	case !certifies(run):
		return
	case r.Strategy == nil:
		r.None = fmt.Sprintf("the strategy that shows it is not written down: it has more than %d states", MostCertified)
		return
	}
	play := cert.Play{Shows: cert.Forces}
	if r.Status == verdict.Refuted {
		play.Shows = cert.Prevents
	}
	for _, a := range r.Strategy {
		if !a.State.Live() || a.Moves == 0 {
			continue
		}
		n := a.Moves
		if n == value.Never {
			n = 0
		}
		play.States, play.Numbers = append(play.States, a.State), append(play.Numbers, n)
	}
	r.Evidence = new(cert.NewStrategies(run.Sys, cert.Parts{}, play))
}

// strategist writes down a strategy: that of the player, or (prevents) that of the others.
type strategist struct {
	*engines.Run
	claim    forced
	forced   *value.Forced
	prevents bool
	in       map[string]bool // answers, by state
	answers  []enumerate.Answer
}

// from adds the states that play by the strategy comes to. It fails with errStop if there are more
// than are kept.
func (s *strategist) from(list []*position) error {
	for _, p := range list {
		n, _ := s.forced.Moves(p.state)
		if s.prevents && s.claim.Within >= 0 {
			n = s.claim.Within
		}
		if err := s.add(p.state, n); err != nil {
			return err
		}
	}
	for i := 0; i < len(s.answers); i++ {
		a := s.answers[i]
		if err := s.Ctx.Err(); err != nil {
			return err
		}
		if a.Moves == 0 {
			continue
		}
		next, err := s.next(a)
		if err != nil {
			return err
		}
		if s.chooses(a.State) && len(next) > 0 {
			s.answers[i].Action = next[0].Action
		}
		for _, st := range next {
			if err := s.after(a.Moves, st.To); err != nil {
				return err
			}
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
	return s.add(to, n)
}

// add notes a state. Breadth first, the first number of moves that a counter-strategy has to last
// is the greatest.
func (s *strategist) add(st rules.State, moves int) error {
	key := fmt.Sprint(st)
	if s.in[key] {
		return nil
	}
	most := s.Opt.MaxEvidence
	if most == 0 {
		most = MostCertified
	}
	if int64(len(s.answers)) >= most {
		return errStop
	}
	s.in[key] = true
	s.answers = append(s.answers, enumerate.Answer{State: st, Moves: moves, Action: -1})
	return nil
}

// chooses reports whether the strategy makes the moves of a state.
func (s *strategist) chooses(st rules.State) bool {
	return st.Live() && (st.Mover == s.claim.Player) != s.prevents
}

// next lists the steps of a state that the strategy allows: all of the other side's, or its own
// best one.
func (s *strategist) next(a enumerate.Answer) ([]interp.Step, error) {
	steps, err := s.In.Steps(a.State)
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
