package oracle

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// worth is what a state is worth to the player who was declared first: from lo to hi, each of which
// may be missing.
type worth struct {
	lo, hi     num
	noLo, noHi bool
}

func (w worth) known() bool { return !w.noLo && !w.noHi && w.lo.cmp(w.hi) == 0 }

// won is what is known of who wins.
func (w worth) won() worth {
	if w.noLo {
		w.lo, w.noLo = whole(-1), false
	}
	if w.noHi {
		w.hi, w.noHi = whole(1), false
	}
	return w
}

// forOther is the same, as the other player sees it.
func (w worth) forOther() worth { return worth{w.hi.neg(), w.lo.neg(), w.noHi, w.noLo} }

// compare tells whether a comparison holds for all numbers that the value may be, or for none.
func (w worth) compare(op string, n num) Truth {
	above := !w.noLo && w.lo.cmp(n) > 0
	below := !w.noHi && w.hi.cmp(n) < 0
	atLeast := !w.noLo && w.lo.cmp(n) >= 0
	atMost := !w.noHi && w.hi.cmp(n) <= 0
	is := w.known() && w.lo.cmp(n) == 0
	yes, no := is, above || below
	switch op {
	case "/=", "!=":
		yes, no = no, yes
	case "<":
		yes, no = below, atLeast
	case "<=":
		yes, no = atMost, above
	case ">":
		yes, no = above, atMost
	case ">=":
		yes, no = atLeast, below
	}
	switch {
	case yes:
		return True
	case no:
		return False
	}
	return Open
}

// spots are the positions that a claim is about, among all states that play comes to from them.
type spots struct {
	*oneCase
	at []int // numbers of nodes
}

// spots explores from a place. A move that cannot be made is a mistake.
func (c *oneCase) spots(p *ast.Place) *spots {
	in := c
	if p.Name.Name != "start" {
		s := c.settings
		s.begin = c.decision.file.position(p.Name.Name, c.game.variant)
		in = c.play(c.game.variant, s)
		if s.begin.Picture == nil {
			wrongf("%s is not drawn", p.Name.Name)
		}
		for _, cell := range s.begin.Picture.Cells {
			if cell.Any {
				wrongf("%s leaves seeds open", p.Name.Name)
			}
		}
	}
	in.explore()
	if !in.complete(-1) {
		exceedf("%d states are not all", len(in.nodes))
	}
	out := &spots{oneCase: in}
	for i := range in.starts {
		n := i
		for _, m := range p.After {
			n = in.after(n, m.Text, c)
		}
		if !slices.Contains(out.at, n) {
			out.at = append(out.at, n)
		}
	}
	c.game.faults = c.game.faults || in.game.faults
	return out
}

// after is the node that the move of this notation leads to.
func (c *oneCase) after(n int, move string, asking *oneCase) int {
	to := none
	for _, t := range c.nodes[n].out {
		if squeeze(t.written) != squeeze(move) {
			continue
		}
		if to != none && to != t.to {
			asking.game.faults = true // an error is due, whatever is found for other values of a parameter
			wrongf("%s is the notation of several moves", move)
		}
		to = t.to
	}
	if to == none {
		asking.game.faults = true
		wrongf("%s is not legal", move)
	}
	return to
}

// reach lists the nodes that play from the positions comes to.
func (s *spots) reach() []int {
	seen := map[int]bool{}
	var list []int
	add := func(n int) {
		if !seen[n] {
			seen[n] = true
			list = append(list, n)
		}
	}
	for _, n := range s.at {
		add(n)
	}
	for i := 0; i < len(list); i++ {
		for _, t := range s.nodes[list[i]].out {
			add(t.to)
		}
	}
	return list
}

// endlessPlay is what the claim says of plays that never end.
func (c *oneCase) endlessPlay() *ast.Endless {
	for _, cl := range c.claim.Clauses {
		if e, ok := cl.(*ast.Endless); ok {
			return e
		}
	}
	return nil
}

// contest finds what states are worth.
type contest struct {
	*spots
	list    []int // nodes
	margin  bool  // by how much somebody is ahead counts
	endless *ast.Endless
	paid    map[int]num // by node: what a finished state is worth, or the score as it stands
}

// values finds what the positions of a claim and all states behind them are worth.
func (s *spots) values(who bool) map[int]worth {
	if len(s.players) > 2 {
		wrongf("a game of %d players has no value", len(s.players))
	}
	c := &contest{spots: s, list: s.reach(), endless: s.endlessPlay(), paid: map[int]num{}}
	c.margin = !who && len(items[*ast.Score](s.game.variant)) > 0
	for _, o := range s.outcomes {
		c.margin = c.margin && (o.kind == ast.End || o.kind == endless)
	}
	for _, n := range c.list {
		c.pay(n)
	}
	c.steady()
	return c.worths()
}

