package interp

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// numbers is the domain of the reference interpreter: every value is a number, so every question
// has an answer.
type numbers struct {
	exec.Unknowns[int] // nil: there are none
	in                 *Interp
	run                exec.Run[int]
	conditions

	memory memory
}

// conditions are those of a run.
type conditions struct {
	old   *rules.State // the state before the step; nil if there is none
	start *[2]bool     // whether the state and the one before are starts; nil: that is found out
	known *rules.Parts // what may be read of the state; nil: everything
	open  []int        // values of open parameters by parameter; nil if they have none
	seen  *faults      // faults of actions that an ending tries are recorded here; nil: they are ignored
	work  int          // done since the context was last looked at
}

// memory serves one run after another.
type memory struct {
	state []int       // of a run that changes its state
	tell  func(Moved) // told of the seeds that are moved; may be nil
	// other is what the runs of other actions are made of, where this one asks whether there is a
	// move.
	other *numbers
}

// begin makes a run without locals in s, which it may change.
func (in *Interp) begin(s rules.State, at *diag.Range) *numbers {
	d := &numbers{}
	d.begin(in, s, 0, at)
	return d
}

// begin makes d a new run.
func (d *numbers) begin(in *Interp, s rules.State, locals int, at *diag.Range) {
	d.in, d.conditions = in, conditions{}
	d.run.Init(d, in.program, exec.State[int](s), locals, at)
}

// own gives the run a copy of its state, which it may change.
func (d *numbers) own() {
	s, n := &d.run.S, len(d.run.S.Seeds)
	list := append(append(d.memory.state[:0], s.Seeds...), s.Vars...)
	d.memory.state, s.Seeds, s.Vars = list, list[:n:n], list[n:]
}

// made returns what runs are made of, which is made when it is needed first.
func made(of **numbers) *numbers {
	if *of == nil {
		*of = &numbers{}
	}
	return *of
}

// Eval evaluates an expression of a claim in s. Old refers to the state old, which may be nil if x
// has no Old. Truth values are 0 and 1.
func (in *Interp) Eval(x rules.Expr, s rules.State, old *rules.State) (int, error) {
	return in.Reader(x).Eval(s, old)
}

// Reader evaluates one expression in many states, in less time than Eval. It is for one goroutine.
type Reader struct {
	in *Interp
	x  *exec.Expr
	d  numbers
}

// Reader makes a Reader of x.
func (in *Interp) Reader(x rules.Expr) *Reader { return &Reader{in: in, x: exec.ReadExpr(x)} }

// Eval is Interp.Eval.
func (r *Reader) Eval(s rules.State, old *rules.State) (int, error) {
	r.d.begin(r.in, s, 0, nil)
	r.d.old = old
	return r.d.run.Eval(r.x)
}

// Holds is Interp.Holds.
func (r *Reader) Holds(s rules.State, old *rules.State) (bool, error) {
	v, err := r.Eval(s, old)
	return v != 0, err
}

