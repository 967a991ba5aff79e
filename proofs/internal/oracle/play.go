package oracle

import (
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// step is a legal move and what came of it.
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

// by tells whether a step is by the move or choice of this label; all are if it is nil.
func (t *step) by(l *ast.Label) bool { return l == nil || t.label == l.Text || t.move == l.Text }

// steps lists the steps of s. A move whose guard, choice or body meets a fault is not legal; one is
// legal, but no step, if the endings after it do.
func (g *game) steps(s *state) []*step {
	type play struct {
		after *scope
		t     *step
	}
	var best []play
	g.tries(s, func(e *scope, t *step) bool {
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

// stuck tells whether the game goes on and nobody can.
func (g *game) stuck(s *state) bool { return s.live() && !g.canMove(s) }

// canMove tells whether there is a legal move. What the endings make of it is another matter, since
// one of them may be asking.
func (g *game) canMove(s *state) bool {
	can := false
	g.tries(s, func(*scope, *step) bool { can = true; return false })
	return can
}

// guarded runs f, and makes a note if that meets a fault.
func (g *game) guarded(f func()) (fine bool) {
	if faulty(f) {
		g.faults = true
		return false
	}
	return true
}

// tries makes all choices of all moves and carries out the bodies. It hands on those that can be,
// with the scope that they ended in, until yield says no.
func (g *game) tries(s *state, yield func(*scope, *step) bool) {
	if !s.live() {
		return
	}
	for _, m := range items[*ast.Move](g.variant) {
		e := g.scope(inRules)
		e.s = s
		c := &choosing{game: g, m: m, label: label(m), notation: map[string]string{}, yield: yield}
		g.guarded(func() {
			if m.When == nil || e.cond(m.When) {
				c.choose(e, m.Choices)
			}
		})
		if c.enough {
			return
		}
	}
}

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
	label    string
	notation map[string]string // of the options that have one, by choice
	yield    func(*scope, *step) bool
	enough   bool
}

// option is one way to make a choice.
type option struct {
	v        value
	in       func() bool
	notation *ast.Label
	label    *ast.Label
}

func (c *choosing) choose(e *scope, rest []*ast.Choice) {
	if len(rest) == 0 {
		c.try(e)
		return
	}
	ch := rest[0]
	for _, o := range c.options(e, ch) {
		before := *c
		c.notation = map[string]string{}
		for k, v := range before.notation {
			c.notation[k] = v
		}
		if o.notation != nil {
			c.notation[ch.Name.Name] = o.notation.Text
		}
		if o.label != nil {
			c.label = o.label.Text
		}
		chosen := e.with(ch.Name.Name, o.v)
		c.guarded(func() {
			if (o.in == nil || o.in()) && (ch.Where == nil || chosen.cond(ch.Where)) {
				c.choose(chosen, rest[1:])
			}
		})
		if c.enough {
			return
		}
		c.notation, c.label = before.notation, before.label
	}
}

func (c *choosing) options(e *scope, ch *ast.Choice) []option {
	var out []option
	for _, o := range ch.Options() {
		out = append(out, option{v: one(e.expr(o.Value)), notation: o.Notation, label: o.Label})
	}
	if ch.Options() != nil {
		return out
	}
	v := e.expr(ch.Set)
	switch v.kind {
	case rangeKind:
		for n := v.list[0].n; n.cmp(v.list[1].n) <= 0; n = n.add(whole(1)) {
			c.spend(1)
			out = append(out, option{v: number(n)})
		}
	case listKind:
		for _, x := range v.list {
			out = append(out, option{v: x})
		}
	default:
		seen := map[int]bool{}
		for _, m := range v.members() {
			if !seen[m.pit] {
				out = append(out, option{v: pitOf(m.pit), in: m.in})
			}
			seen[m.pit] = seen[m.pit] || m.in == nil
		}
	}
	return out
}

// one makes a set of one pit that pit.
func one(v value) value {
	if v.kind == setKind {
		return pitOf(v.pit())
	}
	return v
}

// try carries out the body with all choices made.
func (c *choosing) try(e *scope) {
	t := &step{move: label(c.m), label: c.label, written: c.written(e), last: none, origin: none}
	if f := c.following; f != nil && (f.By == nil || f.By.Text == t.move) {
		if t.rank = e.rank(f.Rank); f.Least {
			t.rank = t.rank.neg()
		}
	}
	body := &scope{g: c.game, place: inRules, s: e.s.clone(), run: &run{last: none, origin: none}}
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

// written is how the move is written down, in the state before it.
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

// text is a value as it is written.
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
		return v.lap.name
	}
	wrongf("%s cannot be written down", kindNames[v.kind])
	return ""
}

// conclude passes the turn after a body, and looks at the endings.
func (g *game) conclude(e *scope, t *step) {
	if !t.to.live() {
		return
	}
	before := t.to.mover
	if !e.run.again {
		t.to.mover = (before + 1) % len(g.players)
	}
	g.settle(t.to, t.to.mover != before || len(g.players) == 1)
}

// settle looks at the endings in order. Those at the end of a turn count only after one; each move
// of a solitaire is a turn.
func (g *game) settle(s *state, turnOver bool) {
	for _, x := range items[*ast.Ending](g.variant) {
		e := g.scope(inRules)
		e.s = s
		switch {
		case x.AtTurnEnd && !turnOver:
			continue
		case noMove(x) && g.canMove(s):
			continue
		case !noMove(x) && !e.cond(x.When):
			continue
		}
		e.run = &run{last: none, origin: none}
		ast.Inspect(x, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.Again, *ast.Require, *ast.Prefer, *ast.Finish:
				wrongf("this has no meaning once the game is over")
			}
			return true
		})
		switch e.block(x.Body) {
		case illegal:
			failf("what an ending demands cannot be carried out")
		case onward:
			e.finish(g.outcome(x.Kind, x.Label))
		}
		return
	}
}

func noMove(x *ast.Ending) bool {
	_, is := x.When.(*ast.NoMove)
	return is
}
