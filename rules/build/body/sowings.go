package body

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// relay spells out `relay from Q while E` as a loop: while E holds, the contents of Q, or else of
// the pit of the last seed, are sown in the same way. The lap is found once, before the first
// sowing, and the number of seeds and the pit of the first seed are of that one only.
func (e *body) relay(s *ast.Sow) []rules.Stmt {
	if s.RelayWhile == nil {
		return nil
	}
	lap := *s
	lap.Count, lap.StartAt, lap.RelayFrom, lap.RelayWhile = nil, nil, nil, nil
	lap.Pit = s.RelayFrom // nil: the pit of the last seed
	return e.while(&ast.While{StmtAt: s.StmtAt, Cond: s.RelayWhile, Body: []ast.Stmt{&lap}})
}

// chain spells out `capture p back from Q while E into S` as a loop. p is Q, then the pit before it
// on the lap, and so on, while it is a pit and E holds. The lap is found before the first turn.
func (e *body) chain(s *ast.Chain) []rules.Stmt {
	var out []rules.Stmt
	laps := e.chainLap(s, &out)
	if laps == nil {
		return nil
	}
	pit := e.settle(term.Type{Kind: term.PitKind}, e.env.Pit(s.From), &out)
	slot := pit.(rules.Cell).Slot
	inner := *e
	inner.env.Locals = &term.Local{Symbol: e.env.Symbol(&s.Name), Value: term.Value{Type: term.Type{Kind: term.PitKind}}, Slot: slot, Outer: e.env.Locals}
	loop := rules.While{Cond: rules.Join(rules.And, term.IsPit(pit), inner.env.Cond(s.While)), At: s.Range}
	from := len(*e.slots)
	loop.Body = e.Marks.turn(s.While, e.under, inner.gather([]rules.Expr{pit}, inner.env.Pit(s.Into), s.Range))
	step := e.env.Game.Sys.Before
	if s.Forward {
		step = e.env.Game.Sys.Next
	}
	next := term.ByLap(laps, func(lap int) rules.Expr { return term.Lookup(e.env.Game, step(pit, lap), s.Range) })
	loop.Body = append(loop.Body, rules.SetLocal(slot, next))
	loop.Body = append(loop.Body, e.forget(from)...)
	return append(out, loop)
}

// chainLap lists the laps that a chain may follow; without `along` those of the latest sowing.
func (e *body) chainLap(s *ast.Chain, out *[]rules.Stmt) []term.LapCase {
	if s.Along != nil {
		v, ok := term.GoesAlong(e.env, s.Along)
		if !ok {
			return nil
		}
		at := s.Along.Span()
		return term.CasesOf(e.env, e.settleLap(v, at, out), at)
	}
	if e.env.Lap == term.AnyLap {
		e.env.Game.Run.Diags.Errorf(diag.Misplaced, s.Range, "along which lap is not clear here").
			WithHelp("write `capture %s … from … along LAP while …`", s.Name.Name)
		return nil
	}
	return term.Latest(e.env)
}

// sowing resolves a `sow` with its relays. If the lap depends on play, there is one sowing for each
// possible lap, and the move is illegal if the mover has no such lap.
func (e *body) sowing(s *ast.Sow) []rules.Stmt {
	v, ok := term.GoesAlong(e.env, s.Along)
	if !ok {
		e.env.Sown = true // `last` has a meaning after it, and would be a second mistake
		e.env.Lap = term.SownAlong{Lap: min(0, len(e.env.Game.Sys.Laps)-1)}
		return nil
	}
	if v.X == nil {
		return append(e.sow(s, v.Lap, true), e.relay(s)...)
	}
	var out []rules.Stmt
	v = e.settleLap(v, s.Along.Span(), &out)
	again := *s
	again.Along = &ast.Name{At: ast.At{Range: s.Along.Span()}, Name: term.SownLap.Name}
	e.env.Locals = &term.Local{Symbol: term.SownLap, Value: v, Slot: -1, Outer: e.env.Locals}
	which := single(rules.Stop{Outcome: rules.Illegal})
	for _, c := range slices.Backward(v.Cases) {
		inner := *e
		which = single(rules.If{Cond: c.Cond, Then: inner.sow(s, c.Lap, false), Else: which})
	}
	e.env.Sown = true
	e.env.Lap = term.SownAlong{Cases: v.Settled}
	return append(append(out, which...), e.relay(&again)...)
}

// sow resolves a sowing along one lap. fixed says that the rules name this lap; otherwise it is one
// of several, and some of them may not fit.
func (e *body) sow(s *ast.Sow, lap int, fixed bool) []rules.Stmt {
	out := rules.Sow{At: s.Range, Lap: lap, OriginFirst: s.OriginFirst}
	if s.Pit == nil {
		out.Source = term.AsPit(e.env, e.env.SowingWord("last", s.Range), s.Range)
	} else {
		out.Source = e.env.Pit(s.Pit)
	}
	if s.Count != nil {
		out.Count = e.env.Int(s.Count)
	}
	if s.StartAt != nil {
		out.StartAt = e.env.Pit(s.StartAt)
	}
	e.env.Lap = term.SownAlong{Lap: lap}
	inner := *e
	inner.env.Sown = true // the skipped set may use `origin`
	out.SkipIf = inner.skip(ast.Exprs(s.Skip))
	out.OnlyLast = e.onlyLast(ast.Exprs(s.OnlyLast))
	e.env.Sown = true
	if fixed {
		e.checkSow(s, out)
	}
	before := e.inEach(s, &out)
	if s.HasDrop {
		out.Drop = append(out.Drop, e.block(s.Drop)...)
	}
	return append(before, out)
}

// inEach spells out `k in each`: one seed is dropped for each pit, and the others follow from the
// pit that is sown, where they lie until then. It returns what is done before the sowing.
func (e *body) inEach(s *ast.Sow, out *rules.Sow) (before []rules.Stmt) {
	if s.InEach == nil {
		return nil
	}
	mistakes := len(*e.env.Game.Run.Diags)
	k := e.env.ConstInt(s.InEach)
	switch {
	case len(*e.env.Game.Run.Diags) > mistakes:
		return nil
	case k < 1 || s.Count != nil:
		e.env.Game.Run.Diags.Errorf(diag.OutOfRange, s.InEach.Span(), "`in each` sows all seeds of a pit, at least one into each").
			WithHelp("write `sow P along LAP, 2 in each`")
		return nil
	}
	if _, known := term.ConstOf(out.Source); !known {
		out.Source = e.settle(term.Type{Kind: term.PitKind}, out.Source, &before)
	}
	seeds := term.SeedsAt(out.Source, s.Range)
	drops := rules.Binary{Op: rules.Div, L: rules.Binary{Op: rules.Add, L: seeds, R: rules.Number(k - 1)}, R: rules.Number(k), At: s.Range}
	rest := e.settle(term.Type{Kind: term.IntKind}, rules.Binary{Op: rules.Sub, L: seeds, R: drops}, &before)
	more := rules.Binary{Op: rules.Min, L: rules.Number(k - 1), R: rest}
	out.Count = rules.Binary{Op: rules.Sub, L: seeds, R: rest}
	out.Drop = []rules.Stmt{
		rules.Transfer{Count: more, From: out.Source, Into: rules.Last, At: s.Range},
		rules.SetLocal(rest.(rules.Cell).Slot, rules.Binary{Op: rules.Sub, L: rest, R: more}),
	}
	return before
}
