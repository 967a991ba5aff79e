package judge

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Claims about predecessors, successors, single steps and ancestors are about all states of the
// right shape. They are listed by their total of seeds, which no step changes: if a condition
// bounds the seeds of the states it is true of, that bounds those before and after them. Else
// totals up to a limit are tried, and only what is found counts.
//
// A state that goes on with the initial value of a variable, which no move gives back, must be a
// start. Whether a move does so is a question about all states, too. Here it is answered by what
// was seen: a step that gives the value back settles it. As long as there is none, states that
// would have to be starts and are not are in doubt, and a verdict must be the same with them and
// without.

// shapes lists states of the right shape in which the game goes on.
type shapes struct {
	*oneCase
	first []num  // by slot: the value where games begin, by the declaration or by a position
	back  []bool // by slot: some step led to a state that goes on with that value
}

// shapes begins with the steps of reachable states, which are enough to see most variables reset.
func (c *oneCase) shapes() *shapes {
	begin := c.blank()
	if c.begin != nil {
		c.beginAt(begin)
	}
	s := &shapes{oneCase: c, first: begin.vars, back: make([]bool, len(c.slots))}
	c.explore()
	for _, n := range c.nodes {
		for _, t := range n.out {
			s.saw(t.step)
		}
	}
	return s
}

// saw makes a note of the values that a step gives back.
func (s *shapes) saw(t *step) {
	for i, first := range s.first {
		if t.to.live() && t.to.vars[i].cmp(first) == 0 {
			s.back[i] = true
		}
	}
}

// doubtful reports whether a state would have to be a start, and is none.
func (s *shapes) doubtful(st *state) bool {
	for i, first := range s.first {
		if !s.back[i] && st.vars[i].cmp(first) == 0 {
			return !s.view().start(st)
		}
	}
	return false
}

// each goes through the states that go on and satisfy cond, for every mover and all values of
// variables. If totals is not nil, only boards with one of these totals of seeds count. It reports
// whether there are no others.
func (s *shapes) each(cond ast.Expr, totals map[string]bool, yield func(*state)) (all bool) {
	all = true
	for mover := range s.players {
		all = s.eachVar(cond, totals, s.at(mover), 0, yield) && all
	}
	return all
}

// at returns an empty board with a player to move.
func (s *shapes) at(mover int) *state {
	st := s.blank()
	st.mover = mover
	return st
}

// eachVar tries the values of the variables from slot on.
func (s *shapes) eachVar(cond ast.Expr, totals map[string]bool, st *state, slot int, yield func(*state)) (all bool) {
	if slot == len(s.slots) {
		return s.eachBoard(cond, totals, st, yield)
	}
	values, all := s.values(s.slots[slot], s.game.lim.States)
	for _, n := range values {
		st.vars[slot] = n
		all = s.eachVar(cond, totals, st, slot+1, yield) && all
	}
	return all
}

// eachBoard tries the boards. The search may yield boards that do not satisfy cond, so each is
// tested.
func (s *shapes) eachBoard(cond ast.Expr, totals map[string]bool, st *state, yield func(*state)) bool {
	e := s.claimScope()
	e.s = st.clone()
	holds := s.tester(cond)
	q := s.searchFor(e, cond, totals)
	q.yield = func() bool {
		if totals != nil && !totals[e.s.total().String()] {
			return true
		}
		if found := e.s.clone(); holds(found) {
			yield(found)
		}
		return true
	}
	return q.lay()
}

// searchFor makes a search over all pits, bounded by totals, by the condition or else by the limit.
func (s *shapes) searchFor(e *scope, cond ast.Expr, totals map[string]bool) *search {
	q := &search{e: e, judge: func() answer {
		if cond == nil {
			return maybe
		}
		return e.judge(cond)
	}}
	for p := range s.game.pits {
		q.pits = append(q.pits, p)
	}
	if totals != nil {
		whole := q.judge
		q.judge = func() answer { return and(s.mayTotal(e, totals), whole()) }
		return q
	}
	if cond == nil || !s.bounded(q) {
		most := whole(s.game.lim.Seeds)
		q.most = &most
	}
	return q
}

// mayTotal says no if the seeds on the board cannot come to any of the totals.
func (s *shapes) mayTotal(e *scope, totals map[string]bool) answer {
	sum := point(num{})
	for p := range s.game.pits {
		sum = sum.plus(e.held(p))
	}
	for t := range totals {
		if compareSpans("=", sum, point(readNum(t))) != no {
			return maybe
		}
	}
	return no
}

// totals lists the totals of seeds of states that may satisfy cond, whatever their variables, and
// reports whether there are no others.
func (s *shapes) totals(cond ast.Expr) (map[string]bool, bool) {
	e := s.claimScope()
	e.s, e.blind = s.blank(), true
	out := map[string]bool{}
	q := s.searchFor(e, cond, nil)
	q.yield = func() bool {
		if e.judge(cond) != no {
			out[e.s.total().String()] = true
		}
		return true
	}
	return out, q.lay()
}

// stepTo looks for a step from a state of one kind to one of the other.
func (c *oneCase) stepTo(p *ast.StepTo) verdict {
	c.labelled(p.By)
	v := c.shapes().stepTo(p)
	if p.Not {
		return v.negated()
	}
	return v
}

