package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// functions lists the language's functions with their number of arguments; -1 is any number from
// one on.
var functions = map[string]int{
	"total": -1, "seeds": 1, "index": 1, "next": 1, "before": 1, "min": 2, "max": 2,
}

// call resolves a function, or a state variable declared with `each`.
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
	if ent, ok := e.names[x.Func.Name]; ok && ent.kind == entRelation && e.find(x.Func.Name) == nil {
		return e.related(x, ent.index)
	}
	n, ok := functions[x.Func.Name]
	if !ok {
		names := e.reach()
		for f := range functions {
			names = append(names, f)
		}
		d := e.diags.Errorf(diag.Unknown, x.Func.Range, "unknown function `%s`", x.Func.Name)
		if x.Func.Name == "opposite" {
			d.WithHelp("no pits face each other on this board: declare `facing opposite a[i] = b[…]` there")
			return bad
		}
		if x.Func.Name == "count" {
			d.WithHelp("`seeds(p)` is the number of seeds in a pit")
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

// related is the pit that a relation leads to.
func (e env) related(x *ast.Call, relation int) value {
	if len(x.Args) != 1 {
		e.diags.Errorf(diag.Arity, x.Range, "`%s` takes one argument, here are %d", x.Func.Name, len(x.Args))
		return bad
	}
	v := e.expr(x.Args[0])
	out := pitValue(e.lookup(e.sys.Related(e.asPit(v, x.Args[0].Span()), relation), x.Range))
	out.spelled = v.spelled
	return out
}

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
	if x.Func.Name == "seeds" && v.held != nil {
		return number(v.held)
	}
	pit := e.asPit(v, at)
	switch x.Func.Name {
	case "seeds":
		return number(e.seedsOf(pit, x.Range))
	case "index":
		return number(e.lookup(e.sys.Index(pit), x.Range))
	}
	laps := e.lapOf(x)
	if len(laps) == 0 {
		return bad
	}
	along := e.sys.Next
	if x.Func.Name == "before" {
		along = e.sys.Before
	}
	out := pitValue(byLap(laps, func(lap int) rules.Expr { return e.lookup(along(pit, lap), x.Range) }))
	out.spelled = v.spelled
	return out
}

// lapOf is the lap that `next` and `before` go along, or those that it may be.
func (e env) lapOf(x *ast.Call) []lapCase {
	if x.Along != nil {
		return e.lapsAlong(x.Along)
	}
	if e.lap == anyLap && e.sown && len(e.sys.Laps) == 0 {
		return nil // along which lap was sown is a mistake that is reported
	}
	if e.lap == anyLap {
		d := e.diags.Errorf(diag.Misplaced, x.Range, "along which lap is not clear here")
		d.WithHelp("write `%s(… along LAP)`", x.Func.Name)
		return nil
	}
	return e.latest()
}

// goesAlong is the lap, or the laps, that a `sow` or a word goes along.
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

// lapsAlong lists the laps that a word may go along; none after a mistake.
func (e env) lapsAlong(x ast.Expr) []lapCase {
	if v, ok := e.goesAlong(x); ok {
		return e.casesOf(v, x.Span())
	}
	return nil
}
