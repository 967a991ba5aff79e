package partial

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/script"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// knowledge is the domain of partly known values. Strict play ends where it depends on something
// unknown; with a guess it tries one way after another.
type knowledge struct {
	m       *Machine
	run     exec.Run[Value]
	old     *State
	action  int
	acted   bool   // the action's guard held
	guess   *guess // nil in strict play
	doubted error  // an *Unknown: what determines whether there was a fault; nil if there was none
	looping bool   // a loop has begun: from then on, writes has when a place was last set
	writes  map[place]int
	written int // number of assignments that writes has or had
	work    int // seeds dropped and rounds of loops
	memory  memory
}

// memory serves one run after another.
type memory struct {
	seeds, vars []Value
	// before is what the run in the state before the step is made of. other is what the runs of
	// other actions are made of, where it is asked whether there is a move.
	before, other *knowledge
}

// place is a pit, a variable or a local.
type place struct {
	sort rules.Sort
	slot int
}

// newRun makes a run in s, which it may change.
func (m *Machine) newRun(s State, locals int) *knowledge {
	k := &knowledge{}
	k.begin(m, s, locals)
	return k
}

// begin makes k a new run, in the memory of the one that it was.
func (k *knowledge) begin(m *Machine, s State, locals int) {
	k.m, k.old, k.action, k.acted, k.guess, k.doubted = m, nil, 0, false, nil, nil
	k.looping, k.writes, k.written, k.work = false, nil, 0, 0
	k.run.Init(k, m.program, exec.State[Value]{
		Seeds: s.Seeds, Vars: s.Vars, Mover: Known(s.Mover), Outcome: Known(s.Outcome),
	}, locals, nil)
}

// own gives the run a copy of its state, which it may change.
func (k *knowledge) own() {
	k.memory.seeds = append(k.memory.seeds[:0], k.run.S.Seeds...)
	k.memory.vars = append(k.memory.vars[:0], k.run.S.Vars...)
	k.run.S.Seeds, k.run.S.Vars = k.memory.seeds, k.memory.vars
}

// made is a part of a memory, which is made once.
func made(part **knowledge) *knowledge {
	if *part == nil {
		*part = &knowledge{}
	}
	return *part
}

// stateOf returns the current state of a run, whose mover and outcome are known.
func stateOf(s *exec.State[Value]) State {
	return State{Seeds: s.Seeds, Vars: s.Vars, Mover: s.Mover.Lo, Outcome: s.Outcome.Lo}
}

// Eval evaluates an expression of a claim in s; Old refers to old, which may be nil. The error is a
// *Fault. An unknown value is an interval, not an error.
func (m *Machine) Eval(x rules.Expr, s State, old *State) (Value, error) {
	return m.Reader().Eval(exec.ReadExpr(x), s, old)
}

// Reader evaluates expressions that were read, in less time than Eval. It is for one goroutine.
type Reader struct {
	m *Machine
	k knowledge
}

// Reader makes a Reader.
func (m *Machine) Reader() *Reader { return &Reader{m: m} }

// Eval is Machine.Eval.
func (r *Reader) Eval(x *exec.Expr, s State, old *State) (Value, error) {
	r.k.begin(r.m, s, 0)
	r.k.old = old
	return r.k.run.Eval(x)
}

// Decide is Eval for a condition. If its value is unknown, or it may have none because of a fault,
// the error is an *Unknown.
func (r *Reader) Decide(x *exec.Expr, s State, old *State) (bool, error) {
	v, err := r.Eval(x, s, old)
	if err = cmp.Or(err, r.k.doubted); err != nil {
		return false, err
	}
	return r.k.Decide(v)
}

// Doubted reports whether what was evaluated last may have no value, because of a fault.
func (r *Reader) Doubted() bool { return r.k.doubted != nil }

func (k *knowledge) Const(n int) Value { return Known(n) }

func (k *knowledge) Number(v Value) (int, bool) { return v.Is() }

// Param returns the value of a parameter, which is unknown.
func (k *knowledge) Param(i int) (Value, error) {
	p := &k.m.sys.Params[i]
	return Value{p.Range(), PartName(p.Name)}, nil
}

// Read guesses an unknown variable, once, if the way is to be undone.
func (k *knowledge) Read(sort rules.Sort, slot int) (Value, error) {
	if sort == rules.PitCell {
		return k.run.S.Seeds[slot], nil
	}
	v := k.run.S.Vars[slot]
	if _, known := v.Is(); known || !k.guess.undoing() || k.guess.Assigned[slot] {
		return v, nil
	}
	domain := k.m.sys.Vars[slot].Domain
	v = Known(domain[k.guess.Choose(len(domain))])
	k.run.S.Vars[slot], k.guess.Before[slot] = v, v
	return v, k.guess.err()
}

