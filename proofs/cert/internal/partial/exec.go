package partial

import (
	"fmt"
	"maps"

	"github.com/mancheck/mancheck/rules"
)

// flow says how the carrying out of statements ended.
type flow int

const (
	onward   flow = iota // the next statement is to be carried out
	finished             // the game is over
	illegal              // the action cannot be carried out
)

// run is the carrying out of one body, or the evaluation of one expression.
type run struct {
	m       *Machine
	s       State
	old     *State
	locals  []Value
	begun   bool // origin is set
	dropped bool // last and lastWas are set
	origin  Value
	last    Value
	lastWas Value
	again   bool
	rank    Value
	action  int
	touched map[*Value]bool // what the innermost loop has set so far; nil outside loops
	guess   *guess          // nil in strict play
	doubted error           // an *Unknown: what it depends on whether a fault was met; nil if none was
}

func (m *Machine) newRun(s State, locals int) *run {
	return &run{m: m, s: s, locals: make([]Value, locals)}
}

// end closes the game with an outcome.
func (r *run) end(outcome int) {
	r.s.Outcome, r.s.Mover = outcome, rules.None
}

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
		r.touch(&r.locals[s.Slot])
		return onward, r.evalTo(&r.locals[s.Slot], s.X)
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
		return onward, r.evalTo(&r.rank, s.Rank)
	default:
		return onward, fault("unknown statement %T", s)
	}
	return onward, nil
}

