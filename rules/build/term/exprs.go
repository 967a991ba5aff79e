package term

import (
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// Ops gives the kernel operators for those of the language that translate directly.
var Ops = map[string]rules.Op{
	"or": rules.Or, "and": rules.And, "=": rules.Eq, "/=": rules.Ne, "<": rules.Lt, "<=": rules.Le,
	">": rules.Gt, ">=": rules.Ge, "+": rules.Add, "-": rules.Sub, "*": rules.Mul, "div": rules.Div, "mod": rules.Mod,
}

// Env resolves expressions at one place of the text. A name may stand for other text, so
// definitions and positions are read here as well.
type Env struct {
	Game    *Scope
	Place   place
	Step    *Ghosts   // of the step that a claim is about; nil: `old` has no meaning
	Mover   int       // a player, or anyMover
	Sown    bool      // a sowing may have happened, so `last` may have a value
	Lap     SownAlong // of the latest sowing, or AnyLap
	Locals  *Local
	Reacts  bool            // `no move` has a meaning
	Falls   bool            // `no other move` has a meaning
	Ranking bool            // a strategy is read, which may name the choices of the move
	inside  []*ast.Position // positions whose conditions are being read, to find cycles
	Fitted  *[]Fitted       // gets the drawn positions that conditions name; nil: nobody asks
}

// NewEnv returns an env without local names. In a solitaire the mover is known.
func NewEnv(s *Scope, p place) Env {
	e := Env{Game: s, Place: p, Mover: anyMover, Lap: AnyLap}
	if !s.TwoPlayers() {
		e.Mover = 0
	}
	return e
}

// With returns e with a local name bound to a fixed value.
func (e Env) With(s *bind.Symbol, v Value) Env {
	e.Bind(s, v)
	return e
}

// Cond resolves a condition.
func (e Env) Cond(x ast.Expr) rules.Expr { return asBool(e, e.Expr(x), x.Span()) }

// Expr resolves an expression. After a mistake it returns a value that fits everywhere, so that the
// mistake is reported once.
func (e Env) Expr(x ast.Expr) Value {
	if x == nil {
		return Bad
	}
	e.Game.Run.Used.node = x
	e.Game.Run.Spend(1)
	switch x := x.(type) {
	case *ast.Int:
		return Number(rules.Number(x.Value))
	case *ast.Name:
		return e.Name(x, x.Range)
	case *ast.Text:
		return claimName(e, e.Ref(x), x.Value, x.Range)
	case *ast.Paren:
		return e.Expr(x.X)
	case *ast.IndexExpr:
		return readIndexed(e, x)
	case *ast.Call:
		return readCall(e, x)
	case *ast.Of:
		return readOwned(e, x)
	case *ast.Was:
		return readWas(e, x)
	case *ast.NoMove:
		return e.noMove(x)
	case *ast.Wins:
		return e.wins(x)
	case *ast.Unary:
		return readUnary(e, x)
	case *ast.Binary:
		return readBinary(e, x)
	case *ast.Cond:
		l, r := e.operands(x.Then, x.Else)
		return either(e, x, branches{e.Cond(x.If), l, r})
	case *ast.Quant:
		if x.Kind == "first" {
			return readFirst(e, x)
		}
		return fold(e, x.Kind, e.turns(x.Set), func(m Turn) rules.Expr { return e.With(e.Symbol(&x.Var), m.Value).Cond(x.Body) })
	case *ast.EachCmp:
		return readEach(e, x)
	case *ast.SetLit:
		return readSet(e, x)
	case *ast.Filter:
		return Value{Type: Type{Kind: SetKind}, Set: readFilter(e, e.Symbol(&x.Var), AsSet(e, e.Expr(x.Set), x.Set.Span()), x.Where)}
	}
	return Bad
}

// Name returns the value of the name n, which is written as at.
func (e Env) Name(n ast.Node, at diag.Range) Value {
	ref := e.Ref(n)
	if e.Ranking {
		if l := e.chosen(ref.Name); l != nil && e.Find(ref.Symbol) == nil {
			return l.read()
		}
	}
	switch ref.Kind {
	case bind.LocalName:
		if l := e.Find(ref.Symbol); l != nil {
			return l.read()
		}
	case bind.WordName:
		if v, ok := e.word(ref.Name, at); ok {
			return v
		}
	case bind.PitName:
		return e.pitAt(ast.Ident{At: ast.At{Range: at}, Name: ref.Symbol.Name}, ref.Number, at)
	case bind.ValueName, bind.OutcomeName, bind.PositionName: // those of `go on` come first
		if i, ok := e.Game.Late[ref.Name]; ok {
			return e.varValue(e.Game.Vars[i], nil, ref.Name, at)
		}
		for _, values := range e.Game.Enums {
			if slices.Contains(values, ref.Name) {
				return Value{Type: Type{Kind: EnumNameKind}, name: ref.Name}
			}
		}
		if ref.Kind != bind.ValueName && e.Place == InClaim {
			return claimName(e, ref, ref.Name, at)
		}
	case bind.DefinitionName:
		return readDefinition(e, ref, nil, at)
	case bind.ProcedureName:
		return e.noValue(ref.Name, at)
	default:
		if i, ok := e.Game.madeOf(ref.Symbol); ok {
			return e.declared(ref, i, at)
		}
	}
	return e.Unknown(ref, at)
}

// chosen finds the choice of a name in the move that a strategy ranks.
func (e Env) chosen(name string) *Local {
	for l := e.Locals; l != nil; l = l.Outer {
		if _, is := l.Symbol.Node.(*ast.Choice); is && l.Symbol.Name == name {
			return l
		}
	}
	return nil
}

// pitAt returns a pit with its number, which this board may lack.
func (e Env) pitAt(group ast.Ident, number int, at diag.Range) Value {
	if pit := e.Game.PitAt(group, number, at); pit != rules.None {
		return Value{Type: Type{Kind: PitKind}, X: rules.FixedPit(pit), spelled: true}
	}
	return Bad
}

// declared returns the value of what a variant declares, by its place in the list for its kind.
func (e Env) declared(ref bind.Ref, i int, at diag.Range) Value {
	switch ref.Symbol.Kind {
	case bind.ParamName:
		return e.paramValue(i, at)
	case bind.PlayerName:
		return Value{Type: Type{Kind: PlayerKind}, X: rules.FixedPlayer(i)}
	case bind.PitsName, bind.GroupName:
		return Value{Type: Type{Kind: SetKind}, Set: group(e, i), spelled: true}
	case bind.LapName:
		return lapNamed(e, ref.Name, at)
	case bind.RelationName:
		return e.mistake(diag.Arity, at, "`%s` leads from pits to pits: say from which, `%[1]s(…)`", ref.Name)
	}
	return e.varValue(e.Game.Vars[i], nil, ref.Name, at)
}

// noValue reports a procedure in the place of a value.
func (e Env) noValue(name string, at diag.Range) Value {
	e.Game.Run.Diags.Errorf(diag.Type, at, "`%s` is a procedure, which has no value", name).
		WithHelp("it is called by a statement `%s(…)`; what has a value is a definition", name)
	return Bad
}

// varValue returns the value of a state variable. index is the argument if the variable is declared
// with `each`, and nil otherwise.
func (e Env) varValue(v StateVar, index ast.Expr, name string, at diag.Range) Value {
	if e.Place == InDeclaration || e.Place == InSetup {
		d := e.Game.Run.Diags.Errorf(diag.Misplaced, at, "the state variable `%s` has no value before play", name)
		if e.Place == InSetup {
			if d.WithHelp("a setup gives a variable its value by a condition of its own: `%s = …`", name); v.EachName != "" {
				d.WithHelp("a setup gives one variable a value by `%s(…) = …`; the declaration gives each its own: `state %[1]s each x in %s : … = …`", name, v.EachName)
			}
		}
		return Bad
	}
	cell, ok := e.VarCell(v, index, at)
	if !ok {
		return Bad
	}
	return Value{Type: v.Type, X: Simple(cell)}
}

// VarCell returns the cell of a state variable. index is as for varValue. ok is false after a
// mistake.
func (e Env) VarCell(v StateVar, index ast.Expr, at diag.Range) (rules.Cell, bool) {
	x := e.VarIndex(v, index, at)
	key := rules.PitType
	if v.EachName == "player" {
		key = rules.PlayerType
	}
	if v.EachName != "" {
		return rules.Cell{Sort: rules.VarCell, Table: v.Table, Key: key, Index: x, At: at}, x != nil
	}
	return rules.Cell{Sort: rules.VarCell, Slot: v.Table[0], At: at}, true
}

// VarIndex resolves the argument of a variable declared with `each`, or returns nil if it has none.
func (e Env) VarIndex(v StateVar, index ast.Expr, at diag.Range) rules.Expr {
	switch {
	case v.EachName == "" && index != nil:
		e.Game.Run.Diags.Errorf(diag.Arity, at, "`%s` is a single variable and takes no argument", v.Name)
	case v.EachName != "" && index == nil:
		e.Game.Run.Diags.Errorf(diag.Arity, at, "`%s` exists for each %s: say for which, `%s(…)`", v.Name, v.EachName, v.Name)
	case v.EachName == "player":
		return AsType(e, Type{Kind: PlayerKind}, e.Expr(index), index.Span())
	case v.EachName != "":
		return e.Pit(index)
	}
	return nil
}

// readWas resolves `last was N`: how many seeds the pit of the last seed had before it.
func readWas(e Env, x *ast.Was) Value {
	if e.Step == nil {
		afterSowing(e, "last", x.Range)
	}
	n := e.Int(x.Value)
	if e.Step == nil {
		return truth(Simple(rules.Binary{Op: rules.Eq, L: register("last was", x.Range), R: n}))
	}
	known, ok := ConstOf(n)
	if !ok {
		e.Game.Run.Diags.Errorf(diag.NotConstant, x.Value.Span(), "in a claim `last was` takes a number that is known before play").
			WithHelp("with `old` what the pit had before the step can be asked: `some p in pit : last = p and old seeds(p) = …`")
		return Bad
	}
	return truth(e.Step.was(known, x.Range))
}

// readUnary resolves `not`, a sign, or `old`.
func readUnary(e Env, x *ast.Unary) Value {
	switch x.Op {
	case "not":
		return truth(Simple(rules.Not{X: e.Cond(x.X)}))
	case "-":
		return arithmetic(e, rules.Binary{Op: rules.Sub, L: rules.Number(0), R: e.Int(x.X), At: x.Range})
	}
	v := e.Expr(x.X)
	if e.Step == nil {
		return e.mistake(diag.Misplaced, x.Range, "`old` has a meaning only after `gives`")
	}
	// `old` may still be visible in the syntax only, where simplification removed it.
	if v.X != nil && rules.HasA[rules.Old](v.X) || v.held != nil || slices.ContainsFunc(ast.All[*ast.Unary](x.X), func(x *ast.Unary) bool { return x.Op == "old" }) {
		return e.mistake(diag.Misplaced, x.Range, "`old` has no meaning inside `old`: there is one state before a step")
	}
	if name := afterStep(e, x.X); name != nil {
		e.Game.Run.Diags.Errorf(diag.Misplaced, name.Range, "`%s` stands for what it is after the step, and `old` asks for the state before", name.Name).
			WithHelp("write `old` where that value is given, or around another part of the condition")
		return Bad
	}
	if isPitLike(v) {
		pit := AsPit(e, v, x.X.Span())
		// Both are kept for a pit: which pit it was, and how many seeds it had then.
		was := PitValue(e.Step.before(rules.Old{X: pit}, false))
		was.held = e.Step.before(rules.Old{X: Simple(SeedsAt(pit, x.Range))}, false)
		return was
	}
	if v.X == nil {
		e.Game.Run.Mismatch(x.X.Span(), "a value", v)
		return Bad
	}
	return Value{Type: v.Type, X: e.Step.before(rules.Old{X: v.X}, v.Type.Kind == BoolKind)}
}

// afterStep returns a bound name in x whose value depends on the state, other than by `last` and
// `origin`, which are the same pits before the step and after it; nil if there is none.
func afterStep(e Env, x ast.Expr) *ast.Name {
	depends := func(x rules.Expr) bool {
		return x != nil && rules.Mentions(x, func(x rules.Expr) bool {
			c, is := x.(rules.Cell)
			_, sum := x.(rules.Sum)
			return sum || is && !e.Step.is(c)
		})
	}
	inSet := func(m elem) bool { return depends(m.Pit) || depends(m.Cond) }
	inLap := func(c LapCase) bool { return depends(c.Cond) }
	for _, n := range ast.All[*ast.Name](x) {
		l := e.Find(e.Ref(n).Symbol)
		if l != nil && (depends(l.Value.X) || slices.ContainsFunc(l.Value.Set.Elems, inSet) || slices.ContainsFunc(l.Value.Cases, inLap)) {
			return n
		}
	}
	return nil
}

// readBinary resolves an operator with two operands.
func readBinary(e Env, x *ast.Binary) Value {
	switch x.Op {
	case "in", "not in":
		c := readContains(e, x)
		if x.Op == "not in" {
			c = Simple(rules.Not{X: c})
		}
		return truth(c)
	case "..":
		return Value{Type: Type{Kind: RangeKind}, Lo: e.Int(x.L), Hi: e.Int(x.R)}
	case "without":
		return Value{Type: Type{Kind: SetKind}, Set: without(e, AsSet(e, e.Expr(x.L), x.L.Span()), AsSet(e, e.Expr(x.R), x.R.Span()))}
	case "or", "and":
		return truth(rules.Join(Ops[x.Op], e.Cond(x.L), e.Cond(x.R)))
	}
	l, r := e.operands(x.L, x.R)
	if x.Op == "+" && isPitLike(l.Value) && isPitLike(r.Value) {
		return Value{Type: Type{Kind: SetKind}, Set: union(e, AsSet(e, l.Value, l.at), AsSet(e, r.Value, r.at))}
	}
	if op := Ops[x.Op]; op >= rules.Eq && op <= rules.Ge {
		return truth(compare(e, op, l, r))
	}
	out := rules.Binary{Op: Ops[x.Op], At: x.Range}
	out.L, out.R = numbers(e, l, r, "%s "+x.Op+" %s")
	return arithmetic(e, out)
}

// readContains resolves `x in SET`, for pits, numbers or other values.
func readContains(e Env, x *ast.Binary) rules.Expr {
	l, r := operand{e.Expr(x.L), x.L.Span()}, operand{e.Domain(x.R), x.R.Span()}
	switch r.Type.Kind {
	case RangeKind:
		n := asInt(e, l.Value, l.at)
		return Simple(rules.Binary{
			Op: rules.And,
			L:  rules.Binary{Op: rules.Ge, L: n, R: r.Lo}, R: rules.Binary{Op: rules.Le, L: n, R: r.Hi},
		})
	case ListKind:
		any := rules.False
		for _, v := range r.List {
			any = rules.Join(rules.Or, any, compare(e, rules.Eq, l, operand{v, r.at}))
		}
		return any
	}
	return Member(e, AsPit(e, l.Value, l.at), AsSet(e, r.Value, r.at))
}

// readSet resolves values in braces. They are a set of pits if every one of them is a pit.
func readSet(e Env, x *ast.SetLit) Value {
	var list []Value
	pits, out := len(x.Elems) > 0, true
	var s PitSet
	for _, el := range x.Elems {
		v := e.Expr(el)
		out = out && v.spelled
		list = append(list, v)
		if isPitLike(v) {
			s = union(e, s, AsSet(e, v, el.Span()))
		} else {
			pits = false
		}
	}
	if pits {
		return Value{Type: Type{Kind: SetKind}, Set: s, spelled: out}
	}
	return Value{Type: Type{Kind: ListKind}, List: list}
}

// readFilter returns the members of s for which a condition on the name holds.
func readFilter(e Env, name *bind.Symbol, s PitSet, where ast.Expr) PitSet {
	all := PitSet{Elems: members(e, s), once: true}
	return all.where(func(pit rules.Expr) rules.Expr { return e.With(name, PitValue(pit)).Cond(where) })
}

// readFirst resolves `first x in SET where E`. The order of the set counts, so the name stands for
// each member as it is written, also where `old` has a meaning.
func readFirst(e Env, x *ast.Quant) Value {
	if e.Place == InSetup {
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "in a setup no pit depends on the seeds").
			WithHelp("write a condition for each pit that it may be")
		return Bad
	}
	s, name := Distinct(e, AsSet(e, e.Domain(x.Set), x.Set.Span())), e.Symbol(&x.Var)
	s = s.where(func(pit rules.Expr) rules.Expr { return e.With(name, PitValue(pit)).Cond(x.Body) })
	pit := rules.FixedPit(rules.None)
	for _, m := range slices.Backward(s.Elems) {
		if pit = (rules.Cond{If: m.Cond, Then: m.Pit, Else: pit}); m.Cond == rules.True {
			pit = m.Pit
		}
	}
	return PitValue(pit)
}

