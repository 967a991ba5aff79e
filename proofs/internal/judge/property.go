package judge

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// oneCase is a game with its starts, about which a property is to be decided.
type oneCase struct {
	*decision
	*game
	settings  settings
	starts    []*state
	allStarts bool
	played    *played
	nodes     graph // the reachable states, breadth first, once they are explored
}

func (c *oneCase) spend(n int) { c.decision.spend(n) }

// complete reports whether all states that at most depth moves lead to are listed; a negative depth
// stands for any number.
func (c *oneCase) complete(depth int) bool {
	for _, n := range c.nodes {
		if !n.done && (depth < 0 || n.depth < depth) {
			return false
		}
	}
	return c.allStarts
}

// view returns what a claim can ask about states beyond what the rules can.
func (c *oneCase) view() *view {
	return &view{start: func(s *state) bool {
		switch {
		case c.played.isStart(s):
			return true
		case c.allStarts:
			return false
		}
		exceedf("whether this is one of the starts, which are too many")
		return false
	}}
}

// claimScope returns the scope of expressions in a claim, with the columns of its line of boards.
func (c *oneCase) claimScope() *scope {
	e := c.game.scope(inClaim)
	e.claim = c.view()
	for name, n := range c.columns {
		e = e.with(name, number(n))
	}
	return e
}

// tester returns a test of states for a condition of a claim. No condition is true of all states.
func (c *oneCase) tester(x ast.Expr) func(s *state) bool {
	e := c.claimScope()
	return func(s *state) bool {
		if x == nil {
			return true
		}
		at := *e
		at.s = s
		return at.cond(x)
	}
}

// givesTester returns a test of steps for the condition after `gives`.
func (c *oneCase) givesTester(x ast.Expr) func(before *state, t *step) bool {
	e := c.claimScope()
	return func(before *state, t *step) bool {
		at, v := *e, *e.claim
		v.before, v.step = before, t
		at.s, at.claim = t.to, &v
		return at.cond(x)
	}
}

// constant evaluates a number of the claim that must be known before play.
func (c *oneCase) constant(x ast.Expr) num {
	e := c.claimScope()
	e.place = inClaim
	var n num
	if faulty(func() { n = e.int(x) }) {
		wrongf("this number must be known before play")
	}
	return n
}

// moves evaluates a number of moves, or returns -1 if none is given. Very large numbers are cut,
// which makes no difference under the limits.
func (c *oneCase) moves(x ast.Expr) int {
	if x == nil {
		return -1
	}
	n := c.constant(x)
	if n.sign() < 0 {
		wrongf("no play has %v moves", n)
	}
	if n.cmp(whole(1<<30)) > 0 {
		return 1 << 30
	}
	return int(n.i)
}

// decide decides a property by its kind.
func (c *oneCase) decide(p ast.Property) verdict {
	if c.endlessClause() != nil && (!valued(p) || c.repeats.verdict != nil) {
		wrongf("nothing depends on what endless play is worth")
	}
	switch p := p.(type) {
	case *ast.Reach:
		return c.reach(p)
	case *ast.NeverStuck:
		return c.exists(-1, func(s *state) bool {
			return c.stuck(s) || s.outcome == len(c.outcomes)
		}).negated()
	case *ast.Terminates:
		return c.terminates(c.moves(p.Within))
	case *ast.Neighbours:
		return c.forgetting(func(c *oneCase) verdict { return c.neighbours(p) })
	case *ast.StepTo:
		return c.forgetting(func(c *oneCase) verdict { return c.stepTo(p) })
	case everywhere:
		return c.forgetting(func(c *oneCase) verdict { return c.everywhere(p.From) })
	case *ast.EveryStep:
		if c.labelled(p.By); p.All {
			return c.forgetting(func(c *oneCase) verdict { return c.everyStepOfAll(p) })
		}
		return c.forgetting(func(c *oneCase) verdict { return c.everyStep(p) })
	case *ast.Count:
		return c.count(p)
	case *ast.UniqueWinnable:
		w, limit := c.winners(nil)
		return c.compareCount("=", whole(1), w, limit)
	case *ast.WinningStarts:
		w, limit := c.winners(nil)
		if limit != nil {
			return *limit
		}
		return c.compareSets(w, nil, p.List, true)
	case *ast.StrategyWins:
		return c.strategyWins(p)
	case *ast.Relation:
		return c.relation(p)
	case *ast.Value:
		return c.value(p)
	case *ast.Winner:
		return c.winner(p)
	case *ast.Best:
		return c.best(p)
	case *ast.Force:
		return c.force(p)
	case *ast.CanGoOn: // the parser makes a Terminates of it
	}
	wrongf("the claim asserts nothing")
	return verdict{}
}

// valued reports whether a property asks what positions are worth.
func valued(p ast.Property) bool {
	switch any(p).(type) { // others do not
	case *ast.Value, *ast.Winner, *ast.Best:
		return true
	}
	return false
}

// negated leaves a verdict that is not conclusive as it is.
func (v verdict) negated() verdict {
	switch v.truth {
	case True:
		v.truth = False
	case False:
		v.truth = True
	}
	return v
}

