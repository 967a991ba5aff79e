package body

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Actions makes what players may do and what follows it: moves, reactions and scores.
type Actions struct {
	Game *term.Scope
	*Bodies
	Following *ast.Strategy // restricts moves to those of a strategy; nil: no restriction
	Whole     bool          // the board is only shown, so a setup and moves may be missing
}

// maxActions bounds the actions of a variant: the ways to make all choices of its moves.
const maxActions = 1 << 16

// option is one way to make a choice.
type option struct {
	value    term.Value
	text     string // as written in the rules
	notation string // as written in a notation of its own; may be empty
	label    string
	cond     rules.Expr // the condition under which it exists; nil: always
}

// choosing is an action under construction: the choices made so far, and the guard they need.
type choosing struct {
	env    term.Env
	common *Bodies
	onward bool // it continues an earlier lap; see goon.go
	goes   bool // the move can go on to another lap
	action rules.Action
	store  []rules.Stmt // statements that keep choices in state variables
	made   []option     // of the choices in their order
	guard  []asked      // what the guard is made of
}

// labelOf returns the label of a move, which is "move" if it has none.
func labelOf(m *ast.Move) string {
	if m.Label == nil {
		return "move"
	}
	return m.Label.Text
}

// choosing begins an action of a move for one player.
func (a *Actions) choosing(m *ast.Move, player int) choosing {
	e := term.NewEnv(a.Game, term.InGuard)
	e.Mover = player
	c := choosing{env: e, common: a.Bodies, goes: len(bind.CarriedOut[*ast.GoOn](a.Game.Bound, m)) > 0}
	c.action = rules.Action{Move: len(a.Game.Sys.Moves) - 1, Mover: player, Label: labelOf(m), Guard: rules.True}
	return c
}

// ordinary begins an action that the player may choose, as opposed to one that continues a lap of
// an earlier move.
func (a *Actions) ordinary(m *ast.Move, player int) choosing {
	c := a.choosing(m, player)
	if a.Going != nil {
		c.demand(asked{cond: a.Going.is(rules.None, 0)})
	}
	if m.When != nil {
		guard := c.env
		guard.Falls = true
		// A fallback is legal only if no other move is. The second case catches definitions that
		// ask for it.
		when := a.Marks.ask(guard, m.When, rules.GuardPlace, rules.None)
		c.action.Fallback = slices.ContainsFunc(ast.All[*ast.NoMove](m.When), func(x *ast.NoMove) bool { return x.Other }) ||
			rules.AsksFor(when.cond, rules.NoMove)
		c.demand(when)
	}
	return c
}

// choices makes the remaining choices in every possible way, each with the function choose, and
// calls done for each way.
func (a *Actions) choices(m *ast.Move, rest []*ast.Choice, c choosing, choose func(choosing, *ast.Choice, option) choosing, done func(choosing)) {
	if len(rest) == 0 {
		done(c)
		return
	}
	ch := rest[0]
	for _, o := range c.options(ch) {
		if a.tooMany(m) {
			return
		}
		a.choices(m, rest[1:], choose(c, ch, o), choose, done)
	}
}

// tooMany reports too many ways to make choices.
func (a *Actions) tooMany(m *ast.Move) bool {
	if len(a.Game.Sys.Actions) > maxActions {
		a.Game.Run.Diags.Errorf(diag.TooBig, m.Range, "more than %d ways to make the choices of this variant", maxActions)
		return true
	}
	return false
}

// take makes one choice and adds the conditions under which the player has it to the guard.
func (c choosing) take(ch *ast.Choice, o option) choosing {
	out := c.make(ch, o)
	if o.cond != nil {
		out.demand(asked{cond: o.cond})
	}
	if ch.Where != nil {
		out.demand(c.common.Marks.ask(out.env, ch.Where, rules.GuardPlace, rules.None))
	}
	return out
}

// make makes one choice without its conditions. The result shares no memory with c that is changed
// later.
func (c choosing) make(ch *ast.Choice, o option) choosing {
	c.env.Game.Run.Spend(1 + len(c.made))
	out := c
	out.env = c.env.With(c.env.Symbol(&ch.Name), o.value)
	if o.label != "" {
		out.action.Label = o.label
	}
	out.made = append(slices.Clip(c.made), o)
	if x := c.env.Game.Bound.Symbol(ch.Name.Name); x != nil && x.Kind != bind.ValueName {
		out.store = slices.Concat(c.store, c.keep(ch, x, o))
	}
	return out
}

