package encode

import (
	"errors"
	"maps"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// Ways for a path to end other than by an outcome of the rules.
var (
	errFault   = errors.New("an error of the rules")
	errOverrun = errors.New("the unrolled loop would have to go on")
	errSplit   = errors.New("the value depends on the path")
	errDead    = errors.New("no state goes this way")
	errMany    = errors.New("too many cases")
)

// kind says what a path leads to.
type kind int

const (
	stepped kind = iota // a state
	barred              // nothing: the action is not legal
	faulty              // an error of the rules
	overrun             // a loop that exceeds its unrolling
	dead                // nothing: no state goes this way
)

// leaf is the end of a path.
type leaf struct {
	kind  kind
	to    State
	rank  *term.Term // from `prefer`
	value *term.Term // of an expression
	key   string     // the same for the same state
}

// leafOf makes a leaf of an error that may end a path; other errors end the exploration.
func leafOf(l leaf, err error) (leaf, error) {
	switch err {
	case nil:
		return l, nil
	case errFault:
		return leaf{kind: faulty}, nil
	case errOverrun:
		return leaf{kind: overrun}, nil
	case errDead:
		return leaf{kind: dead}, nil
	}
	return l, err
}

// node is a point of an exploration: either a leaf, or several ways on, of which exactly one has a
// true condition.
type node struct {
	conds []*term.Term
	kids  []*node
	leaf  *leaf
}

// path is one way through a body. It answers each question that the state leaves open, first as its
// script says and then by the first possible answer, and records what the answers imply.
type path struct {
	e      *explored
	node   *node
	script []int
	taken  int  // answers given so far
	pure   bool // no question may be asked
	bare   bool // nothing is known of the state, and nothing is deduced
	domain map[*term.Term][]int
	known  map[*term.Term]num.Interval
	truths map[*term.Term]bool
}

// explore runs all paths that begin with what p knows, and returns them as a tree.
func (p *path) explore(run func(*path) (leaf, error)) (*node, error) {
	root := &node{}
	script, ok := []int{}, true
	for n := 0; ok; n++ {
		if n >= p.e.opt.MaxCases {
			return nil, errMany
		}
		if stop := p.e.opt.Stop; stop != nil && n > 0 {
			if err := stop(); err != nil {
				return nil, err
			}
		}
		next := *p
		next.node, next.script = root, script
		next.known, next.truths = maps.Clone(p.known), map[*term.Term]bool{}
		end, err := leafOf(run(&next))
		if err != nil {
			return nil, err
		}
		next.node.leaf = &end
		script, ok = root.following(next.script)
	}
	return root, nil
}

// following returns the script after s in the order of answers.
func (n *node) following(s []int) ([]int, bool) {
	var ways []int
	for _, i := range s {
		ways = append(ways, len(n.kids))
		n = n.kids[i]
	}
	for i := len(s) - 1; i >= 0; i-- {
		if s[i]+1 < ways[i] {
			return append(append([]int{}, s[:i]...), s[i]+1), true
		}
	}
	return nil, false
}

// newPath returns a path from a state of the right shape on which nothing was asked yet.
func (e *explored) newPath(s State) *path {
	p := &path{e: e, domain: map[*term.Term][]int{}, known: map[*term.Term]num.Interval{}}
	p.assume(s)
	return p
}

// assume records that s has the right shape.
func (p *path) assume(s State) {
	for _, n := range s.Seeds {
		p.narrow(n, num.AtLeast(0))
	}
	for i, v := range s.Vars {
		p.setDomain(v, p.e.sys.Vars[i].Domain)
	}
	p.setDomain(s.Mover, num.Run(rules.None, 1+len(p.e.sys.Players)))
	p.setDomain(s.Outcome, num.Run(rules.Live, 1+len(p.e.sys.Outcomes)))
}

func (p *path) setDomain(t *term.Term, domain []int) {
	p.domain[t] = domain
	p.narrow(t, num.Interval{Lo: domain[0], Hi: domain[len(domain)-1]})
}

// choose takes one of several ways, of which exactly one is open: the one whose condition holds.
// Ways known to be closed are dropped first; a single remaining way needs no question.
func (p *path) choose(conds []*term.Term) (int, error) {
	var open []int
	var asked []*term.Term
	for i, c := range conds {
		if r := p.reduce(c); !r.IsFalse() {
			open, asked = append(open, i), append(asked, r)
		}
	}
	switch len(open) {
	case 0:
		return 0, errDead
	case 1:
		p.learn(conds[open[0]])
		return open[0], nil
	}
	if p.pure {
		return 0, errSplit
	}
	i := p.answer(asked)
	p.learn(asked[i])
	p.learn(conds[open[i]])
	return open[i], nil
}

// answer follows the script, or begins a new part of it.
func (p *path) answer(asked []*term.Term) int {
	if p.taken == len(p.script) {
		p.script = append(p.script, 0)
		p.node.conds, p.node.kids = asked, make([]*node, len(asked))
		for i := range asked {
			p.node.kids[i] = &node{}
		}
	}
	i := p.script[p.taken]
	p.taken++
	p.node = p.node.kids[i]
	return i
}

// decide determines whether c holds.
func (p *path) decide(c *term.Term) (bool, error) {
	switch r := p.reduce(c); {
	case r.IsTrue():
		return true, nil
	case r.IsFalse():
		return false, nil
	}
	i, err := p.choose([]*term.Term{c, p.e.b.Not(c)})
	return i == 0, err
}

// pick determines which value t has.
func (p *path) pick(t *term.Term) (int, error) {
	if v, ok := t.IsConst(); ok {
		return v, nil
	}
	values, ok := p.values(t)
	if p.bare {
		return 0, errSplit
	}
	if !ok {
		return 0, &UnsupportedError{Reason: "a number without bounds chooses a pit, a variable or a factor"}
	}
	i, err := p.choose(lists.Map(values, func(v int) *term.Term { return p.e.b.Eq(t, p.e.b.Int(v)) }))
	if err != nil {
		return 0, err
	}
	return values[i], nil
}

// maxValues bounds how many values of a number are distinguished.
const maxValues = 128

// values lists the possible values of t, if there are not too many.
func (p *path) values(t *term.Term) ([]int, bool) {
	x := p.bounds(t)
	if domain, ok := p.domain[t]; ok {
		list := lists.Filter(domain, func(v int) bool { return x.Has(v) })
		return list, true
	}
	if !x.Bounded() || x.Hi-x.Lo >= maxValues {
		return nil, false
	}
	return num.Run(x.Lo, max(0, x.Hi-x.Lo+1)), true
}

// reduce simplifies a condition by what the path knows.
func (p *path) reduce(c *term.Term) *term.Term {
	if p.bare {
		return c
	}
	var done map[*term.Term]*term.Term // parts that are shared are simplified once
	if c.Op == term.And || c.Op == term.Or || c.Op == term.Not {
		done = map[*term.Term]*term.Term{}
	}
	return p.reduced(c, done)
}

func (p *path) reduced(c *term.Term, done map[*term.Term]*term.Term) *term.Term {
	if v, ok := p.truths[c]; ok {
		return p.e.b.Bool(v)
	}
	if r, ok := done[c]; ok {
		return r
	}
	r := c
	switch c.Op {
	case term.Not:
		r = p.e.b.Not(p.reduced(c.Args[0], done))
	case term.And:
		r = p.e.b.And(p.allReduced(c.Args, done)...)
	case term.Or:
		r = p.e.b.Or(p.allReduced(c.Args, done)...)
	case term.Eq, term.Le, term.Lt:
		return p.compare(c)
	}
	if done != nil {
		done[c] = r
	}
	return r
}

func (p *path) allReduced(list []*term.Term, done map[*term.Term]*term.Term) []*term.Term {
	return lists.Map(list, func(t *term.Term) *term.Term { return p.reduced(t, done) })
}

// compare decides a comparison of numbers whose difference is sufficiently bounded.
func (p *path) compare(c *term.Term) *term.Term {
	if c.Args[0].Sort == term.Bool {
		return c
	}
	d := p.bounds(p.e.b.Sub(c.Args[0], c.Args[1]))
	switch {
	case c.Op == term.Eq && d == num.Point(0), c.Op == term.Le && d.Hi <= 0, c.Op == term.Lt && d.Hi < 0:
		return p.e.b.True()
	case c.Op == term.Eq && !d.Has(0), c.Op == term.Le && d.Lo > 0, c.Op == term.Lt && d.Lo >= 0:
		return p.e.b.False()
	}
	return c
}

// learn records that c holds.
func (p *path) learn(c *term.Term) {
	if p.bare {
		return
	}
	b := p.e.b
	p.truths[c], p.truths[b.Not(c)] = true, false
	switch {
	case c.Op == term.And:
		for _, a := range c.Args {
			p.learn(a)
		}
	case c.Op == term.Not && c.Args[0].Op == term.Or:
		for _, a := range c.Args[0].Args {
			p.learn(b.Not(a))
		}
	case c.Op == term.Not && c.Args[0].Op == term.Eq:
		p.differ(c.Args[0])
	case c.Op == term.Le, c.Op == term.Lt:
		p.atMost(b.Sub(c.Args[0], c.Args[1]), -num.Truth(c.Op == term.Lt))
	case c.Op == term.Eq && c.Args[0].Sort == term.Int:
		p.atMost(b.Sub(c.Args[0], c.Args[1]), 0)
		p.atMost(b.Sub(c.Args[1], c.Args[0]), 0)
	}
}

// differ records that a number is not at one end of its bounds.
func (p *path) differ(eq *term.Term) {
	if eq.Args[0].Sort == term.Bool {
		return
	}
	d := p.e.b.Sub(eq.Args[0], eq.Args[1])
	switch x := p.bounds(d); {
	case x.Lo == 0:
		p.atMost(p.e.b.Mul(-1, d), -1)
	case x.Hi == 0:
		p.atMost(d, -1)
	}
}

// formula turns an exploration into one condition: f says what is to hold at each leaf. Questions
// that do not matter do not appear in it.
func (e *explored) formula(n *node, f func(*leaf) *term.Term) *term.Term {
	if n.leaf != nil {
		return f(n.leaf)
	}
	kids, alike := make([]*term.Term, len(n.kids)), true
	for i, k := range n.kids {
		kids[i] = e.formula(k, f)
		alike = alike && kids[i] == kids[0]
	}
	if alike {
		return kids[0]
	}
	for i, k := range kids {
		kids[i] = e.b.And(n.conds[i], k)
	}
	return e.b.Or(kids...)
}

// each calls f with every leaf and the conditions that lead to it.
func (n *node) each(when []*term.Term, f func(when []*term.Term, l *leaf)) {
	if n.leaf != nil {
		f(when, n.leaf)
		return
	}
	for i, k := range n.kids {
		k.each(append(when[:len(when):len(when)], n.conds[i]), f)
	}
}
