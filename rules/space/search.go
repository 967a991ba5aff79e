package space

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
	"github.com/mancheck/mancheck/rules/interp"
)

// search is a depth-first search for states. state is the one under construction; emit is called
// with it when it is complete.
type search struct {
	ctx    context.Context
	in     *interp.Interp
	kept   rules.Parts
	most   *int // seeds in these; nil: any number
	state  rules.State
	emit   func(rules.State) error
	nodes  int        // for tick
	random *rand.Rand // chooses the first number of seeds that is tried for a pit; nil: the least
}

// matching is a search for the states that satisfy cond. All finished states of this outcome
// satisfy more, which reads kept parts only.
type matching struct {
	search
	cond, more *interp.Reader
	yield      func(rules.State) error
}

// check yields a state if it satisfies the conditions. A fault in more excludes nothing: another
// ending may have produced the state.
func (m *matching) check(s rules.State) error {
	if err := m.ctx.Err(); err != nil {
		return err // evaluating a single condition may take long
	}
	fault := new(interp.RuleError)
	if ok, err := m.more.HoldsOn(s, m.kept); err != nil && !errors.As(err, &fault) || err == nil && !ok {
		return err
	}
	if ok, err := m.cond.HoldsOn(s, m.kept); err != nil || !ok {
		return err
	}
	return m.yield(s)
}

// vars tries the values of the variables from v on. conds is what is left of the condition after
// the values chosen so far have been substituted; a branch in which a conjunct is false is cut at
// once. Once all variables have values, the seeds follow.
func (m *matching) vars(v int, conds []rules.Expr) error {
	left, possible := m.simplify(v, conds)
	if !possible {
		return nil
	}
	if v == len(m.state.Vars) {
		if err := cmp.Or(m.tick(), m.readsKept(left)); err != nil {
			return err
		}
		return m.pits(left)
	}
	if !m.kept.HasVar(v) {
		return m.vars(v+1, left)
	}
	x := &m.in.System().Vars[v]
	defer func() { m.state.Vars[v] = x.Init }() // ignored variables keep their initial values
	for _, value := range x.Domain {
		m.state.Vars[v] = value
		if err := m.vars(v+1, left); err != nil {
			return err
		}
	}
	return nil
}

// readsKept fails if evaluating the conditions, in their order, may read the seeds of an ignored
// pit. The search treats that pit as empty, so the answer would be wrong.
func (m *matching) readsKept(conds []rules.Expr) error {
	sys := m.in.System()
	var hidden error
	abstract.Everywhere(sys, 0).Walk(rules.Conjunction(conds...), func(x rules.Expr, at *abstract.Env) {
		sum, _ := x.(rules.Sum)
		pits := sum.Pits
		if cell, is := x.(rules.Cell); is && cell.Sort == rules.PitCell {
			pits = at.Slots(cell)
		}
		for _, p := range pits {
			if hidden == nil && !m.kept.HasPit(p) {
				hidden = &interp.HiddenError{Part: sys.Pits[p].Name}
			}
		}
	})
	return hidden
}

// simplify substitutes the values of the first fixed variables, and of mover and outcome. possible
// is false if a conjunct has become false.
func (m *matching) simplify(fixed int, conds []rules.Expr) (left []rules.Expr, possible bool) {
	known := func(x rules.Expr) (rules.Const, bool) { return m.known(x, fixed) }
	for _, c := range conds {
		for _, c := range rules.Conjuncts(rules.Simplify(c, known)) {
			if n, is := c.(rules.Const); is && n.Value == 0 {
				return nil, false
			}
			left = append(left, c)
		}
	}
	return left, true
}

// known returns the value of x if the search has already fixed it.
func (m *matching) known(x rules.Expr, fixed int) (rules.Const, bool) {
	s := &m.state
	is := func(v int) rules.Const { return rules.Const{Value: v, Type: m.in.System().TypeOf(x, nil)} }
	c, cell := x.(rules.Cell)
	switch {
	case x == rules.Expr(rules.IsStuck), x == rules.Expr(rules.NoMove):
		// Nobody is stuck once the game is over. For a live state the interpreter decides.
		return rules.Const{Type: rules.TruthType}, !s.Live()
	case !cell || c.Index != nil:
	case c.Sort == rules.VarCell:
		return is(s.Vars[c.Slot]), c.Slot < fixed && m.kept.HasVar(c.Slot)
	case c.Sort == rules.RegisterCell && c.Slot == rules.MoverReg:
		return is(s.Mover), true
	case c.Sort == rules.RegisterCell && c.Slot == rules.OutcomeReg:
		return is(s.Outcome), true
	}
	return rules.Const{}, false
}

// pits tries all seeds of the kept pits that the conditions allow.
func (s *search) pits(conds []rules.Expr) error {
	c := compiler{sys: s.in.System(), outcome: s.state.Outcome}
	root := newBox(c.sys, s.kept)
	var list []constraint
	for _, cond := range conds {
		for _, part := range rules.Conjuncts(cond) {
			list = append(list, c.compile(part, true))
		}
	}
	if s.most != nil {
		list = append(list, atMost(len(s.state.Seeds), *s.most))
	}
	if !narrowAll(list, root) {
		return nil
	}
	if open := root.unbounded(c.sys); len(open) > 0 {
		return &InfiniteError{open}
	}
	// The root box already satisfies what lasting drops.
	d := descent{search: s, constraints: lasting(list)}
	return d.from(0, root)
}

// descent is the search for seeds after everything else has been chosen.
type descent struct {
	*search
	constraints []constraint
	boxes       []*box // one for each pit, allocated once and reused
}

// from tries the seeds of the pits from one on, in increasing order, which gives the order of
// State.Compare, or beginning with a random number. Pits for which the box leaves one number are no
// branching points.
func (d *descent) from(pit int, b *box) error {
	for pit < len(d.state.Seeds) && b.lo[pit] == b.hi[pit] {
		d.state.Seeds[pit] = b.lo[pit]
		pit++
	}
	if pit == len(d.state.Seeds) {
		if d.state.Total() == num.Inf {
			return d.in.System().ManySeeds()
		}
		return d.emit(d.state.Clone())
	}
	child := d.boxAt(pit, b)
	lo, size, turn := b.lo[pit], b.hi[pit]-b.lo[pit]+1, 0
	if d.random != nil {
		turn = d.random.IntN(size)
	}
	for i := range size {
		n := lo + (i+turn)%size
		if err := d.tick(); err != nil {
			return err
		}
		copy(child.lo, b.lo)
		copy(child.hi, b.hi)
		child.lo[pit], child.hi[pit] = n, n
		if !narrowAll(d.constraints, child) {
			continue
		}
		d.state.Seeds[pit] = n
		if err := d.from(pit+1, child); err != nil {
			return err
		}
	}
	return nil
}

// boxAt returns the scratch box of a pit. Boxes of different depths are in use at the same time.
func (d *descent) boxAt(pit int, like *box) *box {
	if d.boxes == nil {
		d.boxes = make([]*box, len(d.state.Seeds))
	}
	if d.boxes[pit] == nil {
		d.boxes[pit] = like.clone()
	}
	return d.boxes[pit]
}

// tick checks the context once in 1024 boards, and on the first, so that a search that is already
// cancelled does nothing.
func (s *search) tick() error {
	s.nodes++
	if s.nodes%1024 == 1 {
		return s.ctx.Err()
	}
	return nil
}
