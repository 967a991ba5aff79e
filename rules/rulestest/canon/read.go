package canon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// Parse returns the System with a canonical text. It lacks what does not influence play and so is
// not in the text: places in files, groups, the picture, the choices behind moves.
func Parse(text []byte) (sys *rules.System, err error) {
	tree, err := parser.ParseBytes("", text)
	if err != nil {
		return nil, err
	}
	// The tree is read without error results; a name that nothing declares ends it by a panic.
	defer func() {
		if e, is := recover().(unknown); is {
			sys, err = nil, e
		}
	}()
	r := reader{&rules.System{Name: tree.Name, Players: tree.Players}}
	if tree.Version != rules.TextVersion {
		return nil, fmt.Errorf("version %d, want %d", tree.Version, rules.TextVersion)
	}
	r.board(tree)
	r.vars(tree)
	for _, x := range tree.Outcomes {
		r.outcome(x)
	}
	r.start(tree.Setup)
	for _, x := range tree.Actions {
		r.action(x)
	}
	for _, x := range tree.Reactions {
		r.reaction(x)
	}
	if x := tree.Repeats; x != nil {
		r.sys.Repetition = &rules.Repetition{Offered: x.Offered, Outcome: make([]int, len(r.sys.Players))}
		for _, by := range x.By {
			r.sys.Repetition.Outcome[r.player(by.Player)] = r.result(by.Outcome)
		}
	}
	for _, x := range tree.Scores {
		if r.sys.Scores == nil {
			r.sys.Scores = make([]rules.Expr, len(r.sys.Players))
		}
		r.sys.Scores[r.player(x.Player)] = r.expr(x.X)
	}
	return r.sys, nil
}

// unknown is a name that nothing declares.
type unknown string

func (u unknown) Error() string { return "unknown name " + string(u) }

// reader makes a System out of the syntax tree of its text.
type reader struct{ sys *rules.System }

// String returns the name without backquotes.
func (n *name) String() string { return strings.Trim(n.Name, "`") }

// find returns the index of the one of n things that has a name. It panics if none has.
func find(n int, name string, nameOf func(int) string) int {
	for i := range n {
		if nameOf(i) == name {
			return i
		}
	}
	panic(unknown(name))
}

func (r reader) player(name string) int {
	return find(len(r.sys.Players), name, func(i int) string { return r.sys.Players[i] })
}

func (r reader) playerOrNone(name *string) int {
	if name == nil {
		return rules.None
	}
	return r.player(*name)
}

func (r reader) pit(name string) int {
	return find(len(r.sys.Pits), name, func(i int) string { return r.sys.Pits[i].Name })
}

func (r reader) place(p *place) int {
	if p.None {
		return rules.None
	}
	return r.pit(p.Pit.String())
}

func (r reader) places(list []*place) []int {
	pits := make([]int, len(list))
	for i, p := range list {
		pits[i] = r.place(p)
	}
	return pits
}

// set returns membership by pit.
func (r reader) set(s *set) []bool {
	in := make([]bool, len(r.sys.Pits))
	if s != nil {
		for _, p := range r.places(s.Pits) {
			in[p] = true
		}
	}
	return in
}

func (r reader) variable(name string) int {
	return find(len(r.sys.Vars), name, func(i int) string { return r.sys.Vars[i].Name })
}

func (r reader) result(name string) int {
	return find(len(r.sys.Outcomes), name, r.sys.OutcomeName)
}

// lap finds a lap by its name and owner, as the text identifies it.
func (r reader) lap(l *lapName) int {
	owner := r.playerOrNone(l.Owner)
	for i, x := range r.sys.Laps {
		if x.Name == l.Name.String() && x.Owner == owner {
			return i
		}
	}
	panic(unknown(l.Name.String()))
}

