package judge

import (
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// step is a legal move with its result.
type step struct {
	to      *state
	move    string // its label
	label   string // that of the last labelled choice, or else of the move
	written string
	last    int // the pit of its last seed; none: it sowed nothing
	lastWas num
	origin  int
	rank    num
}

// by reports whether a step is by the move or choice of this label; all are if it is nil.
func (t *step) by(l *ast.Label) bool { return l == nil || t.label == l.Text || t.move == l.Text }

// steps lists the steps of s: the legal moves with the greatest rank, concluded. A move with a
// fault in its guard, choices or body is not legal. If the fault is in an ending after it, the move
// is legal and counts for the ranks, but has no step.
func (g *game) steps(s *state) []*step {
	type play struct {
		after *scope
		t     *step
	}
	var best []play
	g.tries(s, false, func(e *scope, t *step) bool {
		if len(best) > 0 && t.rank.cmp(best[0].t.rank) > 0 {
			best = nil
		}
		if len(best) == 0 || t.rank.cmp(best[0].t.rank) == 0 {
			best = append(best, play{e, t})
		}
		return true
	})
	var out []*step
	for _, p := range best {
		if g.guarded(func() { g.conclude(p.after, p.t) }) {
			out = append(out, p.t)
		}
	}
	return out
}

// stuck reports whether the game goes on and the player to move has no legal move.
func (g *game) stuck(s *state) bool { return s.live() && !g.canMove(s, false) }

// canMove reports whether there is a legal move, or with noFallback one that is no fallback.
// Endings are not evaluated, since an ending may be what asks.
func (g *game) canMove(s *state, noFallback bool) bool {
	can := false
	g.tries(s, noFallback, func(*scope, *step) bool { can = true; return false })
	return can
}

// guarded runs f, and notes a fault.
func (g *game) guarded(f func()) (fine bool) {
	if faulty(f) {
		g.faults = true
		return false
	}
	return true
}

// tries makes all choices of all moves and executes the bodies. It yields the legal ones, with the
// scope in which they ended, until yield returns false. Where the player has to go on, only moves
// that go on are tried, without their guards.
func (g *game) tries(s *state, noFallback bool, yield func(*scope, *step) bool) {
	if !s.live() {
		return
	}
	for i, m := range g.moves {
		e := g.scope(inRules)
		e.s = s
		c := &choosing{game: g, m: m, number: i, label: label(m), notation: map[string]string{}, from: none, yield: yield}
		if g.goingOn != nil {
			if c.from = g.goingOn.from(s); c.from != none && g.goingOn.pit[i] < 0 {
				continue
			}
		}
		if noFallback && c.from == none && g.isFallback(m) {
			continue
		}
		g.guarded(func() {
			guard := *e
			guard.guard = true
			if c.from != none || m.When == nil || guard.cond(m.When) {
				c.choose(e, m.Choices)
			}
		})
		if c.enough {
			return
		}
	}
}

// isFallback reports whether a move is there only if no other is: its guard asks for other moves,
// or has a definition that does.
func (g *game) isFallback(m *ast.Move) bool { return m.When != nil && g.asksForOthers(m.When, g.defs) }

// asksForOthers looks into a definition with those before it.
func (g *game) asksForOthers(x ast.Expr, defs []ast.Node) bool {
	asks := false
	ast.Inspect(x, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.NoMove:
			asks = asks || n.Other
		case *ast.Name:
			name = n.Name
		case *ast.Call:
			name = n.Func.Name
		}
		for i, d := range defs {
			if d, is := d.(*ast.Define); is && d.Name.Name == name {
				asks = asks || g.asksForOthers(d.Value, defs[:i])
			}
		}
		return !asks
	})
	return asks
}

// label returns the label of a move, by which claims and records name it.
func label(m *ast.Move) string {
	if m.Label == nil {
		return "move"
	}
	return m.Label.Text
}

// choosing is a move whose choices are being made.
type choosing struct {
	*game
	m        *ast.Move
	number   int // of the move
	from     int // the pit from which the player has to go on; none: he does not
	label    string
	notation map[string]string // of the options that have one, by choice
	yield    func(*scope, *step) bool
	enough   bool
}

// option is one way to make a choice. in is the condition of its membership, or nil.
type option struct {
	v        value
	in       func() bool
	notation *ast.Label
	label    *ast.Label
}

