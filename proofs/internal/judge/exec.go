package judge

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// run is the carrying out of one body. It changes its own state.
type run struct {
	next    int // who moves next; none: it was not said
	way     int // that `go on` keeps to
	rank    num
	last    int // the pit of the last seed; none: nothing was sown
	lastWas num
	origin  int
	lap     *lap // of the latest sow
}

// flow says how statements ended.
type flow int

const (
	onward flow = iota
	over        // the game is
	illegal
)

func (e *scope) finish(outcome int) flow {
	e.s.outcome, e.s.mover = outcome, none
	return over
}

// block carries out statements; what they name is forgotten after them.
func (e *scope) block(body []ast.Stmt) flow {
	defer func(names *local) { e.names = names }(e.names)
	for _, s := range body {
		if how := e.stmt(s); how != onward {
			return how
		}
	}
	return onward
}

func (e *scope) stmt(s ast.Stmt) flow {
	e.g.spend(1)
	switch s := s.(type) {
	case *ast.Sow:
		return e.sow(s)
	case *ast.Capture:
		e.capture(s)
	case *ast.Take:
		e.take(s)
	case *ast.Assign:
		e.assign(s)
	case *ast.Let:
		v := e.g.settled(e.expr(s.Value))
		if v.kind == setKind {
			v = snapshot(v)
		}
		e.names = &local{name: s.Name.Name, v: v, outer: e.names}
	case *ast.If:
		if e.cond(s.Cond) {
			return e.block(s.Then)
		}
		return e.block(s.Else)
	case *ast.While:
		return e.while(s)
	case *ast.For:
		return e.each(s)
	case *ast.Chain:
		return e.chain(s)
	case *ast.Again:
		e.run.next = e.s.mover
	case *ast.MovesNext:
		v := e.expr(s.Player).player()
		if v.i == none {
			failf("nobody cannot be the next to move")
		}
		if e.run.next = v.i; e.settling && e.g.goingOn != nil {
			e.g.goingOn.clear(e.s)
		}
	case *ast.CallStmt:
		return e.perform(s)
	case *ast.GoOn:
		e.goOn(s)
	case *ast.Finish:
		return e.finish(e.g.outcome(&s.Verdict, e.s.mover))
	case *ast.Require:
		if !e.cond(s.Cond) {
			return illegal
		}
	case *ast.Prefer:
		e.run.rank = e.rank(s.Value)
	}
	return onward
}

// snapshot is a set as it is now. Of one pit, it is that pit.
func snapshot(v value) value {
	if len(v.set) == 1 && v.set[0].in == nil {
		return pitOf(v.pit())
	}
	return setOf(pits(v.set))
}

// rank is a number by which moves are compared; a truth value counts as 0 or 1.
func (e *scope) rank(x ast.Expr) num {
	v := e.expr(x)
	if v.kind == boolKind {
		return bit(v.bool())
	}
	return e.asInt(v)
}

func (e *scope) assign(s *ast.Assign) {
	name, index := s.Variable()
	if l := e.find(name.Name); l != nil {
		if l.fixed || index != nil || l.v.kind == setKind {
			wrongf("%s cannot be set", name.Name)
		}
		v := e.converted(e.expr(s.Value), l.v.kind)
		if v.kind == enumKind {
			e.shareEnum(l.v, v)
			v.enum = l.v.enum
		}
		l.v = v
		return
	}
	d := e.g.decls[name.Name]
	if d == nil {
		wrongf("%s cannot be set", name.Name)
	}
	var args []ast.Expr
	if index != nil {
		args = []ast.Expr{index}
	}
	slot := e.slot(d, args)
	e.store(slot, e.encode(e.g.slots[slot], s.Value))
}

func (e *scope) store(slot int, n num) {
	if !e.g.slots[slot].holds(n) {
		failf("%s is set beyond its range", e.g.slots[slot].name)
	}
	e.s.vars[slot] = n
}

// converted makes a value one of the kind that a local has.
func (e *scope) converted(v value, to kind) value {
	switch {
	case to == intKind:
		return number(e.asInt(v))
	case to == pitKind:
		return pitOf(v.pit())
	case to == playerKind:
		return v.player()
	case v.kind != to:
		wrongf("%s is expected, not %s", kindNames[to], kindNames[v.kind])
	}
	return v
}