func (k *knowledge) ReadAny(sort rules.Sort, index Value) (Value, error) {
	k.doubt(index)
	if sort == rules.PitCell {
		return AtLeast(0, index.Of), nil
	}
	return anything("a variable that is not known"), nil
}

func (k *knowledge) Sum(pits []int) (Value, error) {
	v, sum := Known(0), 0
	for _, p := range pits {
		if w := &k.run.S.Seeds[p]; w.Lo == w.Hi && num.In(sum+w.Lo) {
			sum += w.Lo
		} else {
			v = v.plus(*w)
		}
	}
	return v.plus(Known(sum)), nil
}

func (k *knowledge) Lookup(x *exec.Expr, v Value) (Value, error) {
	switch x.Table.Kind {
	case rules.MemberOf:
		return maybe(v.Of), nil
	case rules.IndexOf:
		k.doubt(v)
		return anything(v.Of), nil
	}
	return Between(rules.None, len(k.m.sys.Pits)-1, v.Of), nil
}

func (k *knowledge) Not(v Value) Value { return not(v) }

func (k *knowledge) Apply(x *exec.Expr, l, r Value) (Value, error) {
	if (x.Op == rules.Div || x.Op == rules.Mod) && r.Has(0) {
		k.doubt(r)
	}
	v, ok := Apply(x.Op, l, r)
	if !ok {
		return Value{}, fault("a division by zero")
	}
	return v, nil
}

// Junction evaluates the right side where the left one does not decide. If the left one is unknown,
// a right side that decides is enough; a fault there may not occur, and shows nothing.
func (k *knowledge) Junction(op rules.Op, l Value, x *exec.Expr) (Value, error) {
	decisive := op == rules.Or
	holds, decided := l.Holds()
	switch {
	case decided && (x == nil || holds == decisive):
		return truth(holds), nil
	case x == nil:
		return maybe(l.Of), nil
	}
	r, err := k.run.Eval(x)
	if _, broken := err.(*Fault); broken && !decided {
		k.doubt(l)
		return maybe(l.Of), nil
	}
	if err != nil {
		return Value{}, err
	}
	right, rightDecided := r.Holds()
	switch {
	case rightDecided && right == decisive:
		return truth(decisive), nil
	case rightDecided && decided:
		return truth(right), nil
	case decided:
		return maybe(r.Of), nil
	}
	return maybe(l.Of), nil
}

// Choose evaluates the branch that applies. If that is unknown it is guessed, or the value may be
// that of either.
func (k *knowledge) Choose(c Value, yes, no *exec.Expr) (Value, error) {
	if _, decided := c.Holds(); !decided && k.guess == nil {
		return k.either(c, yes, no), nil
	}
	holds, err := k.Decide(c)
	return k.run.Either(holds, err, yes, no)
}

// either returns the value of x or of y. A fault in one of them may not occur.
func (k *knowledge) either(c Value, x, y *exec.Expr) Value {
	v, err := k.run.Eval(x)
	w, err2 := k.run.Eval(y)
	if err != nil || err2 != nil {
		k.doubt(c)
		return anything(c.Of)
	}
	u := hull(v, w)
	u.Of = c.Of
	return u
}

func (k *knowledge) Ask(q rules.Question) (Value, error) {
	s := stateOf(&k.run.S)
	if q == rules.IsStart {
		s.Vars = rules.WithoutGhosts(k.m.sys, s.Vars, Known)
		return k.m.IsStart(s)
	}
	if !s.Live() {
		return Known(0), nil
	}
	if k.guess.undoing() {
		return maybe(PartName("no move")), nil
	}
	can, err := k.m.canMove(made(&k.memory.other), s, q == rules.IsStuck)
	if open, is := err.(*Unknown); is {
		return maybe(open.Part), nil
	}
	return truth(!can), err
}

func (k *knowledge) Old(x *exec.Expr) (Value, error) {
	if k.old == nil {
		return Value{}, fault("`old` without a state before the step")
	}
	before := made(&k.memory.before)
	before.begin(k.m, *k.old, 0)
	return before.run.Eval(x)
}

// Decide returns the truth value of v. If it is unknown, it is guessed or an error.
func (k *knowledge) Decide(v Value) (bool, error) {
	holds, decided := v.Holds()
	switch {
	case decided:
		return holds, nil
	case k.guess != nil:
		k.guess.accuse(v)
		return k.guess.Choose(2) == 1, k.guess.err()
	}
	return false, &Unknown{v.Of}
}

// Skips leaves open in open play whether a pit is passed over.
func (k *knowledge) Skips(pit int, v Value) (bool, error) {
	if _, decided := v.Holds(); decided || !k.guess.opening() {
		return k.Decide(v)
	}
	k.guess.accuse(v)
	k.guess.passed = append(k.guess.passed, pit)
	return false, nil
}

