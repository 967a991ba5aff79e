package judge

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

func (e *scope) set(x ast.Expr) []member { return e.expr(x).members() }

// sets joins several sets.
func (e *scope) sets(xs []ast.Expr) []member {
	var out []member
	for _, x := range xs {
		out = append(out, e.set(x)...)
	}
	return out
}

// contains reports whether p belongs to a set; none belongs to no set. The conditions of members
// are evaluated in order until p is found, also those of other pits, so a fault in one of them is a
// fault of the whole.
func contains(set []member, p int) bool {
	return slices.ContainsFunc(set, func(m member) bool { return m.belongs() && m.pit == p }) && p != none
}

// setLit is a set of pits if it holds nothing else.
func (e *scope) setLit(x *ast.SetLit) value {
	list := value{kind: listKind}
	set := value{kind: setKind}
	for _, el := range x.Elems {
		v := e.expr(el)
		list.list = append(list.list, v)
		if v.pitLike() {
			set.set = append(set.set, v.members()...)
		}
	}
	for _, v := range list.list {
		if !v.pitLike() {
			return list
		}
	}
	if len(list.list) == 0 {
		return list
	}
	return set
}

// filter keeps the members of a set for which a condition holds. The condition is evaluated when
// membership is asked for, and not at all if nobody asks.
func (e *scope) filter(x *ast.Filter) value {
	out := value{kind: setKind}
	if n, ok := x.Set.(*ast.Name); ok && n.Name == "player" {
		wrongf("a set has pits, and no players")
	}
	for _, m := range e.set(x.Set) {
		in := e.with(x.Var.Name, pitOf(m.pit))
		out.set = append(out.set, member{m.pit, func() bool { return m.belongs() && in.cond(x.Where) }})
	}
	return out
}

// without is the difference of two sets. Pits that only may be in the right set stay, with a
// condition.
func (e *scope) without(x *ast.Binary) value {
	l, r := e.set(x.L), e.set(x.R)
	out := value{kind: setKind}
	for _, m := range l {
		if !slices.ContainsFunc(r, func(n member) bool { return n.pit == m.pit }) {
			out.set = append(out.set, m)
			continue
		}
		if slices.ContainsFunc(r, func(n member) bool { return n.pit == m.pit && n.in == nil }) {
			continue // it is known before play that it does not belong
		}
		out.set = append(out.set, member{m.pit, func() bool { return m.belongs() && !contains(r, m.pit) }})
	}
	return out
}

// of evaluates `my G`, `their G` or `G of P`, where G are pits or laps. What nobody owns is neither
// mine nor theirs.
func (e *scope) of(x *ast.Of) value {
	var player int
	if x.Player == nil {
		player = e.mover()
	} else {
		player = e.expr(x.Player).player().i
	}
	whose := func(owner int) bool {
		return owner != none && player != none && (owner == player) != x.Their
	}
	if v := e.name(x.Group.Name); v.kind != lapKind {
		out := value{kind: setKind}
		for _, m := range v.members() {
			if m.pit != none && whose(e.g.pits[m.pit].owner) {
				out.set = append(out.set, m)
			}
		}
		return out
	}
	if x.Their && len(e.g.players) != 2 {
		wrongf("there is not just one other player")
	}
	out := value{kind: lapKind, name: x.Group.Name, lacking: true}
	owned := false
	for _, l := range e.g.laps {
		if l.name == out.name && whose(l.owner) && out.lacking {
			out.lap, out.lacking = l, false
		}
		owned = owned || l.name == out.name && l.owner != none
	}
	if !owned {
		wrongf("nobody has a lap %s of his own", out.name)
	}
	if n, is := x.Player.(*ast.Name); out.lacking && is && e.find(n.Name) == nil && slices.Contains(e.g.players, n.Name) {
		wrongf("%s has no lap %s", n.Name, out.name)
	}
	return out
}

// values lists the values that a bound name takes: players, numbers of a range, or the elements of
// a list. Otherwise is is false, and v is a set of pits.
func (e *scope) values(x ast.Expr) (list []value, v value, is bool) {
	if n, ok := x.(*ast.Name); ok && n.Name == "player" {
		if len(e.g.players) == 1 {
			wrongf("a solitaire has no players to go through")
		}
		for p := range e.g.players {
			list = append(list, value{kind: playerKind, i: p})
		}
		return list, v, true
	}
	v = e.expr(x)
	switch v.kind {
	case rangeKind:
		for n := v.list[0].n; n.cmp(v.list[1].n) <= 0; n = n.add(whole(1)) {
			e.g.spend(1)
			list = append(list, number(n))
		}
	case listKind:
		for _, y := range v.list {
			list = append(list, one(y))
		}
	default:
		return nil, v, false
	}
	return list, v, true
}