// board reads all that later parts refer to by name, except variables.
func (r reader) board(tree *system) {
	for _, x := range tree.Params {
		p := rules.Param{Name: x.Name.String(), Open: x.Open, Lo: x.Lo, Bool: x.Value == "true" || x.Value == "false"}
		if p.Value, _ = strconv.Atoi(x.Value); x.Value == "true" {
			p.Value = 1
		}
		if x.Hi != nil {
			p.Hi, p.HasHi = *x.Hi, true
		}
		r.sys.Params = append(r.sys.Params, p)
	}
	for _, x := range tree.Pits {
		r.sys.Pits = append(r.sys.Pits, rules.Pit{Name: x.Name.String(), Index: x.Index, Owner: r.playerOrNone(x.Owner)})
	}
	for _, x := range tree.Laps {
		l := rulestest.NewLap(x.Name.Name.String(), x.Kind == "ring", len(r.sys.Pits), r.places(x.Pits)...)
		l.Owner = r.playerOrNone(x.Name.Owner)
		r.sys.Laps = append(r.sys.Laps, l)
	}
	for _, x := range tree.Relations {
		r.sys.Relations = append(r.sys.Relations, rules.Relation{Name: x.Name.String(), To: r.places(x.To)})
	}
	for _, x := range tree.Enums {
		var names []string
		for _, n := range x.Values {
			names = append(names, n.String())
		}
		r.sys.Enums = append(r.sys.Enums, names)
	}
}

// vars reads the variables. Their order gives them their numbers.
func (r reader) vars(tree *system) {
	for _, x := range tree.Vars {
		v := rules.Var{Name: x.Name.String(), Ghost: x.Kind == "ghost", Type: typeOf(x.Type), Init: r.fixed(x.Init)}
		for _, d := range x.Domain {
			lo := r.fixed(d.Lo)
			v.Domain = append(v.Domain, lo)
			for hi := lo + 1; d.Hi != nil && hi <= r.fixed(d.Hi); hi++ {
				v.Domain = append(v.Domain, hi)
			}
		}
		v.Default = v.Init // the text does not have the default, which matters to claims only
		r.sys.Vars = append(r.sys.Vars, v)
	}
}

// fixed returns the value of a constant.
func (r reader) fixed(x *expr) int { return r.expr(x).(rules.Const).Value }

// typeOf reads a type. The words are in the order of the constants of rules.Type; any other type is
// an enumeration, e0, e1 and so on.
func typeOf(t *typeName) rules.Type {
	words := []string{"number", "truth", "pit", "player", "outcome"}
	if i := slices.Index(words, t.Word); i >= 0 {
		return rules.Type(i)
	}
	enum, err := strconv.Atoi(strings.TrimPrefix(t.Word, "e"))
	if err != nil {
		panic(unknown(t.Word))
	}
	return rules.EnumType(enum)
}

func types(list []*typeName) []rules.Type {
	var out []rules.Type
	for _, t := range list {
		out = append(out, typeOf(t))
	}
	return out
}

func (r reader) start(s *setup) {
	r.sys.Start = rules.Start{Label: s.Label, Mover: r.player(s.Mover), Free: r.set(s.Free), Cond: rules.True}
	if s.When != nil {
		r.sys.Start.Cond = r.expr(s.When)
	}
}

// action reads an action. Each gets a move of its own, because the text does not say which actions
// were made from one move.
func (r reader) action(x *action) {
	a := rules.Action{
		Move: len(r.sys.Moves), Label: x.Label, Mover: r.player(x.Mover), Fallback: x.Kind == "fallback",
		Locals: types(x.Locals), Guard: r.optional(x.When), Body: r.body(x.Body),
	}
	for _, w := range x.Written {
		item := rules.Written{Pit: w.Kind == "pit", X: r.optional(w.X)}
		if w.Text != nil {
			item.Text = *w.Text
		}
		a.Written = append(a.Written, item)
	}
	r.sys.Moves = append(r.sys.Moves, rules.Move{Label: x.Label})
	r.sys.Actions = append(r.sys.Actions, a)
}

func (r reader) outcome(x *outcome) {
	o := rules.Outcome{Label: x.Label}
	if x.Kind == "win" {
		o.Winner = r.player(x.Winner)
	} else {
		// In the order of the constants of rules.OutcomeKind.
		kinds := []string{"win", "lose", "draw", "end", "endless"}
		o.Kind = rules.OutcomeKind(slices.Index(kinds, x.Other))
	}
	r.sys.Outcomes = append(r.sys.Outcomes, o)
}