func (k *knowledge) Pick(v Value) (n int, known bool, err error) {
	if k.guess.opening() {
		v, err = k.guess.number(v)
	}
	n, known = v.Is()
	return n, known, err
}

func (k *knowledge) Vague(v Value) error {
	return k.vague("a pit or variable that is chosen by " + v.Of)
}

// vague is the error for an operation on an unknown pit.
func (k *knowledge) vague(what string) error {
	if k.guess != nil {
		return &Intricate{what}
	}
	return &Unknown{what}
}

// doubt records that there may have been a fault of the rules, for some numbers of an interval.
// Play continues as if there was none.
func (k *knowledge) doubt(v Value) {
	if k.doubted == nil {
		k.doubted = &Unknown{v.Of}
	}
}

func (k *knowledge) Fits(v Value, x *rules.Var) (bool, error) {
	if !holdsAll(x, v) {
		k.doubt(v)
	}
	return true, nil
}

// holdsAll reports whether all numbers of an interval are values of the variable.
func holdsAll(x *rules.Var, v Value) bool {
	if v.Hi-v.Lo >= len(x.Domain) || !v.HasTop() {
		return false
	}
	for n := v.Lo; n <= v.Hi; n++ {
		if !x.Contains(n) {
			return false
		}
	}
	return true
}

func (k *knowledge) Wrote(sort rules.Sort, slot int) {
	if k.looping {
		k.written++
		k.writes[place{sort, slot}] = k.written
	}
	if k.guess != nil && sort == rules.VarCell {
		k.guess.Assigned[slot] = true
	}
}

// Transfer moves a known number of seeds, or all of them. If the number in the pit is unknown,
// there may be a fault.
func (k *knowledge) Transfer(count *Value, from, into int, _ *diag.Range) error {
	has := k.run.S.Seeds[from]
	switch {
	case k.guess.undoing() && count == nil:
		k.guess.hard("captures")
		return nil
	case k.guess.undoing():
		k.guess.hard("takes single seeds")
		return nil
	case count == nil:
		k.put(into, k.run.S.Seeds[into].plus(has))
		k.put(from, Known(0))
		return nil
	}
	n, known, err := k.Pick(*count)
	if err != nil || !known {
		return cmp.Or(err, error(&Unknown{count.Of}))
	}
	if n < 0 || n > has.Hi {
		return fault("a take of %d seeds from `%s`, which holds %d", n, k.m.sys.Pits[from].Name, has.Hi)
	}
	if n > has.Lo {
		k.doubt(has)
	}
	k.add(from, -n)
	k.add(into, n)
	return nil
}

func (k *knowledge) put(pit int, v Value) {
	v.Hi = min(v.Hi, max(v.Lo, k.m.seeds))
	k.run.S.Seeds[pit] = v
	k.Wrote(rules.PitCell, pit)
}

// add puts seeds into a pit, or takes them out. The result is never negative.
func (k *knowledge) add(pit, n int) {
	v := k.run.S.Seeds[pit].plus(Known(n))
	v.Lo = max(v.Lo, 0)
	k.put(pit, v)
}

func (k *knowledge) drop(pit, seeds int) error {
	if err := k.goesOn(); err != nil {
		return err
	}
	k.add(pit, seeds)
	return nil
}

// often is how many seeds and rounds of loops are played between two checks of the context.
const often = 1 << 10

// goesOn fails if the context has ended.
func (k *knowledge) goesOn() error {
	if k.work++; k.work%often == 0 {
		return k.m.ctx.Err()
	}
	return nil
}

// manySeeds is the number from which seeds are not dropped one by one.
const manySeeds = 1 << 20

// Sow drops the seeds one by one, except for whole rounds of very many.
func (k *knowledge) Sow(s *exec.Sow, p *exec.Plan, hand Value) (exec.Flow, error) {
	switch {
	case k.guess.undoing():
		return exec.Onward, k.guessSowing(s, p)
	case k.guess != nil:
		if anywhere, err := k.guess.passing(s, p); err != nil {
			return exec.Illegal, err
		} else if anywhere {
			return openPlay{k}.sowAnywhere(p)
		}
	}
	if p.Counted {
		if more, err := k.Decide(compare(rules.Gt, hand, k.run.S.Seeds[p.Source])); err != nil || more {
			return exec.Illegal, err
		}
	}
	seeds, known := hand.Is()
	switch {
	case !known && k.guess == nil:
		return exec.Illegal, &Unknown{hand.Of}
	case !known:
		var err error
		if seeds, err = (openPlay{k}).hand(s, p, hand); err != nil {
			return exec.Illegal, err
		}
	}
	if seeds <= 0 {
		return exec.Illegal, nil
	}
	k.add(p.Source, -seeds)
	at := p.First
	if seeds > manySeeds {
		if len(s.Drop) > 0 {
			return exec.Onward, &Unknown{"a sowing of very many seeds, each of which has consequences"}
		}
		at, seeds = k.wholeRounds(p, at, seeds)
	}
	if k.guess == nil || len(s.Drop) == 0 {
		return k.run.Drop(s, p, at, seeds, k.drop, k.drop)
	}
	f := &fall{Plan: p, hand: seeds}
	k.guess.falls = append(k.guess.falls, f)
	flow, err := k.run.Drop(s, p, at, seeds, func(pit, n int) error {
		f.at, f.hand = pit, f.hand-1
		return k.drop(pit, n)
	}, k.drop)
	k.guess.falls = slices.DeleteFunc(k.guess.falls, func(g *fall) bool { return g == f })
	return flow, err
}

