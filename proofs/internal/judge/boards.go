package judge

import (
	"github.com/mancheck/mancheck/dsl/ast"
)

// search lays seeds into pits in all ways that a condition may allow, one pit after the other.
// While a pit has no number yet, the scope's room has the interval in which it lies.
type search struct {
	e     *scope
	pits  []int
	judge func() answer // the condition, given the pits that are laid
	most  *num          // the largest total of seeds; nil: what the condition allows
	yield func() bool   // false ends the search
	all   bool          // nothing was left out because of most
	ended bool
}

// lay runs the search. It reports whether it has yielded all boards that the condition may allow.
func (s *search) lay() bool {
	s.all = true
	s.e.room = make([]*span, len(s.e.s.seeds))
	for _, p := range s.pits {
		s.e.room[p] = from(num{})
	}
	s.pit(0, num{})
	return s.all && !s.ended
}

// pit tries the numbers of seeds for the i-th pit in increasing order, with laid seeds in the pits
// before it. It ends once the condition is false for every greater number.
func (s *search) pit(i int, laid num) {
	if i == len(s.pits) {
		room := s.e.room // the board is complete: from here on every pit may be read
		s.e.room = nil
		s.ended = s.ended || !s.yield()
		s.e.room = room
		return
	}
	p := s.pits[i]
	for n := (num{}); !s.ended; {
		s.e.g.spend(1)
		if s.e.room[p] = from(n); s.judge() == no {
			break
		}
		if s.most != nil && laid.add(n).cmp(*s.most) > 0 {
			s.all = false
			break
		}
		s.e.room[p], s.e.s.seeds[p] = nil, n
		if s.judge() == no {
			n = s.beyond(p, n)
			continue
		}
		s.pit(i+1, laid.add(n))
		n = n.add(whole(1))
	}
	s.e.room[p], s.e.s.seeds[p] = from(num{}), num{}
}

// beyond returns the next number to try after n, for which the condition was false. It leaps over
// intervals in which the condition is false throughout, and doubles their length as long as it is.
func (s *search) beyond(p int, n num) num {
	n = n.add(whole(1))
	for leap := whole(1); ; leap = leap.mul(whole(2)) {
		to := n.add(leap)
		s.e.room[p] = &span{&n, &to}
		if s.judge() != no {
			return n
		}
		n = to.add(whole(1))
		if s.most != nil && n.cmp(*s.most) > 0 {
			return n
		}
		if s.e.room[p] = from(n); s.judge() == no {
			return n
		}
	}
}

// mostTried is how many numbers of seeds never tries in a pit. Beyond them it gives up, which is
// safe.
const mostTried = 50

// never reports whether no number of seeds in a pit makes the condition possible.
func (s *search) never(p int) bool {
	for n := range mostTried {
		if s.e.room[p] = from(whole(n)); s.judge() == no {
			return true
		}
		s.e.room[p], s.e.s.seeds[p] = nil, whole(n)
		if s.judge() != no {
			return false
		}
	}
	return false
}

// starts lists the settled starts, each once, and reports whether these are all. A fault in
// settling a board is noted in startFaults, and there is no such start.
func (g *game) starts() (list []*state, all bool) {
	seen := map[string]bool{}
	most := whole(g.lim.Seeds)
	for _, bounded := range []bool{true, false} { // without a limit if the setup bounds the seeds, and else with one
		if list, all = nil, true; !bounded {
			clear(seen)
		}
		s := g.startSearch()
		s.yield = func() bool {
			if to, fine := g.start(s.e); !fine {
				g.startFaults = true
			} else if to != nil && !seen[to.key()] {
				seen[to.key()] = true
				list = append(list, to)
			}
			return len(list) <= g.lim.States
		}
		if !bounded {
			s.most = &most
		} else if !g.bounded(s) {
			continue
		}
		return list, s.lay()
	}
	return list, all
}

