package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
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
	lap.Pit = s.RelayFrom
	if lap.Pit == nil {
		lap.Pit = &ast.Name{At: s.At, Name: "last"}
	}
	return single(e.while(&ast.While{At: s.At, Cond: s.RelayWhile, Body: []ast.Stmt{&lap}}))
}

// chain spells out `capture p back from Q while E into S` as a loop. p is Q, then the pit before it
// on the lap, and so on, while it is a pit and E holds. The lap is found before the first turn.
func (e *body) chain(s *ast.Chain) []rules.Stmt {
	var out []rules.Stmt
	laps := e.chainLap(s, &out)
	if laps == nil {
		return nil
	}
	pit := e.settle(typ{kind: kPit}, e.pit(s.From), &out)
	slot := pit.(rules.Cell).Slot
	inner := *e
	inner.locals = &local{name: s.Name.Name, value: value{typ: typ{kind: kPit}}, slot: slot, outer: e.locals}
	loop := rules.While{Cond: rules.Join(rules.And, e.isPit(pit), inner.cond(s.While)), At: s.Range}
	from := len(*e.slots)
	loop.Body = inner.gather([]rules.Expr{pit}, inner.pit(s.Into), s.Range)
	step := e.sys.Before
	if s.Forward {
		step = e.sys.Next
	}
	next := byLap(laps, func(lap int) rules.Expr { return e.lookup(step(pit, lap), s.Range) })
	loop.Body = append(loop.Body, rules.SetLocal(slot, next))
	loop.Body = append(loop.Body, e.forget(from)...)
	return append(out, loop)
}

// chainLap lists the laps that a chain may follow; without `along` those of the latest sowing.
func (e *body) chainLap(s *ast.Chain, out *[]rules.Stmt) []lapCase {
	if s.Along != nil {
		v, ok := e.goesAlong(s.Along)
		if !ok {
			return nil
		}
		at := s.Along.Span()
		return e.casesOf(e.settleLap(v, at, out), at)
	}
	if e.lap == anyLap {
		e.diags.Errorf(diag.Misplaced, s.Range, "along which lap is not clear here").
			WithHelp("write `capture %s … from … along LAP while …`", s.Name.Name)
		return nil
	}
	return e.latest()
}

// sowing resolves a `sow` with its relays. If the lap depends on play, there is one sowing for each
// possible lap, and the move is illegal if the mover has no such lap.
func (e *body) sowing(s *ast.Sow) []rules.Stmt {
	v, ok := e.goesAlong(s.Along)
	if !ok {
		e.sown = true // `last` has a meaning after it, and would be a second mistake
		e.lap = sownAlong{lap: min(0, len(e.sys.Laps)-1)}
		return nil
	}
	if v.x == nil {
		return append(single(e.sow(s, v.lap, true)), e.relay(s)...)
	}
	var out []rules.Stmt
	v = e.settleLap(v, s.Along.Span(), &out)
	again := *s
	again.Along = &ast.Name{At: ast.At{Range: s.Along.Span()}, Name: sownLap}
	e.locals = &local{name: sownLap, value: v, slot: -1, outer: e.locals}
	which := single(rules.Stop{Outcome: rules.Illegal})
	for _, c := range slices.Backward(v.cases) {
		inner := *e
		which = single(rules.If{Cond: c.cond, Then: single(inner.sow(s, c.lap, false)), Else: which})
	}
	e.sown = true
	e.lap = sownAlong{cases: v.settled}
	return append(append(out, which...), e.relay(&again)...)
}

// sownLap is the name under which a relay finds the lap of its first sowing. It begins with a blank
// so that no rules can use it.
const sownLap = " lap"

// sow resolves a sowing along one lap. fixed says that the rules name this lap; otherwise it is one
// of several, and some of them may not fit.
func (e *body) sow(s *ast.Sow, lap int, fixed bool) rules.Stmt {
	out := rules.Sow{At: s.Range, Source: e.pit(s.Pit), Lap: lap, OriginFirst: s.OriginFirst}
	if s.Count != nil {
		out.Count = e.int(s.Count)
	}
	if s.StartAt != nil {
		out.StartAt = e.pit(s.StartAt)
	}
	e.lap = sownAlong{lap: lap}
	inner := *e
	inner.sown = true // the skipped set may use `origin`
	out.SkipIf = inner.skip(ast.Exprs(s.Skip))
	out.OnlyLast = e.onlyLast(ast.Exprs(s.OnlyLast))
	e.sown = true
	if fixed {
		e.checkSow(s, out)
	}
	if s.HasDrop {
		out.Drop = e.block(s.Drop)
	}
	return out
}