// demand adds a condition to the guard.
func (c *choosing) demand(a asked) {
	c.action.Guard = rules.Join(rules.And, c.action.Guard, a.cond)
	c.guard = append(slices.Clip(c.guard), a)
}

// keep returns the statements that store a choice in the state variable of the same name.
func (c choosing) keep(ch *ast.Choice, x *bind.Symbol, o option) []rules.Stmt {
	if x.Kind != bind.VariableName {
		if _, made := c.env.Game.Made[x]; made || len(x.Decls) > 0 {
			c.env.Game.Run.Diags.Errorf(diag.Duplicate, ch.Name.Range, "`%s` is declared already, as %s", ch.Name.Name, x.Kind.Article())
		}
		return nil
	}
	v := c.env.Game.Variable(x)
	if v.EachName != "" {
		c.env.Game.Run.Diags.Errorf(diag.Arity, ch.Name.Range, "`%s` exists for each %s and cannot be chosen by name alone", v.Name, v.EachName)
		return nil
	}
	return single(rules.Set{To: rules.VarAt(v.Table[0]), X: term.AsType(c.env, v.Type, o.value, ch.Name.Range), At: ch.Range})
}

// choiceOf returns the choice as the kernel records it.
func choiceOf(o option) rules.Choice {
	ch := rules.Choice{Text: o.text}
	ch.Value, _ = term.ConstOf(o.value.X)
	switch o.value.Type.Kind {
	case term.PitKind:
		ch.Type = rules.PitType
	case term.PlayerKind:
		ch.Type = rules.PlayerType
	case term.LapKind:
		ch.Value = o.value.Lap
	}
	return ch
}

// finishAction resolves the body with all choices made, and adds the action unless its guard is
// false.
func (a *Actions) finishAction(m *ast.Move, c choosing) {
	made := c.action
	e := newBody(c.env, a.Bodies, inMove)
	made.Choices = append(made.Choices, lists.Map(c.made, choiceOf)...)
	made.Written = c.written(m)
	e.env.Place = term.InBody
	e.way, e.onward = c.wayOf(m), c.onward
	var begun []rules.Stmt // it resets the variables of `go on` where an earlier lap is continued
	if c.onward {
		begun = a.Going.set(rules.FixedPit(rules.None), 0, diag.Range{})
	}
	made.Body = slices.Concat(c.rank(a.Following, m), begun, c.store, e.block(m.Body))
	made.Locals = *e.slots
	if made.Guard == rules.False {
		return
	}
	a.Game.Sys.Actions = append(a.Game.Sys.Actions, made)
}

// written returns the notation of an action: the items of `written`, or else the choices, or else
// the label.
func (c choosing) written(m *ast.Move) []rules.Written {
	var out []rules.Written
	if m.Written == nil {
		for _, ch := range m.Choices {
			out = append(out, c.item(m, ch.Name.Name, c.env.Name(&ch.Name, ch.Name.Range), ch.Name.Range))
		}
		if len(out) == 0 {
			out = append(out, rules.Written{Text: c.action.Label})
		}
		return out
	}
	for _, x := range m.Written {
		switch x := x.(type) {
		case *ast.Text:
			out = append(out, rules.Written{Text: x.Value})
		case *ast.Name:
			out = append(out, c.item(m, x.Name, c.env.Expr(x), x.Range))
		default:
			out = append(out, c.item(m, "", c.env.Expr(x), x.Span()))
		}
	}
	return out
}

// item resolves one item of a notation, which is a value or has a name. What it shows must be known
// before the move is made.
func (c choosing) item(m *ast.Move, name string, v term.Value, at diag.Range) rules.Written {
	for i, o := range slices.Backward(c.made) {
		if o.notation != "" && m.Choices[i].Name.Name == name {
			return rules.Written{Text: o.notation}
		}
	}
	if v.Either != nil {
		v = term.LonelyName(c.env, v, at)
	}
	switch v.Type.Kind {
	case term.LapKind, term.PlayerKind, term.EnumKind, term.EnumNameKind, term.BoolKind:
		if _, fixed := term.ConstOf(v.X); fixed || v.X == nil && v.Type.Kind != term.BadKind {
			return rules.Written{Text: c.env.Game.Text(v)}
		}
		c.env.Game.Run.Diags.Errorf(diag.NotConstant, at, "only numbers and pits can be written down as they are before the move")
		return rules.Written{}
	case term.SetKind:
		v = term.PitValue(term.AsPit(c.env, v, at))
	}
	if v.X == nil {
		c.env.Game.Run.Mismatch(at, "something that can be written down", v)
		return rules.Written{}
	}
	return rules.Written{X: v.X, Pit: v.Type.Kind == term.PitKind}
}