// while repeats its body. When everything is as it was at an earlier turn of the same loop, it will
// be so for ever.
func (e *scope) while(s *ast.While) flow {
	seen := map[string]bool{}
	for e.cond(s.Cond) {
		e.g.spend(len(e.s.seeds))
		key := e.everything()
		if seen[key] {
			return e.finish(len(e.g.outcomes))
		}
		seen[key] = true
		if how := e.block(s.Body); how != onward {
			return how
		}
	}
	return onward
}

// everything is all that can decide how a body goes on.
func (e *scope) everything() string {
	var b strings.Builder
	b.WriteString(e.s.key())
	for l := e.names; l != nil; l = l.outer {
		b.WriteString(" " + l.v.n.String() + " " + whole(l.v.i).String() + " " + l.v.name)
		for _, m := range l.v.set {
			b.WriteString(" " + whole(m.pit).String())
		}
		if l.v.lap != nil {
			b.WriteString(whole(slices.Index(e.g.laps, l.v.lap)).String())
		}
	}
	for _, n := range []num{whole(e.run.last), e.run.lastWas, whole(e.run.origin)} {
		b.WriteString(" " + n.String())
	}
	return b.String()
}

// each is a `for`: which pits belong to the set is settled before the first turn.
func (e *scope) each(s *ast.For) flow {
	list, set, is := e.values(s.Set)
	if !is {
		for _, p := range pits(set.members()) {
			list = append(list, pitOf(p))
		}
	}
	for _, v := range list {
		outer := e.names
		e.names = &local{name: s.Name.Name, v: e.g.settled(v), fixed: true, outer: outer}
		how := e.block(s.Body)
		if e.names = outer; how != onward {
			return how
		}
	}
	return onward
}

// foundLap is the name of a lap that a statement has found. Rules cannot write it.
const foundLap = " lap"

// finding is the scope in which a lap is known that was found here, and how to name it there.
func (e *scope) finding(x ast.Expr) (*scope, ast.Expr) {
	l := e.lap(x)
	return e.with(foundLap, value{kind: lapKind, lap: l, lacking: l == nil}), &ast.Name{Name: foundLap}
}

// chain captures one pit after another, along a lap that is found before the first: it stands for a
// loop.
func (e *scope) chain(s *ast.Chain) flow {
	name := &ast.Name{Name: s.Name.Name}
	step := "before"
	if s.Forward {
		step = "next"
	}
	along := s.Along
	if along != nil {
		e, along = e.finding(along)
	}
	return e.block([]ast.Stmt{
		&ast.Let{Name: s.Name, Value: s.From},
		&ast.While{
			Cond: &ast.Binary{Op: "and", L: &ast.Binary{Op: "/=", L: name, R: &ast.Name{Name: "none"}}, R: &ast.Paren{X: s.While}},
			Body: []ast.Stmt{
				&ast.Capture{From: []ast.Sum{name}, Into: s.Into},
				&ast.Assign{Target: name, Value: &ast.Call{Func: ast.Ident{Name: step}, Args: []ast.Expr{name}, Along: along}},
			},
		},
	})
}

// relay sows on after a sowing, along the lap of the first: it stands for a loop.
func (e *scope) relay(s *ast.Sow) flow {
	again := *s
	again.Count, again.StartAt, again.RelayFrom, again.RelayWhile = nil, nil, nil, nil
	again.Pit = s.RelayFrom
	if s.RelayFrom == nil {
		again.Pit = &ast.Name{Name: "last"}
	}
	return e.while(&ast.While{Cond: s.RelayWhile, Body: []ast.Stmt{&again}})
}

// capture finds out which pits are meant before it moves a seed.
func (e *scope) capture(s *ast.Capture) {
	into := e.pit(s.Into)
	if into == none {
		failf("none is used as a pit")
	}
	for _, p := range pits(e.sets(ast.Exprs(s.From))) {
		if p != none && p != into {
			e.move(e.s.seeds[p], p, into)
		}
	}
}

func (e *scope) take(s *ast.Take) {
	n, from, into := e.int(s.Count), e.pit(s.From), e.pit(s.Into)
	if from == none || into == none {
		failf("none is used as a pit")
	}
	if n.sign() < 0 || n.cmp(e.s.seeds[from]) > 0 {
		failf("a take of %v seeds from %v", n, e.s.seeds[from])
	}
	e.move(n, from, into)
}

