package encode

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
	"github.com/mancheck/mancheck/smt/term"
)

// layout makes states: the variables of their parts, and what is said of states as such.
type layout struct {
	arithmetic
	sys      *rules.System
	program  *exec.Program
	pitNames []string
	varNames []string
}

// State is a state whose parts are integer terms: a truth value is 0 or 1. Outcome is rules.Live
// while the game goes on; Mover is rules.None when it is over.
type State struct {
	Seeds, Vars    []*term.Term
	Mover, Outcome *term.Term
}

// clone returns a state that shares no slice with s.
func (s State) clone() State {
	s.Seeds, s.Vars = slices.Clone(s.Seeds), slices.Clone(s.Vars)
	return s
}

// Parts lists all terms of s: seeds, variables, mover, outcome.
func (s State) Parts() []*term.Term {
	return append(slices.Concat(s.Seeds, s.Vars), s.Mover, s.Outcome)
}

// key is the same for states of the same terms.
func (s State) key() string {
	var key []byte
	for _, t := range s.Parts() {
		key = binary.AppendUvarint(key, uint64(t.ID))
	}
	return string(key)
}

// State makes a state of variables: `name.pit` for seeds and control variables, `name!mover` and
// `name!outcome`.
func (e *layout) State(name string) State {
	number := func(part string) *term.Term { return e.b.Var(name+part, term.Int) }
	cell := func(part string) *term.Term { return number("." + part) }
	return State{Seeds: lists.Map(e.pitNames, cell), Vars: lists.Map(e.varNames, cell), Mover: number("!mover"), Outcome: number("!outcome")}
}

// nameParts chooses distinct names for pits and variables that every solver reads.
func (e *layout) nameParts() {
	used := map[string]bool{}
	unique := func(name string) string {
		safe := strings.Map(safeRune, name)
		for i := 2; used[safe]; i++ {
			safe = fmt.Sprintf("%s_%d", strings.Map(safeRune, name), i)
		}
		used[safe] = true
		return safe
	}
	e.pitNames = lists.Map(e.sys.Pits, func(p rules.Pit) string { return unique(p.Name) })
	e.varNames = lists.Map(e.sys.Vars, func(v rules.Var) string { return unique(v.Name) })
}

// safeRune keeps ASCII letters, digits and underscores.
func safeRune(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
		return c
	}
	return '_'
}

// Const returns a concrete state as terms.
func (e *layout) Const(s rules.State) State {
	return State{Seeds: lists.Map(s.Seeds, e.b.Int), Vars: lists.Map(s.Vars, e.b.Int), Mover: e.b.Int(s.Mover), Outcome: e.b.Int(s.Outcome)}
}

// Shape holds in every possible state: no pit is negative, variables have values of their domains,
// and there is a mover exactly while the game goes on. All other formulas assume it, and steps
// preserve it.
func (e *layout) Shape(s State) *term.Term {
	b := e.b
	all := lists.Map(s.Seeds, func(n *term.Term) *term.Term { return b.Le(b.Int(0), n) })
	for i, v := range s.Vars {
		all = append(all, e.among(v, e.sys.Vars[i].Domain))
	}
	live := b.Eq(s.Outcome, b.Int(rules.Live))
	playing := b.And(live, e.between(s.Mover, 0, len(e.sys.Players)-1))
	over := b.And(e.between(s.Outcome, 0, len(e.sys.Outcomes)-1), b.Eq(s.Mover, b.Int(rules.None)))
	return b.And(append(all, b.Or(playing, over))...)
}

// among says that t is one of values, which are in increasing order.
func (e *arithmetic) among(t *term.Term, values []int) *term.Term {
	var runs []*term.Term
	for len(values) > 0 {
		n := 1
		for n < len(values) && values[n] == values[0]+n {
			n++
		}
		runs = append(runs, e.between(t, values[0], values[n-1]))
		values = values[n:]
	}
	return e.b.Or(runs...)
}

func (e *arithmetic) between(t *term.Term, lo, hi int) *term.Term {
	if lo == hi {
		return e.b.Eq(t, e.b.Int(lo))
	}
	return e.b.And(e.b.Le(e.b.Int(lo), t), e.b.Le(t, e.b.Int(hi)))
}

// Same holds if s and t agree in mover, outcome, and the compared parts: those with true in pits
// and vars, of which nil means all.
func (e *layout) Same(s, t State, pits, vars []bool) *term.Term {
	all := []*term.Term{e.b.Eq(s.Mover, t.Mover), e.b.Eq(s.Outcome, t.Outcome)}
	all = append(all, e.same(s.Seeds, t.Seeds, pits)...)
	all = append(all, e.same(s.Vars, t.Vars, vars)...)
	return e.b.And(all...)
}

func (e *layout) same(s, t []*term.Term, kept []bool) []*term.Term {
	var all []*term.Term
	for i := range s {
		if kept == nil || kept[i] {
			all = append(all, e.b.Eq(s[i], t[i]))
		}
	}
	return all
}

// substitution replaces variables by terms. A quotient becomes the quotient of its replaced
// dividend.
type substitution struct {
	e    *explored
	memo map[*term.Term]*term.Term
}

// instance replaces the parts of the explored state by those of s.
func (e *explored) instance(s State) *substitution {
	sub := &substitution{e: e, memo: map[*term.Term]*term.Term{}}
	to := s.Parts()
	for i, from := range e.any.Parts() {
		sub.memo[from] = to[i]
	}
	return sub
}

func (x *substitution) state(s State) State {
	return State{Seeds: lists.Map(s.Seeds, x.term), Vars: lists.Map(s.Vars, x.term), Mover: x.term(s.Mover), Outcome: x.term(s.Outcome)}
}

func (x *substitution) term(t *term.Term) *term.Term {
	if u, ok := x.memo[t]; ok {
		return u
	}
	u := x.replace(t)
	x.memo[t] = u
	return u
}

func (x *substitution) replace(t *term.Term) *term.Term {
	if d, ok := x.e.defined[t]; ok {
		return x.e.quot(x.term(d.dividend), d.divisor)
	}
	args := lists.Map(t.Args, x.term)
	b := x.e.b
	switch t.Op {
	case term.Not:
		return b.Not(args[0])
	case term.And:
		return b.And(args...)
	case term.Or:
		return b.Or(args...)
	case term.Eq:
		return b.Eq(args[0], args[1])
	case term.Le:
		return b.Le(args[0], args[1])
	case term.Lt:
		return b.Lt(args[0], args[1])
	case term.Add:
		return b.Add(args...)
	case term.Mul:
		return b.Mul(t.Value, args[0])
	case term.Ite:
		return b.Ite(args[0], args[1], args[2])
	}
	return t
}