// readEach expands a comparison such as `each hole = 4`, of the seeds in each pit of a set.
func readEach(e Env, x *ast.EachCmp) Value {
	s := AsSet(e, e.Expr(x.Set), x.Set.Span())
	r := operand{e.Expr(x.R), x.R.Span()}
	return fold(e, x.Kind, PitTurns(members(e, s)), func(m Turn) rules.Expr {
		n := Number(seedsOf(e, m.Value.X, x.Set.Span()))
		return compare(e, Ops[x.Op], operand{n, x.Set.Span()}, r)
	})
}

// ConstInt resolves x to a number that is known before play. Otherwise it reports why that is
// impossible and returns 0.
func (e Env) ConstInt(x ast.Expr) int {
	n := len(*e.Game.Run.Diags)
	number := e.Int(x)
	v, ok := ConstOf(number)
	if !ok && len(*e.Game.Run.Diags) == n {
		e.Game.Run.Diags.Errorf(diag.NotConstant, x.Span(), "this must be known before play, but %s", unknownFor(number))
	}
	return v
}

// unknownFor says why x is not constant.
func unknownFor(x rules.Expr) string {
	if rules.Mentions(x, func(x rules.Expr) bool {
		b, ok := x.(rules.Binary)
		return ok && (b.Op == rules.Div || b.Op == rules.Mod) && b.R == rules.Number(0)
	}) {
		return "divides by zero"
	}
	return "depends on the state"
}

