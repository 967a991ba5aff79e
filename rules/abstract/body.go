package abstract

import (
	"fmt"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Before returns the Env in which the body of an action starts: nothing is sown yet and the guard
// holds.
func Before(sys *rules.System, a *rules.Action) *Env {
	e := Everywhere(sys, len(a.Locals))
	e.last, e.origin = Of(rules.None), Of(rules.None)
	if a.Guard == nil {
		return e
	}
	return e.Assume(a.Guard, true)
}

// Seer is called with every statement that a run may reach, and the Env before it. It is called for
// a statement in a loop more than once; the last Env of a loop's head includes the earlier ones.
type Seer func(s rules.Stmt, before *Env)

// Run executes a body from e and returns the Env after its last statement. Runs that finish the
// game end at their Stop, which see is called with.
func (e *Env) Run(body []rules.Stmt, see Seer) *Env {
	for _, s := range body {
		if e == nil {
			return nil
		}
		e = e.run(s, see)
	}
	return e
}

func (e *Env) run(s rules.Stmt, see Seer) *Env {
	if _, loops := s.(rules.While); !loops { // loop calls see itself
		see(s, e)
	}
	switch s := s.(type) {
	case rules.While:
		return e.loop(s, see)
	case rules.Sow:
		return e.sow(s, see)
	case rules.Transfer:
		return e
	case rules.Set:
		return e.set(s)
	case rules.If:
		yes, no := e.split(s.Cond)
		return Join(yes.Run(s.Then, see), no.Run(s.Else, see))
	case rules.Stop:
		return nil
	}
	panic(fmt.Sprintf("abstract: unknown %T", s))
}

// loop widens the Env at the loop's head until another round adds nothing.
func (e *Env) loop(w rules.While, see Seer) *Env {
	out, _ := e.rounds(func(e *Env) *Env {
		see(w, e)
		return e.Assume(w.Cond, true).Run(w.Body, see)
	})
	return out.Assume(w.Cond, false)
}

// rounds joins e with what a round leads to until that adds nothing. It returns what is known
// before each round, and after one.
func (e *Env) rounds(round func(*Env) *Env) (before, after *Env) {
	head := e.clone()
	head.repeats = true
	for left := 64 + 4*(len(e.sys.Pits)+len(e.vars)+len(e.locals)); ; left-- {
		after = round(head)
		wider := Join(head, after)
		if wider.equal(head) {
			break
		}
		if head = wider; left < 0 || *e.work < 0 { // far more than the copies from cell to cell take
			head = head.Forget()
		}
	}
	if after != nil {
		after = after.clone()
		after.repeats = e.repeats
	}
	head.repeats = e.repeats
	return head, after
}

// sow drops seeds until another drop adds nothing.
func (e *Env) sow(s rules.Sow, see Seer) *Env {
	head := e.Sowing(s)
	fell := Of(head.Targets(s)...)
	if len(s.Drop) == 0 {
		return head.with(rules.Last, fell)
	}
	_, after := head.rounds(func(e *Env) *Env { return e.with(rules.Last, fell).Run(s.Drop, see) })
	return after
}

// Sowing returns the Env in which the pits to skip are found: Origin is set already.
func (e *Env) Sowing(s rules.Sow) *Env {
	return e.with(rules.Origin, Of(e.Pits(s.Source)...))
}

// Targets lists the pits into which a seed may fall. Origin must be set, as by Sowing.
func (e *Env) Targets(s rules.Sow) []int {
	pits := lists.Filter(e.sys.Laps[s.Lap].Pits, func(p int) bool {
		return s.SkipIf == nil || s.SkipIf[p] == nil || e.Assume(s.SkipIf[p], false) != nil
	})
	if s.OriginFirst {
		pits = append(pits, e.Pits(rules.Origin)...)
	}
	if s.StartAt != nil {
		pits = append(pits, e.Pits(s.StartAt)...)
	}
	return pits
}

// set sets the cell. If it may be one of several variables, each may also keep its value. The
// registers next and rank are not followed.
func (e *Env) set(s rules.Set) *Env {
	value := e.Values(s.X)
	if s.To.Sort != rules.VarCell {
		if e.cell(s.To) == nil {
			return e
		}
		return e.with(s.To, value)
	}
	vars := e.Slots(s.To)
	c := e.clone()
	for _, v := range vars {
		set := value.Intersect(domain(e.sys.Vars[v]))
		if len(vars) > 1 {
			set = set.Union(e.vars[v])
		}
		c.vars[v] = set
	}
	return c
}

// Moves returns the pits that a statement may take seeds out of, and those that it may put them
// into.
func (e *Env) Moves(s rules.Stmt) (from, into []int) {
	switch s := s.(type) {
	case rules.Sow:
		return e.Pits(s.Source), e.Sowing(s).Targets(s)
	case rules.Transfer:
		return e.Pits(s.From), e.Pits(s.Into)
	case rules.Set, rules.If, rules.While, rules.Stop:
	}
	return nil, nil
}

// Exprs calls f with each expression that a statement itself evaluates, and the Env in which it
// does.
func (e *Env) Exprs(s rules.Stmt, f func(x rules.Expr, at *Env)) {
	sow, sows := s.(rules.Sow)
	for i, x := range rules.Exprs(s) {
		at := e
		if sows && i > 0 { // behind the source
			at = e.Sowing(sow)
		}
		f(x, at)
	}
}