func (e *scope) move(n num, from, into int) {
	e.s.seeds[from] = e.s.seeds[from].sub(n)
	e.s.seeds[into] = e.s.seeds[into].add(n)
}

// sowing is a sowing under way: what is in the hand, and the pit that is tried for the next seed.
type sowing struct {
	*scope
	from       int
	hand       num
	next       int
	skip, last []int // pits that get none; pits that take only the last

	// Where several seeds go into each pit, all but one of them wait in the pit sown from: so many
	// for each, and these in all.
	more, rest num
}

// sow carries out a sowing with its relay. The lap is found first, and for all of them.
func (e *scope) sow(s *ast.Sow) flow {
	e, along := e.finding(s.Along)
	l := e.lap(along)
	if l == nil {
		return illegal
	}
	on := *s
	on.Along = along
	if how := e.lay(s, l); how != onward || s.RelayWhile == nil {
		return how
	}
	return e.relay(&on)
}

// lay carries out one sowing along a lap. All it depends on is settled before it takes up a seed.
// What is in the hand when the game ends goes back.
func (e *scope) lay(s *ast.Sow, along *lap) flow {
	w := &sowing{scope: e, from: e.pit(s.Pit)}
	if w.from == none {
		failf("none is used as a pit")
	}
	e.run.origin = w.from
	if w.hand = e.s.seeds[w.from]; s.Count != nil {
		w.hand = e.int(s.Count)
	}
	if s.InEach != nil {
		k, drops := e.int(s.InEach), num{}
		if k.sign() <= 0 || s.Count != nil {
			wrongf("nothing is sown into each pit, or not all seeds")
		}
		for rest := w.hand; rest.sign() > 0; rest = rest.sub(k) {
			drops = drops.add(whole(1))
		}
		w.more, w.rest, w.hand = k.sub(whole(1)), w.hand.sub(drops), drops
	}
	start := none
	if s.StartAt != nil {
		if start = e.pit(s.StartAt); start == none {
			failf("none is used as a pit")
		}
	}
	e.run.lap = along
	w.skip, w.last = pits(e.sets(ast.Exprs(s.Skip))), pits(e.sets(ast.Exprs(s.OnlyLast)))
	switch {
	case s.StartAt != nil:
		w.next = start
	case s.OriginFirst:
		w.next = w.from
	default:
		w.next = along.step(w.from, 1)
	}
	if w.hand.sign() <= 0 || w.hand.cmp(e.s.seeds[w.from]) > 0 {
		return illegal
	}
	e.s.seeds[w.from] = e.s.seeds[w.from].sub(w.hand)
	return w.drops(along, s.Drop)
}

func (w *sowing) drops(along *lap, each []ast.Stmt) flow {
	for w.hand.sign() > 0 {
		w.g.spend(1)
		p := w.place(along)
		if p == none {
			return illegal
		}
		w.run.last, w.run.lastWas = p, w.s.seeds[p]
		w.s.seeds[p] = w.s.seeds[p].add(whole(1))
		w.hand = w.hand.sub(whole(1))
		w.next = along.step(p, 1)
		w.follow(p)
		if how := w.block(each); how != onward {
			w.s.seeds[w.from] = w.s.seeds[w.from].add(w.hand)
			return how
		}
	}
	return onward
}

// follow moves the seeds that go into a pit behind the first one.
func (w *sowing) follow(p int) {
	n := w.more
	if w.rest.cmp(n) < 0 {
		n = w.rest
	}
	if n.cmp(w.s.seeds[w.from]) > 0 {
		failf("more seeds are taken than there are")
	}
	w.rest = w.rest.sub(n)
	w.s.seeds[w.from] = w.s.seeds[w.from].sub(n)
	w.s.seeds[p] = w.s.seeds[p].add(n)
}

// place is the pit that takes the next seed; none if the line ends before it, or no pit does.
func (w *sowing) place(along *lap) int {
	p := w.next
	for range len(along.pits) + 1 {
		if p == none || w.takes(p) {
			return p
		}
		p = along.step(p, 1)
	}
	return none
}

func (w *sowing) takes(p int) bool {
	return !slices.Contains(w.skip, p) && (w.hand.cmp(whole(1)) == 0 || !slices.Contains(w.last, p))
}
