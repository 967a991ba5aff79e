package residual

import "github.com/mancheck/mancheck/rules"

// Answer is what is known about a question.
type Answer int8

// Answers to a question.
const (
	Unknown Answer = iota
	Yes
	No
)

// ask compiles a question of a claim about the whole state.
func (b *evaluator) ask(q rules.Question) (value, bool) {
	if !b.claim {
		return nil, false
	}
	switch q {
	case rules.IsStart:
		return func(s *Stepper) int { return truth(s.view.Start) }, true
	case rules.IsStuck:
		return func(s *Stepper) int {
			if s.view.CanMove != Unknown {
				return truth(s.view.CanMove == No && s.moverNow() >= 0)
			}
			return s.cannot(false)
		}, true
	case rules.NoMove:
		return func(s *Stepper) int { return s.cannot(true) }, true
	}
	return nil, false
}

// moverNow returns the player to move, or rules.None if the game is over.
func (s *Stepper) moverNow() int {
	s.noteStatus()
	if m := int(s.w[s.status.Word] >> s.status.Shift & s.status.Mask); m < len(s.sys.Players) {
		return m
	}
	return rules.None
}

// outcomeNow returns the outcome, or rules.Live.
func (s *Stepper) outcomeNow() int {
	s.noteStatus()
	return max(int(s.w[s.status.Word]>>s.status.Shift&s.status.Mask)-len(s.sys.Players), rules.Live)
}

// noteStatus notes that the status was read.
func (s *Stepper) noteStatus() { s.sees(s.status) }

// old compiles an expression about the state before the step. That state has a legal move, the step
// itself.
func (b *evaluator) old(x rules.Expr) (value, bool) {
	if !b.claim {
		return nil, false
	}
	v, ok := b.value(b.simplify(x))
	return func(s *Stepper) int {
		now, view := s.w, s.view
		s.before = append(s.before[:0], view.Old...)
		s.w = s.before
		s.view = View{Key: view.Old, Start: view.OldStart, CanMove: Yes}
		n := v(s)
		s.w, s.view = now, view
		return n
	}, ok
}
