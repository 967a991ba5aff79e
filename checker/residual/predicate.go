package residual

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
)

// View is what a claim's predicate may refer to: a step.View of packed states.
type View struct {
	Key      []uint64
	Old      []uint64 // the state before the step; nil if there is none
	Start    bool     // Key is a start
	OldStart bool     // Old is a start
	CanMove  step.Answer
}

// Predicate is a compiled expression of a claim. It belongs to the Stepper that has compiled it.
type Predicate struct {
	pc      int32
	closure *step.Predicate // for views in which a fault is met
}

// Compile compiles a condition of a claim over states of the System. Old may be used if the views
// that it is evaluated in have one.
func (s *Stepper) Compile(x rules.Expr) (*Predicate, error) {
	closure, err := s.machine.CompileExpr(x)
	if err != nil {
		return nil, err
	}
	c := s.compiler
	b := builder{compiler: c, from: rules.None, point: point{claim: true, env: c.start()}}
	p := &Predicate{closure: closure}
	p.pc, _ = b.condition(b.simplify(x), doneOp, illegalOp)
	return p, nil
}

// Holds evaluates a predicate. An error is one of step.Machine.Holds.
func (s *Stepper) Holds(p *Predicate, v View) (bool, error) {
	s.view = v
	var how end
	if s.words == 1 {
		_, how = s.runWord(p.pc, v.Key[0])
	} else {
		copy(s.w, v.Key)
		how = s.run(p.pc)
	}
	if how != bail {
		return how == done, nil
	}
	view := step.View{State: s.flat, Start: v.Start, OldStart: v.OldStart, CanMove: v.CanMove}
	s.codec.Unpack(v.Key, s.flat)
	if v.Old != nil {
		view.Old = pack.NewFlat(s.sys)
		s.codec.Unpack(v.Old, view.Old)
	}
	return s.machine.Holds(p.closure, view)
}

// ask compiles a question of a claim.
func (b *builder) ask(q rules.Question) (value, bool) {
	if !b.claim {
		return nil, false
	}
	switch q {
	case rules.IsStart:
		return func(s *Stepper) int { return truth(s.view.Start) }, true
	case rules.IsStuck:
		return func(s *Stepper) int {
			if s.view.CanMove != step.Unknown {
				return truth(s.view.CanMove == step.No && s.moverNow() >= 0)
			}
			return s.cannot(false)
		}, true
	case rules.NoMove:
		return func(s *Stepper) int { return s.cannot(true) }, true
	}
	return nil, false
}

// moverNow returns the player to move, or None.
func (s *Stepper) moverNow() int {
	if m := int(s.w[s.status.Word] >> s.status.Shift & s.status.Mask); m < len(s.sys.Players) {
		return m
	}
	return rules.None
}

// outcomeNow returns the outcome, or Live.
func (s *Stepper) outcomeNow() int {
	return max(int(s.w[s.status.Word]>>s.status.Shift&s.status.Mask)-len(s.sys.Players), rules.Live)
}

// cannot reports whether the state is live and no action is legal: any one, or one that is no
// fallback.
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

// old compiles an expression about the state before the step. That has a legal move: the step.
func (b *builder) old(x rules.Expr) (value, bool) {
	if !b.claim {
		return nil, false
	}
	v, ok := b.value(b.simplify(x))
	return func(s *Stepper) int {
		now, view := s.w, s.view
		s.before = append(s.before[:0], view.Old...)
		s.w = s.before
		s.view = View{Key: view.Old, Start: view.OldStart, CanMove: step.Yes}
		n := v(s)
		s.w, s.view = now, view
		return n
	}, ok
}

// statusTest compares the player to move or the outcome with a number.
func (b *builder) statusTest(reg int, o rules.Op, k int) (out op, sense, ok bool) {
	if o != rules.Eq && o != rules.Ne || k < -1 {
		return out, false, false
	}
	f, players := b.status, len(b.sys.Players)
	out = op{kind: opLess, word: uint16(f.Word), shift: uint8(f.Shift), mask: f.Mask, value: uint64(players)}
	switch {
	case k == -1: // Live, or None
		return out, (o == rules.Eq) == (reg == rules.OutcomeReg), true
	case reg == rules.OutcomeReg:
		k += players
	case k >= players:
		return out, false, false
	}
	if k > int(f.Mask) {
		return out, false, false
	}
	return op{kind: opTest, word: uint16(f.Word), mask: f.Mask << f.Shift, value: uint64(k) << f.Shift}, o == rules.Eq, true
}