// start settles a board if it satisfies the setup; otherwise to is nil. fine is false if there was
// a fault.
func (g *game) start(e *scope) (to *state, fine bool) {
	fine = g.guarded(func() {
		if g.isLaid(e) {
			s := e.s.clone()
			g.settle(s, false)
			to = s
		}
	})
	return to, fine
}

// bounded reports whether the condition bounds the seeds of each pit, whatever the others hold. It
// tries powers of four, so a bound that only a very large number violates is not found.
func (g *game) bounded(s *search) bool {
	s.e.room = make([]*span, len(s.e.s.seeds))
	for _, p := range s.pits {
		s.e.room[p] = from(num{})
	}
	for _, p := range s.pits {
		fits := false
		for n := whole(1); !fits && n.cmp(whole(1<<40)) < 0; n = n.mul(whole(4)) {
			s.e.room[p] = from(n)
			fits = s.judge() == no
		}
		s.e.room[p] = from(num{})
		if !fits {
			return false
		}
	}
	return true
}

// blank returns an empty board with the initial values of variables.
func (g *game) blank() *state {
	s := &state{seeds: make([]num, len(g.pits))}
	for _, x := range g.slots {
		s.vars = append(s.vars, x.first)
	}
	if g.begin == nil {
		g.setVars(s)
	}
	return s
}

// setVars gives variables and the mover the values that the setup gives them.
func (g *game) setVars(s *state) {
	set := map[int]bool{}
	for _, x := range ast.Items[*ast.Setup](g.variant)[0].Conds {
		if w := g.asSetting(x); w != nil {
			g.begins(s, *w, set)
		}
	}
}

// asSetting returns a condition of the setup as a setting if it gives a variable or the mover a
// value.
func (g *game) asSetting(x ast.Expr) *ast.Setting {
	b, ok := x.(*ast.Binary)
	if !ok || b.Op != "=" {
		return nil
	}
	name, index := (&ast.Assign{Target: b.L}).Variable()
	if g.decls[name.Name] == nil && name.Name != "mover" {
		return nil
	}
	return &ast.Setting{Name: ast.Subject{Name: name.Name}, Index: index, Value: b.R}
}

// conditions lists the conditions of the setup that are about the board.
func (g *game) conditions() []ast.Expr {
	var out []ast.Expr
	for _, x := range ast.Items[*ast.Setup](g.variant)[0].Conds {
		if g.asSetting(x) == nil {
			out = append(out, x)
		}
	}
	return out
}

// startSearch makes a search for the boards of the setup, or of the position that games begin at.
// Only pits that the setup mentions are free, and the others stay empty.
func (g *game) startSearch() *search {
	e := g.scope(inSetup)
	e.s = g.blank()
	free := make([]bool, len(g.pits))
	if g.begin != nil || g.laid != nil {
		for p := range free {
			free[p] = true
		}
	}
	if g.begin != nil {
		g.beginAt(e.s)
	} else if g.laid == nil {
		g.mentioned(e, free)
	}
	s := &search{e: e, judge: func() answer {
		all := yes
		for _, c := range g.startConditions() {
			all = and(all, c(e))
		}
		return all
	}}
	for p, is := range free {
		if is {
			s.pits = append(s.pits, p)
		}
	}
	return s
}

// startConditions lists the conditions on the board of a start: those of a line of a list, of a
// picture, or of the setup.
func (g *game) startConditions() []func(e *scope) answer {
	var out []func(e *scope) answer
	for p, n := range g.laid {
		out = append(out, func(e *scope) answer { return compareSpans("=", e.held(p), point(n)) })
	}
	if g.laid != nil {
		return out
	}
	setup := ast.Items[*ast.Setup](g.variant)[0]
	picture, conds := setup.Picture, g.conditions()
	if g.begin != nil {
		picture, conds = g.begin.Picture, nil
	}
	if picture != nil {
		for _, c := range g.cells(picture) {
			if g.begin == nil && (c.Any || c.Marked) {
				wrongf("a setup says how many seeds lie in every pit")
			}
			if !c.Any {
				out = append(out, func(e *scope) answer { return compareSpans("=", e.held(c.pit), point(whole(c.Count))) })
			}
		}
	}
	for _, x := range conds {
		if !setup.Any && !isEquation(x) {
			wrongf("a fixed setup says how many seeds lie where")
		}
		out = append(out, func(e *scope) answer { return e.judge(x) })
	}
	return out
}