// choose makes the remaining choices in all ways, one inside the other: later choices may depend on
// earlier ones. A fault in one option leaves the other options.
func (c *choosing) choose(e *scope, rest []*ast.Choice) {
	if len(rest) == 0 {
		c.try(e)
		return
	}
	ch := rest[0]
	options, asked := c.options, c.from == none || ch.EachLap // asked: the conditions are
	switch {
	case c.from == none:
	case len(c.m.Choices)-len(rest) == c.goingOn.pit[c.number]:
		options = c.only
	case ch.Later != nil:
		options = c.later
	}
	for _, o := range options(e, ch) {
		before := *c
		c.notation = map[string]string{}
		maps.Copy(c.notation, before.notation)
		if o.notation != nil {
			c.notation[ch.Name.Name] = o.notation.Text
		}
		if o.label != nil {
			c.label = o.label.Text
		}
		chosen := e.with(ch.Name.Name, o.v)
		c.guarded(func() {
			if !asked || (o.in == nil || o.in()) && (ch.Where == nil || chosen.cond(ch.Where)) {
				c.choose(chosen, rest[1:])
			}
		})
		if c.enough {
			return
		}
		c.notation, c.label = before.notation, before.label
	}
}

// only returns the pit to go on from as the only option.
func (c *choosing) only(*scope, *ast.Choice) []option { return []option{{v: pitOf(c.from)}} }

// later returns what a choice for the first lap is in later ones.
func (c *choosing) later(e *scope, ch *ast.Choice) []option {
	return []option{{v: c.settled(one(e.expr(ch.Later)))}}
}

// options lists the options of a choice: those written out, the values of a range, or the pits of a
// set, each pit once.
func (c *choosing) options(e *scope, ch *ast.Choice) []option {
	var out []option
	for _, o := range ch.Options() {
		out = append(out, option{v: c.settled(one(e.expr(o.Value))), notation: o.Notation, label: o.Label})
	}
	if ch.Options() != nil {
		return out
	}
	list, set, is := e.values(ch.Set)
	if is {
		for _, v := range list {
			out = append(out, option{v: v})
		}
		return out
	}
	seen := map[int]bool{}
	for _, m := range set.members() {
		if !seen[m.pit] {
			out = append(out, option{v: pitOf(m.pit), in: m.in})
		}
		seen[m.pit] = seen[m.pit] || m.in == nil
	}
	return out
}

// one converts a set of one pit to that pit.
func one(v value) value {
	if v.kind == setKind {
		return pitOf(v.pit())
	}
	return v
}

// try executes the body once all choices are made. The rank of a strategy is evaluated before the
// body, and that of `prefer` during it.
func (c *choosing) try(e *scope) {
	t := &step{move: label(c.m), label: c.label, written: c.written(e), last: none, origin: none}
	if f := c.following; f != nil && (f.By == nil || f.By.Text == t.move) {
		if !c.passes(f.Rank) {
			t.rank = e.rank(f.Rank)
		}
		if f.Least {
			t.rank = t.rank.neg()
		}
	}
	body := &scope{g: c.game, place: inRules, s: e.s.clone(), run: newRun()}
	if c.goingOn != nil && c.goingOn.pit[c.number] >= 0 {
		body.run.way = c.way(e)
		if c.from != none && body.run.way != c.goingOn.as(e.s) {
			return
		}
	}
	if c.goingOn != nil {
		c.goingOn.clear(body.s)
	}
	for _, ch := range c.m.Choices {
		v := e.find(ch.Name.Name).v
		if d := c.decls[ch.Name.Name]; d == nil {
			body = body.with(ch.Name.Name, v)
		} else {
			slot := body.slot(d, nil)
			body.store(slot, body.encoded(c.slots[slot], v))
		}
	}
	if body.block(c.m.Body) == illegal {
		return
	}
	if c.following == nil {
		t.rank = body.run.rank
	}
	t.to, t.last, t.lastWas, t.origin = body.s, body.run.last, body.run.lastWas, body.run.origin
	c.enough = !c.yield(body, t)
}

// passes reports whether this is a fallback without choices, while the rank of the strategy reads
// what other moves choose. Such a fallback has rank 0.
func (c *choosing) passes(rank ast.Expr) bool {
	if len(c.m.Choices) > 0 || !c.isFallback(c.m) {
		return false
	}
	for _, ch := range ast.All[*ast.Choice](c.variant) {
		name := ch.Name.Name
		if c.decls[name] == nil && reads(rank, name) && !binds(rank, name) {
			return true
		}
	}
	return false
}