// readOwned resolves `my G`, `their G` or `G of P`, where G is a lap or a set of pits.
func readOwned(e Env, x *ast.Of) Value {
	owner, ok := ownerIn(e, x)
	if !ok {
		return Bad
	}
	if e.Ref(&x.Group).Kind == bind.LapName {
		name, named := x.Player.(*ast.Name)
		return ownLap(e, x, owner, named && e.Ref(name).Kind == bind.PlayerName)
	}
	g := e.Name(&x.Group, x.Group.Range)
	if g.Type.Kind == BadKind {
		return Bad
	}
	own := AsSet(e, g, x.Group.Range).where(func(pit rules.Expr) rules.Expr { return ownedBy(e, pit, owner, x.Their) })
	return Value{Type: Type{Kind: SetKind}, Set: own, owner: owner, spelled: true}
}

// ownerIn resolves the player of `my`, `their` or `of`. For `their` it is the mover, whose pits are
// those left out. ok is false after a mistake.
func ownerIn(e Env, x *ast.Of) (rules.Expr, bool) {
	word := "`my` and `their` have"
	if x.Player != nil {
		word = "`of` has"
	}
	switch {
	case !e.Game.TwoPlayers():
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "%s no meaning in a solitaire", word).
			WithHelp("declare the players with `player South, North`")
		return nil, false
	case e.Place == InDeclaration && !e.Game.OwnersKnown:
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "%s no meaning here: it is not known yet who owns which pits", word)
		return nil, false
	case x.Player != nil:
		v := e.Expr(x.Player)
		n := len(*e.Game.Run.Diags)
		p := AsType(e, Type{Kind: PlayerKind}, v, x.Player.Span())
		return Simple(p), v.Type.Kind == PlayerKind && len(*e.Game.Run.Diags) == n
	case e.Place == InDeclaration || e.Place == InSetup:
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "%s no meaning here: nobody is to move", word).
			WithHelp("name the pits without it, as `each house = 4`, or their player, as `house of South`")
		return nil, false
	case e.Mover != anyMover:
		return rules.FixedPlayer(e.Mover), true
	}
	return rules.Mover, true
}