func (r *run) evalTo(to *Value, x rules.Expr) error {
	v, err := r.eval(x)
	if err == nil {
		*to = v
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

// maxRounds bounds a loop that does not come back to where it was; a guess gives up sooner.
const (
	maxRounds   = 1 << 20
	guessRounds = 64
)

// touch notes that a value is set while a loop is under way.
func (r *run) touch(v *Value) {
	if r.touched != nil {
		r.touched[v] = true
	}
}

// while repeats the body. If everything comes back, the loop is endless; what is unknown does if the loop has not set it. If what is
// known comes back, but something unknown was set, it cannot be told what the board looks like when the whole comes back.
func (r *run) while(s rules.While) (flow, error) {
	seen := map[string]bool{}
	outer := r.touched
	r.touched = map[*Value]bool{}
	defer func() {
		maps.Copy(r.touched, outer)
		if outer == nil {
			r.touched = nil
		}
	}()
	for round := range maxRounds {
		if more, err := r.holds(s.Cond); err != nil || !more {
			return onward, err
		}
		if r.guess != nil {
			if round == guessRounds {
				return onward, &Intricate{"repeats a loop too often"}
			}
		} else if over, err := r.cameBack(seen); err != nil || over {
			return finished, err
		}
		if how, err := r.block(s.Body); err != nil || how != onward {
			return how, err
		}
	}
	return onward, r.vague("a loop that goes round too often")
}

// cameBack ends the game if everything is as it was at an earlier head of the loop.
func (r *run) cameBack(seen map[string]bool) (bool, error) {
	key, open := r.configuration()
	if !seen[key] {
		seen[key] = true
		return false, nil
	}
	if open != "" {
		return false, &Unknown{open}
	}
	r.end(r.m.sys.Endless())
	return true, nil
}

// configuration is all that decides how a loop goes on, and something of it that is not known and may have changed.
func (r *run) configuration() (key, open string) {
	for i, list := range [][]Value{r.s.Seeds, r.s.Vars, r.locals, {r.origin, r.last, r.lastWas}} {
		for j := range list {
			v := &list[j]
			if _, known := v.Is(); !known && (i == 3 || r.touched[v]) {
				open = v.Of
			}
			key += fmt.Sprintf("%d:%d ", v.Lo, v.Hi)
		}
	}
	return fmt.Sprintf("%s%t%t", key, r.begun, r.dropped), open
}

func (r *run) assign(s rules.Assign) error {
	i, err := r.variable(s.Table, s.Index)
	if err != nil {
		return err
	}
	if i < 0 {
		return r.vague("sets a variable of which it is not known which one it is")
	}
	v, err := r.eval(s.X)
	if err != nil {
		return err
	}
	x := &r.m.sys.Vars[i]
	if n, known := v.Is(); known && !x.Contains(n) {
		return fault("`%s` is set to %d, which is none of its values", x.Name, n)
	} else if !known && !holdsAll(x, v) {
		r.doubt(v)
	}
	r.s.Vars[i] = v
	r.touch(&r.s.Vars[i])
	if r.guess != nil {
		r.guess.Assigned[i] = true
	}
	return nil
}

// holdsAll reports whether all numbers of an interval are values of the variable.
func holdsAll(x *rules.Var, v Value) bool {
	if v.Hi-v.Lo >= len(x.Domain) || !v.Bounded() {
		return false
	}
	for n := v.Lo; n <= v.Hi; n++ {
		if !x.Contains(n) {
			return false
		}
	}
	return true
}

// doubt notes that a fault of the rules may have been met, for some numbers of an interval. Play goes on as if it was not.
func (r *run) doubt(v Value) {
	if r.doubted == nil {
		r.doubted = &Unknown{v.Of}
	}
}

// vague is the error of something that cannot be done because it is not known where.
func (r *run) vague(what string) error {
	if r.guess != nil {
		return &Intricate{what}
	}
	return &Unknown{what}
}

// pit evaluates an expression that must give a pit, and be known.
func (r *run) pit(x rules.Expr) (int, error) {
	v, err := r.eval(x)
	if err != nil {
		return 0, err
	}
	p, known := v.Is()
	if !known {
		return 0, r.vague("a pit that is chosen by " + v.Of)
	}
	if p < 0 || p >= len(r.m.sys.Pits) {
		return 0, fault("`none` is used as a pit")
	}
	return p, nil
}

// pitOrNone is pit where none is allowed.
func (r *run) pitOrNone(x rules.Expr) (int, error) {
	v, err := r.eval(x)
	if err != nil {
		return 0, err
	}
	p, known := v.Is()
	if !known {
		return 0, r.vague("a pit that is chosen by " + v.Of)
	}
	return p, nil
}

// gather finds out which pits are meant before it moves a seed.
func (r *run) gather(s rules.Gather) error {
	into, err := r.pit(s.Into)
	if err != nil {
		return err
	}
	from := make([]int, len(s.From))
	for i, x := range s.From {
		if from[i], err = r.pitOrNone(x); err != nil {
			return err
		}
	}
	for _, p := range from {
		if p != rules.None && p != into {
			r.moveAll(p, into)
		}
	}
	return nil
}

func (r *run) moveAll(from, into int) {
	if r.guess != nil {
		r.guess.hard("captures")
		return
	}
	r.s.Seeds[into] = r.s.Seeds[into].plus(r.s.Seeds[from])
	r.s.Seeds[from] = Known(0)
	r.touch(&r.s.Seeds[into])
	r.touch(&r.s.Seeds[from])
}

func (r *run) take(s rules.Take) error {
	count, err := r.eval(s.Count)
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
	if r.guess != nil {
		r.guess.hard("takes single seeds")
		return nil
	}
	return r.moveSome(count, from, into)
}

// moveSome moves a number of seeds that must be known. Whether an unknown pit has as many is a question of a fault.
func (r *run) moveSome(count Value, from, into int) error {
	n, known := count.Is()
	if !known {
		return &Unknown{count.Of}
	}
	has := r.s.Seeds[from]
	if n < 0 || n > has.Hi {
		return fault("a take of %d seeds from `%s`, which holds %d", n, r.m.sys.Pits[from].Name, has.Hi)
	}
	if n > has.Lo {
		r.doubt(has)
	}
	r.add(from, -n)
	r.add(into, n)
	return nil
}

// add puts seeds into a pit, or takes them out. There are never less than none.
func (r *run) add(pit, n int) {
	v := r.s.Seeds[pit].plus(Known(n))
	v.Lo = max(v.Lo, 0)
	r.s.Seeds[pit] = v
	r.touch(&r.s.Seeds[pit])
}
