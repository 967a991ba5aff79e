package judge

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// worth is the value of a state to the player who was declared first: from lo to hi. An end that is
// missing may be any number.
type worth struct {
	lo, hi     num
	noLo, noHi bool
}

func (w worth) known() bool { return !w.noLo && !w.noHi && w.lo.cmp(w.hi) == 0 }

// forOther returns the same value for the other player.
func (w worth) forOther() worth { return worth{w.hi.neg(), w.lo.neg(), w.noHi, w.noLo} }

// compare is True if a comparison holds for all numbers that the value may be, False if it holds
// for none, and else Undecided.
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
	return Undecided
}

// spots are the positions that a claim is about, with the graph of all states reachable from them.
type spots struct {
	*oneCase
	graph
	at []int // numbers of nodes
}

// spots explores from a place. A move there that is not legal is a mistake.
func (c *oneCase) spots(p *ast.Place) *spots {
	in := c
	if c.repeats.verdict != nil && len(p.After) > 0 {
		exceedf("a play that begins after others")
	}
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
	var at []int
	for i := range in.starts {
		n := i
		for _, m := range p.After {
			n = in.after(n, m.Text, c)
		}
		if !slices.Contains(at, n) {
			at = append(at, n)
		}
	}
	c.game.faults = c.game.faults || in.game.faults
	out := &spots{oneCase: in}
	out.graph, out.at = in.nodes.from(at)
	return out
}