// exists looks for a reachable state, within a number of moves unless that is negative. A state
// that is found outweighs faults elsewhere, which are noted.
func (c *oneCase) exists(within int, test func(*state) bool) verdict {
	c.explore()
	h := c.seek()
	for _, n := range c.nodes {
		if within < 0 || n.depth <= within {
			h.try(n.s, func() bool { return test(n.s) })
		}
	}
	return h.verdict(c.complete(within))
}

// reach decides reachability. It is vacuous if no state of the board could be what the claim asks
// for.
func (c *oneCase) reach(p *ast.Reach) verdict {
	holds := c.tester(p.Target)
	within := c.moves(p.Within)
	sought := holds
	if p.Kind == "invariant" {
		sought = func(s *state) bool { return !holds(s) }
	}
	v := c.exists(within, sought)
	v.vacuous = v.truth == False && c.matchless(p)
	if p.Kind == "reachable" {
		return v
	}
	return v.negated()
}

// matchless reports whether no state on this board, reachable or not, is what the claim asks for.
// It considers the condition alone: for some pit it is false with every number of seeds, whatever
// the rest of the state is.
func (c *oneCase) matchless(p *ast.Reach) bool {
	e := c.claimScope()
	e.s, e.blind = c.blank(), true
	s := &search{e: e, judge: func() answer {
		if p.Kind == "invariant" {
			return e.judge(p.Target).not()
		}
		return e.judge(p.Target)
	}}
	e.room = make([]*span, len(c.pits))
	for pit := range c.pits {
		e.room[pit] = from(num{})
	}
	for pit := range c.pits {
		if s.never(pit) {
			return true
		}
		e.room[pit], e.s.seeds[pit] = from(num{}), num{}
	}
	return false
}

// terminates looks for a cycle, or for a play that is too long.
func (c *oneCase) terminates(within int) verdict {
	c.explore()
	longest, ends := c.nodes.longest()
	switch {
	case !ends:
		return found(False, "a play that never ends")
	case within >= 0 && longest > within:
		return found(False, "a play of %d moves", longest)
	case !c.complete(-1):
		return found(Open, "%d states are not all", len(c.nodes))
	}
	return found(True, "the longest play has %d moves", longest)
}

// labelled panics with a mistake if no move or choice has a label.
func (c *oneCase) labelled(l *ast.Label) {
	if l == nil {
		return
	}
	for _, m := range c.game.moves {
		if label(m) == l.Text {
			return
		}
		for _, ch := range m.Choices {
			for _, o := range ch.Options() {
				if o.Label != nil && o.Label.Text == l.Text {
					return
				}
			}
		}
	}
	wrongf("no move is labelled %s", l.Text)
}

// everyStep looks for a step of a reachable state that breaks the claim. It is vacuous if there is
// no step that it is about.
func (c *oneCase) everyStep(p *ast.EveryStep) verdict {
	c.explore()
	from, gives := c.tester(p.From), c.givesTester(p.Gives)
	h := c.seek()
	for _, n := range c.nodes {
		if !h.holds(func() bool { return from(n.s) }) {
			continue
		}
		for _, t := range n.out {
			if t.by(p.By) {
				h.try(n.s, func() bool { return !gives(n.s, t.step) })
			}
		}
	}
	v := h.verdict(c.complete(-1)).negated()
	v.vacuous = v.truth == True && h.tries == 0
	return v
}

// count decides a claim that counts starts, states, plays or ancestors.
func (c *oneCase) count(p *ast.Count) verdict {
	k := c.constant(p.Value)
	switch p.Set {
	case "starts":
		list, limit := c.filtered(c.starts, p.Where, c.allStarts)
		return c.compareCount(p.Op, k, list, limit)
	case "winning":
		w, limit := c.winners(p.Where)
		return c.compareCount(p.Op, k, w, limit)
	case "plays":
		if p.Where != nil {
			wrongf("plays are counted by their number of moves alone")
		}
		return c.plays(c.moves(p.Of), p.Op, k)
	case "ancestors":
		return c.forgetting(func(c *oneCase) verdict { return c.ancestors(p, k) })
	}
	c.explore()
	var list []*state
	for _, n := range c.nodes {
		if p.Set == "states" || !n.s.live() {
			list = append(list, n.s)
		}
	}
	list, limit := c.filtered(positions(list), p.Where, c.complete(-1))
	return c.compareCount(p.Op, k, list, limit)
}

// filtered keeps the states that satisfy a condition. If the list is not complete, their number is
// open.
func (c *oneCase) filtered(list []*state, where ast.Expr, all bool) ([]*state, *verdict) {
	var out []*state
	holds := c.tester(where)
	for _, s := range list {
		if holds(s) {
			out = append(out, s)
		}
	}
	if !all {
		v := found(Open, "%d states are not all", len(list))
		return out, &v
	}
	return out, nil
}

func (c *oneCase) compareCount(op string, k num, list []*state, limit *verdict) verdict {
	if limit != nil {
		return *limit
	}
	return c.comparedTo(op, whole(len(list)), k)
}

