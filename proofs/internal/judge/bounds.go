package judge

import (
	"github.com/mancheck/mancheck/dsl/ast"
)

// answer is what is known of a condition while some pits have not been chosen.
type answer int

// The answers. maybe is always correct.
const (
	maybe answer = iota
	yes
	no
)

// sure is the answer for a truth value that is known.
func sure(b bool) answer {
	if b {
		return yes
	}
	return no
}

// not relies on the order of the constants.
func (a answer) not() answer { return [...]answer{maybe, no, yes}[a] }

// and is conjunction in three-valued logic.
func and(a, b answer) answer {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	}
	return maybe
}

func or(a, b answer) answer { return and(a.not(), b.not()).not() }

// span is an interval of numbers; nil is an end that is not known, or infinite.
type span struct{ lo, hi *num }

func point(n num) span { return span{&n, &n} }
func from(n num) *span { return &span{lo: &n} }
func (a span) plus(b span) span {
	return span{both(a.lo, b.lo, num.add), both(a.hi, b.hi, num.add)}
}

func (a span) neg() span {
	minus := func(n *num) *num { return both(n, n, func(n, _ num) num { return n.neg() }) }
	return span{minus(a.hi), minus(a.lo)}
}

// or is the least span that has the numbers of both.
func (a span) or(b span) span {
	pick := func(want string) func(m, n num) num {
		return func(m, n num) num {
			if compared(want, m, n) {
				return m
			}
			return n
		}
	}
	return span{both(a.lo, b.lo, pick("<=")), both(a.hi, b.hi, pick(">="))}
}

// both applies f if both numbers are known.
func both(a, b *num, f func(num, num) num) *num {
	if a == nil || b == nil {
		return nil
	}
	n := f(*a, *b)
	return &n
}

// times is known only for spans that are bounded, or not negative. Of bounded spans the products of
// the ends bound all others.
func (a span) times(b span) span {
	positive := func(s span) bool { return s.lo != nil && s.lo.sign() >= 0 }
	if positive(a) && positive(b) {
		return span{both(a.lo, b.lo, num.mul), both(a.hi, b.hi, num.mul)}
	}
	if a.lo == nil || a.hi == nil || b.lo == nil || b.hi == nil {
		return span{}
	}
	out := span{}
	for _, x := range []*num{a.lo, a.hi} {
		for _, y := range []*num{b.lo, b.hi} {
			n := x.mul(*y)
			if out.lo == nil || n.cmp(*out.lo) < 0 {
				out.lo = &n
			}
			if out.hi == nil || n.cmp(*out.hi) > 0 {
				out.hi = &n
			}
		}
	}
	return out
}

// compareSpans says whether `a op b` holds for all members, for none, or may hold for some.
func compareSpans(op string, a, b span) answer {
	below := func(a, b span, strictly bool) bool {
		return a.hi != nil && b.lo != nil && (a.hi.cmp(*b.lo) < 0 || !strictly && a.hi.cmp(*b.lo) == 0)
	}
	known := func(isYes, isNo bool) answer {
		switch {
		case isYes:
			return yes
		case isNo:
			return no
		}
		return maybe
	}
	switch op {
	case "<":
		return known(below(a, b, true), below(b, a, false))
	case "<=":
		return known(below(a, b, false), below(b, a, true))
	case ">":
		return compareSpans("<", b, a)
	case ">=":
		return compareSpans("<=", b, a)
	case "=":
		return known(below(a, b, false) && below(b, a, false), below(a, b, true) || below(b, a, true))
	}
	return compareSpans("=", a, b).not()
}

// known evaluates x if it reads nothing that has not been chosen yet. A fault counts as not known:
// it is found when x is evaluated on a complete board.
func (e *scope) known(x ast.Expr) (v value, ok bool) {
	ok = e.readable(func() { v = e.expr(x) })
	return v, ok
}

// readable runs f and reports whether it ended without reading what is unknown, and without a
// fault.
func (e *scope) readable(f func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unknown, fault:
			ok = false
		default:
			panic(r)
		}
	}()
	f()
	return true
}

// judge returns what is known of a condition while some pits are open. It handles only the forms
// that setups and positions usually have; for the others maybe is correct, and only takes more
// time.
func (e *scope) judge(x ast.Expr) answer {
	if v, ok := e.known(x); ok {
		return sure(v.bool())
	}
	if in, y := e.opened(x); y != nil {
		return in.judge(y)
	}
	switch x := x.(type) {
	case *ast.Paren:
		return e.judge(x.X)
	case *ast.Unary:
		if x.Op == "not" {
			return e.judge(x.X).not()
		}
	case *ast.Binary:
		return e.judgeBinary(x)
	case *ast.Cond:
		switch e.judge(x.If) {
		case yes:
			return e.judge(x.Then)
		case no:
			return e.judge(x.Else)
		}
		if a := e.judge(x.Then); a == e.judge(x.Else) {
			return a
		}
	case *ast.Quant:
		if n := e.tally(x.Set, func(v value) answer { return e.with(x.Var.Name, v).judge(x.Body) }); n != nil {
			return n.quantified(x.Kind)
		}
	case *ast.EachCmp:
		n := e.tally(x.Set, func(v value) answer { return compareSpans(x.Op, e.held(v.i), e.bounds(x.R)) })
		if n != nil {
			return n.quantified(x.Kind)
		}
	case *ast.Name:
		if p := e.g.file.positions[x.Name]; p != nil && e.place == inClaim {
			return e.judgePosition(p)
		}
	}
	return maybe
}