// lead is the score of the first player less that of the other one, or who is ahead.
func (c *contest) lead(st *state) num {
	points, scored := c.scores(st)
	if !scored {
		exceedf("there is no score")
	}
	lead := points[0]
	if len(points) > 1 {
		lead = lead.sub(points[1])
	}
	if !c.margin {
		return whole(lead.sign())
	}
	return lead
}

// pay notes what a state is worth if nobody moves any more. What the rules leave open is.
func (c *contest) pay(n int) {
	st := c.nodes[n].s
	if st.live() {
		if len(c.nodes[n].out) == 0 {
			exceedf("a player has no move")
		}
		if c.endless != nil && c.endless.Scored {
			c.paid[n] = c.lead(st)
		}
		return
	}
	switch o := c.outcomes[st.outcome-1]; {
	case o.kind == endless && c.endless == nil:
		exceedf("a move never ends")
	case o.kind == endless && !c.endless.Scored:
	case o.kind == endless, c.margin:
		c.paid[n] = c.lead(st)
	case o.kind == ast.Draw:
	case o.kind == ast.Win && (o.winner == 0 || o.winner == none):
		c.paid[n] = whole(1)
	case o.kind == ast.Win, o.kind == ast.Lose:
		c.paid[n] = whole(-1)
	case len(c.players) < 2:
		exceedf("nobody knows who has won")
	default:
		c.paid[n] = c.lead(st)
	}
}

// steady complains of a score that changes where play can come back.
func (c *contest) steady() {
	if c.endless == nil || !c.endless.Scored {
		return
	}
	for _, n := range c.list {
		for _, t := range c.nodes[n].out {
			if !c.nodes[t.to].s.live() || c.paid[n].cmp(c.paid[t.to]) == 0 {
				continue
			}
			if back := (&spots{c.oneCase, []int{t.to}}); slices.Contains(back.reach(), n) {
				exceedf("the score changes while play goes on for ever")
			}
			c.spend(len(c.list))
		}
	}
}

// worths asks of every number whether the second player can hold the first below it. Where nothing
// says what a play is worth that never ends, it is once below all numbers and once below none.
func (c *contest) worths() map[int]worth {
	numbers := []num{whole(0)}
	for _, n := range c.list {
		numbers = append(numbers, c.paid[n])
	}
	slices.SortFunc(numbers, num.cmp)
	numbers = slices.CompactFunc(numbers, func(a, b num) bool { return a.cmp(b) == 0 })
	out := map[int]worth{}
	for _, n := range c.list {
		out[n] = worth{noLo: true}
	}
	note := func(x num, lower bool, gets func(w *worth)) {
		held := c.held(x, lower)
		for _, n := range c.list {
			if !held[n] {
				w := out[n]
				gets(&w)
				out[n] = w
			}
		}
	}
	for _, x := range numbers {
		note(x, true, func(w *worth) { w.lo, w.noLo = x, false })
		note(x, false, func(w *worth) { w.hi = x })
	}
	beyond := numbers[len(numbers)-1].add(whole(1))
	note(beyond, false, func(w *worth) { w.noHi = true })
	for n, w := range out {
		if !c.margin { // an endless play is a win at best, and a loss at worst
			out[n] = w.won()
		}
	}
	return out
}

// held marks the states in which the second player can hold the first below a number. He can where
// a move leads to such a state, or to one from where he can bring play back again and again, to
// states in which what never ends is worth too little.
func (c *contest) held(x num, lower bool) map[int]bool {
	tooLittle := func(n int) bool {
		switch {
		case !c.nodes[n].s.live():
			return c.paid[n].cmp(x) < 0
		case c.endless == nil:
			return lower
		}
		return c.paid[n].cmp(x) < 0
	}
	held := map[int]bool{}
	for {
		keeps := map[int]bool{}
		for _, n := range c.list {
			keeps[n] = true
		}
		for changed := true; changed; {
			changed = false
			c.spend(len(c.list))
			for _, n := range c.list {
				if keeps[n] && !c.holds(n, func(to int) bool { return held[to] || keeps[to] && tooLittle(to) }, tooLittle) {
					delete(keeps, n)
					changed = true
				}
			}
		}
		if len(keeps) == len(held) {
			return held
		}
		held = keeps
	}
}