func (r reader) reaction(x *reaction) {
	out := rules.Reaction{AtTurnEnd: x.AtTurnEnd, By: make([]rules.ReactionFor, len(r.sys.Players))}
	for _, by := range x.By {
		out.By[r.player(by.Player)] = rules.ReactionFor{Locals: types(by.Locals), When: r.expr(by.When), Body: r.body(by.Body)}
	}
	r.sys.Reactions = append(r.sys.Reactions, out)
}

func (r reader) body(list []*stmt) []rules.Stmt {
	body := []rules.Stmt{}
	for _, s := range list {
		body = append(body, r.stmt(s))
	}
	return body
}

func (r reader) block(b *block) []rules.Stmt {
	if b == nil {
		return nil
	}
	return r.body(b.Body)
}

func (r reader) stmt(s *stmt) rules.Stmt {
	switch {
	case s.Sow != nil:
		return r.sow(s.Sow)
	case s.Move != nil:
		return rules.Transfer{Count: r.optional(s.Move.Count), From: r.expr(s.Move.From), Into: r.expr(s.Move.Into)}
	case s.If != nil:
		return rules.If{Cond: r.expr(s.If.Cond), Then: r.block(s.If.Then), Else: r.block(s.If.Else)}
	case s.While != nil:
		return rules.While{Cond: r.expr(s.While.Cond), Body: r.block(s.While.Body)}
	case s.Illegal:
		return rules.Stop{Outcome: rules.Illegal}
	case s.Finish != nil:
		return rules.Stop{Outcome: r.result(*s.Finish)}
	}
	return rules.Set{To: r.primary(s.Set.To).(rules.Cell), X: r.expr(s.Set.X)}
}

// sow reads a sowing. The text lists pits that are always passed over as a set, apart from those
// with a condition; the System has conditions for all.
func (r reader) sow(s *sow) rules.Stmt {
	out := rules.Sow{
		Source: r.expr(s.Source), Count: r.optional(s.Count), Lap: r.lap(s.Lap), OriginFirst: s.OriginFirst,
		StartAt: r.optional(s.StartAt), OnlyLast: r.set(s.OnlyLast), Drop: r.block(s.Drop),
	}
	out.SkipIf = make([]rules.Expr, len(r.sys.Pits))
	for p, in := range r.set(s.Skip) {
		if in {
			out.SkipIf[p] = rules.True
		}
	}
	for _, x := range s.SkipIf {
		out.SkipIf[r.pit(x.Pit.String())] = r.expr(x.If)
	}
	return out
}

// optional reads an expression that may be missing, which the System has as nil.
func (r reader) optional(x *expr) rules.Expr {
	if x == nil {
		return nil
	}
	return r.expr(x)
}

var ops = map[string]rules.Op{
	"=": rules.Eq, "/=": rules.Ne, "<": rules.Lt, "<=": rules.Le, ">": rules.Gt, ">=": rules.Ge, "+": rules.Add,
	"-": rules.Sub, "*": rules.Mul, "div": rules.Div, "mod": rules.Mod, "min": rules.Min, "max": rules.Max,
}

func (r reader) expr(x *expr) rules.Expr {
	return chain(rules.Or, x.Or, func(c *conjunction) rules.Expr { return chain(rules.And, c.And, r.negation) })
}

// chain joins a list by one operator, from left to right.
func chain[T any](op rules.Op, list []T, read func(T) rules.Expr) rules.Expr {
	out := read(list[0])
	for _, x := range list[1:] {
		out = rules.Binary{Op: op, L: out, R: read(x)}
	}
	return out
}

func (r reader) negation(x *negation) rules.Expr {
	if x.Not != nil {
		return rules.Not{X: r.negation(x.Not)}
	}
	c := x.Compare
	switch {
	case c.Set != nil:
		return rules.In(r.sum(c.L), r.set(c.Set))
	case c.R != nil:
		return rules.Binary{Op: ops[c.Op], L: r.sum(c.L), R: r.sum(c.R)}
	}
	return r.sum(c.L)
}

func (r reader) sum(x *sum) rules.Expr {
	out := r.product(x.L)
	for _, y := range x.Rest {
		out = rules.Binary{Op: ops[y.Op], L: out, R: r.product(y.X)}
	}
	return out
}

func (r reader) product(x *product) rules.Expr {
	out := r.unary(x.L)
	for _, y := range x.Rest {
		out = rules.Binary{Op: ops[y.Op], L: out, R: r.unary(y.X)}
	}
	return out
}