func (s *shapes) stepTo(p *ast.StepTo) verdict {
	from, to := s.tester(p.From), s.tester(p.To)
	h := s.seek()
	look := func(st *state) {
		for _, t := range s.steps(st) {
			s.saw(t)
			h.try(st, func() bool { return t.by(p.By) && to(t.to) })
		}
	}
	var all bool
	if totals, bounded := s.totals(p.To); bounded {
		all = s.each(nil, totals, func(st *state) {
			if h.holds(func() bool { return from(st) }) {
				look(st)
			}
		})
	} else {
		h.holds(func() bool { all = s.each(p.From, nil, look); return all })
	}
	v := h.verdict(all)
	v.hollow = v.truth == False // whether there are states of both kinds was not asked
	return v
}

// everyStepOfAll looks for a step that breaks the claim, from any state of the right shape.
func (c *oneCase) everyStepOfAll(p *ast.EveryStep) verdict {
	s := c.shapes()
	gives := c.givesTester(p.Gives)
	h := s.seek()
	var sources []*state
	all := false
	h.holds(func() bool {
		all = s.each(p.From, nil, func(st *state) {
			for _, t := range s.steps(st) {
				if s.saw(t); t.by(p.By) {
					sources = append(sources, st)
					h.try(st, func() bool { return !gives(st, t) })
				}
			}
		})
		return all
	})
	v := h.verdict(all).negated()
	if v.truth == True {
		v.vacuous = len(sources) == 0
		v.hollow = len(sources) > 0 && !slices.ContainsFunc(sources, func(st *state) bool { return !s.doubtful(st) })
	}
	return v
}

// seek makes a search in which a state that would have to be a start, and may be none, settles
// nothing.
func (s *shapes) seek() *witness {
	h := s.oneCase.seek()
	h.doubtful = s.doubtful
	return h
}

// neighbours compares the predecessors, or successors, of some states with those listed.
func (c *oneCase) neighbours(p *ast.Neighbours) verdict {
	s := c.shapes()
	var sources, results []*state // what leads to a neighbour; the neighbour itself
	all := false
	if p.Pre {
		of := c.tester(p.Of)
		var totals map[string]bool
		var bounded bool
		totals, bounded = s.totals(p.Of)
		all = s.each(nil, totals, func(st *state) {
			for _, t := range s.steps(st) {
				s.saw(t)
				if of(t.to) {
					sources, results = append(sources, st), append(results, st)
				}
			}
		}) && bounded
	} else {
		all = s.each(p.Of, nil, func(st *state) {
			for _, t := range s.steps(st) {
				s.saw(t)
				sources, results = append(sources, st), append(results, t.to)
			}
		})
	}
	var sure, unsure []*state
	for i, r := range results {
		if s.doubtful(sources[i]) {
			unsure = append(unsure, r)
		} else {
			sure = append(sure, r)
		}
	}
	v := c.compareSets(sure, unsure, p.List, all)
	v.hollow = len(results) == 0
	return v
}

// ancestors counts the states with a play into those of a set, if the set bounds the seeds. An
// engine may count states as one that differ in variables that nothing reads, so the verdict must
// be the same whichever variables are left out.
func (c *oneCase) ancestors(p *ast.Count, k num) verdict {
	s := c.shapes()
	totals, bounded := s.totals(p.Of)
	if !bounded {
		return found(Open, "nothing bounds the seeds")
	}
	var list []*state
	if !s.each(nil, totals, func(st *state) { list = append(list, st) }) || len(list) > s.game.lim.States {
		return found(Open, "too many states of the right shape")
	}
	nodes := s.graph(list)
	of, where := c.tester(p.Of), c.tester(p.Where)
	if len(s.slots) > 3 {
		return found(Open, "which variables may be left out is not clear")
	}
	var v verdict
	for _, strict := range []bool{true, false} {
		marked := s.without(nodes, strict).rounds(some, func(i int) bool { return of(nodes[i].s) })
		for drop := range 1 << len(s.slots) {
			seen := map[string]bool{}
			for i, n := range nodes {
				if marked[i] != none && !(strict && n.s.live() && s.doubtful(n.s)) && !of(n.s) && where(n.s) {
					seen[dropped(n.s, drop)] = true
				}
			}
			w := c.comparedTo(p.Op, whole(len(seen)), k)
			if v.why != "" && v.truth != w.truth {
				return found(Open, "it depends on what is counted: %s, or %s", v.why, w.why)
			}
			v = w
		}
	}
	return v
}

// dropped is the key of a state without some variables.
func dropped(s *state, drop int) string {
	c := s.clone()
	for i := range c.vars {
		if drop&(1<<i) != 0 {
			c.vars[i] = num{}
		}
	}
	return c.key()
}

// graph makes nodes of states, and of those that their steps lead to.
func (s *shapes) graph(list []*state) graph {
	g := &oneCase{decision: s.decision, game: s.game, starts: list, allStarts: true, played: &played{starts: list}}
	g.game.lim.States = 1 << 30
	defer func(n int) { g.game.lim.States = n }(s.decision.lim.States)
	g.explore()
	for _, n := range g.nodes {
		for _, t := range n.out {
			s.saw(t.step)
		}
	}
	return g.nodes
}

// without returns the graph without the steps from and to states in doubt, if strict.
func (s *shapes) without(nodes graph, strict bool) graph {
	if !strict {
		return nodes
	}
	var out graph
	for _, n := range nodes {
		m := &node{s: n.s}
		if !n.s.live() || !s.doubtful(n.s) {
			for _, t := range n.out {
				if to := nodes[t.to].s; !to.live() || !s.doubtful(to) {
					m.out = append(m.out, t)
				}
			}
		}
		out = append(out, m)
	}
	return out
}