// Scores returns the scores of the players in s. There are none without a `score`. It fails if one
// has no value.
func (in *Interp) Scores(s rules.State) ([]int, error) {
	var list []int
	for _, x := range in.sys.Scores {
		n, err := in.Eval(x, s, nil)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// Holds evaluates a condition of a claim.
func (in *Interp) Holds(x rules.Expr, s rules.State, old *rules.State) (bool, error) {
	return in.Reader(x).Holds(s, old)
}

// HoldsIn evaluates a condition of a claim in s, of which it is known whether it is a start. So it
// is of old, which may be nil as for Eval.
func (in *Interp) HoldsIn(x rules.Expr, s rules.State, old *rules.State, start, oldStart bool) (bool, error) {
	d := in.begin(s, nil)
	d.old, d.start = old, &[2]bool{start, oldStart}
	return d.run.Holds(exec.ReadExpr(x))
}

// HiddenError says that an expression reads a part of the state that is not known.
type HiddenError struct{ Part string }

func (e *HiddenError) Error() string {
	return fmt.Sprintf("a condition reads `%s`, which was left out of the state", e.Part)
}

// HoldsOn evaluates a condition of a claim in a state of which only some parts are known. It fails
// with a *HiddenError if the evaluation reaches another part.
func (in *Interp) HoldsOn(x rules.Expr, s rules.State, known rules.Parts) (bool, error) {
	return in.Reader(x).HoldsOn(s, known)
}

// HoldsOn is Interp.HoldsOn.
func (r *Reader) HoldsOn(s rules.State, known rules.Parts) (bool, error) {
	r.d.begin(r.in, s, 0, nil)
	r.d.known = &known
	r.d.run.AskAll()
	return r.d.run.Holds(r.x)
}

func (d *numbers) Const(n int) int { return n }

func (d *numbers) Number(v int) (int, bool) { return v, true }

func (d *numbers) Param(i int) (int, error) {
	if d.open == nil {
		return 0, undefined("parameter `%s` has no value", d.in.sys.Params[i].Name)
	}
	return d.open[i], nil
}

func (d *numbers) Read(sort rules.Sort, slot int) (int, error) {
	if sort == rules.PitCell {
		return d.run.S.Seeds[slot], d.mayRead(slot)
	}
	if d.known != nil && !d.known.HasVar(slot) {
		return 0, &HiddenError{d.in.sys.Vars[slot].Name}
	}
	return d.run.S.Vars[slot], nil
}

// mayRead fails if the seeds of the pit are unknown.
func (d *numbers) mayRead(pit int) error {
	if d.known != nil && !d.known.HasPit(pit) {
		return &HiddenError{d.in.sys.Pits[pit].Name}
	}
	return nil
}

func (d *numbers) Sum(pits []int) (int, error) {
	n := 0
	for _, p := range pits {
		if err := d.mayRead(p); err != nil {
			return 0, err
		}
		var ok bool
		if n, ok = num.Add(n, d.run.S.Seeds[p]); !ok {
			return 0, d.in.sys.ManySeeds()
		}
	}
	return n, nil
}

// Apply is asked only where there is no result.
func (d *numbers) Apply(x *exec.Expr, l, r int) (int, error) {
	if _, err := rules.Apply(x.Op, l, r); err != num.ErrZero {
		return 0, rules.BeyondRange(d.run.Place(x.At()), rules.Wording(d.in.sys, x.Of))
	}
	text := rules.Wording(d.in.sys, x.Right.Of)
	if text != "" {
		text = ": " + text + " is 0"
	}
	return 0, fault(diag.DivZero, d.run.Place(x.At()), "division by zero%s", text)
}

func (d *numbers) Ask(q rules.Question) (int, error) {
	s := rules.State(d.run.S)
	switch q {
	case rules.IsStuck:
		can, err := d.in.canMove(made(&d.memory.other), s, true, nil)
		return num.Truth(s.Live() && !can), err
	case rules.NoMove:
		can, err := d.in.canMove(made(&d.memory.other), s, false, d.seen)
		return num.Truth(s.Live() && !can), err
	}
	if d.start != nil {
		return num.Truth(d.start[0]), nil
	}
	if d.known != nil && !d.known.All() {
		return 0, &HiddenError{"start"}
	}
	s.Vars = rules.WithoutGhosts(d.in.sys, s.Vars, d.Const)
	is, err := d.in.IsStart(s)
	return num.Truth(is), err
}

func (d *numbers) Old(x *exec.Expr) (int, error) {
	if d.old == nil {
		return 0, errors.New("`old` without a state before the step")
	}
	before := d.in.begin(*d.old, nil)
	if d.start != nil {
		before.start = &[2]bool{d.start[1]}
	}
	return before.run.Eval(x)
}

func (d *numbers) Wrote(rules.Sort, int) {}

func (d *numbers) Transfer(count *int, from, into int, at *diag.Range) error {
	if err := d.goesOn(1); err != nil {
		return err
	}
	has := d.run.S.Seeds[from]
	if count == nil {
		count = &has
	}
	if *count < 0 || *count > has {
		return overdraw(*at, d.in.sys.Pits[from].Name, has, *count)
	}
	d.run.S.Seeds[from] -= *count
	d.moved(from, into, *count, at)
	return d.add(into, *count)
}

func (d *numbers) add(pit, seeds int) error {
	n, ok := num.Add(d.run.S.Seeds[pit], seeds)
	if !ok {
		return d.in.sys.ManySeeds()
	}
	d.run.S.Seeds[pit] = n
	return nil
}

// Moved is seeds that change their place in a move.
type Moved struct {
	From, Into int        // pits; None is the hand that sows
	Seeds      int        // how many
	At         diag.Range // the rule that says so
}

// moved tells of seeds that change their place.
func (d *numbers) moved(from, into, seeds int, at *diag.Range) {
	if d.memory.tell != nil && seeds > 0 && from != into {
		d.memory.tell(Moved{From: from, Into: into, Seeds: seeds, At: *at})
	}
}

// Sow drops the seeds one by one.
func (d *numbers) Sow(s *exec.Sow, p *exec.Plan, hand int) (exec.Flow, error) {
	if hand <= 0 || hand > d.run.S.Seeds[p.Source] {
		return exec.Illegal, nil
	}
	if err := d.goesOn(len(s.Skip)); err != nil {
		return exec.Onward, err
	}
	d.run.S.Seeds[p.Source] -= hand
	d.moved(p.Source, rules.None, hand, &s.At)
	at, err := p.First, error(nil)
	if len(s.Drop) == 0 && d.memory.tell == nil {
		if at, hand, err = d.spread(p, hand); err != nil {
			return exec.Onward, err
		}
	}
	drop := func(pit, seeds int) error {
		if err := d.goesOn(1); err != nil {
			return err
		}
		return d.put(pit, seeds, &s.At)
	}
	back := func(pit, seeds int) error { return d.put(pit, seeds, &s.At) }
	return d.run.Drop(s, p, at, hand, drop, back)
}

// spread drops all seeds but the last, of which nobody is told.
func (d *numbers) spread(p *exec.Plan, hand int) (at, left int, err error) {
	for at, left = p.First, hand; left > 1 && err == nil; left-- {
		if at = p.Place(at, false); at == rules.None {
			break
		}
		if err = d.add(at, 1); left%often == 0 {
			err = cmp.Or(err, d.goesOn(often))
		}
		at = p.Lap.Next[at]
	}
	return at, left, err
}

// put puts seeds of the hand into a pit.
func (d *numbers) put(pit, seeds int, at *diag.Range) error {
	d.moved(rules.None, pit, seeds, at)
	return d.add(pit, seeds)
}

// often is how much work is done between two checks of the context: seeds dropped, statements, and
// pits and variables gone through.
const often = 1 << 10

// goesOn accounts for work, and fails if the context has ended.
func (d *numbers) goesOn(work int) error {
	if d.work += work; d.work >= often {
		d.work = 0
		return limit.Look(d.in.ctx)
	}
	return nil
}

func (d *numbers) Fault(code diag.Code, at diag.Range, text func() (message, help string)) error {
	message, help := text()
	return &RuleError{diag.Diagnostic{Code: code, Range: at, Message: message, Help: help}}
}
