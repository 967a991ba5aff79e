package resolve

import (
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// maxActions bounds the ways to make all choices of a variant.
const maxActions = 1 << 16

// onePrefer keeps the rank of a move from having two meanings.
func (b *builder) onePrefer(m *ast.Move) {
	if list := ast.All[*ast.Prefer](m); len(list) > 1 {
		b.diags.Errorf(diag.Misplaced, list[1].Range, "a second `prefer` in one move").
			WithHelp("join them in one number: `prefer 2*a + b`")
	}
}

// option is one way to make a choice.
type option struct {
	value    value
	text     string // as written in the rules
	notation string // "" if none is given
	label    string
	cond     rules.Expr // nil: always there
}

// choosing is an action in the making: choices made so far and what they demand.
type choosing struct {
	env    env
	action rules.Action
	texts  map[string]string // notation of options by choice
	store  []rules.Stmt      // choices kept in state variables
	made   []option
}

func labelOf(m *ast.Move) string {
	if m.Label == nil {
		return "move"
	}
	return m.Label.Text
}

// choosing begins an action of a move.
func (b *builder) choosing(m *ast.Move, player int) choosing {
	e := b.env(inGuard)
	e.mover = player
	c := choosing{env: e, texts: map[string]string{}}
	c.action = rules.Action{Move: len(b.sys.Moves) - 1, Mover: player, Label: labelOf(m), Guard: rules.True}
	return c
}

// ordinary begins an action that the player may choose: one that goes on with no lap of an earlier
// move.
func (b *builder) ordinary(m *ast.Move, player int) choosing {
	c := b.choosing(m, player)
	if b.going != nil {
		c.action.Guard = b.going.is(rules.None, 0)
	}
	if m.When != nil {
		guard := c.env
		guard.falls = true
		when := guard.cond(m.When)
		c.action.Fallback = slices.ContainsFunc(ast.All[*ast.NoMove](m.When), func(x *ast.NoMove) bool { return x.Other }) ||
			rules.AsksFor(when, rules.NoMove)
		c.demand(when)
	}
	return c
}

// choices makes the next choice in every way, as choosing.take or choosing.make does. At the end it
// calls done.
func (b *builder) choices(m *ast.Move, rest []*ast.Choice, c choosing, choose func(choosing, *ast.Choice, option) choosing, done func(choosing)) {
	if len(rest) == 0 {
		done(c)
		return
	}
	ch := rest[0]
	for _, o := range c.env.options(ch) {
		if len(b.sys.Actions) > maxActions {
			b.diags.Errorf(diag.TooBig, m.Range, "more than %d ways to make the choices of this variant", maxActions)
			return
		}
		b.choices(m, rest[1:], choose(c, ch, o), choose, done)
	}
}

// take makes one choice, where the player has it.
func (c choosing) take(ch *ast.Choice, o option) choosing {
	out := c.make(ch, o)
	if o.cond != nil {
		out.demand(o.cond)
	}
	if ch.Where != nil {
		out.demand(out.env.cond(ch.Where))
	}
	return out
}

// make makes one choice, whatever the conditions are.
func (c choosing) make(ch *ast.Choice, o option) choosing {
	c.env.spend(1 + len(c.action.Choices))
	out := c
	out.env = c.env.with(ch.Name.Name, o.value)
	out.action.Choices = append(append([]rules.Choice{}, c.action.Choices...), choiceOf(ch.Name.Name, o))
	out.texts = map[string]string{}
	for k, v := range c.texts {
		out.texts[k] = v
	}
	if o.notation != "" {
		out.texts[ch.Name.Name] = o.notation
	}
	if o.label != "" {
		out.action.Label = o.label
	}
	out.made = append(slices.Clip(c.made), o)
	if ent, ok := c.env.names[ch.Name.Name]; ok && c.env.find(ch.Name.Name) == nil {
		out.store = append(append([]rules.Stmt{}, c.store...), c.env.keep(ch, ent, o)...)
	}
	return out
}

func (c *choosing) demand(cond rules.Expr) {
	c.action.Guard = rules.Join(rules.And, c.action.Guard, cond)
}

// keep stores a choice named after a state variable in it.
func (e env) keep(ch *ast.Choice, ent entity, o option) []rules.Stmt {
	if ent.kind != entVar {
		e.diags.Errorf(diag.Duplicate, ch.Name.Range, "`%s` is declared already, as %s", ch.Name.Name, ent.kind)
		return nil
	}
	v := e.vars[ent.index]
	if v.each != eachNone {
		e.diags.Errorf(diag.Arity, ch.Name.Range, "`%s` exists for each %s and cannot be chosen by name alone", v.name, v.eachName)
		return nil
	}
	return single(rules.Set{To: rules.VarAt(v.table[0]), X: e.asType(v.typ, o.value, ch.Name.Range), At: ch.Range})
}

func choiceOf(name string, o option) rules.Choice {
	ch := rules.Choice{Name: name, Text: o.text}
	ch.Value, _ = constOf(o.value.x)
	switch o.value.typ.kind {
	case kPit:
		ch.Type = rules.PitType
	case kPlayer:
		ch.Type = rules.PlayerType
	case kLap:
		ch.Value = o.value.lap
	}
	return ch
}

// options lists the ways to make a choice.
func (e env) options(ch *ast.Choice) []option {
	if given := ch.Options(); given != nil {
		var list []option
		for _, o := range given {
			list = append(list, e.option(ch, o))
		}
		return list
	}
	v := e.domain(ch.Set)
	switch v.typ.kind {
	case kRange:
		return e.rangeOptions(ch, v)
	case kList:
		var list []option
		for _, x := range v.list {
			list = append(list, option{value: e.chosen(ch, x), text: e.text(x)})
		}
		return list
	}
	return e.pitOptions(ch, e.asSet(v, ch.Set.Span()))
}

func (e env) option(ch *ast.Choice, o ast.Option) option {
	v := e.chosen(ch, e.expr(o.Value))
	out := option{value: v, text: e.text(v)}
	if n, ok := o.Value.(*ast.Name); ok {
		out.text = n.Name
	}
	if o.Notation != nil {
		out.notation = o.Notation.Text
	}
	if o.Label != nil {
		out.label = o.Label.Text
	}
	return out
}

// chosen gives a bare enumeration name the type of the state variable it is chosen for, and makes a
// set of one pit that pit.
func (e env) chosen(ch *ast.Choice, v value) value {
	if v.typ.kind == kSet && e.onePit(v) {
		v = pitValue(e.asPit(v, ch.Range))
	}
	ent, ok := e.names[ch.Name.Name]
	if v.typ.kind == kEnumName && ok && ent.kind == entVar {
		t := e.vars[ent.index].typ
		return value{typ: t, x: e.asType(t, v, ch.Range)}
	}
	if v.typ.kind == kEnumName {
		return e.lonelyName(v, ch.Range)
	}
	if _, ok := constOf(v.x); !ok && (v.typ.kind != kLap || v.x != nil) {
		e.diags.Errorf(diag.NotConstant, ch.Range, "what there is to choose must be known before play").
			WithHelp("choose from a fixed set and restrict it with `where`")
		return bad
	}
	return v
}

func (e env) rangeOptions(ch *ast.Choice, v value) []option {
	lo, ok := constOf(v.lo)
	hi, ok2 := constOf(v.hi)
	if !ok || !ok2 {
		e.diags.Errorf(diag.NotConstant, ch.Set.Span(), "the ends of this range must be known before play").
			WithHelp("choose from a fixed range and restrict it with `where`")
		return nil
	}
	if hi-lo >= maxActions {
		e.diags.Errorf(diag.TooBig, ch.Set.Span(), "%d values to choose from", hi-lo+1)
		return nil
	}
	var list []option
	for n := lo; n <= hi; n++ {
		list = append(list, option{value: number(rules.Number(n)), text: strconv.Itoa(n)})
	}
	return list
}

func (e env) pitOptions(ch *ast.Choice, s setValue) []option {
	var list []option
	for _, m := range s.elems {
		if _, ok := constOf(m.pit); !ok {
			e.diags.Errorf(diag.NotConstant, ch.Set.Span(), "the pits to choose from must be known before play").
				WithHelp("choose from a group and restrict it with `where`")
			return nil
		}
		v := pitValue(m.pit)
		list = append(list, option{value: v, text: e.text(v), cond: m.cond})
	}
	return list
}

// text is a fixed value as the rules write it.
func (e env) text(v value) string {
	n, _ := constOf(v.x)
	switch v.typ.kind {
	case kPit:
		if n != rules.None {
			return e.sys.Pits[n].Name
		}
		return "none"
	case kPlayer:
		return e.sys.Players[n]
	case kEnum:
		return e.enums[v.typ.enum][n]
	case kEnumName:
		return v.name
	case kLap:
		if v.x != nil {
			return e.lapNames()[n]
		}
		return e.sys.Laps[v.lap].Name
	case kBool:
		return strconv.FormatBool(n != 0)
	}
	return strconv.Itoa(n)
}

// finishAction resolves the body with all choices made. An action whose guard never holds is left
// out.
func (b *builder) finishAction(m *ast.Move, c choosing) {
	a := c.action
	e := c.env
	a.Written = c.written(m)
	for _, ch := range m.Choices { // in the body a chosen state variable is read as itself: it may be set again
		if ent, ok := b.names[ch.Name.Name]; ok && ent.kind == entVar {
			e.locals = e.locals.drop(ch.Name.Name)
		}
	}
	e.place = inBody
	e.slots = new([]rules.Type)
	e.way = c.wayOf(m)
	a.Body = slices.Concat(c.rank(b.following, m), c.begun(), c.store, e.block(m.Body))
	a.Locals = *e.slots
	if a.Guard == rules.False {
		return
	}
	b.sys.Actions = append(b.sys.Actions, a)
}

// begun forgets what an earlier lap has left, if this action goes on with it.
func (c choosing) begun() []rules.Stmt {
	if !c.env.onward {
		return nil
	}
	return c.env.going.set(rules.FixedPit(rules.None), 0, diag.Range{})
}

// drop removes a name from the locals.
func (l *local) drop(name string) *local {
	if l == nil {
		return nil
	}
	if l.name == name {
		return l.outer.drop(name)
	}
	c := *l
	c.outer = l.outer.drop(name)
	return &c
}

// written makes the notation: the items of `written`, or else the choices, or else the label.
func (c choosing) written(m *ast.Move) []rules.Written {
	var out []rules.Written
	if m.Written == nil {
		for _, ch := range m.Choices {
			out = append(out, c.item(&ast.Name{At: ch.Name.At, Name: ch.Name.Name}))
		}
		if len(out) == 0 {
			out = append(out, rules.Written{Text: c.action.Label})
		}
		return out
	}
	for _, x := range m.Written {
		out = append(out, c.item(x))
	}
	return out
}

func (c choosing) item(x ast.Expr) rules.Written {
	if t, ok := x.(*ast.Text); ok {
		return rules.Written{Text: t.Value}
	}
	if n, ok := x.(*ast.Name); ok && c.texts[n.Name] != "" {
		return rules.Written{Text: c.texts[n.Name]}
	}
	v := c.env.expr(x)
	switch v.typ.kind {
	case kLap, kPlayer, kEnum, kEnumName, kBool:
		if _, fixed := constOf(v.x); fixed || v.x == nil && v.typ.kind != kBad {
			return rules.Written{Text: c.env.text(v)}
		}
		c.env.diags.Errorf(diag.NotConstant, x.Span(), "only numbers and pits can be written down as they are before the move")
		return rules.Written{}
	case kSet:
		v = pitValue(c.env.asPit(v, x.Span()))
	}
	if v.x == nil {
		c.env.mismatch(x.Span(), "something that can be written down", v)
		return rules.Written{}
	}
	return rules.Written{X: v.x, Pit: v.typ.kind == kPit}
}

func (b *builder) scores() {
	for _, item := range b.variant.Items {
		s, ok := item.(*ast.Score)
		if !ok {
			continue
		}
		if b.sys.Scores == nil {
			b.sys.Scores = make([]rules.Expr, len(b.sys.Players))
		}
		e := b.env(inGuard)
		for _, part := range s.Parts {
			if p := b.playerNamed(part.Player); p != rules.None {
				b.sys.Scores[p] = e.int(part.Value)
			}
		}
	}
	for p, x := range b.sys.Scores {
		if x == nil {
			b.diags.Errorf(diag.Missing, b.variant.Name.Range, "player `%s` has no score, others have", b.sys.Players[p])
		}
	}
}

// rank makes an action legal only where no other one is better: the best is what the strategy names
// the least or the greatest.
func (c choosing) rank(s *ast.Strategy, m *ast.Move) []rules.Stmt {
	if s == nil || c.action.Fallback && len(m.Choices) == 0 && c.env.asksForChoice(s) || s.By != nil && s.By.Text != c.env.sys.Moves[c.action.Move].Label {
		return nil
	}
	var own diag.List
	b := *c.env.builder
	b.diags = &own
	e := c.env
	e.builder = &b
	rank := e.rank(s.Rank)
	for i := range own {
		own[i].Notes = append(own[i].Notes, diag.Note{Range: m.Range, Message: "as the strategy reads for this move"})
	}
	*c.env.diags = append(*c.env.diags, own...)
	if s.Least {
		rank = simple(rules.Binary{Op: rules.Sub, L: rules.Number(0), R: rank, At: s.Range})
	}
	return single(rules.Prefer(rank))
}

// asksForChoice tells whether a strategy has no meaning for a move without choices.
func (b *builder) asksForChoice(s *ast.Strategy) bool {
	own := map[string]bool{}
	for _, x := range ast.All[*ast.Quant](s.Rank) {
		own[x.Var.Name] = true
	}
	for _, x := range ast.All[*ast.Filter](s.Rank) {
		own[x.Var.Name] = true
	}
	return slices.ContainsFunc(ast.All[*ast.Name](s.Rank), func(n *ast.Name) bool {
		_, declared := b.names[n.Name]
		chosen := func(c *ast.Choice) bool { return c.Name.Name == n.Name }
		return !own[n.Name] && !declared && slices.ContainsFunc(ast.All[*ast.Choice](b.variant), chosen)
	})
}
