package term

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// readCall resolves a call: of a function, a definition, a relation of the board, or a state
// variable declared with `each`.
func readCall(e Env, x *ast.Call) Value {
	ref := e.Ref(&x.Func)
	switch ref.Kind {
	case bind.VariableName:
		if len(x.Args) != 1 {
			return e.mistake(diag.Arity, x.Range, "`%s` takes one argument", ref.Name)
		}
		if v := e.Game.Variable(ref.Symbol); v != nil {
			return e.varValue(*v, x.Args[0], ref.Name, x.Range)
		}
	case bind.DefinitionName:
		if x.Along != nil {
			return e.mistake(diag.Misplaced, x.Along.Span(), "`%s` is a definition, which goes along no lap", ref.Name)
		}
		return readDefinition(e, ref, x.Args, x.Range)
	case bind.ProcedureName:
		return e.noValue(ref.Name, x.Func.Range)
	case bind.RelationName:
		if i, ok := e.Game.madeOf(ref.Symbol); ok {
			return readRelation(e, x, i)
		}
		return noRelation(e, ref.Name, x.Func.Range)
	case bind.FunctionName:
		if n := bind.Arguments(ref.Name); n >= 0 && len(x.Args) != n || len(x.Args) == 0 {
			e.Game.Run.Diags.Errorf(diag.Arity, x.Range, "`%s` takes %s, here are %d", ref.Name, Plural(n, "argument"), len(x.Args)).
				WithHelp("arguments stand in brackets with commas between them: `total(house)`, `max(a, b)`; `some p in SET : p > 3` asks it of one pit of a set")
			return Bad
		}
		return readFunction(e, x)
	}
	return e.Unknown(ref, x.Func.Range)
}

// readRelation resolves a call of a relation to the pit that it leads to, which may be none.
func readRelation(e Env, x *ast.Call, relation int) Value {
	if len(x.Args) != 1 {
		return e.mistake(diag.Arity, x.Range, "`%s` takes one argument, here are %d", x.Func.Name, len(x.Args))
	}
	v := e.Expr(x.Args[0])
	out := PitValue(Lookup(e.Game, e.Game.related(AsPit(e, v, x.Args[0].Span()), relation), x.Range))
	out.spelled = v.spelled
	return out
}

// readFunction resolves a call of a function of the language, whose number of arguments is right.
func readFunction(e Env, x *ast.Call) Value {
	switch x.Func.Name {
	case "total":
		return Number(total(e, e.Joined(x.Args)))
	case "min", "max":
		out := rules.Binary{Op: map[string]rules.Op{"min": rules.Min, "max": rules.Max}[x.Func.Name], At: x.Range}
		l, r := e.operands(x.Args[0], x.Args[1])
		out.L, out.R = numbers(e, l, r, x.Func.Name+"(%s, %s)")
		return Number(Simple(out))
	}
	v, at := e.Expr(x.Args[0]), x.Args[0].Span()
	// After `old`, the pit is that of now and its seeds are those of the state before.
	if x.Func.Name == "seeds" && v.held != nil {
		return Number(v.held)
	}
	pit := AsPit(e, v, at)
	switch x.Func.Name {
	case "seeds":
		return Number(seedsOf(e, pit, x.Range))
	case "index":
		if p, known := ConstOf(pit); known && p != rules.None {
			return Number(rules.Number(e.Game.Sys.Pits[p].Index))
		}
		return Number(Lookup(e.Game, e.Game.Sys.Index(pit), x.Range))
	}
	laps := lapsOfCall(e, x)
	if laps == nil {
		return Bad
	}
	out := PitValue(ByLap(laps, func(lap int) rules.Expr { return Lookup(e.Game, e.Game.along(x.Func.Name, pit, lap), x.Range) }))
	out.spelled = v.spelled
	return out
}

// lapsOfCall lists the laps that `next` and `before` may go along: the one named by `along`, or
// that of the latest sowing. It is nil after a mistake.
func lapsOfCall(e Env, x *ast.Call) []LapCase {
	if x.Along != nil {
		v, ok := GoesAlong(e, x.Along)
		if !ok {
			return nil
		}
		return CasesOf(e, v, x.Along.Span())
	}
	if e.Lap == AnyLap && e.Sown && len(e.Game.Sys.Laps) == 0 {
		return nil // the unknown lap of that sowing was reported already
	}
	if e.Lap == AnyLap {
		e.Game.Run.Diags.Errorf(diag.Misplaced, x.Range, "along which lap is not clear here").
			WithHelp("write `%s(… along LAP)`", x.Func.Name)
		return nil
	}
	return Latest(e)
}

// GoesAlong resolves the lap after `along`. ok is false after a mistake.
func GoesAlong(e Env, x ast.Expr) (Value, bool) {
	before := len(*e.Game.Run.Diags)
	if n, is := x.(*ast.Name); is && n.Name == SownLap.Name {
		return e.Find(SownLap).read(), true
	}
	v := e.Expr(x)
	if v.Type.Kind != LapKind {
		e.Game.Run.Mismatch(x.Span(), "a lap", v)
		listLaps(e, (*e.Game.Run.Diags)[before:])
		return Bad, false
	}
	return v, CasesOf(e, v, x.Span()) != nil
}

// noRelation reports a relation that the picture does not imply on this board. Rows that are not
// equally long are noted.
func noRelation(e Env, name string, at diag.Range) Value {
	d := e.Game.Run.Diags.Errorf(diag.Unknown, at, "unknown function `%s`", name)
	note, uneven := unevenRow(e)
	if !uneven {
		d.WithHelp("no pits face each other on this board: declare `facing %s a[i] = b[…]` there", name)
		return Bad
	}
	d.Notes = append(d.Notes, note)
	d.WithHelp("no pits face each other, because the rows are not equally long: make them so, or declare `facing %s a[i] = b[…]`", name)
	return Bad
}

// unevenRow finds the first row that is longer or shorter than the one above it. Only pits drawn
// with brackets count, and only rows with any.
func unevenRow(e Env) (note diag.Note, found bool) {
	above := 0
	for i, row := range e.Game.Sys.Picture {
		n := lists.Count(slices.Concat(row...), func(p int) bool { return e.Game.Bracketed[e.Game.Sys.Pits[p].Group] })
		switch {
		case n == 0:
			continue
		case above > 0 && n != above:
			return diag.Note{Range: e.Game.RowsAt[i], Message: fmt.Sprintf("a row of %d pits, below one of %d", n, above)}, true
		}
		above = n
	}
	return diag.Note{}, false
}
