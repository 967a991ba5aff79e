package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// functions lists the language's functions with the number of their arguments. -1 means one or
// more.
var functions = map[string]int{
	"total": -1, "seeds": 1, "index": 1, "next": 1, "before": 1, "min": 2, "max": 2,
}

// call resolves a call: of a function, a definition, a relation of the board, or a state variable
// declared with `each`. Local names cannot be called, and hide nothing that can.
func (e env) call(x *ast.Call) value {
	if ent, ok := e.names[x.Func.Name]; ok && ent.kind == entVar && e.find(x.Func.Name) == nil {
		if len(x.Args) != 1 {
			e.diags.Errorf(diag.Arity, x.Range, "`%s` takes one argument", x.Func.Name)
			return bad
		}
		return e.varValue(e.vars[ent.index], x.Args[0], x.Func.Name, x.Range)
	}
	if ent, ok := e.names[x.Func.Name]; ok && ent.kind == entDefine && e.find(x.Func.Name) == nil {
		if x.Along != nil {
			e.diags.Errorf(diag.Misplaced, x.Along.Span(), "`%s` is a definition, which goes along no lap", x.Func.Name)
			return bad
		}
		return e.defined(ent.index, x.Args, x)
	}
	if ent, ok := e.names[x.Func.Name]; ok && ent.kind == entProcedure && e.find(x.Func.Name) == nil {
		return e.noValue(x.Func.Name, x.Func.Range)
	}
	if ent, ok := e.names[x.Func.Name]; ok && ent.kind == entRelation && e.find(x.Func.Name) == nil {
		return e.callRelation(x, ent.index)
	}
	n, ok := functions[x.Func.Name]
	if !ok {
		names := e.reach()
		for f := range functions {
			names = append(names, f)
		}
		d := e.diags.Errorf(diag.Unknown, x.Func.Range, "unknown function `%s`", x.Func.Name)
		if help := e.foreignFunction(x.Func.Name, d); help != "" {
			d.WithHelp("%s", help)
			return bad
		}
		suggest(d, x.Func.Name, names)
		return bad
	}
	if n >= 0 && len(x.Args) != n || len(x.Args) == 0 {
		e.diags.Errorf(diag.Arity, x.Range, "`%s` takes %s, here are %d", x.Func.Name, plural(n, "argument"), len(x.Args))
		return bad
	}
	return e.apply(x)
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
	if len(laps) == 0 {
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
// the latest sowing. It is empty after a mistake.
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
	v := e.expr(x)
	if v.typ.kind != kLap {
		e.mismatch(x.Span(), "a lap", v)
		e.listLaps((*e.diags)[before:])
		return bad, false
	}
	return v, v.x == nil || len(e.casesOf(v, x.Span())) > 0
}

// lapsAlong lists the laps that a value after `along` may be, or nil after a mistake.
func (e env) lapsAlong(x ast.Expr) []lapCase {
	if v, ok := e.goesAlong(x); ok {
		return e.casesOf(v, x.Span())
	}
	return nil
}

// foreignFunction says what to write in the place of a relation that the board lacks, or of a
// function of other languages. It is empty for other names. Rows that are not equally long are
// noted.
func (e env) foreignFunction(name string, d *diag.Diagnostic) string {
	switch name {
	case "opposite", "behind":
		if note, uneven := e.unevenRow(); uneven {
			d.Notes = append(d.Notes, note)
			return "no pits face each other, because the rows are not equally long: make them so, or declare `facing " + name + " a[i] = b[…]`"
		}
		return "no pits face each other on this board: declare `facing " + name + " a[i] = b[…]` there"
	case "count", "size", "length", "stones", "beads":
		return "`seeds(p)` is the number of seeds in a pit, and `number p in SET : E` counts pits"
	case "sum":
		return "`total(SET)` is the number of seeds in a set"
	case "abs":
		return "write `max(x, -x)`"
	case "previous", "prev":
		return "write `before(p)`"
	}
	return ""
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
