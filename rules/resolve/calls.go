package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// call resolves a call: of a function, a definition, a relation of the board, or a state variable
// declared with `each`.
func (e env) call(x *ast.Call) value {
	ref := e.ref(&x.Func)
	switch ref.Kind {
	case bind.VariableName:
		if len(x.Args) != 1 {
			e.diags.Errorf(diag.Arity, x.Range, "`%s` takes one argument", ref.Name)
			return bad
		}
		if ent, ok := e.made[ref.Symbol]; ok {
			return e.varValue(e.vars[ent.index], x.Args[0], ref.Name, x.Range)
		}
	case bind.DefinitionName:
		if x.Along != nil {
			e.diags.Errorf(diag.Misplaced, x.Along.Span(), "`%s` is a definition, which goes along no lap", ref.Name)
			return bad
		}
		return e.defined(ref, x.Args, x.Range)
	case bind.ProcedureName:
		return e.noValue(ref.Name, x.Func.Range)
	case bind.RelationName:
		if ent, ok := e.entityOf(ref.Symbol); ok {
			return e.callRelation(x, ent.index)
		}
		return e.noRelation(ref.Name, x.Func.Range)
	case bind.FunctionName:
		if n := bind.Arguments(ref.Name); n >= 0 && len(x.Args) != n || len(x.Args) == 0 {
			e.diags.Errorf(diag.Arity, x.Range, "`%s` takes %s, here are %d", ref.Name, plural(n, "argument"), len(x.Args))
			return bad
		}
		return e.apply(x)
	}
	return e.unknown(ref, x.Func.Range)
}

// callRelation resolves a call of a relation to the pit that it leads to, which may be none.
func (e env) callRelation(x *ast.Call, relation int) value {
	if len(x.Args) != 1 {
		e.diags.Errorf(diag.Arity, x.Range, "`%s` takes one argument, here are %d", x.Func.Name, len(x.Args))
		return bad
	}
	v := e.expr(x.Args[0])
	out := pitValue(e.lookup(e.related(e.asPit(v, x.Args[0].Span()), relation), x.Range))
	out.spelled = v.spelled
	return out
}

// apply resolves a call of a function of the language, whose number of arguments is right.
func (e env) apply(x *ast.Call) value {
	switch x.Func.Name {
	case "total":
		return number(e.total(e.joined(x.Args)))
	case "min", "max":
		out := rules.Binary{Op: map[string]rules.Op{"min": rules.Min, "max": rules.Max}[x.Func.Name], At: x.Range}
		l, r := e.operands(x.Args[0], x.Args[1])
		out.L, out.R = e.numbers(l, r, x.Func.Name+"(%s, %s)")
		return number(simple(out))
	}
	v, at := e.expr(x.Args[0]), x.Args[0].Span()
	// After `old`, the pit is that of now and its seeds are those of the state before.
	if x.Func.Name == "seeds" && v.held != nil {
		return number(v.held)
	}
	pit := e.asPit(v, at)
	switch x.Func.Name {
	case "seeds":
		return number(e.seedsOf(pit, x.Range))
	case "index":
		if p, known := constOf(pit); known && p != rules.None {
			return number(rules.Number(e.sys.Pits[p].Index))
		}
		return number(e.lookup(e.sys.Index(pit), x.Range))
	}
	laps := e.lapOf(x)
	if laps == nil {
		return bad
	}
	along := e.next
	if x.Func.Name == "before" {
		along = e.before
	}
	out := pitValue(byLap(laps, func(lap int) rules.Expr { return e.lookup(along(pit, lap), x.Range) }))
	out.spelled = v.spelled
	return out
}

// lapOf lists the laps that `next` and `before` may go along: the one named by `along`, or that of
// the latest sowing. It is nil after a mistake.
func (e env) lapOf(x *ast.Call) []lapCase {
	if x.Along != nil {
		return e.lapsAlong(x.Along)
	}
	if e.lap == anyLap && e.sown && len(e.sys.Laps) == 0 {
		return nil // the unknown lap of that sowing was reported already
	}
	if e.lap == anyLap {
		d := e.diags.Errorf(diag.Misplaced, x.Range, "along which lap is not clear here")
		d.WithHelp("write `%s(… along LAP)`", x.Func.Name)
		return nil
	}
	return e.latest()
}

// goesAlong resolves the lap after `along`. ok is false after a mistake.
func (e env) goesAlong(x ast.Expr) (value, bool) {
	before := len(*e.diags)
	if n, is := x.(*ast.Name); is && n.Name == sownLap.Name {
		return e.find(sownLap).read(), true
	}
	v := e.expr(x)
	if v.typ.kind != kLap {
		e.mismatch(x.Span(), "a lap", v)
		e.listLaps((*e.diags)[before:])
		return bad, false
	}
	return v, e.casesOf(v, x.Span()) != nil
}

// lapsAlong lists the laps that a value after `along` may be, or nil after a mistake.
func (e env) lapsAlong(x ast.Expr) []lapCase {
	if v, ok := e.goesAlong(x); ok {
		return e.casesOf(v, x.Span())
	}
	return nil
}

// noRelation reports a relation that the picture does not imply on this board. Rows that are not
// equally long are noted.
func (e env) noRelation(name string, at diag.Range) value {
	d := e.diags.Errorf(diag.Unknown, at, "unknown function `%s`", name)
	note, uneven := e.unevenRow()
	if !uneven {
		d.WithHelp("no pits face each other on this board: declare `facing %s a[i] = b[…]` there", name)
		return bad
	}
	d.Notes = append(d.Notes, note)
	d.WithHelp("no pits face each other, because the rows are not equally long: make them so, or declare `facing %s a[i] = b[…]`", name)
	return bad
}

// unevenRow finds the first row that is longer or shorter than the one above it. Only pits drawn
// with brackets count, and only rows with any.
func (e env) unevenRow() (note diag.Note, found bool) {
	above := 0
	for i, row := range e.sys.Picture {
		n := 0
		for _, part := range row {
			for _, p := range part {
				if e.bracketed[e.sys.Pits[p].Group] {
					n++
				}
			}
		}
		switch {
		case n == 0:
			continue
		case above > 0 && n != above:
			return diag.Note{Range: e.rowsAt[i], Message: fmt.Sprintf("a row of %d pits, below one of %d", n, above)}, true
		}
		above = n
	}
	return diag.Note{}, false
}
