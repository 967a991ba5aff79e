package resolve

import (
	"fmt"
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// bodies is what the bodies of a variant share.
type bodies struct {
	going *going                  // nil: no move uses `go on`
	skips map[string][]rules.Expr // conditions of sowings, by the pits that they skip
	lets  map[*ast.Let]*letUse    // how names of pits are used, for remarks
}

// body resolves the statements at one place. It is copied for inner blocks, whose names end with
// them.
type body struct {
	storage
	*bodies
	stage  stage // what the statements are a part of
	way    int   // the way of a move that may continue, from 1; see wayOf
	onward bool  // it continues an earlier lap
}

func newBody(e env, common *bodies, of stage) body {
	return body{storage: storage{env: e, slots: new([]rules.Type)}, bodies: common, stage: of}
}

// block resolves statements in a scope of their own. What is known about sowings stays known after
// it.
func (e *body) block(list []ast.Stmt) []rules.Stmt {
	inner := *e
	out := []rules.Stmt{}
	for _, s := range list {
		out = append(out, inner.stmt(s)...)
	}
	e.sown, e.lap = inner.sown, inner.lap
	return out
}

// stmt resolves a statement to statements of the kernel.
func (e *body) stmt(s ast.Stmt) []rules.Stmt {
	e.statement(s)
	switch s := s.(type) {
	case *ast.Sow:
		return e.sowing(s)
	case *ast.Chain:
		return e.chain(s)
	case *ast.Capture:
		return e.capture(s)
	case *ast.Take:
		return single(rules.Transfer{Count: e.int(s.Count), From: e.pit(s.From), Into: e.pit(s.Into), At: s.Range})
	case *ast.Assign:
		return e.assign(s)
	case *ast.Let:
		return e.let(s)
	case *ast.If:
		return e.ifStmt(s)
	case *ast.While:
		return single(e.while(s))
	case *ast.For:
		return e.forStmt(s)
	case *ast.Again:
		return single(rules.Again(e.mover))
	case *ast.GoOn:
		return e.goOn(s)
	case *ast.Finish:
		return single(rules.Stop{Outcome: e.verdict(&s.Verdict, s.Range)})
	case *ast.Require:
		return single(rules.Require(e.cond(s.Cond)))
	case *ast.Prefer:
		return single(rules.Prefer(e.asRank(e.expr(s.Value), s.Value.Span())))
	case *ast.MovesNext:
		return e.movesNext(s)
	case *ast.CallStmt:
		return e.call(s)
	}
	panic(fmt.Sprintf("resolve: unknown %T", s))
}

// skip resolves the pits that a sowing skips to one condition for each pit; nil means that it is
// not skipped.
func (e *body) skip(sets []ast.Expr) []rules.Expr {
	if len(sets) == 0 {
		return nil
	}
	s := e.joined(sets)
	conds := make([]rules.Expr, len(e.sys.Pits))
	e.spend(len(conds) * len(s.elems) / workUnit)
	if in, ok := s.static(len(conds)); ok {
		return e.skipStatic(in, conds)
	}
	for p := range conds {
		if c := e.member(rules.FixedPit(p), s); c != rules.False {
			conds[p] = c
		}
	}
	return conds
}

// skipStatic returns the conditions for a set that does not depend on the state. Sowings that skip
// the same pits share them.
func (e *body) skipStatic(in []bool, conds []rules.Expr) []rules.Expr {
	key := make([]byte, len(in))
	for p, is := range in {
		if is {
			key[p], conds[p] = 1, rules.True
		}
	}
	if old, ok := e.skips[string(key)]; ok {
		return old
	}
	if e.skips == nil {
		e.bodies.skips = map[string][]rules.Expr{}
	}
	e.skips[string(key)] = conds
	return conds
}

// onlyLast marks the pits that only the last seed may enter.
func (e *body) onlyLast(sets []ast.Expr) []bool {
	if len(sets) == 0 {
		return nil
	}
	in := make([]bool, len(e.sys.Pits))
	for _, p := range newEnv(e.scope, inDeclaration).staticPits(sets) {
		in[p] = true
	}
	return in
}

// checkSow reports a sowing that can never be carried out: from a pit off the lap, or along a lap
// on which every pit is skipped.
func (e *body) checkSow(s *ast.Sow, out rules.Sow) {
	lap := e.sys.Laps[out.Lap]
	if p, ok := constOf(out.Source); ok && p != rules.None && !e.onward && out.StartAt == nil && !out.OriginFirst && !onLap(lap, p) {
		e.diags.Errorf(diag.Misplaced, s.Range, "`%s` is not on the lap `%s`", e.sys.Pits[p].Name, lap.Name).
			WithHelp("say where the first seed goes: `starting at …`")
	}
	for _, p := range lap.Pits {
		if out.SkipIf == nil || out.SkipIf[p] != rules.True {
			return
		}
	}
	if len(lap.Pits) > 0 {
		e.diags.Errorf(diag.DeadSow, s.Range, "this sowing can never end: every pit of the lap `%s` is skipped", lap.Name)
	}
}

func onLap(lap rules.Lap, pit int) bool {
	return slices.Contains(lap.Pits, pit)
}

// capture moves the seeds of sets into a pit. A member with a condition loses its seeds only where
// that holds.
func (e *body) capture(s *ast.Capture) []rules.Stmt {
	for _, x := range append(ast.Exprs(s.From), s.Into) {
		if n, ok := x.(*ast.Name); ok && n.Name == "none" {
			e.diags.Errorf(diag.Misplaced, n.Range, "`none` is no pit, so nothing can be captured from it or into it")
		}
	}
	set := e.joined(ast.Exprs(s.From))
	into := e.pit(s.Into)
	var from []rules.Expr
	for _, m := range set.elems {
		if m.cond != nil {
			m.pit = rules.Cond{If: m.cond, Then: m.pit, Else: rules.FixedPit(rules.None)}
		}
		from = append(from, m.pit)
	}
	if p, known := constOf(into); len(from) == 0 && !(known && p != rules.None) {
		from = append(from, rules.FixedPit(rules.None)) // with nothing to capture, a missing target is still a fault
	}
	return e.gather(from, into, s.Range)
}

// assign resolves an assignment to a local or a state variable.
func (e *body) assign(s *ast.Assign) []rules.Stmt {
	name, index := s.Variable()
	ref := e.target(s)
	if l := e.find(ref.Symbol); l != nil {
		l.use.place() // a name that is given another pit could not stand for a number
		if l.slot < 0 || index != nil {
			e.diags.Errorf(diag.Misplaced, s.Range, "`%s` cannot be set: it was chosen, counts a loop, or is a set or a lap", name.Name)
			return nil
		}
		return single(rules.SetLocal(l.slot, e.asType(l.value.typ, e.expr(s.Value), s.Value.Span())))
	}
	ent, ok := e.made[ref.Symbol]
	if ref.Kind == bind.ValueName {
		ent, ok = e.late[ref.Name]
	}
	if ref.Kind == bind.Unknown || ref.Kind == bind.ValueName && !ok {
		e.unknown(ref, name.Range)
		return nil
	}
	if !ok || ent.kind != entVar {
		d := e.diags.Errorf(diag.Type, name.Range, "`%s` cannot be set: it is %s", name.Name, ref.Kind.Article())
		if ref.Kind == bind.PitName || ref.Kind == bind.PitsName || ref.Kind == bind.GroupName {
			d.WithHelp("seeds are moved with `sow`, `capture` and `take`")
		}
		return nil
	}
	v := e.vars[ent.index]
	cell, ok := e.varCell(v, index, s.Range)
	if !ok {
		return nil
	}
	return single(rules.Set{To: cell, X: e.asType(v.typ, e.expr(s.Value), s.Value.Span()), At: s.Range})
}

// target returns what the name on the left of an assignment stands for.
func (e *body) target(s *ast.Assign) bind.Ref {
	if call, is := s.Target.(*ast.Call); is {
		return e.ref(&call.Func)
	}
	return e.ref(s.Target)
}

// let resolves `let`. A set or lap is resolved to what it is now; other values get a slot.
func (e *body) let(s *ast.Let) []rules.Stmt {
	v := e.expr(s.Value)
	switch {
	case v.typ.kind == kSet && e.onePit(v):
		v = pitValue(e.asPit(v, s.Value.Span()))
	case v.typ.kind == kSet, v.typ.kind == kList && len(v.list) == 0:
		return e.letSet(s, v)
	case v.typ.kind == kLap:
		return e.letLap(s, v)
	case v.typ.kind == kEnumName:
		v = e.lonelyName(v, s.Value.Span())
	}
	if v.x == nil {
		e.mismatch(s.Value.Span(), "a value", v)
		v = bad
	}
	slot := e.newSlot(v.typ)
	v.typ.nobody = v.typ.kind == kPlayer // it may get another value later
	e.locals = &local{symbol: e.symbol(&s.Name), value: value{typ: v.typ}, slot: slot, use: e.letUse(s, v), outer: e.locals}
	return single(rules.SetLocal(slot, v.x))
}

// letSet binds a name to the pits that belong to a set now.
func (e *body) letSet(s *ast.Let, v value) []rules.Stmt {
	out := []rules.Stmt{}
	set := e.settleSet(e.asSet(v, s.Value.Span()), &out)
	e.bind(e.symbol(&s.Name), value{typ: typ{kind: kSet}, set: set})
	return out
}

// letLap binds a name to the lap that a value is now.
func (e *body) letLap(s *ast.Let, v value) []rules.Stmt {
	out := []rules.Stmt{}
	e.bind(e.symbol(&s.Name), e.settleLap(v, s.Value.Span(), &out))
	return out
}

// ifStmt resolves `if`. A condition known before play selects its branch.
func (e *body) ifStmt(s *ast.If) []rules.Stmt {
	cond := e.cond(s.Cond)
	then, els := *e, *e
	out := rules.If{Cond: cond, Then: then.block(s.Then), Else: els.block(s.Else)}
	e.join(then, els)
	switch cond {
	case rules.True:
		return out.Then
	case rules.False:
		return out.Else
	}
	return single(out)
}

// join keeps what is known about sowings after both branches.
func (e *body) join(a, b body) {
	e.sown = a.sown || b.sown
	e.lap = a.lap
	if a.lap != b.lap {
		e.lap = anyLap
	}
}

// while resolves a loop. Its body is resolved twice: what a turn does is known to the next one,
// such as that something was sown, so the first time is only to learn that.
func (e *body) while(s *ast.While) rules.Stmt {
	once := *e
	once.block(s.Body)
	e.join(*e, once)
	out := rules.While{Cond: e.cond(s.Cond), At: s.Range}
	body := *e
	from := len(*e.slots)
	out.Body = body.block(s.Body)
	out.Body = append(out.Body, e.forget(from)...)
	e.join(*e, body)
	return out
}

// forStmt unrolls the loop over the values of its domain, which are found before the first turn.
func (e *body) forStmt(s *ast.For) []rules.Stmt {
	v := e.domain(s.Set)
	out := []rules.Stmt{}
	v.list = e.settleList(v.list, s.Set.Span(), &out)
	if turns, ok := e.fixedTurns(v, s.Set.Span()); ok {
		return append(out, e.unroll(s, turns)...)
	}
	set := e.settleSet(e.asSet(v, s.Set.Span()), &out)
	return append(out, e.unroll(s, pitTurns(set.elems))...)
}

// unroll resolves a loop's body once for each turn.
func (e *body) unroll(s *ast.For, turns iter.Seq[turn]) []rules.Stmt {
	out := []rules.Stmt{}
	for t := range turns {
		inner := *e
		inner.bind(e.symbol(&s.Name), t.value)
		body := inner.block(s.Body)
		if t.cond != nil {
			body = single(rules.If{Cond: t.cond, Then: body})
		}
		e.join(*e, inner)
		out = append(out, body...)
	}
	return out
}

// movesNext resolves who moves next, by cases if that depends on play.
func (e *body) movesNext(s *ast.MovesNext) []rules.Stmt {
	v := e.expr(s.Player)
	if isNone(v) {
		e.diags.Errorf(diag.Misplaced, s.Player.Span(), "`none` is nobody, who cannot move next")
		return nil
	}
	if v.typ.kind != kPlayer {
		e.mismatch(s.Player.Span(), "a player", v)
		return nil
	}
	var out []rules.Stmt
	if v.typ.nobody {
		out = e.demandPlayer(v.x, s.Player.Span())
	}
	if _, known := constOf(v.x); !known {
		v.x = e.settle(v.typ, v.x, &out)
	}
	var chain rules.Stmt
	for p := range slices.Backward(e.sys.Players) {
		next := rules.Again(p)
		is := simple(rules.Binary{Op: rules.Eq, L: v.x, R: rules.FixedPlayer(p)})
		switch {
		case is == rules.True:
			return single(next)
		case is == rules.False:
		case chain == nil:
			chain = next
		default:
			chain = rules.If{Cond: is, Then: single(next), Else: single(chain)}
		}
	}
	return append(out, chain)
}

// call resolves a call of a procedure: the arguments become locals, and the statements are carried
// out in a scope that knows no other names bound at the call.
func (e *body) call(s *ast.CallStmt) []rules.Stmt {
	call := s.Call.(*ast.Call)
	p, ok := e.callee(call)
	if !ok {
		return nil
	}
	if len(call.Args) != len(p.Params) {
		e.diags.Errorf(diag.Arity, s.Range, "`%s` takes %s, here are %d", p.Name.Name, plural(len(p.Params), "argument"), len(call.Args))
		return nil
	}
	inner := *e
	inner.locals = nil
	out := []rules.Stmt{}
	n := len(*e.diags)
	for i, f := range p.Params {
		inner.receive(p, p.Formals[i], e.argument(f, call.Args[i]), call.Args[i].Span(), &out)
	}
	if len(*e.diags) > n {
		return nil
	}
	misplaced(&e.run, p.Body, e.stage)
	out = append(out, inner.block(p.Body)...)
	e.sown, e.lap = inner.sown, inner.lap
	e.noteUse(n, s.Range, "procedure", p.Name.Name)
	return out
}

// callee finds the procedure that a call names, which must be one before the place of the call.
func (e *body) callee(call *ast.Call) (*bind.Procedure, bool) {
	ref, at := e.ref(&call.Func), call.Func.Range
	switch {
	case call.Along != nil:
		e.diags.Errorf(diag.Misplaced, call.Along.Span(), "a procedure goes along no lap")
	case ref.Kind == bind.LocalName:
		e.diags.Errorf(diag.Type, at, "`%s` is a local name here, and no procedure", ref.Name)
	case ref.Kind == bind.ProcedureName:
		return e.bound.ProcedureOf(ref.Symbol), true
	case ref.Kind == bind.Unknown:
		e.unknown(ref, at)
	default:
		d := e.diags.Errorf(diag.Type, at, "`%s` is no procedure: a value alone is no statement", ref.Name)
		d.WithHelp("`x = …` sets a variable; behind `written` a part that is a call stands in brackets")
	}
	return nil, false
}

// receive binds a parameter to the value of its argument, as `let` does. What is known before play
// stays known, unless the procedure sets the parameter.
func (e *body) receive(p *bind.Procedure, name *bind.Symbol, v value, at diag.Range, out *[]rules.Stmt) {
	switch v.typ.kind {
	case kBad:
		e.bind(name, bad)
		return
	case kSet:
		e.bind(name, value{typ: v.typ, set: e.settleSet(v.set, out)})
		return
	case kLap:
		e.bind(name, e.settleLap(v, at, out))
		return
	}
	if _, known := constOf(v.x); known && !assigns(p, name.Name) {
		e.bind(name, value{typ: v.typ, x: v.x})
		return
	}
	slot := e.newSlot(v.typ)
	*out = append(*out, rules.SetLocal(slot, v.x))
	e.locals = &local{symbol: name, value: value{typ: v.typ}, slot: slot, outer: e.locals}
}

// assigns reports whether a statement of a procedure sets a name.
func assigns(p *bind.Procedure, name string) bool {
	for _, s := range ast.All[*ast.Assign](p.Procedure) {
		if to, _ := s.Variable(); to.Name == name {
			return true
		}
	}
	return false
}

// stage is what statements are a part of, which decides what they may be.
type stage int

const (
	inMove stage = iota
	inReaction
	inEnding
)

// misplaced reports statements that make sense only in moves or only while the game goes on. Those
// of the procedures called are looked at with each call.
func misplaced(r *run, list []ast.Stmt, of stage) {
	if of == inMove {
		return
	}
	message := "this has no meaning outside a move"
	if of == inEnding {
		message = "this has no meaning once the game is over"
	}
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.Again, *ast.Require, *ast.Prefer:
				r.diags.Errorf(diag.Misplaced, n.Span(), "%s", message)
			case *ast.Finish, *ast.MovesNext:
				if of == inEnding {
					r.diags.Errorf(diag.Misplaced, n.Span(), "%s", message).
						WithHelp("a reaction, `when … { … }`, may say how the game goes on or ends")
				}
			}
			return true
		})
	}
}

