package cert

import (
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// forcing is the aim of the player of a claim to reach the goal, or of the others to prevent it.
//
// Numbers are moves. If the goal is to be reached, numbers fall with every move, so play cannot go
// on for ever, and it ends nowhere else. If the goal is to be prevented for a number of moves,
// numbers fall by at most one with each move. If it is to be prevented for ever, they do not
// matter.
type forcing struct {
	*build.Force
	goal     *exec.Expr // of the claim
	reader   *partial.Reader
	prevents bool
}

func (f *forcing) aim(s *Strategy) (aim, error) {
	want := Forces
	if f.prevents {
		want = Prevents
	}
	if s.Shows != want || s.Bound != nil {
		return nil, reject("a strategy that shows `%s` does not show what is claimed", s.Shows)
	}
	return f, nil
}

// position returns in how many moves the goal is reached from s, or for how many it is prevented.
func (f *forcing) position(s partial.State, in lister) (Position, error) {
	d, err := f.decides(s)
	if err != nil {
		return Position{}, err
	}
	list, err := in(s)
	if f.prevents {
		return Position{Moves: f.prevented(d, list)}, err
	}
	p := Position{Moves: Never}
	if d == good {
		p.Moves = 0
	}
	for _, l := range list {
		p.Moves = min(p.Moves, l.number)
	}
	return p, err
}

// prevented returns for how many moves the goal is prevented, or -1 if nothing shows that even s is
// not in the goal.
func (f *forcing) prevented(d decision, in []entry) int {
	switch {
	// Prevented for ever: the state decides it, or it is listed in a strategy without a limit.
	case d == good, d == open && f.Within < 0 && len(in) > 0:
		return Never
	case d == bad || f.Within < 0:
		return -1
	}
	most := 0
	for _, l := range in {
		most = max(most, l.number)
	}
	return most
}

func (f *forcing) judge(p *Position) (is, isNot bool) {
	if f.prevents {
		return false, p.Moves == Never || f.Within >= 0 && p.Moves >= f.Within
	}
	return p.Moves < Never && (f.Within < 0 || p.Moves <= f.Within), false
}

func (f *forcing) follows(player int) bool { return player == f.Player != f.prevents }

// decides evaluates the goal. A finished state outside the goal is good for those who prevent it.
func (f *forcing) decides(s partial.State) (decision, error) {
	switch is, err := f.reader.Decide(f.goal, s, nil); {
	case err != nil:
		return bad, err
	case !is && s.Live():
		return open, nil
	case is == f.prevents:
		return bad, nil
	}
	return good, nil
}

func (f *forcing) stuck() bool { return f.prevents }

func (f *forcing) stays(partial.State) (bool, error) { return f.prevents, nil }

func (f *forcing) enough(number int) bool { return f.prevents && f.Within >= 0 && number <= 1 }

func (f *forcing) arrives(number int) bool { return f.prevents || number >= 1 }

func (f *forcing) leads(from int, _ bool, to int) bool {
	if !f.prevents {
		return to < from
	}
	return f.Within < 0 || to >= from-1
}