func (c *oneCase) comparedTo(op string, n, k num) verdict {
	if compared(op, n, k) {
		return found(True, "there are %v", n)
	}
	return found(False, "there are %v", n)
}

// plays counts the plays of k moves, as the number of paths in the graph.
func (c *oneCase) plays(k int, op string, value num) verdict {
	c.explore()
	if !c.complete(k) {
		return found(Open, "%d states are not all", len(c.nodes))
	}
	ways := make([]num, len(c.nodes))
	for i := range c.starts {
		ways[i] = whole(1)
	}
	for range k {
		next := make([]num, len(c.nodes))
		any := false
		for i, n := range c.nodes {
			if ways[i].sign() == 0 {
				continue
			}
			c.spend(1)
			for _, t := range n.out {
				next[t.to] = next[t.to].add(ways[i])
				any = true
			}
		}
		if ways = next; !any {
			break
		}
	}
	var sum num
	for _, w := range ways {
		sum = sum.add(w)
	}
	return c.comparedTo(op, sum, value)
}

// winners lists the starts that satisfy a condition and from which some play wins.
func (c *oneCase) winners(where ast.Expr) ([]*state, *verdict) {
	c.explore()
	if !c.complete(-1) {
		v := found(Open, "%d states are not all", len(c.nodes))
		return nil, &v
	}
	wins := c.nodes.rounds(some, func(i int) bool { return c.won(c.nodes[i].s) })
	var list []*state
	for i, s := range c.starts {
		if wins[i] != none {
			list = append(list, s)
		}
	}
	return c.filtered(list, where, true)
}

// won reports whether somebody has won, by the outcome or by the score.
func (c *oneCase) won(s *state) bool {
	if s.live() {
		return false
	}
	kind := c.outcomes[s.outcome-1].kind
	return kind == ast.Win || kind == ast.End && len(c.players) > 1 && c.ahead(s) != none
}

// strategyWins follows the strategy from the winning starts: every play must end, and with a win.
func (c *oneCase) strategyWins(p *ast.StrategyWins) verdict {
	if c.settings.following != nil {
		wrongf("the claim follows a strategy already")
	}
	s := c.settings
	s.following = c.decision.file.strategy(p.Strategy.Name, c.game.variant)
	g := c.decision.file.newGame(c.game.variant, s, c.budgetOf(), c.game.lim)
	from, limit := c.winners(nil)
	if limit != nil {
		return *limit
	}
	f := &oneCase{decision: c.decision, game: g, settings: s, starts: from, allStarts: true, played: &played{starts: from}}
	f.explore()
	c.game.faults = c.game.faults || g.faults
	broken := false
	for _, n := range f.nodes {
		switch {
		case !n.done || len(n.out) > 0 || f.won(n.s):
		case n.s.live() && !f.stuck(n.s):
			broken = true
		default:
			return found(False, "a play by the strategy comes to %s", f.show(n.s))
		}
	}
	if _, ends := f.nodes.longest(); !ends {
		return found(False, "a play by the strategy never ends")
	}
	switch {
	case broken:
		return found(Fault, "there is a fault in the endings after a move of the strategy")
	case !f.complete(-1):
		return found(Open, "%d states are not all", len(f.nodes))
	}
	v := found(True, "from %d starts", len(from))
	v.vacuous = len(from) == 0
	v.hollow = !slices.ContainsFunc(from, (*state).live) // there is nothing to follow the strategy in
	return v
}

func (c *oneCase) budgetOf() *budget { return c.decision.budget }

// compareSets decides whether each state is listed, and each listed condition describes one. Of
// unsure states it is not known whether they belong to the set, and if all is false there may be
// more states.
func (c *oneCase) compareSets(states, unsure []*state, list []ast.Expr, all bool) verdict {
	listed, used := c.listed(states, list)
	mayBeListed, mayBeUsed := c.listed(unsure, list)
	switch missing := slices.Index(used, false); {
	case !listed:
		return found(False, "a state is not listed")
	case all && slices.Contains(either(used, mayBeUsed), false):
		return found(False, "no state satisfies a listed condition")
	case !all || !mayBeListed || missing >= 0:
		return found(Open, "%d states may not be all, or %d too many", len(states), len(unsure))
	}
	return found(True, "%d states", len(states))
}

// listed reports whether all states are listed, and which items of the list are used, because a
// state satisfies them.
func (c *oneCase) listed(states []*state, list []ast.Expr) (all bool, used []bool) {
	all, used = true, make([]bool, len(list))
	for _, s := range states {
		one := false
		for i, x := range list {
			if c.tester(x)(s) {
				used[i], one = true, true
			}
		}
		all = all && one
	}
	return all, used
}

// either is the disjunction of two lists.
func either(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i := range a {
		out[i] = a[i] || b[i]
	}
	return out
}

// show writes a state in words.
func (g *game) show(s *state) string {
	text := fmt.Sprint(s.seeds)
	for i, x := range g.slots {
		text += " " + x.name + "=" + g.text(x.decode(s.vars[i]))
	}
	if !s.live() {
		return text + " " + g.outcomes[s.outcome-1].label
	}
	return text + " " + g.players[s.mover] + " to move"
}
