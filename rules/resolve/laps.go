package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// relay spells out `relay from Q while E`: as long as E holds the contents of Q, or else of the pit
// of the last seed, are sown in the same way. Where the first seed goes is said of the first sowing
// only.
func (e *env) relay(s *ast.Sow) []rules.Stmt {
	if s.RelayWhile == nil {
		return nil
	}
	lap := *s
	lap.Count, lap.StartAt, lap.RelayFrom, lap.RelayWhile = nil, nil, nil, nil
	lap.Pit = s.RelayFrom
	if lap.Pit == nil {
		lap.Pit = &ast.Name{At: s.At, Name: "last"}
	}
	return one(e.while(&ast.While{At: s.At, Cond: s.RelayWhile, Body: []ast.Stmt{&lap}}))
}

// chain spells out `capture p back from Q while E into S`: p is Q and then the pit before it on the
// lap, and so on, as long as it is a pit and E holds.
func (e *env) chain(s *ast.Chain) []rules.Stmt {
	laps := e.chainLap(s)
	if len(laps) == 0 {
		return nil
	}
	var out []rules.Stmt
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

func (e env) chainLap(s *ast.Chain) []lapCase {
	if s.Along != nil {
		return e.lapsAlong(s.Along)
	}
	if e.lap == anyLap {
		e.diags.Errorf(diag.Misplaced, s.Range, "along which lap is not clear here").
			WithHelp("write `capture %s … from … along LAP while …`", s.Name.Name)
		return nil
	}
	return e.latest()
}
