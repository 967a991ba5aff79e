package encode

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// flow says how the carrying out of statements ended.
type flow int

const (
	onward   flow = iota // the next statement is to be carried out
	finished             // the game is over
	illegal              // the action cannot be carried out
)

// end closes the game with an outcome.
func (r *run) end(outcome int) {
	r.s.Outcome = r.e.b.Int(outcome)
	r.s.Mover = r.e.b.Int(rules.None)
}

// live reports whether no outcome was reached. In a body the outcome is always known.
func (r *run) live() bool { return r.s.Outcome == r.e.b.Int(rules.Live) }

func (r *run) block(body []rules.Stmt) (flow, error) {
	for _, s := range body {
		if how, err := r.stmt(s); err != nil || how != onward {
			return how, err
		}
	}
	return onward, nil
}

func (r *run) stmt(s rules.Stmt) (flow, error) {
	switch s := s.(type) {
	case rules.Sow:
		return r.sow(s)
	case rules.Gather:
		return onward, r.gather(s)
	case rules.Take:
		return onward, r.take(s)
	case rules.Assign:
		return onward, r.assign(s)
	case rules.SetLocal:
		return onward, r.numberTo(&r.locals[s.Slot], s.X)
	case rules.If:
		return r.branch(s)
	case rules.While:
		return r.while(s)
	case rules.Again:
		r.again = true
	case rules.Finish:
		r.end(s.Outcome)
		return finished, nil
	case rules.Require:
		ok, err := r.holds(s.Cond)
		if err == nil && !ok {
			return illegal, nil
		}
		return onward, err
	case rules.Prefer:
		return onward, r.numberTo(&r.rank, s.Rank)
	}
	return onward, nil
}

func (r *run) numberTo(to **term.Term, x rules.Expr) error {
	t, err := r.number(x)
	if err == nil {
		*to = t
	}
	return err
}

func (r *run) branch(s rules.If) (flow, error) {
	yes, err := r.holds(s.Cond)
	if err != nil {
		return onward, err
	}
	if yes {
		return r.block(s.Then)
	}
	return r.block(s.Else)
}

// while unrolls the loop. A loop that never ends runs over too, so the outcome endless has no case.
func (r *run) while(s rules.While) (flow, error) {
	for round := 0; ; round++ {
		more, err := r.holds(s.Cond)
		if err != nil || !more {
			return onward, err
		}
		if round == r.rounds {
			return onward, errOverrun
		}
		if how, err := r.block(s.Body); err != nil || how != onward {
			return how, err
		}
	}
}

// assign finds out whether the value belongs to the variable.
func (r *run) assign(s rules.Assign) error {
	i, err := r.variable(s.Table, s.Index)
	if err != nil {
		return err
	}
	v, err := r.number(s.X)
	if err != nil {
		return err
	}
	ok, err := r.decide(r.e.among(v, r.e.sys.Vars[i].Domain))
	if err == nil && !ok {
		err = errFault
	}
	r.s.Vars[i] = v
	return err
}

// gather finds out which pits are meant before it moves a seed.
func (r *run) gather(s rules.Gather) error {
	into, err := r.pit(s.Into)
	if err != nil {
		return err
	}
	from := make([]int, len(s.From))
	for i, x := range s.From {
		if from[i], err = r.value(x); err != nil {
			return err
		}
	}
	for _, p := range from {
		if p != rules.None && p != into {
			r.move(r.s.Seeds[p], p, into)
		}
	}
	return nil
}

func (r *run) take(s rules.Take) error {
	count, err := r.number(s.Count)
	if err != nil {
		return err
	}
	from, err := r.pit(s.From)
	if err != nil {
		return err
	}
	into, err := r.pit(s.Into)
	if err != nil {
		return err
	}
	b := r.e.b
	ok, err := r.decide(b.And(b.Le(b.Int(0), count), b.Le(count, r.s.Seeds[from])))
	if err == nil && !ok {
		err = errFault
	}
	r.move(count, from, into)
	return err
}

func (r *run) move(seeds *term.Term, from, into int) {
	r.s.Seeds[from] = r.e.b.Sub(r.s.Seeds[from], seeds)
	r.add(into, seeds)
}

func (r *run) add(pit int, seeds *term.Term) {
	r.s.Seeds[pit] = r.e.b.Add(r.s.Seeds[pit], seeds)
}