// quant evaluates a quantifier for each pit or value in turn, until the answer is known. What comes
// after that is not evaluated and causes no fault. `first` is none or the pit that holds.
func (e *scope) quant(x *ast.Quant) value {
	n := 0
	all, found := true, pitOf(none)
	look := func(v value) bool {
		holds := e.with(x.Var.Name, v).cond(x.Body)
		if holds {
			n++
			found = v
		}
		all = all && holds
		return x.Kind == "number" || holds == (x.Kind == "each")
	}
	if list, set, is := e.values(x.Set); is {
		for _, v := range list {
			if !look(v) {
				break
			}
		}
	} else {
		eachPit(set.members(), func(p int) bool { return look(pitOf(p)) })
	}
	switch x.Kind {
	case "first":
		return found
	case "number":
		return number(whole(n))
	case "each":
		return truth(all)
	}
	return truth(n > 0)
}

// eachCmp compares the seeds of each pit of a set. The right side is evaluated again for every pit.
func (e *scope) eachCmp(x *ast.EachCmp) value {
	each := x.Kind == "each"
	answer := each
	eachPit(e.set(x.Set), func(p int) bool {
		if e.compare(x.Op, number(e.seeds(p)), e.expr(x.R)) != each {
			answer = !each
		}
		return answer == each
	})
	return truth(answer)
}

// call evaluates a call: of a variable that exists for each player or pit, a definition, a
// relation, or a function, in this order.
func (e *scope) call(x *ast.Call) value {
	name := x.Func.Name
	if d := e.g.decls[name]; d != nil && e.find(name) == nil {
		return e.variable(e.slot(d, x.Args))
	}
	if d := e.definition(name); d != nil && e.find(name) == nil {
		return e.defined(d, x.Args)
	}
	if r, ok := e.g.relations[name]; ok && len(x.Args) == 1 {
		if q, leads := r[e.pit(x.Args[0])]; leads {
			return pitOf(q)
		}
		return pitOf(none)
	}
	arity := map[string]int{"seeds": 1, "index": 1, "next": 1, "before": 1, "min": 2, "max": 2, "total": len(x.Args)}
	if n, ok := arity[name]; !ok || len(x.Args) != n || n == 0 {
		wrongf("%s is no function of %d arguments", name, len(x.Args))
	}
	switch name {
	case "total":
		var sum num
		eachPit(e.sets(x.Args), func(p int) bool { sum = sum.add(e.seeds(p)); return true })
		return number(sum)
	case "min", "max":
		l, r := e.expr(x.Args[0]), e.expr(x.Args[1])
		if l.pitLike() && r.pitLike() {
			wrongf("two pits are joined by %s", name)
		}
		a, b := e.asInt(l), e.asInt(r)
		if (a.cmp(b) < 0) == (name == "min") {
			return number(a)
		}
		return number(b)
	case "seeds":
		v := e.expr(x.Args[0])
		if v.held { // it is a pit as it was
			return number(v.n)
		}
		return number(e.seeds(v.pit()))
	case "index":
		p := e.pit(x.Args[0])
		if p == none {
			failf("none is used as a pit")
		}
		return number(whole(e.g.pits[p].index))
	}
	return pitOf(e.neighbour(name, x.Args[0], x.Along))
}

// neighbour returns the next pit along a lap, or the one before. none has no neighbour, nor has a
// pit along a lap that the mover does not have.
func (e *scope) neighbour(name string, pit, along ast.Expr) int {
	var l *lap
	switch {
	case along != nil:
		if l = e.lap(along); l == nil {
			return none
		}
	case e.run == nil || e.run.lap == nil:
		wrongf("along which lap is not clear here")
	default:
		l = e.run.lap
	}
	p := e.pit(pit)
	if name == "next" {
		return l.step(p, 1)
	}
	return l.step(p, -1)
}

// slot returns the slot of a variable for the player or pit that the argument is, or without an
// argument that of a single variable.
func (e *scope) slot(d *decl, args []ast.Expr) int {
	index := none
	switch {
	case d.each == "" && len(args) == 0:
	case d.each == "" || len(args) != 1:
		wrongf("%s takes another number of arguments", d.name)
	case d.each == "player":
		index = e.expr(args[0]).player().i
		if index == none {
			failf("nobody is to move")
		}
	default:
		if index = e.pit(args[0]); index == none {
			failf("none chooses no variable")
		}
	}
	s, ok := d.slot[index]
	if !ok {
		failf("there is no %s for this pit", d.name)
	}
	return s
}
