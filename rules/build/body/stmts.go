package body

import (
	"fmt"
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Bodies is what the bodies of a variant share.
type Bodies struct {
	Going *going                    // nil: no move uses `go on`
	skips map[string][]rules.Expr   // conditions of sowings, by the pits that they skip
	lets  map[*ast.Let]*term.LetUse // how names of pits are used, for remarks
	Marks *Marks                    // of what is carried out; nil: nothing is marked
}

// body resolves the statements at one place. It is copied for inner blocks, whose names end with
// them.
type body struct {
	env   term.Env
	slots *[]rules.Type // the types of the local slots in use
	*Bodies
	stage  stage // what the statements are a part of
	way    int   // the way of a move that may continue, from 1; see wayOf
	onward bool  // it continues an earlier lap
	under  int   // the mark that is set where play comes here; rules.None: none, or it is the body
}

func newBody(e term.Env, common *Bodies, of stage) body {
	return body{env: e, slots: new([]rules.Type), Bodies: common, stage: of, under: rules.None}
}

// block resolves statements in a scope of their own. What is known about sowings stays known after
// it.
func (e *body) block(list []ast.Stmt) []rules.Stmt {
	inner := *e
	out := []rules.Stmt{}
	for _, s := range list {
		out = append(out, e.Marks.statement(s, e.under, inner.stmt(s))...)
	}
	e.env.Sown, e.env.Lap = inner.env.Sown, inner.env.Lap
	return out
}

// stmt resolves a statement to statements of the kernel.
func (e *body) stmt(s ast.Stmt) []rules.Stmt {
	e.env.Game.Run.Statement(s)
	switch s := s.(type) {
	case *ast.Sow:
		return e.sowing(s)
	case *ast.Chain:
		return e.chain(s)
	case *ast.Capture:
		return e.capture(s)
	case *ast.Take:
		return single(rules.Transfer{Count: e.env.Int(s.Count), From: e.env.Pit(s.From), Into: e.env.Pit(s.Into), At: s.Range})
	case *ast.Assign:
		return e.assign(s)
	case *ast.Let:
		return e.let(s)
	case *ast.If:
		return e.ifStmt(s)
	case *ast.While:
		return e.while(s)
	case *ast.For:
		return e.forStmt(s)
	case *ast.Again:
		return single(rules.Again(e.env.Mover))
	case *ast.GoOn:
		return e.goOn(s)
	case *ast.Finish:
		return single(rules.Stop{Outcome: e.env.Verdict(&s.Verdict, s.Range)})
	case *ast.Require:
		return single(rules.Require(e.env.Cond(s.Cond)))
	case *ast.Prefer:
		return single(rules.Prefer(term.AsRank(e.env, e.env.Expr(s.Value), s.Value.Span())))
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
	s := e.env.Joined(sets)
	conds := make([]rules.Expr, len(e.env.Game.Sys.Pits))
	e.env.Game.Run.Spend(len(conds) * len(s.Elems) / term.WorkUnit)
	if in, ok := s.Static(len(conds)); ok {
		return e.skipStatic(in, conds)
	}
	for p := range conds {
		if c := term.Member(e.env, rules.FixedPit(p), s); c != rules.False {
			conds[p] = c
		}
	}
	return conds
}

// skipStatic returns the conditions for a set that does not depend on the state. Sowings that skip
// the same pits share them.
func (e *body) skipStatic(in []bool, conds []rules.Expr) []rules.Expr {
	key := make([]byte, len(in))
	for p := range lists.Marked(in) {
		key[p], conds[p] = 1, rules.True
	}
	if old, ok := e.skips[string(key)]; ok {
		return old
	}
	if e.skips == nil {
		e.Bodies.skips = map[string][]rules.Expr{}
	}
	e.skips[string(key)] = conds
	return conds
}

// onlyLast marks the pits that only the last seed may enter.
func (e *body) onlyLast(sets []ast.Expr) []bool {
	if len(sets) == 0 {
		return nil
	}
	in := make([]bool, len(e.env.Game.Sys.Pits))
	for _, p := range term.NewEnv(e.env.Game, term.InDeclaration).StaticPits(sets) {
		in[p] = true
	}
	return in
}

// checkSow reports a sowing that can never be carried out: from a pit off the lap, or along a lap
// on which every pit is skipped.
func (e *body) checkSow(s *ast.Sow, out rules.Sow) {
	lap := e.env.Game.Sys.Laps[out.Lap]
	if p, ok := term.ConstOf(out.Source); ok && p != rules.None && !e.onward && out.StartAt == nil && !out.OriginFirst && !slices.Contains(lap.Pits, p) {
		e.env.Game.Run.Diags.Errorf(diag.Misplaced, s.Range, "`%s` is not on the lap `%s`", e.env.Game.Sys.Pits[p].Name, lap.Name).
			WithHelp("say where the first seed goes: `starting at …`")
	}
	takes := func(pit int) bool { return out.SkipIf == nil || out.SkipIf[pit] != rules.True }
	if len(lap.Pits) > 0 && !slices.ContainsFunc(lap.Pits, takes) {
		e.env.Game.Run.Diags.Errorf(diag.DeadSow, s.Range, "this sowing can never end: every pit of the lap `%s` is skipped", lap.Name)
	}
}

// capture moves the seeds of sets into a pit. A member with a condition loses its seeds only where
// that holds.
func (e *body) capture(s *ast.Capture) []rules.Stmt {
	for _, x := range append(ast.Exprs(s.From), s.Into) {
		if n, ok := x.(*ast.Name); ok && n.Name == "none" {
			e.env.Game.Run.Diags.Errorf(diag.Misplaced, n.Range, "`none` is no pit, so nothing can be captured from it or into it")
		}
	}
	set := e.env.Joined(ast.Exprs(s.From))
	into := e.env.Pit(s.Into)
	var from []rules.Expr
	for _, m := range set.Elems {
		if m.Cond != rules.True {
			m.Pit = rules.Cond{If: m.Cond, Then: m.Pit, Else: rules.FixedPit(rules.None)}
		}
		from = append(from, m.Pit)
	}
	if p, known := term.ConstOf(into); len(from) == 0 && !(known && p != rules.None) {
		from = append(from, rules.FixedPit(rules.None)) // with nothing to capture, a missing target is still a fault
	}
	return e.gather(from, into, s.Range)
}

// assign resolves an assignment to a local or a state variable.
func (e *body) assign(s *ast.Assign) []rules.Stmt {
	name, index := s.Variable()
	ref := e.env.Ref(s.Target)
	if call, is := s.Target.(*ast.Call); is {
		ref = e.env.Ref(&call.Func)
	}
	if l := e.env.Find(ref.Symbol); l != nil {
		l.Use.Place() // a name that is given another pit could not stand for a number
		if l.Slot < 0 || index != nil {
			e.env.Game.Run.Diags.Errorf(diag.Misplaced, s.Range, "`%s` cannot be set: it was chosen, counts a loop, or is a set or a lap", name.Name).
				WithHelp("set a variable or another local, `let x = E`; seeds are moved with `sow`, `capture` and `take`")
			return nil
		}
		return single(rules.SetLocal(l.Slot, term.AsType(e.env, l.Value.Type, e.env.Expr(s.Value), s.Value.Span())))
	}
	v := e.env.Game.Variable(ref.Symbol)
	if late, ok := e.env.Game.Late[ref.Name]; ok && ref.Kind == bind.ValueName {
		v = &e.env.Game.Vars[late]
	}
	if ref.Kind == bind.Unknown || ref.Kind == bind.ValueName && v == nil {
		e.env.Unknown(ref, name.Range)
		return nil
	}
	if v == nil {
		d := e.env.Game.Run.Diags.Errorf(diag.Type, name.Range, "`%s` cannot be set: it is %s", name.Name, ref.Kind.Article())
		if ref.Kind == bind.PitName || ref.Kind == bind.PitsName || ref.Kind == bind.GroupName {
			d.WithHelp("seeds are moved with `sow`, `capture` and `take`")
		}
		return nil
	}
	cell, ok := e.env.VarCell(*v, index, s.Range)
	if !ok {
		return nil
	}
	return single(rules.Set{To: cell, X: term.AsType(e.env, v.Type, e.env.Expr(s.Value), s.Value.Span()), At: s.Range})
}

// let resolves `let`.
func (e *body) let(s *ast.Let) []rules.Stmt {
	v, out := e.env.Expr(s.Value), []rules.Stmt{}
	switch {
	case v.Type.Kind == term.SetKind && term.OnePit(e.env, v):
		v = term.PitValue(term.AsPit(e.env, v, s.Value.Span()))
	case v.Type.Kind == term.ListKind && len(v.List) == 0:
		v = term.Value{Type: term.Type{Kind: term.SetKind}}
	case v.Type.Kind == term.EnumNameKind:
		v = term.LonelyName(e.env, v, s.Value.Span())
	}
	if v.X == nil && v.Type.Kind != term.SetKind && v.Type.Kind != term.LapKind {
		e.env.Game.Run.Mismatch(s.Value.Span(), "a value", v)
		v = term.Bad
	}
	v.Type.Nobody = v.Type.Kind == term.PlayerKind // it may get another value later
	e.keep(e.env.Symbol(&s.Name), v, e.letUse(s, v), s.Value.Span(), &out)
	return out
}

// keep binds a name to what a value is now: the members of a set, a lap, or what a new local holds.
func (e *body) keep(name *bind.Symbol, v term.Value, use *term.LetUse, at diag.Range, out *[]rules.Stmt) {
	switch v.Type.Kind {
	case term.SetKind:
		e.env.Bind(name, term.Value{Type: v.Type, Set: e.settleSet(v.Set, out)})
	case term.LapKind:
		e.env.Bind(name, e.settleLap(v, at, out))
	default:
		slot := e.newSlot(v.Type)
		*out = append(*out, rules.SetLocal(slot, v.X))
		e.env.Locals = &term.Local{Symbol: name, Value: term.Value{Type: v.Type}, Slot: slot, Use: use, Outer: e.env.Locals}
	}
}

// ifStmt resolves `if`. A condition known before play selects its branch.
func (e *body) ifStmt(s *ast.If) []rules.Stmt {
	a := e.Marks.ask(e.env, s.Cond, rules.BranchPlace, e.under)
	then, els := *e, *e
	then.under, els.under = a.under(e.Marks, e.under)
	yes, no := append(a.yes, then.block(s.Then)...), append(a.no, els.block(s.Else)...)
	e.join(then, els)
	return append(a.before, ifThen(a.cond, yes, no)...)
}

// join keeps what is known about sowings after both branches.
func (e *body) join(a, b body) {
	e.env.Sown = a.env.Sown || b.env.Sown
	e.env.Lap = a.env.Lap
	if a.env.Lap != b.env.Lap {
		e.env.Lap = term.AnyLap
	}
}

// while resolves a loop. Its body is resolved twice: what a turn does is known to the next one,
// such as that something was sown, so the first time is only to learn that.
func (e *body) while(s *ast.While) []rules.Stmt {
	once := *e
	once.block(s.Body)
	e.join(*e, once)
	a := e.Marks.ask(e.env, s.Cond, rules.BranchPlace, e.under)
	out := rules.While{Cond: a.cond, At: s.Range}
	body := *e
	body.under, _ = a.under(e.Marks, e.under)
	from := len(*e.slots)
	out.Body = body.block(s.Body)
	out.Body = slices.Concat(out.Body, e.forget(from), a.marks())
	e.join(*e, body)
	return append(a.marks(), out)
}

// forStmt unrolls the loop over the values of its domain, which are found before the first turn.
func (e *body) forStmt(s *ast.For) []rules.Stmt {
	v := e.env.Domain(s.Set)
	out := []rules.Stmt{}
	v.List = e.settleList(v.List, s.Set.Span(), &out)
	if turns, ok := term.FixedTurns(e.env, v, s.Set.Span()); ok {
		return append(out, e.unroll(s, turns)...)
	}
	set := e.settleSet(term.AsSet(e.env, v, s.Set.Span()), &out)
	return append(out, e.unroll(s, term.PitTurns(set.Elems))...)
}

// unroll resolves a loop's body once for each turn.
func (e *body) unroll(s *ast.For, turns iter.Seq[term.Turn]) []rules.Stmt {
	out := []rules.Stmt{}
	for t := range turns {
		inner := *e
		inner.env.Bind(e.env.Symbol(&s.Name), t.Value)
		body := inner.block(s.Body)
		if t.Cond != rules.True {
			body = single(rules.If{Cond: t.Cond, Then: body})
		}
		e.join(*e, inner)
		out = append(out, body...)
	}
	return out
}

// movesNext resolves who moves next, by cases if that depends on play.
func (e *body) movesNext(s *ast.MovesNext) []rules.Stmt {
	v := e.env.Expr(s.Player)
	if term.IsNone(v) {
		e.env.Game.Run.Diags.Errorf(diag.Misplaced, s.Player.Span(), "`none` is nobody, who cannot move next")
		return nil
	}
	if v.Type.Kind != term.PlayerKind {
		e.env.Game.Run.Mismatch(s.Player.Span(), "a player", v)
		return nil
	}
	var out []rules.Stmt
	if v.Type.Nobody {
		out = e.demandPlayer(v.X, s.Player.Span())
	}
	if _, known := term.ConstOf(v.X); !known {
		v.X = e.settle(v.Type, v.X, &out)
	}
	// In a reaction this ends a turn that would go on.
	if e.stage == inReaction && e.Going != nil {
		out = append(out, e.Going.set(rules.FixedPit(rules.None), 0, s.Range)...)
	}
	var chain rules.Stmt
	for p := range slices.Backward(e.env.Game.Sys.Players) {
		next := rules.Again(p)
		is := term.Simple(rules.Binary{Op: rules.Eq, L: v.X, R: rules.FixedPlayer(p)})
		switch {
		case is == rules.True:
			return append(out, next)
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
		e.env.Game.Run.Diags.Errorf(diag.Arity, s.Range, "`%s` takes %s, here are %d", p.Name.Name, term.Plural(len(p.Params), "argument"), len(call.Args))
		return nil
	}
	inner := *e
	inner.env.Locals = nil
	out := []rules.Stmt{}
	n := len(*e.env.Game.Run.Diags)
	for i, f := range p.Params {
		inner.receive(p, p.Formals[i], term.Argument(e.env, f, call.Args[i]), call.Args[i].Span(), &out)
	}
	if len(*e.env.Game.Run.Diags) > n {
		return nil
	}
	misplaced(&e.env.Game.Run, p.Body, e.stage)
	out = append(out, inner.block(p.Body)...)
	e.env.Sown, e.env.Lap = inner.env.Sown, inner.env.Lap
	e.env.Game.Run.NoteUse(n, s.Range, "procedure", p.Name.Name)
	return out
}

// callee finds the procedure that a call names, which must be one before the place of the call.
func (e *body) callee(call *ast.Call) (*bind.Definition, bool) {
	ref, at := e.env.Ref(&call.Func), call.Func.Range
	switch {
	case call.Along != nil:
		e.env.Game.Run.Diags.Errorf(diag.Misplaced, call.Along.Span(), "a procedure goes along no lap")
	case ref.Kind == bind.LocalName:
		e.env.Game.Run.Diags.Errorf(diag.Type, at, "`%s` is a local name here, and no procedure", ref.Name)
	case ref.Kind == bind.ProcedureName:
		return e.env.Game.Bound.Definition(ref.Symbol), true
	case ref.Kind == bind.Unknown:
		e.env.Unknown(ref, at)
	default:
		d := e.env.Game.Run.Diags.Errorf(diag.Type, at, "`%s` is no procedure: a value alone is no statement", ref.Name)
		d.WithHelp("`x = …` sets a variable; behind `written` a part that is a call stands in brackets")
	}
	return nil, false
}

// receive binds a parameter to the value of its argument, as `let` does. What is known before play
// stays known, unless the procedure sets the parameter.
func (e *body) receive(p *bind.Definition, name *bind.Symbol, v term.Value, at diag.Range, out *[]rules.Stmt) {
	_, known := term.ConstOf(v.X)
	set := v.Type.Kind == term.SetKind || v.Type.Kind == term.LapKind
	switch {
	case v.Type.Kind == term.BadKind:
		e.env.Bind(name, term.Bad)
	case known && !set && !assigns(p, name.Name):
		e.env.Bind(name, term.Value{Type: v.Type, X: v.X})
	default:
		e.keep(name, v, nil, at, out)
	}
}

// assigns reports whether a statement of a procedure sets a name.
func assigns(p *bind.Definition, name string) bool {
	return slices.ContainsFunc(ast.All[*ast.Assign](p.Node), func(s *ast.Assign) bool {
		to, _ := s.Variable()
		return to.Name == name
	})
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
func misplaced(r *term.Run, list []ast.Stmt, of stage) {
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
				r.Diags.Errorf(diag.Misplaced, n.Span(), "%s", message)
			case *ast.Finish, *ast.MovesNext:
				if of == inEnding {
					r.Diags.Errorf(diag.Misplaced, n.Span(), "%s", message).
						WithHelp("each outcome is an ending of its own, as `South wins when E`; a reaction, `when E { … }`, may say how the game goes on or ends")
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
	if len(e.env.Game.Vars) > 0 {
		v := e.env.Game.Vars[0]
		one := slices.IndexFunc(v.Table, func(slot int) bool { return slot >= 0 })
		table := slices.Repeat([]int{v.Table[one]}, len(e.env.Game.Sys.Players))
		e.settle(v.Type, rules.Cell{Sort: rules.VarCell, Table: table, Key: rules.PlayerType, Index: x, At: at}, &out)
		return out
	}
	nobody := rules.Binary{Op: rules.Eq, L: x, R: rules.FixedPlayer(rules.None)}
	pit := rules.Cond{If: nobody, Then: rules.FixedPit(rules.None), Else: rules.FixedPit(0)}
	e.settle(term.Type{Kind: term.IntKind}, term.SeedsAt(pit, at), &out)
	return out
}

// letUse returns the counter for a `let` that names a pit. All actions that the `let` is resolved
// for share it.
func (c *Bodies) letUse(s *ast.Let, v term.Value) *term.LetUse {
	if v.Type.Kind != term.PitKind {
		return nil
	}
	if c.lets == nil {
		c.lets = map[*ast.Let]*term.LetUse{}
	}
	if c.lets[s] == nil {
		c.lets[s] = &term.LetUse{}
	}
	return c.lets[s]
}