func (r reader) unary(x *unary) rules.Expr {
	if x.Old != nil {
		return rules.Old{X: r.unary(x.Old)}
	}
	return r.primary(x.Primary)
}

func (r reader) primary(x *primary) rules.Expr {
	switch {
	case x.Local != "":
		slot, _ := strconv.Atoi(x.Local[1:])
		return rules.LocalAt(slot)
	case x.Seeds != nil:
		return rules.Seeds(r.expr(x.Seeds))
	case x.Index != nil:
		return r.sys.Index(r.expr(x.Index))
	case x.Total != nil:
		return rules.Sum{Pits: r.places(x.Total.Pits)}
	case x.Pick != nil:
		return r.pick(x.Pick)
	case x.Least != nil:
		return rules.Binary{Op: ops[x.Least.Word], L: r.expr(x.Least.L), R: r.expr(x.Least.R)}
	case x.Cond != nil:
		return rules.Cond{If: r.expr(x.Cond.If), Then: r.expr(x.Cond.Then), Else: r.expr(x.Cond.Else)}
	case x.Paren != nil:
		return r.expr(x.Paren)
	case x.Step != nil && x.Step.Word == "next":
		return r.sys.Next(r.expr(x.Step.X), r.lap(x.Step.Lap))
	case x.Step != nil:
		return r.sys.Before(r.expr(x.Step.X), r.lap(x.Step.Lap))
	case x.Related != nil:
		to := x.Related.Relation.String()
		return r.sys.Related(r.expr(x.Related.X), find(len(r.sys.Relations), to, func(i int) string { return r.sys.Relations[i].Name }))
	case x.Name != nil:
		return r.named(x.Name.String())
	}
	return r.word(x)
}

// word reads a constant, a register or a question.
func (r reader) word(x *primary) rules.Expr {
	switch {
	case x.Number != nil:
		return rules.Number(*x.Number)
	case x.Truth != "":
		return rules.Truth(x.Truth == "true")
	case x.None:
		return rules.FixedPit(rules.None)
	case x.EnumValue != "":
		return r.enumValue(x.EnumValue)
	case x.Player != nil:
		return rules.FixedPlayer(r.player(*x.Player))
	case x.Outcome != nil:
		return rules.Const{Value: r.result(*x.Outcome), Type: rules.OutcomeType}
	case x.Result:
		return rules.Register(rules.OutcomeReg)
	case x.LastWas:
		return rules.LastWas
	case x.NextMover:
		return rules.Register(rules.NextReg)
	case x.NoMove:
		return rules.NoMove
	}
	return map[string]rules.Expr{
		"last": rules.Last, "origin": rules.Origin, "mover": rules.Mover, "rank": rules.Register(rules.RankReg),
		"stuck": rules.IsStuck, "start": rules.IsStart,
	}[x.Register]
}

// enumValue reads a value such as e0.placing: the enumeration's number, and the value's name.
func (r reader) enumValue(text string) rules.Expr {
	enum, value, _ := strings.Cut(text, ".")
	t := typeOf(&typeName{enum})
	e, _ := t.Enum()
	return rules.Const{Value: slices.Index(r.sys.Enums[e], strings.Trim(value, "`")), Type: t}
}

// named reads the name of a pit, a variable or an open parameter.
func (r reader) named(name string) rules.Expr {
	if p := r.sys.PitNamed(name); p != rules.None {
		return rules.FixedPit(p)
	}
	for i, p := range r.sys.Params {
		if p.Name == name {
			return rules.OpenParam{Param: i}
		}
	}
	return rules.VarAt(r.variable(name))
}

// pick reads a variable that is chosen by a key. The table has -1 for keys without a variable.
func (r reader) pick(x *pick) rules.Expr {
	out := rules.Cell{Sort: rules.VarCell, Index: r.expr(x.Index), Table: []int{}}
	for _, c := range x.Choices {
		key := r.primary(c.Key).(rules.Const)
		for len(out.Table) <= key.Value {
			out.Table = append(out.Table, -1)
		}
		out.Table[key.Value], out.Key = r.variable(c.Var.String()), key.Type
	}
	return out
}
