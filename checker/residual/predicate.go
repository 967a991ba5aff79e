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
