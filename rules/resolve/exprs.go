package resolve

import (
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// ops gives the kernel operators for those of the language that translate directly.
var ops = map[string]rules.Op{
	"or": rules.Or, "and": rules.And, "=": rules.Eq, "/=": rules.Ne, "<": rules.Lt, "<=": rules.Le,
	">": rules.Gt, ">=": rules.Ge, "+": rules.Add, "-": rules.Sub, "*": rules.Mul, "div": rules.Div, "mod": rules.Mod,
}

// env resolves expressions at one place of the text. A name may stand for other text, so
// definitions and positions are read here as well.
type env struct {
	words
	ranking bool            // a strategy is read, which may name the choices of the move
	inside  []*ast.Position // positions whose conditions are being read, to find cycles
	fitted  *[]Fitted       // gets the drawn positions that conditions name; nil: nobody asks
}

// newEnv returns an env without local names. In a solitaire the mover is known.
func newEnv(s *scope, p place) env {
	e := env{}
	e.scope, e.place, e.mover, e.lap = s, p, anyMover, anyLap
	if !s.twoPlayers() {
		e.mover = 0
	}
	return e
}

// with returns e with a local name bound to a fixed value.
func (e env) with(s *bind.Symbol, v value) env {
	e.bind(s, v)
	return e
}

// cond resolves a condition.
func (e env) cond(x ast.Expr) rules.Expr { return e.asBool(e.expr(x), x.Span()) }

// expr resolves an expression. After a mistake it returns a value that fits everywhere, so that the
// mistake is reported once.
func (e env) expr(x ast.Expr) value {
	if x == nil {
		return bad
	}
	e.used.node = x
	e.spend(1)
	switch x := x.(type) {
	case *ast.Int:
		return number(rules.Number(x.Value))
	case *ast.Name:
		return e.name(x, x.Range)
	case *ast.Text:
		return e.outcomeText(x)
	case *ast.Paren:
		return e.expr(x.X)
	case *ast.IndexExpr:
		return e.indexed(x)
	case *ast.Call:
		return e.call(x)
	case *ast.Of:
		return e.owned(x)
	case *ast.Was:
		return e.was(x)
	case *ast.NoMove:
		return e.noMove(x)
	case *ast.Wins:
		return e.wins(x)
	case *ast.Unary:
		return e.unary(x)
	case *ast.Binary:
		return e.binary(x)
	case *ast.Cond:
		return e.conditional(x)
	case *ast.Quant:
		return e.quant(x)
	case *ast.EachCmp:
		return e.eachCmp(x)
	case *ast.SetLit:
		return e.setLit(x)
	case *ast.Filter:
		return value{typ: typ{kind: kSet}, set: e.filter(e.symbol(&x.Var), e.asSet(e.expr(x.Set), x.Set.Span()), x.Where)}
	}
	return bad
}

// name returns the value of the name n, which is written as at.
func (e env) name(n ast.Node, at diag.Range) value {
	ref := e.ref(n)
	if e.ranking {
		if l := e.chosen(ref.Name); l != nil && e.find(ref.Symbol) == nil {
			return l.read()
		}
	}
	switch ref.Kind {
	case bind.LocalName:
		if l := e.find(ref.Symbol); l != nil {
			return l.read()
		}
	case bind.WordName:
		if v, ok := e.word(ref.Name, at); ok {
			return v
		}
	case bind.PitName:
		return e.numberedPit(ref, at)
	case bind.ValueName:
		if ent, ok := e.late[ref.Name]; ok {
			return e.entity(ent, ref.Name, at)
		}
		for _, values := range e.enums {
			if slices.Contains(values, ref.Name) {
				return value{typ: typ{kind: kEnumName}, name: ref.Name}
			}
		}
	case bind.OutcomeName, bind.PositionName:
		if e.place == inClaim {
			return e.claimName(ref, at)
		}
	case bind.DefinitionName:
		return e.defined(ref, nil, at)
	case bind.ProcedureName:
		return e.noValue(ref.Name, at)
	default:
		if ent, ok := e.entityOf(ref.Symbol); ok {
			return e.entity(ent, ref.Name, at)
		}
	}
	return e.unknown(ref, at)
}

// chosen finds the choice of a name in the move that a strategy ranks.
func (e env) chosen(name string) *local {
	for l := e.locals; l != nil; l = l.outer {
		if _, is := l.symbol.Node.(*ast.Choice); is && l.symbol.Name == name {
			return l
		}
	}
	return nil
}

// numberedPit resolves the name of a pit with its number, which this board may lack.
func (e env) numberedPit(ref bind.Ref, at diag.Range) value {
	group := ast.Ident{At: ast.At{Range: at}, Name: ref.Symbol.Name}
	if pit := e.pitAt(group, ref.Number, at); pit != rules.None {
		return spelled(rules.FixedPit(pit))
	}
	return bad
}

// entity returns the value of what a variant declares.
func (e env) entity(ent entity, name string, at diag.Range) value {
	switch ent.kind {
	case entParam:
		return e.paramValue(ent.index, at)
	case entPlayer:
		return value{typ: typ{kind: kPlayer}, x: rules.FixedPlayer(ent.index)}
	case entGroup:
		return value{typ: typ{kind: kSet}, set: e.group(ent.index), spelled: true}
	case entLap:
		return e.lapNamed(name, at)
	case entRelation:
		e.diags.Errorf(diag.Arity, at, "`%s` leads from pits to pits: say from which, `%[1]s(…)`", name)
		return bad
	}
	return e.varValue(e.vars[ent.index], nil, name, at)
}

// noValue reports a procedure in the place of a value.
func (e env) noValue(name string, at diag.Range) value {
	e.diags.Errorf(diag.Type, at, "`%s` is a procedure, which has no value", name).
		WithHelp("it is called by a statement `%s(…)`; what has a value is a definition", name)
	return bad
}

// varValue returns the value of a state variable. index is the argument if the variable is declared
// with `each`, and nil otherwise.
func (e env) varValue(v stateVar, index ast.Expr, name string, at diag.Range) value {
	if e.place == inDeclaration || e.place == inSetup {
		d := e.diags.Errorf(diag.Misplaced, at, "the state variable `%s` has no value before play", name)
		if e.place == inSetup {
			d.WithHelp("a setup gives a variable its value by a condition of its own: `%s = …`", name)
		}
		return bad
	}
	cell, ok := e.varCell(v, index, at)
	if !ok {
		return bad
	}
	return value{typ: v.typ, x: simple(cell)}
}

// varCell returns the cell of a state variable. index is as for varValue. ok is false after a
// mistake.
func (e env) varCell(v stateVar, index ast.Expr, at diag.Range) (rules.Cell, bool) {
	x := e.varIndex(v, index, at)
	key := rules.PitType
	if v.each == eachPlayer {
		key = rules.PlayerType
	}
	if v.each != eachNone {
		return rules.Cell{Sort: rules.VarCell, Table: v.table, Key: key, Index: x, At: at}, x != nil
	}
	return rules.Cell{Sort: rules.VarCell, Slot: v.table[0], At: at}, true
}

// varIndex resolves the argument of a variable declared with `each`, or returns nil if it has none.
func (e env) varIndex(v stateVar, index ast.Expr, at diag.Range) rules.Expr {
	switch {
	case v.each == eachNone && index != nil:
		e.diags.Errorf(diag.Arity, at, "`%s` is a single variable and takes no argument", v.name)
	case v.each != eachNone && index == nil:
		e.diags.Errorf(diag.Arity, at, "`%s` exists for each %s: say for which, `%s(…)`", v.name, v.eachName, v.name)
	case v.each == eachPlayer:
		return e.asType(typ{kind: kPlayer}, e.expr(index), index.Span())
	case v.each == eachPit:
		return e.asPit(e.expr(index), index.Span())
	}
	return nil
}

// was resolves `last was N`: how many seeds the pit of the last seed had before it.
func (e env) was(x *ast.Was) value {
	if e.step == nil {
		e.afterSowing("last", x.Range)
	}
	n := e.asInt(e.expr(x.Value), x.Value.Span())
	if e.step == nil {
		return truth(simple(rules.Binary{Op: rules.Eq, L: register("last was", x.Range), R: n}))
	}
	known, ok := constOf(n)
	if !ok {
		e.diags.Errorf(diag.NotConstant, x.Value.Span(), "in a claim `last was` takes a number that is known before play").
			WithHelp("with `old` what the pit had before the step can be asked: `some p in pit : last = p and old seeds(p) = …`")
		return bad
	}
	return truth(e.step.was(known, x.Range))
}

// unary resolves `not`, a sign, or `old`.
func (e env) unary(x *ast.Unary) value {
	switch x.Op {
	case "not":
		return truth(simple(rules.Not{X: e.cond(x.X)}))
	case "-":
		return e.arithmetic(rules.Binary{Op: rules.Sub, L: rules.Number(0), R: e.asInt(e.expr(x.X), x.X.Span()), At: x.Range})
	}
	v := e.expr(x.X)
	if e.step == nil {
		e.diags.Errorf(diag.Misplaced, x.Range, "`old` has a meaning only after `gives`")
		return bad
	}
	// `old` may still be visible in the syntax only, where simplification removed it.
	if v.x != nil && rules.HasA[rules.Old](v.x) || v.held != nil || slices.ContainsFunc(ast.All[*ast.Unary](x.X), isOld) {
		e.diags.Errorf(diag.Misplaced, x.Range, "`old` has no meaning inside `old`: there is one state before a step")
		return bad
	}
	if name := e.afterStep(x.X); name != nil {
		e.diags.Errorf(diag.Misplaced, name.Range, "`%s` stands for what it is after the step, and `old` asks for the state before", name.Name).
			WithHelp("write `old` where that value is given, or around another part of the condition")
		return bad
	}
	if isPitLike(v) {
		pit := e.asPit(v, x.X.Span())
		// Both are kept for a pit: which pit it was, and how many seeds it had then.
		was := pitValue(e.step.before(rules.Old{X: pit}, false))
		was.held = e.step.before(rules.Old{X: simple(seedsAt(pit, x.Range))}, false)
		return was
	}
	if v.x == nil {
		e.mismatch(x.X.Span(), "a value", v)
		return bad
	}
	return value{typ: v.typ, x: e.step.before(rules.Old{X: v.x}, v.typ.kind == kBool)}
}

func isOld(x *ast.Unary) bool { return x.Op == "old" }

// afterStep returns a bound name in x whose value depends on the state, other than by `last` and
// `origin`, which are the same pits before the step and after it; nil if there is none.
func (e env) afterStep(x ast.Expr) *ast.Name {
	depends := func(x rules.Expr) bool {
		return x != nil && rules.Mentions(x, func(x rules.Expr) bool {
			c, is := x.(rules.Cell)
			_, sum := x.(rules.Sum)
			return sum || is && !e.step.is(c)
		})
	}
	inSet := func(m elem) bool { return depends(m.pit) || depends(m.cond) }
	inLap := func(c lapCase) bool { return depends(c.cond) }
	for _, n := range ast.All[*ast.Name](x) {
		l := e.find(e.ref(n).Symbol)
		if l != nil && (depends(l.value.x) || slices.ContainsFunc(l.value.set.elems, inSet) || slices.ContainsFunc(l.value.cases, inLap)) {
			return n
		}
	}
	return nil
}

// binary resolves an operator with two operands.
func (e env) binary(x *ast.Binary) value {
	switch x.Op {
	case "in", "not in":
		c := e.contains(x)
		if x.Op == "not in" {
			c = simple(rules.Not{X: c})
		}
		return truth(c)
	case "..":
		return value{typ: typ{kind: kRange}, lo: e.asInt(e.expr(x.L), x.L.Span()), hi: e.asInt(e.expr(x.R), x.R.Span())}
	case "without":
		return value{typ: typ{kind: kSet}, set: e.without(e.asSet(e.expr(x.L), x.L.Span()), e.asSet(e.expr(x.R), x.R.Span()))}
	case "or", "and":
		return truth(rules.Join(ops[x.Op], e.cond(x.L), e.cond(x.R)))
	}
	l, r := e.operands(x.L, x.R)
	if x.Op == "+" && isPitLike(l.value) && isPitLike(r.value) {
		return value{typ: typ{kind: kSet}, set: e.union(e.asSet(l.value, l.at), e.asSet(r.value, r.at))}
	}
	if op := ops[x.Op]; op >= rules.Eq && op <= rules.Ge {
		return truth(e.compare(op, l, r))
	}
	out := rules.Binary{Op: ops[x.Op], At: x.Range}
	out.L, out.R = e.numbers(l, r, "%s "+x.Op+" %s")
	return e.arithmetic(out)
}

// conditional resolves `E if C else F`.
func (e env) conditional(x *ast.Cond) value {
	b := branches{l: operand{e.expr(x.Then), x.Then.Span()}}
	b.cond = e.cond(x.If)
	b.r = operand{e.expr(x.Else), x.Else.Span()}
	return e.either(x, b)
}

// contains resolves `x in SET`, for pits, numbers or other values.
func (e env) contains(x *ast.Binary) rules.Expr {
	l, r := operand{e.expr(x.L), x.L.Span()}, operand{e.domain(x.R), x.R.Span()}
	switch r.typ.kind {
	case kRange:
		n := e.asInt(l.value, l.at)
		return simple(rules.Binary{
			Op: rules.And,
			L:  rules.Binary{Op: rules.Ge, L: n, R: r.lo}, R: rules.Binary{Op: rules.Le, L: n, R: r.hi},
		})
	case kList:
		any := rules.False
		for _, v := range r.list {
			any = rules.Join(rules.Or, any, e.compare(rules.Eq, l, operand{v, r.at}))
		}
		return any
	}
	return e.member(e.asPit(l.value, l.at), e.asSet(r.value, r.at))
}

// setLit resolves values in braces. They are a set of pits if every one of them is a pit.
func (e env) setLit(x *ast.SetLit) value {
	var list []value
	pits, out := len(x.Elems) > 0, true
	var s setValue
	for _, el := range x.Elems {
		v := e.expr(el)
		out = out && v.spelled
		list = append(list, v)
		if isPitLike(v) {
			s = e.union(s, e.asSet(v, el.Span()))
		} else {
			pits = false
		}
	}
	if pits {
		return value{typ: typ{kind: kSet}, set: s, spelled: out}
	}
	return value{typ: typ{kind: kList}, list: list}
}

// filter returns the members of s for which a condition on the name holds.
func (e env) filter(name *bind.Symbol, s setValue, where ast.Expr) setValue {
	out := setValue{once: true}
	for _, m := range e.members(s) {
		c := e.with(name, pitValue(m.pit)).cond(where)
		if c != rules.False {
			out.elems = append(out.elems, elem{m.pit, andCond(m.cond, c)})
		}
	}
	return out
}

// quant expands a quantifier over the values of its domain.
func (e env) quant(x *ast.Quant) value {
	return e.fold(x.Kind, e.turns(x.Set), func(m turn) rules.Expr {
		return e.with(e.symbol(&x.Var), m.value).cond(x.Body)
	})
}

// eachCmp expands a comparison such as `each hole = 4`, of the seeds in each pit of a set.
func (e env) eachCmp(x *ast.EachCmp) value {
	s := e.asSet(e.expr(x.Set), x.Set.Span())
	r := operand{e.expr(x.R), x.R.Span()}
	return e.fold(x.Kind, pitTurns(e.members(s)), func(m turn) rules.Expr {
		n := number(e.seedsOf(m.value.x, x.Set.Span()))
		return e.compare(ops[x.Op], operand{n, x.Set.Span()}, r)
	})
}

// constInt resolves x to a number that is known before play. Otherwise it reports why that is
// impossible and returns 0.
func (e env) constInt(x ast.Expr) int {
	n := len(*e.diags)
	number := e.asInt(e.expr(x), x.Span())
	v, ok := constOf(number)
	if !ok && len(*e.diags) == n {
		e.diags.Errorf(diag.NotConstant, x.Span(), "this must be known before play, but %s", unknownFor(number))
	}
	return v
}

// unknownFor says why x is not constant.
func unknownFor(x rules.Expr) string {
	why := "depends on the state"
	rules.Walk(x, func(x rules.Expr) bool {
		b, ok := x.(rules.Binary)
		if ok && (b.Op == rules.Div || b.Op == rules.Mod) && b.R == rules.Number(0) {
			why = "divides by zero"
		}
		return true
	})
	return why
}

// owned resolves `my G`, `their G` or `G of P`, where G is a lap or a set of pits.
func (e env) owned(x *ast.Of) value {
	owner, ok := e.owner(x)
	if !ok {
		return bad
	}
	if e.ref(&x.Group).Kind == bind.LapName {
		name, named := x.Player.(*ast.Name)
		return e.ownLap(x, owner, named && e.ref(name).Kind == bind.PlayerName)
	}
	g := e.name(&x.Group, x.Group.Range)
	if g.typ.kind == kBad {
		return bad
	}
	s := e.asSet(g, x.Group.Range)
	out := setValue{once: s.once}
	for _, m := range s.elems {
		if c := e.ownedBy(m.pit, owner, x.Their); c != rules.False {
			out.elems = append(out.elems, elem{m.pit, andCond(m.cond, c)})
		}
	}
	return value{typ: typ{kind: kSet}, set: out, owner: owner, spelled: true}
}

// owner resolves the player of `my`, `their` or `of`. For `their` it is the mover, whose pits are
// those left out. ok is false after a mistake.
func (e env) owner(x *ast.Of) (rules.Expr, bool) {
	word := "`my` and `their` have"
	if x.Player != nil {
		word = "`of` has"
	}
	switch {
	case !e.twoPlayers():
		e.diags.Errorf(diag.Misplaced, x.Range, "%s no meaning in a solitaire", word).
			WithHelp("declare the players with `player South, North`")
		return nil, false
	case e.place == inDeclaration && !e.ownersKnown:
		e.diags.Errorf(diag.Misplaced, x.Range, "%s no meaning here: it is not known yet who owns which pits", word)
		return nil, false
	case x.Player != nil:
		v := e.expr(x.Player)
		n := len(*e.diags)
		p := e.asType(typ{kind: kPlayer}, v, x.Player.Span())
		return simple(p), v.typ.kind == kPlayer && len(*e.diags) == n
	case e.place == inDeclaration || e.place == inSetup:
		e.diags.Errorf(diag.Misplaced, x.Range, "%s no meaning here: nobody is to move", word)
		return nil, false
	case e.mover != anyMover:
		return rules.FixedPlayer(e.mover), true
	}
	return rules.Mover, true
}

// joined returns the union of several sets.
func (e env) joined(xs []ast.Expr) setValue {
	var s setValue
	for _, x := range xs {
		s = e.union(s, e.asSet(e.expr(x), x.Span()))
	}
	return s
}

// operands resolves both sides.
func (e env) operands(l, r ast.Expr) (operand, operand) {
	return operand{e.expr(l), l.Span()}, operand{e.expr(r), r.Span()}
}

// domain resolves what a name goes through: a set, a range, the players, or values in braces.
func (e env) domain(x ast.Expr) value {
	if isPlayers(x) {
		return e.playerList(x.Span())
	}
	return e.expr(x)
}

// turns returns the values that a quantified name goes through.
func (e env) turns(x ast.Expr) iter.Seq[turn] {
	v := e.domain(x)
	if list, ok := e.fixedTurns(v, x.Span()); ok {
		return list
	}
	return pitTurns(e.members(e.asSet(v, x.Span())))
}

func (e env) int(x ast.Expr) rules.Expr { return e.asInt(e.expr(x), x.Span()) }

func (e env) pit(x ast.Expr) rules.Expr { return e.asPit(e.expr(x), x.Span()) }

// staticPits resolves sets whose members do not depend on the state, and reports others.
func (e env) staticPits(sets []ast.Expr) []int {
	var pits []int
	for _, x := range sets {
		pits = append(pits, e.pitsOf(e.expr(x), x.Span())...)
	}
	return pits
}

// pitsOf is staticPits for one set.
func (e env) pitsOf(v value, at diag.Range) []int {
	var pits []int
	for _, m := range e.asSet(v, at).elems {
		pit, ok := constOf(m.pit)
		if !ok || m.cond != nil {
			e.diags.Errorf(diag.NotConstant, at, "which pits these are depends on the state of play")
			break
		}
		pits = append(pits, pit)
	}
	return pits
}

// indexed resolves `south[n]` to a pit, or `south[a..b]` to a set.
func (e env) indexed(x *ast.IndexExpr) value {
	if r, ok := x.Index.(*ast.Binary); ok && r.Op == ".." {
		return e.stretch(x, r)
	}
	n := len(*e.diags)
	i := e.constInt(x.Index)
	if len(*e.diags) > n {
		return bad
	}
	pit := e.pitAt(x.Group, i, x.Range)
	if pit == rules.None {
		return bad
	}
	return spelled(rules.FixedPit(pit))
}

// stretch resolves `south[a..b]` to the pits from a to b, in that order, as on a lap. The ends may
// depend on the name of a quantifier; so that this works at both ends of a group, a stretch before
// the first pit or after the last one is empty.
func (e env) stretch(x *ast.IndexExpr, r *ast.Binary) value {
	pr := ast.PitRange{At: x.At, Group: x.Group, From: r.L, To: r.R}
	n := len(*e.diags)
	from, to := e.constInt(r.L), e.constInt(r.R)
	out := value{typ: typ{kind: kSet}}
	if len(*e.diags) == n && !e.outside(x.Group.Name, from, to) {
		out.set, out.spelled = fixedSet(e.pitsAt(pr, e.between(pr, from, to))), true
	}
	return out
}