// holds tells whether one more move, if it is not over, leads to what will do.
func (c *contest) holds(n int, will, tooLittle func(int) bool) bool {
	node := c.nodes[n]
	if !node.s.live() {
		return tooLittle(n)
	}
	for _, t := range node.out {
		if will(t.to) != (node.s.mover == 0) {
			return node.s.mover != 0
		}
	}
	return node.s.mover == 0
}

// all is True if it is true of each position, and False if it is false of one.
func (s *spots) all(test func(n int) Truth) verdict {
	out := found(True, "of %d positions", len(s.at))
	for _, n := range s.at {
		switch test(n) {
		case False:
			return found(False, "in %s", s.show(s.nodes[n].s))
		case Open:
			out = found(Open, "in %s", s.show(s.nodes[n].s))
		}
	}
	return out
}

func (c *oneCase) value(p *ast.Value) verdict {
	k := c.constant(p.Value)
	player := none
	if p.Player != nil {
		player = c.game.player(p.Player.Name)
	}
	s := c.spots(&p.Of)
	values := s.values(false)
	return s.all(func(n int) Truth {
		of := player
		if of == none {
			of = s.nodes[n].s.mover
		}
		if of == none {
			of = 0 // it is over
		}
		w := values[n]
		if of > 0 {
			w = w.forOther()
		}
		return w.compare(p.Op, k)
	})
}

// named is a player who has a name.
func (c *oneCase) named(name string) int {
	if len(c.players) < 2 {
		wrongf("in a solitaire nobody has a name")
	}
	return c.game.player(name)
}

func (c *oneCase) winner(p *ast.Winner) verdict {
	if len(c.players) < 2 {
		wrongf("in a solitaire nobody has a name")
	}
	want := whole(0)
	if !p.None {
		want = whole(1 - 2*c.named(p.Player.Name))
	}
	s := c.spots(&p.Of)
	values := s.values(true)
	return s.all(func(n int) Truth { return values[n].compare(p.Op, want) })
}

func (c *oneCase) best(p *ast.Best) verdict {
	listed := map[string]bool{}
	var exact []string
	for _, m := range p.Moves {
		if slices.Contains(exact, m.Text) {
			wrongf("%s is listed twice", m.Text)
		}
		exact = append(exact, m.Text)
		listed[squeeze(m.Text)] = true
	}
	s := c.spots(&p.Of)
	values := s.values(false)
	return s.all(func(n int) Truth {
		best := map[string]bool{}
		for _, t := range s.nodes[n].out {
			w := values[t.to]
			switch {
			case !values[n].known() || !w.known() && w.compare("=", values[n].lo) != False:
				return Open
			case w.known() && w.lo.cmp(values[n].lo) == 0:
				best[squeeze(t.written)] = true
			}
		}
		if fmt.Sprint(best) == fmt.Sprint(listed) { // maps are printed in the order of their keys
			return True
		}
		return False
	})
}

// force finds in how many moves a player can force the goal, from what takes few moves to what
// takes more.
func (c *oneCase) force(p *ast.Force) verdict {
	player, within := c.named(p.Player.Name), c.moves(p.Within)
	from := p.From
	if from == nil {
		from = &ast.Place{Name: ast.Ident{Name: "start"}}
	}
	s := c.spots(from)
	if from.Name.Name != "start" || len(from.After) > 0 {
		c.noStart(p.Goal)
	}
	goal := s.tester(p.Goal)
	list := s.reach()
	moves := map[int]int{}
	for _, n := range list {
		if goal(s.nodes[n].s) {
			moves[n] = 0
		}
	}
	for k := 1; ; k++ {
		next := map[int]int{}
		for _, n := range list {
			if _, done := moves[n]; !done && s.forces(n, player, moves) {
				next[n] = k
			}
		}
		s.spend(len(list))
		if len(next) == 0 {
			break
		}
		for n := range next {
			moves[n] = k
		}
	}
	return s.all(func(n int) Truth {
		if k, can := moves[n]; can && (within < 0 || k <= within) {
			return True
		}
		return False
	})
}

// forces tells whether the player to move can, or has to, go where the goal is forced.
func (s *spots) forces(n, player int, moves map[int]int) bool {
	node := s.nodes[n]
	if !node.s.live() || len(node.out) == 0 {
		return false
	}
	mine := node.s.mover == player
	for _, t := range node.out {
		if _, can := moves[t.to]; can == mine {
			return mine
		}
	}
	return !mine
}

// noStart leaves it open what `start` means where play goes on from elsewhere.
func (c *oneCase) noStart(x ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		if name, ok := n.(*ast.Name); ok {
			if p := c.decision.file.positions[name.Name]; name.Name == "start" || p != nil && p.Where != nil {
				exceedf("what a start is")
			}
		}
		return true
	})
}