// Scores resolves the scores. If one player has a score, all must have one.
func (a *Actions) Scores() {
	first := map[int]diag.Range{}
	for _, s := range ast.Items[*ast.Score](a.Game.Variant) {
		if a.Game.Sys.Scores == nil {
			a.Game.Sys.Scores = make([]rules.Expr, len(a.Game.Sys.Players))
		}
		e := term.NewEnv(a.Game, term.InGuard)
		for _, part := range s.Parts {
			p := a.Game.PlayerNamed(part.Player)
			if p == rules.None {
				continue
			}
			if old, again := first[p]; again {
				a.Game.Run.Diags.Errorf(diag.Duplicate, part.Range, "the score of `%s` is given twice", part.Player.Name).
					WithHelp("a player has one score: leave out one of the two, or join them by `+`").WithNote(old, "first given here")
				continue
			}
			first[p] = part.Range
			a.Game.Sys.Scores[p] = e.Int(part.Value)
		}
	}
	for p, x := range a.Game.Sys.Scores {
		if x == nil {
			a.Game.Run.Diags.Errorf(diag.Missing, a.Game.Variant.Name.Range, "player `%s` has no score, others have", a.Game.Sys.Players[p]).
				WithHelp("write `score …, %s = E`", a.Game.Sys.Players[p])
		}
	}
}

// rank returns the statement that gives an action its rank by the strategy. Only the actions with
// the greatest rank are legal, so the rank is negated if the strategy names the least. There is
// none without a strategy, for moves with another label, and for a fallback without choices if the
// strategy ranks choices.
func (c choosing) rank(s *ast.Strategy, m *ast.Move) []rules.Stmt {
	if s == nil || c.action.Fallback && len(m.Choices) == 0 && c.asksForChoice(s) || s.By != nil && s.By.Text != c.env.Game.Sys.Moves[c.action.Move].Label {
		return nil
	}
	var own diag.List
	// Diagnostics of the rank get a note with the move, because the strategy's text reads
	// differently for each.
	apart := *c.env.Game
	apart.Run.Diags = &own
	e := c.env
	e.Game, e.Ranking = &apart, true
	rank := term.AsRank(e, e.Expr(s.Rank), s.Rank.Span())
	for i := range own {
		own[i].Notes = append(own[i].Notes, diag.Note{Range: m.Range, Message: "as the strategy reads for this move"})
	}
	*c.env.Game.Run.Diags = append(*c.env.Game.Run.Diags, own...)
	if s.Least {
		rank = term.Simple(rules.Binary{Op: rules.Sub, L: rules.Number(0), R: rank, At: s.Range})
	}
	return single(rules.Prefer(rank))
}

// asksForChoice reports whether the strategy reads a choice of some move, so that it has no meaning
// for a move without choices.
func (c choosing) asksForChoice(s *ast.Strategy) bool {
	return slices.ContainsFunc(ast.All[*ast.Name](s.Rank), func(n *ast.Name) bool {
		ref := c.env.Ref(n)
		if ref.Kind != bind.LocalName {
			return false
		}
		_, is := ref.Symbol.Node.(*ast.Choice)
		return is
	})
}

// Remark warns about names of pits that are used only as numbers. Such a name means the seeds at
// the time of use, not at the time of the `let`.
func (a *Actions) Remark(remarks *diag.List) {
	if remarks == nil {
		return
	}
	for s, use := range a.lets {
		if use.Numbers > 0 && use.Places == 0 {
			remarks.Warnf(diag.PlaceAsNumber, s.Name.Range, "`%s` is a place, and is used only as a number", s.Name.Name).
				WithHelp("for the seeds that lie there now write `let %s = seeds(%s)`", s.Name.Name, a.Game.Source(s.Value.Span()))
		}
	}
}

// passLabel is the label of `pass when E`.
const passLabel = "pass"

// AsMove returns the move that an item declares, or nil. A `pass` is a move without choices.
func AsMove(item ast.Item) *ast.Move {
	switch x := item.(type) {
	case *ast.Move:
		return x
	case *ast.Pass:
		return &ast.Move{ItemAt: x.ItemAt, Documented: x.Documented, Label: &ast.Label{At: x.At, Text: passLabel}, When: x.When}
	}
	return nil
}