// Joined returns the union of several sets.
func (e Env) Joined(xs []ast.Expr) PitSet {
	var s PitSet
	for _, x := range xs {
		s = union(e, s, AsSet(e, e.Expr(x), x.Span()))
	}
	return s
}

// operands resolves both sides.
func (e Env) operands(l, r ast.Expr) (operand, operand) {
	return operand{e.Expr(l), l.Span()}, operand{e.Expr(r), r.Span()}
}

// Domain resolves what a name goes through: a set, a range, the players, or values in braces.
func (e Env) Domain(x ast.Expr) Value {
	if n, is := x.(*ast.Name); is && n.Name == "player" {
		return playerList(e, x.Span())
	}
	return e.Expr(x)
}

// turns returns the values that a quantified name goes through.
func (e Env) turns(x ast.Expr) iter.Seq[Turn] {
	v := e.Domain(x)
	if list, ok := FixedTurns(e, v, x.Span()); ok {
		return list
	}
	return PitTurns(members(e, AsSet(e, v, x.Span())))
}

func (e Env) Int(x ast.Expr) rules.Expr { return asInt(e, e.Expr(x), x.Span()) }

func (e Env) Pit(x ast.Expr) rules.Expr { return AsPit(e, e.Expr(x), x.Span()) }

// StaticPits resolves sets whose members do not depend on the state, and reports others.
func (e Env) StaticPits(sets []ast.Expr) []int {
	return lists.Flat(sets, func(x ast.Expr) []int { return e.PitsOf(e.Expr(x), x.Span()) })
}

