package resolve

import (
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

var ops = map[string]rules.Op{
	"or": rules.Or, "and": rules.And, "=": rules.Eq, "/=": rules.Ne, "<": rules.Lt, "<=": rules.Le,
	">": rules.Gt, ">=": rules.Ge, "+": rules.Add, "-": rules.Sub, "*": rules.Mul, "div": rules.Div, "mod": rules.Mod,
}

// cond resolves a condition.
func (e env) cond(x ast.Expr) rules.Expr { return e.asBool(e.expr(x), x.Span()) }

// expr resolves any expression.
func (e env) expr(x ast.Expr) value {
	if x == nil {
		return bad
	}
	e.used.at = x
	e.spend(1)
	switch x := x.(type) {
	case *ast.Int:
		return number(rules.Number(x.Value))
	case *ast.Name:
		return e.name(x.Name, x.Range)
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
	case *ast.Quant:
		return e.quant(x)
	case *ast.EachCmp:
		return e.eachCmp(x)
	case *ast.SetLit:
		return e.setLit(x)
	case *ast.Filter:
		return value{typ: typ{kind: kSet}, set: e.filter(x.Var.Name, e.asSet(e.expr(x.Set), x.Set.Span()), x.Where)}
	}
	return bad
}

// name resolves a name or a word with a meaning of its own; inner names hide outer ones.
func (e env) name(name string, at diag.Range) value {
	if l := e.find(name); l != nil {
		return e.localValue(l)
	}
	if v, ok := e.word(name, at); ok {
		return v
	}
	if ent, ok := e.names[name]; ok {
		return e.entity(ent, name, at)
	}
	for _, values := range e.enums {
		for _, v := range values {
			if v == name {
				return value{typ: typ{kind: kEnumName}, name: name}
			}
		}
	}
	if e.place == inClaim {
		return e.claimName(name, at)
	}
	return e.unknown(name, at)
}

func (e env) localValue(l *local) value {
	if l.slot < 0 {
		return l.value
	}
	v := l.value
	v.x, v.use = rules.LocalAt(l.slot), l.use
	return v
}

// word resolves the language's own words.
func (e env) word(name string, at diag.Range) (value, bool) {
	switch name {
	case "true":
		return truth(rules.True), true
	case "false":
		return truth(rules.False), true
	case "none":
		return pitValue(rules.FixedPit(rules.None)), true
	case "empty":
		return number(rules.Number(0)), true
	case "last", "origin":
		return e.sowingWord(name, at), true
	case "mover":
		return e.moverValue(at), true
	case "opponent":
		return e.opponentValue(at), true
	}
	if e.place == inClaim {
		return claimWord(name)
	}
	return value{}, false
}

func claimWord(name string) (value, bool) {
	switch name {
	case "stuck":
		return truth(rules.IsStuck), true
	case "start":
		return truth(rules.IsStart), true
	case "finished":
		return truth(rules.Not{X: rules.HasOutcome(rules.Live)}), true
	}
	return value{}, false
}

func (e env) moverValue(at diag.Range) value {
	v := value{typ: typ{kind: kPlayer}, x: rules.Mover}
	switch {
	case !e.twoPlayers():
		e.diags.Errorf(diag.Misplaced, at, "`mover` has no meaning in a solitaire")
		return bad
	case e.place == inDeclaration || e.place == inSetup:
		e.diags.Errorf(diag.Misplaced, at, "nobody is to move here")
		return bad
	case e.mover != anyMover:
		v.x = rules.FixedPlayer(e.mover)
	}
	return v
}

// sowingWord is `last` or `origin`.
func (e env) sowingWord(name string, at diag.Range) value {
	if e.inStep {
		return e.ghostWord(name, at)
	}
	e.afterSowing(name, at)
	return pitValue(register(name, at))
}

// register is a register that a word of the language stands for.
func register(name string, at diag.Range) rules.Expr {
	reg := map[string]rules.Cell{"last": rules.Last, "origin": rules.Origin, "last was": rules.LastWas}[name]
	reg.At = at
	return reg
}

// afterSowing reports a word that speaks of a sowing where nothing can have been sown.
func (e env) afterSowing(word string, at diag.Range) {
	if !e.sown {
		e.diags.Errorf(diag.Misplaced, at, "`%s` has no meaning here: nothing has been sown yet", word)
	}
}

func (e env) entity(ent entity, name string, at diag.Range) value {
	switch ent.kind {
	case entParam:
		return e.paramValue(ent.index, at)
	case entPlayer:
		return value{typ: typ{kind: kPlayer}, x: rules.FixedPlayer(ent.index)}
	case entPit:
		return spelled(rules.FixedPit(ent.index))
	case entGroup:
		return value{typ: typ{kind: kSet}, set: e.group(ent.index), spelled: true}
	case entLap:
		return e.lapNamed(name, at)
	case entDefine:
		return e.defined(ent.index, nil, &ast.Name{At: ast.At{Range: at}, Name: name})
	case entRelation:
		e.diags.Errorf(diag.Arity, at, "`%s` leads from pits to pits: say from which, `%[1]s(…)`", name)
		return bad
	}
	return e.varValue(e.vars[ent.index], nil, name, at)
}

func (e env) paramValue(i int, at diag.Range) value {
	p := e.sys.Params[i]
	switch {
	case p.Bool:
		return truth(rules.Truth(p.Value != 0))
	case !p.Open:
		return number(rules.Number(p.Value))
	case e.place == inSetup || e.place == inClaim:
		return number(rules.OpenParam{Param: i})
	}
	d := e.diags.Errorf(diag.BadClause, e.opened(p.Name, at), "`%s` is read outside the setup, so a claim cannot leave it open", p.Name).
		WithHelp("use `for %s in a..b` to check several values one by one", p.Name)
	d.Notes = []diag.Note{{Range: at, Message: "read here"}}
	return bad
}

// opened is where the claim leaves a parameter open; without a claim that does it is at.
func (b *builder) opened(param string, at diag.Range) diag.Range {
	if b.claim == nil {
		return at
	}
	for _, c := range b.claim.Clauses {
		switch c := c.(type) {
		case *ast.ForAll:
			if c.Name.Name == param {
				return c.Name.Range
			}
		case *ast.ForSome:
			if c.Name.Name == param {
				return c.Name.Range
			}
		}
	}
	return at
}

// varValue is a state variable's value; index is the argument of one declared with `each`.
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

// varCell is the cell of a state variable; index is the argument of one declared with `each`.
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

// varIndex resolves the argument of a variable declared with `each`; nil without one.
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

// stretch is `south[a..b]`: several pits, as on a lap. The ends may use what a quantifier stands
// for, and then the stretch before the first pit or behind the last one is empty.
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

// outside tells whether a stretch is that from the first pit to the one before it, or from the one
// behind the last pit to the last.
func (b *builder) outside(group string, from, to int) bool {
	if from != to+1 || !b.bracketed[group] {
		return false
	}
	lo, hi := b.extent(group)
	return from == lo || to == hi
}

// extent gives the least and the greatest number of a group's pits.
func (b *builder) extent(group string) (lo, hi int) {
	found := false
	for _, p := range b.sys.Pits {
		if p.Group == group && (!found || p.Index < lo) {
			lo = p.Index
		}
		if p.Group == group && (!found || p.Index > hi) {
			hi = p.Index
		}
		found = found || p.Group == group
	}
	return lo, hi
}

func (e env) was(x *ast.Was) value {
	if e.inStep {
		return e.ghostWas(x)
	}
	e.afterSowing("last", x.Range)
	n := e.asInt(e.expr(x.Value), x.Value.Span())
	return truth(simple(rules.Binary{Op: rules.Eq, L: register("last was", x.Range), R: n}))
}

func (e env) unary(x *ast.Unary) value {
	switch x.Op {
	case "not":
		return truth(simple(rules.Not{X: e.cond(x.X)}))
	case "-":
		return e.arithmetic(rules.Binary{Op: rules.Sub, L: rules.Number(0), R: e.asInt(e.expr(x.X), x.X.Span()), At: x.Range})
	}
	v := e.expr(x.X)
	if !e.inStep {
		e.diags.Errorf(diag.Misplaced, x.Range, "`old` has a meaning only after `gives`")
		return bad
	}
	if v.x != nil && rules.HasA[rules.Old](v.x) || v.held != nil || slices.ContainsFunc(ast.All[*ast.Unary](x.X), isOld) {
		e.diags.Errorf(diag.Misplaced, x.Range, "`old` has no meaning inside `old`: there is one state before a step")
		return bad
	}
	if isPitLike(v) {
		pit := e.asPit(v, x.X.Span())
		was := pitValue(e.before(rules.Old{X: pit}, false))
		was.held = e.before(rules.Old{X: simple(seedsAt(pit, x.Range))}, false)
		return was
	}
	if v.x == nil {
		e.mismatch(x.X.Span(), "a value", v)
		return bad
	}
	return value{typ: v.typ, x: e.before(rules.Old{X: v.x}, v.typ.kind == kBool)}
}

func isOld(x *ast.Unary) bool { return x.Op == "old" }

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

// arithmetic folds an operation on constants. One whose result is no number is reported.
func (e env) arithmetic(x rules.Binary) value {
	l, lok := constOf(x.L)
	r, rok := constOf(x.R)
	if lok && rok {
		if _, err := rules.Apply(x.Op, l, r); err == num.ErrRange {
			e.diags.Errorf(diag.NumberRange, x.At, "%d %s %d is beyond the range of numbers", l, x.Op, r).WithHelp("%s", rules.RangeHelp)
			return bad
		}
	}
	return number(simple(x))
}

// compare compares pits with pits, everything else by value; a pit beside a number is its seeds.
func (e env) compare(op rules.Op, l, r operand) rules.Expr {
	order := op != rules.Eq && op != rules.Ne
	mk := func(a, b rules.Expr) rules.Expr { return simple(rules.Binary{Op: op, L: a, R: b}) }
	switch {
	case l.typ.kind == kBad || r.typ.kind == kBad:
		return rules.False
	case !order && isPitLike(l.value) && isPitLike(r.value):
		return e.samePlace(op, l, r)
	case l.typ.kind == kInt || r.typ.kind == kInt || order:
		return mk(e.numbers(l, r, "%s "+op.String()+" %s"))
	case l.typ.kind == kEnumName && r.typ.kind == kEnum:
		return mk(e.asEnum(r.typ, l.value, l.at), r.x)
	case l.typ.kind == kLap && r.typ.kind == kLap:
		if l.x == nil && r.x == nil {
			return rules.Truth((l.lap == r.lap) == (op == rules.Eq))
		}
		return mk(e.lapName(l.value), e.lapName(r.value))
	case l.typ.kind == kSet || l.typ.kind == kRange || l.typ.kind == kList || l.typ.kind == kEnumName:
		e.mismatch(l.at, "a value", l.value)
		return rules.False
	}
	return mk(l.x, e.asType(l.typ, r.value, r.at))
}

// contains is `x in SET`, over pits or over numbers.
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

// setLit is a set of pits if every element is one.
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

func (e env) filter(name string, s setValue, where ast.Expr) setValue {
	out := setValue{once: true}
	for _, m := range e.members(s) {
		c := e.with(name, pitValue(m.pit)).cond(where)
		if c != rules.False {
			out.elems = append(out.elems, elem{m.pit, andCond(m.cond, c)})
		}
	}
	return out
}

// quant expands each, some and number over the values of a domain.
func (e env) quant(x *ast.Quant) value {
	return e.fold(x.Kind, e.turns(x.Set), func(m turn) rules.Expr {
		return e.with(x.Var.Name, m.value).cond(x.Body)
	})
}

func (e env) eachCmp(x *ast.EachCmp) value {
	s := e.asSet(e.expr(x.Set), x.Set.Span())
	r := operand{e.expr(x.R), x.R.Span()}
	return e.fold(x.Kind, pitTurns(e.members(s)), func(m turn) rules.Expr {
		n := number(e.seedsOf(m.value.x, x.Set.Span()))
		return e.compare(ops[x.Op], operand{n, x.Set.Span()}, r)
	})
}

// fold joins what holds of each value, as its kind of quantifier says.
func (e env) fold(kind string, turns iter.Seq[turn], holds func(turn) rules.Expr) value {
	join := map[string]rules.Op{"each": rules.And, "some": rules.Or, "number": rules.Add}[kind]
	acc := rules.Expr(rules.Truth(kind == "each"))
	if kind == "number" {
		acc = rules.Number(0)
	}
	for m := range turns {
		e.spend(1)
		h := holds(m)
		switch {
		case kind == "number" && m.cond != nil:
			h = simple(rules.Cond{If: rules.Binary{Op: rules.And, L: m.cond, R: h}, Then: rules.Number(1), Else: rules.Number(0)})
		case kind == "number":
			h = simple(rules.Cond{If: h, Then: rules.Number(1), Else: rules.Number(0)})
		case m.cond != nil && kind == "each":
			h = rules.Join(rules.Or, simple(rules.Not{X: m.cond}), h)
		case m.cond != nil:
			h = rules.Join(rules.And, m.cond, h)
		}
		acc = rules.Join(join, acc, h)
	}
	if kind == "number" {
		return number(acc)
	}
	return truth(acc)
}
