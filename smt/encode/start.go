package encode

import (
	"fmt"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
	"github.com/mancheck/mancheck/smt/term"
)

// exploreStarts explores the ways from a layout that satisfies the setup to the settled start. It
// ignores the conditions on open parameters.
func (e *explored) exploreStarts() error {
	laid := e.laid(e.any.Seeds)
	tree, err := e.newPath(laid).explore(func(p *path) (leaf, error) {
		d := p.newRun(laid, 0, e.opt.Unroll)
		for _, c := range e.setup(false) {
			if ok, err := d.run.Holds(exec.ReadExpr(c)); err != nil || !ok {
				return leaf{kind: barred}, err
			}
		}
		err := d.run.Settle(e.sys.Start.Mover, false)
		return leaf{to: d.state()}, err
	})
	e.starts = tree
	return unsupported("the setup", err)
}

// someStart reports whether f is true of the leaf of some way of the setup.
func (e *explored) someStart(f func(*leaf) bool) bool {
	found := false
	e.starts.each(nil, func(_ []*term.Term, l *leaf) { found = found || f(l) })
	return found
}

// laid returns a layout before it is settled, with seeds in the pits that the setup mentions.
func (e *layout) laid(seeds []*term.Term) State {
	s := e.Const(e.sys.EmptyStart())
	for p := range lists.Marked(e.sys.Start.Free) {
		s.Seeds[p] = seeds[p]
	}
	return s
}

// setup lists the conditions of the setup that mention open parameters, or those that do not.
func (e *explored) setup(ofParams bool) []rules.Expr {
	return lists.Filter(rules.Conjuncts(e.sys.Start.Cond), func(c rules.Expr) bool { return rules.HasA[rules.OpenParam](c) == ofParams })
}

// Start says that s is a settled start for these values of the open parameters, in the order of the
// System's OpenParams, and that they are in their ranges. If the setup allows starts that are over
// at once, with seeds moved by an ending, the formula has further variables for the layout and must
// not be negated. See Definitions.
func (e *Encoder) Start(s State, open []*term.Term) (*term.Term, error) {
	return e.start(s, e.byParam(open))
}

func (e *explored) start(s State, params []*term.Term) (*term.Term, error) {
	if e.someStart(func(l *leaf) bool { return l.kind == overrun }) {
		return nil, &UnsupportedError{Reason: "settling a start can go on and on in a loop"}
	}
	b := e.b
	var plain, moved []*term.Term
	raw := e.State(b.Fresh("start", term.Int).Name)
	e.starts.each(nil, func(when []*term.Term, l *leaf) {
		switch {
		case l.kind != stepped:
		case e.keepsSeeds(l):
			plain = append(plain, e.startWay(s, s, when, l))
		default:
			moved = append(moved, e.startWay(s, raw, when, l))
		}
	})
	isPlain, err := e.laidOut(s, params)
	if err != nil {
		return nil, err
	}
	if len(moved) == 0 {
		return b.And(isPlain, b.Or(plain...)), nil
	}
	isMoved, err := e.laidOut(raw, params)
	if err != nil {
		return nil, err
	}
	some := lists.Map(raw.Seeds, func(t *term.Term) *term.Term { return b.Le(b.Int(0), t) })
	return b.Or(b.And(isPlain, b.Or(plain...)), b.And(b.And(some...), isMoved, b.Or(moved...))), nil
}

// keepsSeeds reports whether settling leaves the seeds of a layout as they are.
func (e *explored) keepsSeeds(l *leaf) bool {
	for p, t := range e.laid(e.any.Seeds).Seeds {
		if l.to.Seeds[p] != t {
			return false
		}
	}
	return true
}

// startWay says that the layout with the seeds of raw settles by this way, to s.
func (e *explored) startWay(s, raw State, when []*term.Term, l *leaf) *term.Term {
	here := e.instance(raw)
	return e.b.And(here.term(e.b.And(when...)), e.Same(s, here.state(l.to), nil, nil))
}

// laidOut says that the open parameters are in their ranges, and that the seeds of raw satisfy the
// setup with them.
func (e *explored) laidOut(raw State, params []*term.Term) (*term.Term, error) {
	b := e.b
	all := []*term.Term{e.paramRanges(params)}
	for _, c := range e.setup(true) {
		tree, err := e.evaluation(c, e.laid(raw.Seeds), nil, params)
		if err != nil {
			return nil, err
		}
		all = append(all, e.formula(tree, e.leafTruth))
	}
	return b.And(all...), nil
}

// isStart says that s is a settled start for some values of the open parameters: those that the
// setup equates them with.
func (e *explored) isStart(s State) (*term.Term, error) {
	if e.someStart(func(l *leaf) bool { return l.kind == stepped && !e.keepsSeeds(l) }) {
		return nil, &UnsupportedError{Reason: "a reaction moves the seeds of a start, so which layout it was cannot be seen from the start"}
	}
	params := make([]*term.Term, len(e.sys.Params))
	for _, i := range e.sys.OpenParams() {
		def, ok := e.sys.Definition(i)
		if !ok {
			return nil, &UnsupportedError{Reason: fmt.Sprintf("the setup does not say what `%s` is: a condition `%[1]s = …` is missing", e.sys.Params[i].Name)}
		}
		tree, err := e.evaluation(def, e.laid(s.Seeds), nil, nil)
		if err != nil {
			return nil, err
		}
		params[i] = e.number(tree)
	}
	return e.start(s, params)
}