// isEquation reports whether a condition may stand in a setup without `any where`.
func isEquation(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Binary:
		return x.Op == "="
	case *ast.EachCmp:
		return x.Op == "=" && x.Kind == "each"
	}
	return false
}

// isLaid reports whether a complete board satisfies the setup. It evaluates the conditions as the
// rules say, so a fault in one is a fault of the start.
func (g *game) isLaid(e *scope) bool {
	setup := ast.Items[*ast.Setup](g.variant)[0]
	if g.begin != nil || g.laid != nil || setup.Picture != nil {
		for _, c := range g.startConditions() {
			if c(e) != yes {
				return false
			}
		}
		return true
	}
	for _, x := range g.conditions() {
		if !e.cond(x) {
			return false
		}
	}
	return true
}

// mentioned marks the pits whose seeds a condition of the setup reads. All others start empty.
func (g *game) mentioned(e *scope, free []bool) {
	setup := ast.Items[*ast.Setup](g.variant)[0]
	if setup.Picture != nil {
		for p := range free {
			free[p] = true
		}
		return
	}
	c := *e
	c.room = make([]*span, len(g.pits))
	for p := range c.room {
		c.room[p] = from(num{})
	}
	m := mentions{free}
	for _, x := range g.conditions() {
		m.in(&c, x)
	}
}

// mentions marks the pits that expressions mention. Conditions are read with unknown seeds, so a
// pit that only may be in a set counts as mentioned.
type mentions struct{ free []bool }

func (m mentions) mark(p int) { m.free[p] = true }

// seeds marks the pits that x stands for, where a number is expected.
func (m mentions) seeds(e *scope, x ast.Expr) {
	e.eachMember(x, m.mark)
	m.in(e, x)
}

// in marks the pits whose seeds are read in x.
func (m mentions) in(e *scope, x ast.Expr) {
	if in, y := e.opened(x); y != nil {
		m.in(in, y)
	}
	switch x := x.(type) {
	case *ast.Paren:
		m.in(e, x.X)
	case *ast.Unary:
		m.seeds(e, x.X)
	case *ast.Cond:
		m.in(e, x.If)
		for _, y := range []ast.Expr{x.Then, x.Else} {
			if e.numeric(x) {
				m.seeds(e, y)
			} else {
				m.in(e, y)
			}
		}
	case *ast.Quant:
		if list, is := e.knownValues(x.Set); is {
			for _, v := range list {
				m.in(e.with(x.Var.Name, v), x.Body)
			}
			return
		}
		e.eachMember(x.Set, func(p int) { m.in(e.with(x.Var.Name, pitOf(p)), x.Body) })
		m.set(e, x.Set)
	case *ast.Filter:
		e.eachMember(x.Set, func(p int) { m.in(e.with(x.Var.Name, pitOf(p)), x.Where) })
		m.set(e, x.Set)
	case *ast.EachCmp:
		m.seeds(e, x.Set)
		m.seeds(e, x.R)
	case *ast.SetLit:
		for _, a := range x.Elems {
			m.in(e, a)
		}
	case *ast.Call:
		d := e.definition(x.Func.Name)
		for i, a := range x.Args {
			if d != nil && d.Params[i].Sort.Name == "number" {
				m.seeds(e, a)
				continue
			}
			switch x.Func.Name {
			case "total", "seeds", "min", "max":
				m.seeds(e, a)
			default:
				m.in(e, a)
			}
		}
	case *ast.Binary:
		if e.ofPits(x) {
			m.set(e, x.L)
			m.set(e, x.R)
			return
		}
		if m.in(e, x.L); x.R != nil {
			m.in(e, x.R)
		}
		e.eachMember(x.L, m.mark)
		e.eachMember(x.R, m.mark)
	}
}