// binds reports whether an expression binds a name itself.
func binds(x ast.Expr, name string) bool {
	return slices.ContainsFunc(ast.All[*ast.Quant](x), func(q *ast.Quant) bool { return q.Var.Name == name }) ||
		slices.ContainsFunc(ast.All[*ast.Filter](x), func(f *ast.Filter) bool { return f.Var.Name == name })
}

// written returns the notation of the move, in the state before it.
func (c *choosing) written(e *scope) string {
	list := c.m.Written
	if list == nil {
		for _, ch := range c.m.Choices {
			list = append(list, &ast.Name{Name: ch.Name.Name})
		}
	}
	if len(list) == 0 {
		return c.label
	}
	var items []string
	for _, x := range list {
		items = append(items, c.item(e, x))
	}
	return strings.Join(items, " ")
}

// item returns one item of a notation. One with a fault is written as `?`, since the move may be
// legal all the same.
func (c *choosing) item(e *scope, x ast.Expr) (text string) {
	switch x := x.(type) {
	case *ast.Text:
		return x.Value
	case *ast.Name:
		if n, ok := c.notation[x.Name]; ok {
			return n
		}
	}
	if faulty(func() { text = c.text(one(e.expr(x))) }) {
		return "?"
	}
	return text
}

// text returns the notation of a value.
func (g *game) text(v value) string {
	switch v.kind {
	case intKind:
		return v.n.String()
	case boolKind:
		return [...]string{"false", "true"}[v.i]
	case pitKind:
		if v.i == none {
			return "none"
		}
		return g.pits[v.i].name
	case playerKind:
		if v.i == none {
			return "none"
		}
		return g.players[v.i]
	case enumKind:
		return v.name
	case lapKind:
		return v.name
	}
	wrongf("%s cannot be written down", kindNames[v.kind])
	return ""
}

// conclude passes the turn after a body, and evaluates the endings and reactions.
func (g *game) conclude(e *scope, t *step) {
	if !t.to.live() {
		return
	}
	before := t.to.mover
	if t.to.mover = e.run.next; e.run.next == none {
		t.to.mover = (before + 1) % len(g.players)
	}
	g.settle(t.to, t.to.mover != before || len(g.players) == 1)
}

// settle evaluates the endings and reactions in order, each in the state that the ones before it
// left. Those at the end of a turn count only if turnOver; each move of a solitaire is a turn.
func (g *game) settle(s *state, turnOver bool) {
	for _, item := range g.variant.Items {
		if !s.live() {
			return
		}
		switch x := item.(type) {
		case *ast.Ending:
			if is, _ := g.saysRepeated(x.When); is {
				continue
			}
			if e := g.reacting(s); (turnOver || !x.AtTurnEnd) && e.cond(x.When) {
				g.forbid(x, true)
				over := g.outcome(&x.Verdict, s.mover)
				if e.demand(x.Body) == onward {
					e.finish(over)
				}
			}
		case *ast.Reaction:
			if e := g.reacting(s); (turnOver || !x.AtTurnEnd) && e.cond(x.When) {
				g.forbid(x, false)
				if e.demand(x.Body) == onward && e.run.next != none {
					s.mover = e.run.next
				}
			}
		}
	}
}

// reacting returns the scope of an ending or a reaction.
func (g *game) reacting(s *state) *scope {
	e := g.scope(inRules)
	e.s, e.settling = s, true
	return e
}

// demand executes the body of an ending or a reaction. It cannot be illegal, since the move before
// it has been made: that is a fault.
func (e *scope) demand(body []ast.Stmt) flow {
	e.run = newRun()
	end := e.block(body)
	if end == illegal {
		failf("what an ending or a reaction demands cannot be carried out")
	}
	return end
}

// newRun returns a run in which nothing has been sown and nobody was chosen to move next.
func newRun() *run { return &run{last: none, origin: none, next: none} }

// forbid panics with a mistake for statements that have no meaning in a reaction, or in an ending,
// also for those in the procedures that are called there.
func (g *game) forbid(x ast.Node, ending bool) {
	for _, s := range carries[ast.Stmt](g.defs, x) {
		switch s.(type) {
		case *ast.Again, *ast.Require, *ast.Prefer, *ast.GoOn:
			wrongf("this has no meaning after a move")
		case *ast.MovesNext, *ast.Finish:
			if ending {
				wrongf("this has no meaning once the game is over")
			}
		}
	}
}