// after returns the node to which the move with a notation leads. asking is the case to blame if
// there is none, or more than one.
func (c *oneCase) after(n int, move string, asking *oneCase) int {
	to := none
	for _, t := range c.nodes[n].out {
		if squeeze(t.written) != squeeze(move) {
			continue
		}
		if to != none && to != t.to {
			asking.game.faults = true // mancheck may report it whatever is found for other values of a parameter
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

// endlessPlay returns the clause of the claim about plays that never end, or nil.
func (c *oneCase) endlessPlay() *ast.Endless {
	if c.repeats.verdict != nil {
		return c.endlessUnder()
	}
	return c.endlessClause()
}

// endlessClause is the clause of the claim about it.
func (c *oneCase) endlessClause() *ast.Endless {
	for _, cl := range c.claim.Clauses {
		if e, ok := cl.(*ast.Endless); ok {
			return e
		}
	}
	return nil
}

// contest finds the values of states.
type contest struct {
	*spots
	margin  bool // the value is the margin of the scores, and not only who wins
	endless *ast.Endless
	pays    []worth // by node: what a play is worth that ends there, or comes back for ever
}

// values finds the values of the positions of a claim and of all states reachable from them. If
// who, only the winner counts. The margin counts only if every ending leaves the winner to the
// score.
func (s *spots) values(who bool) []worth {
	if len(s.players) > 2 {
		wrongf("a game of %d players has no value", len(s.players))
	}
	c := &contest{spots: s, endless: s.endlessPlay()}
	c.margin = !who && c.scored()
	for _, o := range s.outcomes {
		c.margin = c.margin && (o.kind == ast.End || o.kind == endless)
	}
	for _, n := range c.graph {
		c.pays = append(c.pays, c.pay(n))
	}
	return c.worths()
}

// exactly is a worth that is known.
func exactly(n num) worth { return worth{lo: n, hi: n} }

// scored reports whether the rules have a score.
func (c *contest) scored() bool { return len(ast.Items[*ast.Score](c.game.variant)) > 0 }

// lead returns the score of the first player minus that of the other one, or only its sign.
func (c *contest) lead(st *state) worth {
	points, _ := c.scores(st)
	lead := points[0]
	if len(points) > 1 {
		lead = lead.sub(points[1])
	}
	if !c.margin {
		lead = whole(lead.sign())
	}
	return exactly(lead)
}

// open returns the value of a play that the rules leave open: any number that the claim can
// distinguish.
func (c *contest) open() worth {
	if c.margin {
		return worth{noLo: true, noHi: true}
	}
	return worth{lo: whole(-1), hi: whole(1)}
}

// pay returns the value of a play that ends in a state, or that comes back to it for ever.
func (c *contest) pay(n *node) worth {
	st := n.s
	if st.live() && len(n.out) == 0 {
		return c.open()
	}
	if st.live() || c.outcomes[st.outcome-1].kind == endless {
		switch {
		case c.endless == nil, c.endless.Scored && !c.scored():
			return c.open()
		case c.endless.Scored:
			return c.lead(st)
		}
		return exactly(whole(0))
	}
	switch o := c.outcomes[st.outcome-1]; {
	case c.margin:
		return c.lead(st)
	case o.kind == ast.Draw:
		return exactly(whole(0))
	case o.kind == ast.Win && (o.winner == 0 || o.winner == none):
		return exactly(whole(1))
	case o.kind == ast.Win, o.kind == ast.Lose:
		return exactly(whole(-1))
	case len(c.players) < 2 || !c.scored():
		return c.open()
	}
	return c.lead(st)
}

// worths asks for every number x whether the second player can perhaps keep the first below x, and
// whether the first can perhaps get more than x. The second perhaps can if he can bring play again
// and again to states that may be worth less than x. If not, x is a lower bound; and in the same
// way an upper one.
func (c *contest) worths() []worth {
	var numbers []num
	for _, w := range c.pays {
		if !w.noLo {
			numbers = append(numbers, w.lo)
		}
		if !w.noHi {
			numbers = append(numbers, w.hi)
		}
	}
	slices.SortFunc(numbers, num.cmp)
	numbers = slices.CompactFunc(numbers, func(a, b num) bool { return a.cmp(b) == 0 })
	out := make([]worth, len(c.graph))
	for i := range out {
		out[i] = worth{noLo: true, noHi: true}
	}
	first := byPlayer(0)
	second := func(n *node) bool { return !first(n) }
	for _, x := range numbers {
		c.spend(len(c.graph))
		less := c.again(second, func(i int) bool { return c.pays[i].noLo || c.pays[i].lo.cmp(x) < 0 })
		more := c.again(first, func(i int) bool { return c.pays[i].noHi || c.pays[i].hi.cmp(x) > 0 })
		for i := range out {
			if w := &out[i]; !less[i] {
				w.lo, w.noLo = x, false
			}
			if w := &out[i]; !more[i] && w.noHi {
				w.hi, w.noHi = x, false
			}
		}
	}
	return out
}

// all decides a test for all positions: False if it is False for one of them.
func (s *spots) all(test func(n int) Truth) verdict {
	out := found(True, "of %d positions", len(s.at))
	for _, n := range s.at {
		switch test(n) {
		case False:
			return found(False, "in %s", s.show(s.graph[n].s))
		case Undecided:
			out = found(Undecided, "in %s", s.show(s.graph[n].s))
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
			of = s.graph[n].s.mover
		}
		w := values[n]
		if of > 0 {
			w = w.forOther()
		}
		return w.compare(p.Op, k)
	})
}

// named returns the player with a name, which a solitaire's does not have.
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
	if c.repeats.verdict != nil {
		exceedf("plays that begin after each move")
	}
	values := s.values(false)
	return s.all(func(n int) Truth {
		best := map[string]bool{}
		if !values[n].known() {
			return Undecided
		}
		for _, t := range s.graph[n].out {
			w := values[t.to]
			switch {
			case !w.known() && w.compare("=", values[n].lo) != False:
				return Undecided
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

// force finds in how many moves a player can force the goal from each position.
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
	moves := s.rounds(byPlayer(player), func(i int) bool { return goal(s.graph[i].s) })
	return s.all(func(n int) Truth {
		if k := moves[n]; k != none && (within < 0 || k <= within) {
			return True
		}
		return False
	})
}

// noStart leaves a claim open that reads `start` while play goes on from elsewhere.
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