// demandPlayer returns a statement that is at fault where x is `none`. It reads what has no value
// then: a variable for each player, of which any will do, or the seeds in no pit.
func (e *body) demandPlayer(x rules.Expr, at diag.Range) []rules.Stmt {
	out := []rules.Stmt{}
	if len(e.vars) > 0 {
		v := e.vars[0]
		one := slices.IndexFunc(v.table, func(slot int) bool { return slot >= 0 })
		table := slices.Repeat([]int{v.table[one]}, len(e.sys.Players))
		e.settle(v.typ, rules.Cell{Sort: rules.VarCell, Table: table, Key: rules.PlayerType, Index: x, At: at}, &out)
		return out
	}
	nobody := rules.Binary{Op: rules.Eq, L: x, R: rules.FixedPlayer(rules.None)}
	pit := rules.Cond{If: nobody, Then: rules.FixedPit(rules.None), Else: rules.FixedPit(0)}
	e.settle(typ{kind: kInt}, seedsAt(pit, at), &out)
	return out
}

// letUse returns the counter for a `let` that names a pit. All actions that the `let` is resolved
// for share it.
func (c *bodies) letUse(s *ast.Let, v value) *letUse {
	if v.typ.kind != kPit {
		return nil
	}
	if c.lets == nil {
		c.lets = map[*ast.Let]*letUse{}
	}
	if c.lets[s] == nil {
		c.lets[s] = &letUse{}
	}
	return c.lets[s]
}