// judgeBinary judges a condition with an operator. A comparison of pits is not about their seeds.
func (e *scope) judgeBinary(x *ast.Binary) answer {
	switch x.Op {
	case "and":
		return and(e.judge(x.L), e.judge(x.R))
	case "or":
		return or(e.judge(x.L), e.judge(x.R))
	case "in", "not in":
		r, ok := x.R.(*ast.Binary)
		if !ok || r.Op != ".." {
			return maybe
		}
		n := e.bounds(x.L)
		in := and(compareSpans(">=", n, e.bounds(r.L)), compareSpans("<=", n, e.bounds(r.R)))
		if x.Op == "in" {
			return in
		}
		return in.not()
	case "=", "/=", "!=", "<", "<=", ">", ">=":
		if x.Op == "=" || x.Op == "/=" || x.Op == "!=" {
			l, known := e.known(x.L)
			r, known2 := e.known(x.R)
			if known && known2 && l.pitLike() && r.pitLike() { // unless it fails, this is not about seeds
				return maybe
			}
		}
		return compareSpans(x.Op, e.bounds(x.L), e.bounds(x.R))
	}
	return maybe
}

// judgePosition judges a drawn or described position. It does not look at variables: a condition on
// them makes the answer maybe at best.
func (e *scope) judgePosition(p *ast.Position) answer {
	e = e.inPosition(p)
	all := yes
	if p.Where != nil {
		all = e.judge(p.Where)
	}
	if p.Picture != nil {
		for _, c := range e.g.cells(p.Picture) {
			if !c.Any {
				all = and(all, compareSpans("=", e.held(c.pit), point(whole(c.Count))))
			}
			if c.Marked {
				all = and(all, maybe)
			}
		}
	}
	if len(p.With) > 0 {
		all = and(all, maybe)
	}
	return all
}

// bounds returns an interval that contains the value of x.
func (e *scope) bounds(x ast.Expr) span {
	if v, ok := e.known(x); ok {
		switch {
		case v.kind == intKind:
			return point(v.n)
		case v.pitLike():
			if p := v.pit(); p != none {
				return e.held(p)
			}
		}
		return span{}
	}
	if in, y := e.opened(x); y != nil {
		return in.bounds(y)
	}
	switch x := x.(type) {
	case *ast.Paren:
		return e.bounds(x.X)
	case *ast.Unary:
		if x.Op == "-" {
			return e.bounds(x.X).neg()
		}
	case *ast.Binary:
		l, r := e.bounds(x.L), e.bounds(x.R)
		switch x.Op {
		case "+":
			return l.plus(r)
		case "-":
			return l.plus(r.neg())
		case "*":
			return l.times(r)
		}
	case *ast.Cond:
		switch l, r := e.bounds(x.Then), e.bounds(x.Else); e.judge(x.If) {
		case yes:
			return l
		case no:
			return r
		default:
			return l.or(r)
		}
	case *ast.Quant:
		if n := e.tally(x.Set, func(v value) answer { return e.with(x.Var.Name, v).judge(x.Body) }); n != nil && x.Kind == "number" {
			lo, hi := whole(n.yes), whole(n.yes+n.maybe)
			return span{&lo, &hi}
		}
	case *ast.Call:
		return e.boundsOfCall(x)
	}
	return span{}
}

// boundsOfCall bounds a number of seeds. A pit that may belong to the set of a total adds nothing
// to the lower bound.
func (e *scope) boundsOfCall(x *ast.Call) span {
	switch x.Func.Name {
	case "seeds":
		var p int
		if len(x.Args) == 1 && e.readable(func() { p = e.pit(x.Args[0]) }) && p != none {
			return e.held(p)
		}
	case "total":
		sum := point(num{})
		var set []member
		if !e.readable(func() { set = e.sets(x.Args) }) {
			return *from(num{})
		}
		seen := map[int]bool{}
		for _, m := range set {
			in, ok := false, true
			if ok = e.readable(func() { in = m.belongs() }); ok && !in || seen[m.pit] || m.pit == none {
				continue
			}
			n := e.held(m.pit)
			if !ok { // it may belong to the set
				n.lo = from(num{}).lo
			}
			seen[m.pit] = ok
			sum = sum.plus(n)
		}
		return sum
	}
	return span{}
}

// held returns the interval of the seeds that a pit may hold.
func (e *scope) held(p int) span {
	if e.room != nil && e.room[p] != nil {
		return *e.room[p]
	}
	return point(e.seeds(p))
}

// counts has the number of members of a set for which a condition holds, does not, or is not known.
type counts struct{ yes, no, maybe int }

// quantified returns the answer for a quantifier over the members counted.
func (c *counts) quantified(kind string) answer {
	switch {
	case kind == "each" && c.no > 0:
		return no
	case kind == "some" && c.yes > 0:
		return yes
	case c.maybe > 0 || kind == "number":
		return maybe
	}
	return sure(kind == "each")
}

// tally counts the members of a set by whether a condition holds for them. It is nil if the set is
// not known. A pit that only may belong to the set counts as maybe.
func (e *scope) tally(set ast.Expr, holds func(v value) answer) *counts {
	var members []member
	out := &counts{}
	counted := false
	if !e.readable(func() {
		list, v, is := e.values(set)
		if counted = is; is {
			for _, v := range list {
				out.count(holds(v))
			}
			return
		}
		members = v.members()
	}) {
		return nil
	}
	if counted {
		return out
	}
	seen := map[int]bool{}
	for _, m := range members {
		in := true
		known := e.readable(func() { in = m.belongs() })
		if known && !in || seen[m.pit] || m.pit == none {
			continue
		}
		a := maybe
		if known {
			seen[m.pit] = true
			a = holds(pitOf(m.pit))
		}
		out.count(a)
	}
	return out
}

func (c *counts) count(a answer) {
	switch a {
	case yes:
		c.yes++
	case no:
		c.no++
	default:
		c.maybe++
	}
}
