package residual

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// View is what a condition of a claim is evaluated in.
type View struct {
	Key      []uint64
	Old      []uint64 // the state before the step; nil: none
	Start    bool     // Key is a start
	OldStart bool     // Old is a start
	CanMove  Answer   // whether Key is live and has a legal move
}

// Predicate is a compiled condition of a claim. Only the Stepper that compiled it can evaluate it.
type Predicate struct {
	pc   int32
	expr rules.Expr // for views in which the program runs into a fault
}

// Compile compiles a condition of a claim over states of the System; nil gives nil. It may use Old
// only if the views that it is evaluated in have one.
func (s *Stepper) Compile(x rules.Expr) *Predicate {
	if x == nil {
		return nil
	}
	c := s.compiler
	b := newBuilder(c, point{claim: true, env: c.start()})
	p := &Predicate{expr: x}
	p.pc, _ = b.condition(b.simplify(x), doneOp, illegalOp)
	return p
}

// Holds evaluates a predicate. An error is one of interp.Interp.Holds.
func (s *Stepper) Holds(p *Predicate, v View) (bool, error) {
	s.view = v
	var how end
	if s.words == 1 {
		_, how = s.runWord(p.pc, v.Key[0])
	} else {
		how = s.run(p.pc, s.w, v.Key)
	}
	if how != bail {
		return how == done, nil
	}
	var old *rules.State
	if v.Old != nil {
		flat := pack.NewFlat(s.sys)
		s.codec.Unpack(v.Old, flat)
		before := flat.View(s.sys)
		old = &before
	}
	return s.in.HoldsIn(p.expr, s.state(v.Key), old, v.Start, v.OldStart)
}

// cannot returns 1 if the state is live and no action is legal, and 0 otherwise. With others set,
// fallbacks do not count.
func (s *Stepper) cannot(others bool) int {
	if s.moverNow() == rules.None {
		return 0
	}
	probe := s.prober()
	actions := probe.menu(s.w).bodies
	if others {
		actions = probe.menu(s.w).others
	}
	can, ok := probe.canMove(s.w, actions)
	s.failed = s.failed || !ok
	return truth(!can)
}

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