// PitsOf is staticPits for one set.
func (e Env) PitsOf(v Value, at diag.Range) []int {
	var pits []int
	for _, m := range AsSet(e, v, at).Elems {
		pit, ok := ConstOf(m.Pit)
		if !ok || m.Cond != rules.True {
			e.Game.Run.Diags.Errorf(diag.NotConstant, at, "which pits these are depends on the state of play")
			break
		}
		pits = append(pits, pit)
	}
	return pits
}

// readIndexed resolves `south[n]` to a pit, or `south[a..b]` to a set.
func readIndexed(e Env, x *ast.IndexExpr) Value {
	if r, ok := x.Index.(*ast.Binary); ok && r.Op == ".." {
		return readStretch(e, x, r)
	}
	n := len(*e.Game.Run.Diags)
	i := e.ConstInt(x.Index)
	if len(*e.Game.Run.Diags) > n {
		return Bad
	}
	return e.pitAt(x.Group, i, x.Range)
}

// readStretch resolves `south[a..b]` to the pits from a to b, in that order, as on a lap. The ends
// may depend on the name of a quantifier; so that this works at both ends of a group, a stretch
// before the first pit or after the last one is empty.
func readStretch(e Env, x *ast.IndexExpr, r *ast.Binary) Value {
	pr := ast.PitRange{At: x.At, Group: x.Group, From: r.L, To: r.R}
	n := len(*e.Game.Run.Diags)
	from, to := e.ConstInt(r.L), e.ConstInt(r.R)
	out := Value{Type: Type{Kind: SetKind}}
	if len(*e.Game.Run.Diags) == n && !e.Game.outside(x.Group.Name, from, to) {
		out.Set, out.spelled = fixedSet(e.Game.PitsAt(pr, e.Game.Between(pr, from, to))), true
	}
	return out
}