// set is in where a set of pits is wanted: `a + b` is one there, and not a number of seeds.
func (m mentions) set(e *scope, x ast.Expr) {
	switch x := x.(type) {
	case nil:
	case *ast.Paren:
		m.set(e, x.X)
	case *ast.Binary:
		if x.Op == "+" || x.Op == "without" {
			m.set(e, x.L)
			m.set(e, x.R)
			return
		}
		m.in(e, x)
	default:
		m.in(e, x)
	}
}

// knownValues is like values, but fails if something is not known.
func (e *scope) knownValues(x ast.Expr) (list []value, is bool) {
	fine := e.readable(func() { list, _, is = e.values(x) })
	return list, fine && is
}

// ofPits reports whether x compares pits as pits, or makes a set of them.
func (e *scope) ofPits(x *ast.Binary) bool {
	both := e.pitLike(x.L) && e.pitLike(x.R)
	switch x.Op {
	case "without":
		return true
	case "=", "/=", "!=", "in", "not in":
		return both
	}
	return false
}

// pitLike reports whether x is known to be a pit or a set of pits.
func (e *scope) pitLike(x ast.Expr) bool {
	v, ok := e.known(x)
	return ok && v.pitLike()
}

// eachMember calls f for the pits that belong, or may belong, to the pit or set that x is. It does
// nothing if x is something else.
func (e *scope) eachMember(x ast.Expr, f func(p int)) {
	v, ok := e.known(x)
	if !ok || !v.pitLike() {
		return
	}
	for _, m := range v.members() {
		in := true
		if known := e.readable(func() { in = m.belongs() }); m.pit != none && (in || !known) {
			f(m.pit)
		}
	}
}

// beginAt gives the variables and the mover the values of the position that games begin at.
func (g *game) beginAt(s *state) {
	p := g.begin
	if p.Picture == nil {
		wrongf("games begin at a position that is drawn")
	}
	set := map[int]bool{}
	for _, c := range g.cells(p.Picture) {
		if c.Marked {
			mark := g.markSlot()
			if mark == none {
				wrongf("brackets have no meaning here")
			}
			g.put(s, mark, whole(c.pit), set)
		}
	}
	for _, w := range p.With {
		g.begins(s, w, set)
	}
}

// put gives a variable its value at the start, once.
func (g *game) put(s *state, slot int, n num, set map[int]bool) {
	if set[slot] || !g.slots[slot].holds(n) {
		wrongf("%s cannot begin with this value", g.slots[slot].name)
	}
	set[slot], s.vars[slot] = true, n
}

// begins gives a variable or the mover the initial value in a position or the setup. set has what
// already has a value, since nothing may be set twice; the mover counts as slot none.
func (g *game) begins(s *state, w ast.Setting, set map[int]bool) {
	e := g.scope(inDeclaration)
	if w.Name.Name == "mover" {
		v := e.expr(w.Value)
		if len(g.players) == 1 || v.kind != playerKind || w.Index != nil || set[none] {
			wrongf("nobody of that name can begin")
		}
		set[none], s.mover = true, v.i
		return
	}
	d := g.decls[w.Name.Name]
	if d == nil {
		wrongf("unknown variable %s", w.Name.Name)
	}
	var args []ast.Expr
	if w.Index != nil {
		args = []ast.Expr{w.Index}
	}
	var slot int
	if faulty(func() { slot = e.slot(d, args) }) {
		wrongf("there is no %s for this pit", d.name)
	}
	g.put(s, slot, e.encode(g.slots[slot], w.Value), set)
}