// wholeRounds drops whole rounds, from the first pit that takes a seed back to it. It returns the
// pit to be tried next, and the remaining seeds: at least one.
func (k *knowledge) wholeRounds(p *exec.Plan, at, hand int) (next, left int) {
	var route []int
	first := p.Place(at, false)
	for pit := first; len(route) == 0 || pit != first; pit = p.Place(p.Lap.Next[pit], false) {
		if pit == rules.None || len(route) > len(p.Lap.Pits) {
			return at, hand // the lap ends
		}
		route = append(route, pit)
	}
	rounds := (hand - 1) / len(route)
	for _, pit := range route {
		k.add(pit, rounds)
	}
	return p.Lap.Next[route[len(route)-1]], hand - rounds*len(route)
}

// guessSowing records the sowing and guesses the pit of its last seed.
func (k *knowledge) guessSowing(s *exec.Sow, p *exec.Plan) error {
	if len(s.Drop) > 0 {
		return &Intricate{"does something after each drop"}
	}
	k.guess.sowing(p)
	ends := ends(p, len(k.m.sys.Pits))
	if len(ends) == 0 {
		return script.ErrNoWay
	}
	last := ends[k.guess.Choose(len(ends))]
	k.run.Dropped(Known(last), AtLeast(0, PartName("last was")))
	return k.guess.err()
}

// maxRounds bounds a loop whose configuration does not recur; a guess gives up sooner.
const (
	maxRounds   = 1 << 20
	guessRounds = 64
)

// Loop ends the game if the configuration recurs; unknown parts do if the loop has not set them. If
// the known parts recur, but an unknown part was set, the board at the end cannot be determined.
func (k *knowledge) Loop(s *exec.Stmt) func() (exec.Flow, error) {
	if !k.looping && (k.guess == nil || !k.guess.Chosen()) {
		k.looping, k.writes = true, map[place]int{}
	}
	seen, round, before := map[string]bool{}, 0, k.written
	return func() (exec.Flow, error) {
		if err := k.goesOn(); err != nil {
			return exec.Onward, err
		}
		round++
		switch {
		case k.guess.undoing() && round > guessRounds:
			return exec.Onward, &Intricate{"repeats a loop too often"}
		case k.guess.undoing():
			return exec.Onward, nil
		case round > maxRounds:
			return exec.Onward, k.vague("a loop that goes round too often")
		}
		if k.guess != nil && (k.guess.Chosen() || !k.allKnown()) {
			return openPlay{k}.head(s)
		}
		key, open := k.configuration(before)
		if !seen[key] {
			seen[key] = true
			return exec.Onward, nil
		}
		if open != "" {
			return exec.Onward, &Unknown{open}
		}
		k.run.End(k.m.sys.Endless())
		return exec.Finished, nil
	}
}

// allKnown reports whether nothing that determines how a loop continues is unknown.
func (k *knowledge) allKnown() bool {
	_, open := k.configuration(-1)
	return open == ""
}

// configuration returns everything that determines how a loop continues, and an unknown part of it
// that was set since.
func (k *knowledge) configuration(since int) (key, open string) {
	var text []byte
	add := func(v Value, changed bool) {
		if _, known := v.Is(); !known && changed {
			open = v.Of
		}
		text = appendInts(text, v.Lo, v.Hi)
	}
	cells := map[rules.Sort][]Value{rules.PitCell: k.run.S.Seeds, rules.VarCell: k.run.S.Vars, rules.LocalCell: k.run.Locals}
	for sort := rules.PitCell; sort <= rules.LocalCell; sort++ {
		for slot, v := range cells[sort] {
			add(v, k.writes[place{sort, slot}] > since)
		}
	}
	sown := &k.run.Sown
	for _, v := range sown.Values {
		add(v, true)
	}
	return string(appendBools(text, sown.Set[:])), open
}

func (k *knowledge) Fault(_ diag.Code, _ diag.Range, text func() (message, help string)) error {
	return &Fault{text}
}
