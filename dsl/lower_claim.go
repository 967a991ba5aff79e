package dsl

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/grammar"
)

// clause adds a clause, or the property, to a claim.
func (l *lowerer) clause(out *ast.Claim, c *grammar.Clause) {
	span := at(c)
	switch {
	case c.Expect != nil:
		out.Clauses = append(out.Clauses, &ast.Expect{At: span, Refuted: c.Expect.Value == "refuted"})
	case c.With != nil:
		out.Clauses = append(out.Clauses, &ast.With{At: span, Settings: l.settings(c.With)})
	case c.For != nil:
		out.Clauses = append(out.Clauses, l.forClause(span, c.For)...)
	case c.Using != nil:
		out.Clauses = append(out.Clauses, &ast.Using{At: span, Engine: ident(c.Using)})
	case c.Following != nil:
		out.Clauses = append(out.Clauses, &ast.Following{At: span, Strategy: ident(c.Following)})
	case c.StartAt != nil:
		out.Clauses = append(out.Clauses, &ast.StartingAt{At: span, Position: ident(c.StartAt)})
	case c.Bound != nil:
		out.Clauses = append(out.Clauses, &ast.Bound{At: span, K: l.expr(c.Bound)})
	default:
		l.addProperty(out, span, c)
	}
}

func (l *lowerer) addProperty(out *ast.Claim, span ast.At, c *grammar.Clause) {
	if out.Property != nil {
		d := l.errorf(span.Range, "a claim has one property, and this is a second one")
		d.Help = "write two claims"
		d.Notes = []diag.Note{{Range: out.Property.Span(), Message: "the first one"}}
		return
	}
	out.Property = l.property(span, c)
	out.Clauses = append(out.Clauses, &ast.PropertyHere{At: span})
}

func (l *lowerer) forClause(span ast.At, f *grammar.ForClause) []ast.Clause {
	switch {
	case f.All != nil:
		return []ast.Clause{&ast.ForAll{At: span, Name: ident(f.All)}}
	case f.Some != nil:
		return []ast.Clause{&ast.ForSome{At: span, Name: ident(f.Some)}}
	}
	var out []ast.Clause
	for i, r := range f.Ranges {
		in := &ast.ForIn{At: at(r), Name: ident(r.Name), Lo: l.arith(r.Lo), Hi: l.arith(r.Hi)}
		if i == 0 {
			in.Range.Start = span.Range.Start
		}
		if i == len(f.Ranges)-1 {
			in.Range.End, in.Colon = span.Range.End, f.Colon
		}
		out = append(out, in)
	}
	return out
}

func (l *lowerer) property(span ast.At, c *grammar.Clause) ast.Property {
	switch {
	case c.Reach != nil:
		return &ast.Reach{At: span, Kind: c.Reach.Kind, Target: l.expr(c.Reach.Target), Within: l.expr(c.Reach.Within)}
	case c.Never:
		return &ast.NeverStuck{At: span}
	case c.Term != nil:
		return &ast.Terminates{At: span, Within: l.expr(c.Term.Within)}
	case c.Neighbour != nil:
		n := c.Neighbour
		return &ast.Neighbours{At: span, Pre: n.Kind == "predecessors", Of: l.expr(n.Of), List: l.exprs(n.List)}
	case c.Every != nil:
		e := c.Every
		return &ast.EveryStep{At: span, From: l.expr(e.From), By: label(e.By), Gives: l.expr(e.Gives), All: e.All}
	case c.Unique:
		return &ast.UniqueWinnable{At: span}
	case c.Winning != nil:
		return &ast.WinningStarts{At: span, List: l.exprs(c.Winning.List)}
	case c.Count != nil:
		return l.count(span, c.Count)
	case c.Strategy != nil:
		return &ast.StrategyWins{At: span, Strategy: ident(c.Strategy)}
	case c.Relation != nil:
		r := c.Relation
		out := &ast.Relation{At: span, Kind: r.Kind, Other: ident(r.Other), Settings: l.settings(r.Settings)}
		for _, name := range r.Ignoring {
			out.Ignoring = append(out.Ignoring, ident(name))
		}
		return out
	}
	return &ast.StepTo{At: span, Not: c.Step.Not != nil, From: l.expr(c.Step.From), To: l.expr(c.Step.To), By: label(c.Step.By)}
}

func (l *lowerer) count(span ast.At, c *grammar.Count) ast.Property {
	out := &ast.Count{At: span, Set: c.Set, Where: l.expr(c.Where), Op: c.Op.Value, Value: l.expr(c.Value)}
	switch {
	case c.Winning:
		out.Set = "winning starts"
	case c.Plays != nil:
		out.Set, out.Of = "plays", l.expr(c.Plays)
	case c.Of != nil:
		out.Set, out.Of = "ancestors", l.expr(c.Of)
	}
	if out.Op == "!=" {
		out.Op = "/="
	}
	return out
}
